"""Whole results of functions that run on tensors, and functions whose decorators tell another
signature than their code has."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([1.0, 2.0])


class Fit:
    """A result with a whole number beside those with a derivative."""

    def __init__(self, slope: Any, count: int) -> None:
        self.slope, self.count = slope, count


def compiled(x: Any) -> Any:
    return np.sum(x) ** 2, 3, "text", None, np.array([1, 2]), {"fit": (Fit(2.0 * x, 3), True)}


def on_tensors(x: Any) -> Any:
    try:
        return compiled(x * 1.0)
    except ValueError:
        return None


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
@pytest.mark.parametrize("function", [compiled, on_tensors])
def test_tangents_of_whole_numbers(function: Any) -> None:
    """They are zeros, and what is no number has none; as in generated code."""
    _, (total, count, text, nothing, whole, held) = s2sgrad.jvp(function, (X,), (X,))
    assert (total, count, text, nothing) == (18.0, 0.0, None, None)
    np.testing.assert_equal(whole, np.zeros(2))
    fit, flag = held["fit"]
    np.testing.assert_equal(fit.slope, 2.0 * X)
    assert (type(fit), fit.count, flag) == (Fit, 0.0, 0.0)


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
@pytest.mark.parametrize("name", ["ttest_rel", "ttest_1samp", "ttest_ind", "pearsonr"])
def test_results_of_statistics(name: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    a, b = np.random.default_rng(0).normal(size=(2, 8))
    b = np.array(0.1) if name == "ttest_1samp" else b + 0.3 * a

    def both(a: Any) -> Any:
        found = getattr(stats, name)(a, b)
        return np.array([found.statistic, found.pvalue])

    _, tangent = s2sgrad.jvp(lambda a: getattr(stats, name)(a, b), (a,), (b + 0.0 * a,))
    expected = (both(a + 1e-6 * b) - both(a - 1e-6 * b)) / 2e-6
    np.testing.assert_allclose([tangent.statistic, tangent.pvalue], expected, rtol=1e-6)


INFINITE = [
    (np.sqrt, 0.0, np.inf),
    (np.cbrt, 0.0, np.inf),
    (np.arcsin, 1.0, np.inf),
    (np.arccos, -1.0, -np.inf),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [float, np.float64, lambda x: np.array([x])])
@pytest.mark.parametrize(("function", "point", "slope"), INFINITE)
def test_infinite_slopes(function: Any, point: float, slope: float, kind: Any) -> None:
    """In both modes, compiled and on tensors."""

    def recorded(x: Any) -> Any:
        try:
            x = x * 1.0
        except ValueError:
            return None
        return function(x)

    x = kind(point)
    for f in (function, recorded):
        np.testing.assert_equal(np.ravel(s2sgrad.jvp(f, (x,), (kind(1.0),))[1])[0], slope)
        np.testing.assert_equal(np.ravel(s2sgrad.grad(lambda x, f=f: np.sum(f(x)))(x))[0], slope)
    found = s2sgrad.grad(lambda x: np.sum(function(x)), jit=True)(x)
    np.testing.assert_equal(np.ravel(found)[0], slope)


def scaled(function: Any) -> Any:
    """A decorator with an option of its own, which hides it, as SciPy's do."""

    @functools.wraps(function)
    def wrapper(*args: Any, _factor: float = 2.0, **options: Any) -> Any:
        return function(*args, **options) * _factor

    wrapper.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return wrapper


@scaled
def weighted(x: Any, y: Any = 2.0) -> Any:
    return np.sum(x * x * y)


def doubled(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        return function(*args, **options) * 2.0

    return wrapper


class Model:
    """Its methods' wrappers have no parameter for the object."""

    def __init__(self, power: float) -> None:
        self.power = power

    @scaled
    def loss(self, x: Any, y: Any = 2.0) -> Any:
        return np.sum(x**self.power * y)

    @doubled
    def plain(self, x: Any, y: Any = 2.0) -> Any:
        return np.sum(x**self.power * y)

    __call__ = plain


@pytest.mark.parametrize("function", [weighted, Model(2).loss, Model(2).plain, Model(2)])
def test_signatures_that_are_told(function: Any) -> None:
    np.testing.assert_equal(s2sgrad.grad(function, fallback="error")(X), 8.0 * X)
    np.testing.assert_equal(s2sgrad.grad(function, fallback="error")(X, y=1.0), 4.0 * X)
    assert s2sgrad.jvp(function, (X,), (X,), fallback="error")[1] == 40.0
