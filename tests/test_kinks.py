"""Where a slope is infinite, or a function has a kink: both modes, second order, Numba, tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import s2sgrad
from s2sgrad import eager

Array = np.ndarray
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
BELOW = np.array([-1.0, 4.0, 0.25])  # the first entry is where the slope would be infinite

ABOVE = np.array([0.0, 4.0, 0.25])


def masked_log(x: Array) -> Any:
    y = np.log(x)
    y[x <= 0.0] = 0.0
    return np.sum(y)


def masked_root(x: Array) -> Any:
    mask = (x > 0.0).astype(float)
    return np.sum(2.0 * np.sqrt(x) * mask)


def summed_roots(x: Array) -> Any:
    total = 0.0
    for k in range(len(x)):
        total = total + float(x[k] > 0.0) * np.sqrt(x[k])
    return total


def logs_at_places(x: Array) -> Any:
    y = np.log(x).reshape(1, -1)
    rows, columns = np.nonzero(x.reshape(1, -1) > 0.0)
    first = np.flatnonzero(x > 0.0)
    return np.sum(y[rows, columns]) + np.sum(np.take(np.sqrt(x), first))


def squares_at_places(x: Array) -> Any:
    roots, total = np.sqrt(x) * x, 0.0
    for k in np.flatnonzero(x > 0.0):
        total = total + roots[k] ** 2
    return total


def where_positive(f: Callable[[Array], Array], x: Array) -> Array:
    return np.where(x > 0.0, f(x), 0.0)


CASES: dict[str, tuple[Callable[[Array], Any], list[float], list[float]]] = {
    "where log": (lambda x: np.sum(np.where(x > 0.0, np.log(x), 0.0)), BELOW, [0.0, 0.25, 4.0]),
    "where quotient": (
        lambda x: np.sum(np.where(x != -1.0, 1.0 / (x + 1.0), 0.0)), BELOW, [0.0, -0.04, -0.64],
    ),
    "maximum": (lambda x: np.sum(np.sqrt(np.maximum(x, 0.0))), BELOW, [0.0, 0.25, 1.0]),
    "maximum, other side": (lambda x: np.sum(np.sqrt(np.maximum(0.0, x))), BELOW, [0.0, 0.25, 1.0]),
    "minimum": (lambda x: np.sum(np.sqrt(-np.minimum(-x, 0.0))), BELOW, [0.0, 0.25, 1.0]),
    "fmax": (lambda x: np.sum(np.sqrt(np.fmax(x, 0.0))), BELOW, [0.0, 0.25, 1.0]),
    "clip": (lambda x: np.sum(np.sqrt(np.clip(x, 0.0, 9.0))), BELOW, [0.0, 0.25, 1.0]),
    "where": (lambda x: np.sum(np.sqrt(np.where(x > 0.0, x, 0.0))), BELOW, [0.0, 0.25, 1.0]),
    "power": (lambda x: np.sum(np.maximum(x, 0.0) ** 0.5), BELOW, [0.0, 0.25, 1.0]),
    "power, second order": (lambda x: np.sum(np.maximum(x, 0.0) ** 1.5), BELOW, [0.0, 3.0, 0.75]),
    "where power": (lambda x: np.sum(np.where(x > 0.0, x**1.5, 0.0)), BELOW, [0.0, 3.0, 0.75]),
    "arccos": (lambda x: np.sum(np.arccos(np.clip(x - 4.0, -1.0, 1.0))), BELOW, [0.0, -1.0, 0.0]),
    "bump": (
        lambda x: np.sum(np.exp(-1.0 / np.maximum(x, 0.0))), BELOW,
        [0.0, np.exp(-0.25) / 16.0, np.exp(-4.0) * 16.0],
    ),
    "masked entries": (masked_log, BELOW, [0.0, 0.25, 4.0]),
    "xlogy": (lambda x: np.sum(special.xlogy(x, 2.0 * x)), np.array([0.0, 0.5]), [0.0, 1.0]),
    "root of abs": (lambda x: np.sum(np.sqrt(np.abs(x))), ABOVE, [0.0, 0.25, 1.0]),
    "power of abs": (lambda x: np.sum(np.abs(2.0 * x) ** 0.5), 0.5 * ABOVE, [0.0, 0.5, 2.0]),
    "mask times root": (lambda x: np.sum((x > 0.0) * np.sqrt(x)), ABOVE, [0.0, 0.25, 1.0]),
    "root times mask": (masked_root, ABOVE, [0.0, 0.5, 2.0]),
    "mask in a loop": (summed_roots, ABOVE, [0.0, 0.25, 1.0]),
    "places": (logs_at_places, ABOVE, [0.0, 0.5, 5.0]),
    "places in a loop": (squares_at_places, ABOVE, [0.0, 48.0, 0.1875]),
    "where, nested": (
        lambda x: np.sum(np.where(x > 0.0, np.where(x > 1.0, np.log(x), np.sqrt(x)), 0.0)),
        ABOVE, [0.0, 0.25, 1.0],
    ),
    "where in a helper": (lambda x: np.sum(where_positive(np.log, x)), ABOVE, [0.0, 0.25, 4.0]),
    "hypot": (lambda x: np.sum(np.hypot(x, 0.0)), np.array([0.0, -2.0]), [0.0, -1.0]),
    "abs": (lambda x: np.sum(np.abs(x)), np.array([0.0, -2.0]), [0.0, -1.0]),
    "norm": (lambda x: np.linalg.norm(x), np.zeros(2), [0.0, 0.0]),
    "norm of rows": (
        lambda x: np.sum(np.linalg.norm(x.reshape(2, 2), axis=1)), np.array([0.0, 0, 3, 4]),
        [0.0, 0.0, 0.6, 0.8],
    ),
    "std": (lambda x: np.std(x), np.ones(2), [0.0, 0.0]),
    "arctan2": (lambda x: np.sum(np.arctan2(x, x)), np.zeros(2), [0.0, 0.0]),
    "power 0": (lambda x: np.sum(x**0), np.array([0.0, -2.0]), [0.0, 0.0]),
    "power of 0": (lambda x: np.sum(0.0**x), np.array([0.0, 2.0]), [0.0, 0.0]),
    "powers": (lambda x: np.sum(x ** np.array([0.0, 1.0, 2.0])), np.zeros(3), [0.0, 1.0, 0.0]),
    "sinc": (lambda x: np.sum(np.sinc(x)), np.array([0.0, 1.0]), [0.0, -1.0]),
    "product with a zero": (lambda x: np.prod(x), np.array([0.0, 2.0, 3.0]), [6.0, 0.0, 0.0]),
    "product with two zeros": (lambda x: np.prod(x), np.array([0.0, 0.0, 3.0]), [0.0, 0.0, 0.0]),
    "products": (lambda x: np.sum(np.cumprod(x)), np.array([2.0, 0.0, 3.0]), [1.0, 8.0, 0.0]),
    "tie of two": (lambda x: np.sum(np.maximum(x, 1.0)), np.array([0.0, 1, 2]), [0.0, 0.5, 1.0]),
    "tie of many": (lambda x: np.min(x), np.array([1.0, 1.0, 2.0]), [0.5, 0.5, 0.0]),
    "tie in a sort": (
        lambda x: np.sum(np.sort(x) * np.arange(3.0)), np.array([1.0, 1.0, 0.0]), [1.0, 2.0, 0.0],
    ),
    "bounds": (lambda x: np.sum(np.clip(x, 0.0, 1.0)), np.array([0.0, 1.0, 2.0]), [1.0, 1.0, 0.0]),
}  # fmt: skip
AS_TORCH = {  # tensors give NaN there, as PyTorch's do
    "root of abs", "power of abs", "mask times root", "root times mask", "mask in a loop",
    "places", "places in a loop",
}  # fmt: skip
ON_TENSORS = sorted(set(CASES) - {"masked entries", "norm of rows", "where in a helper"} - AS_TORCH)


@pytest.mark.parametrize("name", CASES)
def test_gradient(name: str) -> None:
    f, x, expected = CASES[name]
    np.testing.assert_allclose(s2sgrad.grad(f, fallback="error")(x), expected, rtol=1e-12)
    np.testing.assert_allclose(s2sgrad.jacfwd(f, fallback="error")(x), expected, rtol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_second_order(name: str) -> None:
    f, x, _ = CASES[name]
    curvature = s2sgrad.hessian(f, fallback="error")(x)
    assert np.all(np.isfinite(curvature))
    np.testing.assert_allclose(s2sgrad.hvp(f)(x, np.ones_like(x)), curvature.sum(axis=1))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (k % 3 > 0)) for k, n in enumerate(CASES)]
)
def test_compiled(name: str) -> None:
    f, x, expected = CASES[name]
    found = s2sgrad.grad(f, jit=True, fallback="error")(x)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", ON_TENSORS)
def test_tensors(name: str) -> None:
    f, x, expected = CASES[name]
    tensor = eager.tensor(x, requires_grad=True)
    f(tensor).backward()
    np.testing.assert_allclose(tensor.grad.numpy(), expected, rtol=1e-12)


def test_powers_of_what_is_negative() -> None:
    """An exponent that moves: the base has a logarithm where the branch is taken only."""
    f = s2sgrad.grad(lambda x: np.sum(np.where(x > 0.0, x**x, 0.0)), fallback="error")
    twice = s2sgrad.grad(lambda x: np.sum(f(x)), fallback="error")
    np.testing.assert_allclose(twice(np.array([-1.0, 1.0])), [0.0, 2.0], rtol=1e-12)


def test_beyond_the_support() -> None:
    """A density is zero there, and so are its derivatives, by the shapes too."""

    def total(x: Array, a: Array) -> Any:
        dense = stats.gamma.pdf(x, a) + stats.weibull_min.pdf(x, a) + stats.genextreme.pdf(x, 0.5)
        return np.sum(dense + stats.beta.cdf(x, a, a) + stats.lognorm.sf(x, a))

    x, a = np.array([-0.5, 0.3, 0.7]), np.array([1.5, 2.0, 2.5])
    s2sgrad.check_grad(total, x, a)
    assert np.all(np.isfinite(s2sgrad.hvp(total, fallback="error")(x, a, np.ones(3))))


def test_infinite_slopes_stay_in_their_place() -> None:
    x = np.array([0.0, 1.0, 4.0])
    expected = np.diag([np.inf, 0.5, 0.25])
    for kind in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
        np.testing.assert_array_equal(kind(np.sqrt)(x), expected)
    curvature = s2sgrad.hessian(lambda x: np.sum(x**1.5))(x)
    np.testing.assert_allclose(curvature, np.diag([np.inf, 0.75, 0.375]))


@pytest.mark.parametrize("jit", [False, True])
def test_root_of_an_extremum(jit: bool) -> None:
    """The entry that attains it has an infinite slope, the others none."""
    x = np.array([0.0, -4.0, -0.25])
    expected = [np.inf, 0.0, 0.0]
    for f, v in ((np.max, x), (np.min, -x)):
        found = s2sgrad.grad(lambda x, f=f: np.sqrt(f(x)), jit=jit, fallback="error")(v)
        np.testing.assert_array_equal(np.abs(found), expected)
    median = s2sgrad.grad(lambda x: np.sqrt(np.median(x)), fallback="error")
    np.testing.assert_array_equal(median(np.array([-1.0, 0.0, 1.0])), [0.0, np.inf, 0.0])
    rows = s2sgrad.grad(lambda x: np.sum(np.sqrt(np.max(x, axis=1))), jit=jit)(np.eye(3)[:2] - 1.0)
    np.testing.assert_array_equal(rows, np.where(np.eye(3)[:2] == 1.0, np.inf, 0.0))


def test_real_nan_stays() -> None:
    found = s2sgrad.jacobian(lambda x: np.sqrt(x) * np.array([np.nan, 1.0]))(np.array([1.0, 4.0]))
    np.testing.assert_array_equal(found, [[np.nan, np.nan], [0.0, 0.25]])
