"""Powers of negative floats are complex numbers in Python: refused, and never a wrong slope."""

from typing import Any

import numpy as np
import pytest

import s2sgrad


def length(x: Any) -> Any:
    return abs((x - 2.0) ** 0.5)


def in_a_list(x: Any) -> Any:
    roots = []
    for k in range(3):
        roots.append((x - 0.1 * k) ** 1.5)
    return np.linalg.norm(roots)


def in_an_array(x: Any) -> Any:
    return np.sum(np.abs(np.array([(x - 2.0) ** 0.5, 1.0])))


def parts(x: Any) -> Any:
    y = (x - 1.0) ** (x / 2.0)
    return y.real + y.imag


def returned(x: Any) -> Any:
    return x**0.5


def held(x: Any) -> Any:
    table = {"root": (x + 0.0) ** 0.5}
    return abs(table["root"]) * np.sum(np.ones(2))


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("function", [length, in_a_list, in_an_array, parts, returned, held])
def test_of_positive_floats_only(function: Any, jit: bool) -> None:
    df = s2sgrad.grad(function, jit=jit, fallback="error")
    slope = (function(3.7 + 1e-6) - function(3.7 - 1e-6)) / 2e-6
    assert np.isclose(df(3.7), slope, rtol=1e-7)
    with pytest.raises(TypeError, match="complex"):
        df(-1.3)


def test_forward_mode_and_the_pullback_refuse_them() -> None:
    with pytest.raises(TypeError, match="complex"):
        s2sgrad.jvp(length, (1.0,), (1.0,), fallback="error")
    with pytest.raises(TypeError, match="complex"):
        s2sgrad.vjp(length, 1.0, fallback="error")
