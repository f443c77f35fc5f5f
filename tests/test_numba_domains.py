"""Compiled code gives the errors and the kinds of numbers that Python gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")

CALLS: tuple[tuple[float, float, int], ...] = (
    (1000.0, 0.0, 0), (0.0, 0.0, 1), (-1.0, 0.0, 2), (1e200, 2.5, 3), (0.0, -1.5, 4),
    (2.0, 0.0, 5), (2.0, 0.0, 6), (math.nan, 0.0, 7), (math.inf, 0.0, 7), (0.0, 0.0, 8),
    (-1.5, -2.0, 9),
)  # fmt: skip


def outside_of_domains(a: float, b: float, which: int) -> Any:
    if which == 0:
        return math.exp(a)
    if which == 1:
        return math.log(a)
    if which == 2:
        return math.sqrt(a)
    if which == 3:
        return math.pow(a, b)
    if which == 4:
        return a**b
    if which == 5:
        return a / b
    if which == 6:
        return a % b
    if which == 7:
        return a * int(a)
    if which == 8:
        return abs(complex(a, b) ** -1)
    return np.sum(np.zeros(int(b))) + a


def lengths_that_differ(x: Any, y: Any) -> Any:
    z = x.copy()
    z[1:] += y[1:]
    return np.dot(z, y)


def beside_the_array(x: Any) -> Any:
    return x[3] * 2.0


def told(function: Any, *args: Any) -> tuple[type, str]:
    with pytest.raises((ValueError, IndexError, ArithmeticError)) as caught:
        function(*args)
    return type(caught.value), str(caught.value)


def test_the_errors_of_python() -> None:
    plain = s2sgrad.value_and_grad(outside_of_domains, fallback="error")
    compiled = s2sgrad.value_and_grad(outside_of_domains, fallback="error", jit=True)
    for call in CALLS:
        assert told(compiled, *call) == told(plain, *call), call
    assert compiled(2.0, -1.5, 4) == pytest.approx(plain(2.0, -1.5, 4), rel=1e-14)
    plain = s2sgrad.value_and_grad(lengths_that_differ, fallback="error")
    compiled = s2sgrad.value_and_grad(lengths_that_differ, fallback="error", jit=True)
    assert told(compiled, np.ones(4), np.ones(3)) == told(plain, np.ones(4), np.ones(3))
    plain = s2sgrad.value_and_grad(beside_the_array, fallback="error")
    compiled = s2sgrad.value_and_grad(beside_the_array, fallback="error", jit=True)
    assert compiled(np.ones(4))[0] == 2.0
    assert told(compiled, np.ones(3)) == told(plain, np.ones(3))


def test_roots_of_negative_numbers_are_complex() -> None:
    def f(a: float) -> Any:
        return (a**0.5).imag

    for jit in (False, True):
        with pytest.raises(TypeError, match="complex"):
            s2sgrad.value_and_grad(f, jit=jit, fallback="error")(-4.0)


def test_numbers_of_python_become_single() -> None:
    """A sum that begins with 0.0 is single with its first term, and Python's without one."""

    def f(x: Any, a: float) -> Any:
        s = 0.0
        for v in x:
            t = a
            if v < 2.0:
                t = v
            s = s * a + t
        return s * 1.5

    compiled, plain = (
        s2sgrad.value_and_grad(f, (0, 1), fallback="error", jit=jit) for jit in (True, False)
    )
    for numbers in ([0.1, 0.7, 3.0], [3.0], []):
        x = np.array(numbers, np.float32)
        (value, found), (reference, expected) = compiled(x, 0.3), plain(x, 0.3)
        assert np.asarray(value).dtype == np.asarray(reference).dtype
        assert value == reference
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-6)


def taken_by_a_mask(x: Any, mask: Any) -> Any:
    return np.sum(x[..., mask] ** 2) if x.ndim > 2 else np.sum(x[:, mask] ** 2)


def written_by_a_mask(x: Any, mask: Any) -> Any:
    y = x[0].copy()
    y[mask] = 0.0
    return np.sum(y**2) + np.sum(x[1][mask])


@pytest.mark.parametrize("function", [taken_by_a_mask, written_by_a_mask])
@pytest.mark.parametrize("count", [2, 4])
def test_masks_of_another_length(function: Any, count: int) -> None:
    """Numba would read and write beside the array."""
    x, mask = np.ones((2, 3)), np.arange(count) > 0
    compiled = s2sgrad.value_and_grad(function, jit=True, fallback="error")
    assert told(compiled, x, mask) == told(function, x, mask)
    value, gradient = compiled(x, np.arange(3) > 0)
    assert value == function(x, np.arange(3) > 0)
    assert gradient.shape == x.shape
