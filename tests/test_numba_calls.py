"""One compiled derivative called with other sizes, dtypes and layouts, against NumPy's code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import s2sgrad

pytest.importorskip("numba")
RNG = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


def spread(a: np.ndarray, b: np.ndarray) -> float:
    return np.sum(np.tanh(a * b + b) ** 2) + np.sum(a[:-1] * 2.0)


def selected(x: np.ndarray, mask: np.ndarray) -> float:
    y = x.copy()
    y[mask] *= x[mask]
    y[~mask] += 1.0
    return np.sum(y**2) + np.cumsum(y)[-1]


SPREAD = [
    (normal(4), normal(4)),
    (normal(9), normal(9)),
    (normal(1), normal(1)),
    (normal(4), normal(1)),
    (normal(1), normal(5)),
    (normal(0), normal(0)),
    (normal(3, 4), normal(4)),
    (normal(8)[::2], normal(4)),
    (np.asfortranarray(normal(3, 4)), normal(3, 4)),
    (normal(5), np.arange(5)),
    (normal(5).astype(np.float32), normal(5).astype(np.float32)),
]
SELECTED = [(x, x > 0.1) for x in (normal(5), normal(1), -np.ones(3), normal(3, 4), normal(8)[::2])]


@pytest.mark.parametrize("f, calls", [(spread, SPREAD), (selected, SELECTED)])
def test_calls_of_every_kind(f: Any, calls: list[tuple[np.ndarray, ...]]) -> None:
    """Each twice, in both orders: what was compiled for one call must not serve a wrong one."""
    compiled, plain = (
        s2sgrad.value_and_grad(f, jit=jit, fallback="error") for jit in (True, False)
    )
    for args in (*calls, *reversed(calls)):
        value, gradient = compiled(*args)
        expected, expected_gradient = plain(*args)
        assert gradient.dtype == args[0].dtype and gradient.shape == args[0].shape
        limit = 1e-5 if args[0].dtype == np.float32 else 1e-12
        assert value == pytest.approx(float(expected), rel=limit)
        assert gradient == pytest.approx(expected_gradient, rel=limit, abs=limit)


def test_memory_of_large_arrays_is_used_again() -> None:
    gradient = s2sgrad.grad(lambda x: np.sum(np.sin(x) ** 2 * x), jit=True)
    x = np.linspace(0.0, 1.0, 100_000)
    expected = gradient(x)
    places = set()
    for _ in range(20):
        found = gradient(x)
        np.testing.assert_array_equal(found, expected)
        places.add(found.ctypes.data)
    assert len(places) <= 4
    assert expected.ctypes.data not in places


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_infinite_slope_in_a_piece_that_python_runs() -> None:
    """Compiled code hands floats of Python to it, which NumPy's code never sees."""

    def root_of_median(x: np.ndarray) -> float:
        return np.sqrt(np.median(x))

    for jit in (False, True):
        slope = s2sgrad.grad(root_of_median, jit=jit)(np.zeros(3))
        np.testing.assert_array_equal(slope, [0.0, np.inf, 0.0])


def test_functions_that_numba_compiled() -> None:
    """They are read as the Python functions they are made of."""
    import numba

    @numba.njit
    def powers(x: np.ndarray, k: int) -> float:
        total = 0.0
        for i in numba.prange(x.shape[0]):
            total += np.sin(x[i]) ** k
        return total

    @numba.vectorize
    def halves(a: float, b: float) -> float:
        return a * b if a < b else a / 2.0

    def f(x: np.ndarray) -> float:
        return powers(x, 3) * x[0] + np.sum(halves(x, 0.4))

    x = np.array([0.3, 0.5, 0.7])
    slopes = np.cos(x) * np.sin(x) ** 2 * 3
    assert_allclose(s2sgrad.grad(powers, fallback="error")(x, 3), slopes)
    expected = slopes * x[0] + np.where(x < 0.4, 0.4, 0.5) + [np.sum(np.sin(x) ** 3), 0.0, 0.0]
    assert_allclose(s2sgrad.grad(f, fallback="error")(x), expected)


def test_views_taken_by_python_whose_array_the_backward_function_writes() -> None:
    def columns(x: Any) -> Any:
        rows = (x * 1.0).reshape(3, 4)
        first, _, last, _ = np.unstack(rows, axis=1)
        first *= last
        return np.sum(rows**2)

    x = np.linspace(0.2, 1.4, 12)
    _, pullback = s2sgrad.vjp(columns, x, jit=True, fallback="error")
    slopes = [(columns(x + e) - columns(x - e)) / 2e-6 for e in 1e-6 * np.eye(12)]
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], slopes, rtol=1e-7)


def test_pullback_of_a_view_that_lies_backwards() -> None:
    """The parts of a pullback ask for themselves whether a cotangent is a view of another."""

    def flattened(x):
        a = x.reshape(4, 4) * 1.0
        t = a[::-1, ::-2].reshape(-1)
        t[3] = x[0] * x[1]
        return np.sum(a**2 * x[:4])

    x = np.linspace(-1.0, 2.0, 16)
    _, pullback = s2sgrad.vjp(flattened, x, jit=True, fallback="error")
    np.testing.assert_allclose(pullback(1.0)[0], s2sgrad.grad(flattened)(x))
