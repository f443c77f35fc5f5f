"""check_grad: passes what is right at any scale, names the entry that is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import s2sgrad


def cube(x):
    return x**3


@s2sgrad.rule(cube)
def wrong_cube(y_bar, y, x):
    return y_bar * 2.0 * x**2


@dataclass
class Params:
    w: np.ndarray
    rate: float


def test_right_gradients_pass() -> None:
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(3, 2)), rng.normal(size=(4, 3))
    s2sgrad.check_grad(lambda w, x: np.mean(np.tanh(x @ w) ** 2), w, x)
    s2sgrad.check_grad(lambda p: np.sum(p["w"]) * p["b"], {"w": w, "b": 0.5})
    s2sgrad.check_grad(lambda p: np.sum(p.w**2) * p.rate, Params(w, 0.1))
    s2sgrad.check_grad(lambda w, n: np.sum(w**n), w, 3)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_any_scale(size: float) -> None:
    s2sgrad.check_grad(lambda x: np.sum(np.sin(x / size) * x), np.array([0.3, 1.1]) * size)


def test_float32_gets_a_wider_margin() -> None:
    s2sgrad.check_grad(lambda x: np.sum(x * x), np.ones(3, np.float32))


def test_a_constant_function_passes() -> None:
    s2sgrad.check_grad(lambda x: np.sum(0.0 * x) + 3.0, np.ones(3))


def test_a_wrong_rule_is_named() -> None:
    with pytest.raises(s2sgrad.S2sgradError) as caught:
        s2sgrad.check_grad(lambda p: np.sum(cube(p["a"])), {"a": np.array([1.0, 2.0])})
    assert isinstance(caught.value, AssertionError)
    lines = str(caught.value).splitlines()
    assert lines[1] == "  worst entry: p['a'][1]"
    assert lines[2].split()[-1] == "8" and float(lines[3].split()[-1]) == pytest.approx(12.0)


def test_nothing_to_check() -> None:
    with pytest.raises(TypeError, match="no argument holds floats"):
        s2sgrad.check_grad(lambda n: n * 1.0, 3)


def test_functions_that_draw_numbers() -> None:
    def noisy(x, rng):
        return np.sum(x * rng.normal(size=3)) ** 2

    rng, other = np.random.default_rng(0), np.random.default_rng(0)
    s2sgrad.check_grad(noisy, np.array([1.0, 2.0, 3.0]), rng)
    assert rng.normal() == other.normal()  # they are left as they were
