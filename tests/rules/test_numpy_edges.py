"""Conventions at kinks, ties, zeros and bounds, where differences can't decide."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest

import s2sgrad
from s2sgrad.rules import RULES, lookup
from s2sgrad_runtime import unbroadcast

INF = np.inf


def bars(function: Any, *args: Any, **kwargs: Any) -> list[Any]:
    """The cotangents of all array arguments for y_bar = 1."""
    rule = lookup(function)
    assert rule is not None
    y = function(*args, **kwargs)
    bound = rule.bind(args, kwargs)
    found = []
    for name in rule.arguments:
        if name in rule.partials and bound[name] is not None:
            bar = rule.partials[name].fn(np.ones_like(y), y, *bound.values())
            found.append(unbroadcast(bar, bound[name]))
    return found


A = np.array
EDGES = [
    (np.absolute, (A([0.0, -2.0]),), {}, [[0, -1]]),
    (np.fabs, (A([0.0, 2.0]),), {}, [[0, 1]]),
    (np.sqrt, (A([0.0, 4.0]),), {}, [[INF, 0.25]]),
    (np.cbrt, (A([0.0]),), {}, [[INF]]),
    (np.maximum, (A([1.0, 2.0]), A([1.0, 3.0])), {}, [[0.5, 0], [0.5, 1]]),
    (np.minimum, (A([1.0, 2.0]), A([1.0, 3.0])), {}, [[0.5, 1], [0.5, 0]]),
    (np.maximum, (A([-0.5, 0.0, 1.0]), 0.0), {}, [[0, 0.5, 1], 1.5]),
    (np.fmax, (A([1.0, np.nan]), A([np.nan, 2.0])), {}, [[1, 0], [0, 1]]),
    (np.max, (A([3.0, 1.0, 3.0]),), {}, [[0.5, 0, 0.5]]),
    (np.min, (A([[1.0, 1.0], [2.0, 0.0]]),), {"axis": 1}, [[[0.5, 0.5], [0, 1]]]),
    (np.max, (A([1.0, 2.0]),), {"initial": 5.0}, [[0, 0]]),
    (np.ptp, (A([1.0, 1.0, 4.0]),), {}, [[-0.5, -0.5, 1]]),
    (np.clip, (A([-1.0, 0.0, 0.5, 1.0, 2.0]), 0.0, 1.0), {}, [[0, 1, 1, 1, 0], 1, 1]),
    (np.clip, (A([0.2, 9.0]), 3.0, 1.0), {}, [[0, 0], 0, 2]),
    (np.prod, (A([0.0, 2.0, 3.0]),), {}, [[6, 0, 0]]),
    (np.prod, (A([0.0, 2.0, 0.0]),), {}, [[0, 0, 0]]),
    (np.cumprod, (A([2.0, 0.0, 3.0]),), {}, [[1, 8, 0]]),
    (np.std, (A([2.0, 2.0]),), {}, [[0, 0]]),
    (np.hypot, (A([0.0]), A([0.0])), {}, [[0], [0]]),
    (np.arctan2, (A([0.0]), A([0.0])), {}, [[0], [0]]),
    (np.arctan2, (A([3e-200]), A([4e-200])), {}, [[1.6e199], [-1.2e199]]),
    (np.angle, (A([4e-200 + 3e-200j]),), {}, [[-1.2e199 + 1.6e199j]]),
    (np.sinc, (A([0.0]),), {}, [[0]]),
    (np.copysign, (A([0.0, -2.0]), 1.0), {}, [[0, -1], 0]),
    (np.angle, (A([0j, 1 + 0j]),), {}, [[0, 1j]]),
    (np.absolute, (A([0j, 3 + 4j]),), {}, [[0, 0.6 + 0.8j]]),
    (np.nan_to_num, (A([np.nan, 1.0, INF]),), {}, [[0, 1, 0]]),
    (np.where, (A([True, False]), A([1.0, np.nan]), A([INF, 2.0])), {}, [[1, 0], [0, 1]]),
    (np.interp, (A([0.0, 9.0]), A([0.0, 1.0]), A([2.0, 5.0])), {}, [[3, 0], [-3, 0], [1, 1]]),
    (np.median, (A([1.0, 4.0, 2.0, 8.0]),), {}, [[0, 0.5, 0.5, 0]]),
]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize(("function", "args", "kwargs", "expected"), EDGES)
def test_convention(function: Any, args: Any, kwargs: Any, expected: Any) -> None:
    for found, wanted in zip(bars(function, *args, **kwargs), expected, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-15)


POWERS = [(0.0, 2.0, 0.0), (-1.5, 2.0, -3.0), (0.0, 1.0, 1.0), (0.0, 0.0, 0.0), (-2.0, 3, 12.0)]


@pytest.mark.parametrize(("base", "exponent", "slope"), POWERS)
def test_power_of_base_stands_alone(base: float, exponent: float, slope: float) -> None:
    x = A([base])
    rule = lookup(np.power)
    assert rule is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bar = rule.partials["x1"].fn(A([1.0]), x**exponent, x, exponent)
    np.testing.assert_allclose(bar, [slope])


def test_power_of_exponent_at_zero_base() -> None:
    x1, x2 = A([0.0, 0.0, 2.0]), A([2.0, 0.0, 3.0])
    found = bars(np.power, x1, x2)[1]
    np.testing.assert_allclose(found, [0, 0, 8 * np.log(2)])


def test_rules_keep_numpy_parameters() -> None:
    """Names and order are NumPy's, where NumPy has a signature and Python allows the name."""
    different = {
        "trapezoid",
        "cov",
        "corrcoef",
        "einsum",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "pad",
        "where",
    }
    for function, rule in RULES.items():
        name = getattr(function, "__name__", "")
        if rule.declaration is None or getattr(np, name, None) is not function:
            continue
        if isinstance(function, np.ufunc) or name in different:
            continue
        theirs = list(inspect.signature(function).parameters)
        assert list(rule.parameters) == theirs[: len(rule.parameters)], name


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
@pytest.mark.parametrize("shapes", [((2,), (2,)), ((4, 2), (2,)), ((4, 3), (4, 2)), ((2,), (4, 3))])
def test_cross_of_vectors_in_the_plane(shapes: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=s) for s in shapes)

    def total(a: np.ndarray, b: np.ndarray) -> Any:
        return np.sum(np.sin(np.cross(a, b)))

    s2sgrad.check_grad(total, a, b)
    gradient = s2sgrad.grad(total, fallback="error")
    s2sgrad.check_grad(lambda a, b: np.sum(gradient(a, b) ** 2), a, b)


ALONG = [np.prod, np.nanprod, np.cumsum, np.cumprod, np.cumulative_sum, np.cumulative_prod]


@pytest.mark.parametrize("function", ALONG)
@pytest.mark.parametrize("axis", [0, -1])
def test_numbers_have_an_axis_too(function: Any, axis: int) -> None:
    def square(x: Any) -> Any:
        return np.sum(function(x, axis=axis) ** 2)

    for x in (1.5, np.float64(1.5), np.array(1.5)):
        assert np.shape(s2sgrad.grad(square, fallback="error")(x)) == ()
        assert s2sgrad.grad(square, fallback="error")(x) == pytest.approx(3.0)
        assert s2sgrad.jvp(square, (x,), (x,), fallback="error")[1] == pytest.approx(4.5)
        assert s2sgrad.hvp(square, fallback="error")(x, x) == pytest.approx(3.0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_means_of_nothing(shape: tuple[int, ...]) -> None:
    def spread(x: Any, y: Any) -> Any:
        return np.mean(x) + np.sum(np.var(x, axis=0)) * np.sum(y) + np.std(x) + np.sum(y**2)

    y = np.array([1.0, 2.0])
    for jit in (False, True):
        derivative = s2sgrad.grad(spread, (0, 1), fallback="error", jit=jit)
        assert derivative(np.zeros(shape), y)[0].shape == shape
    _, pullback = s2sgrad.vjp(spread, np.zeros(shape), y, fallback="error")
    assert pullback(1.0)[0].shape == shape
    assert s2sgrad.hessian(spread, fallback="error")(np.zeros(shape), y).shape == 2 * shape


def test_angle_of_a_point_that_is_the_origin_in_its_own_precision() -> None:
    """Beside float32 a Python number of 1e-160 is 0, and the slope at the origin is 0."""
    x = np.array([0.0, 0.5], np.float32)
    found = s2sgrad.grad(lambda x: np.sum(np.arctan2(x, 1e-160)), fallback="error")(x)
    np.testing.assert_array_equal(found, [0.0, 0.0])


LONG = [
    lambda a, b: np.sum((a * b) ** 2),
    lambda a, b: a @ b,
    lambda a, b: np.sum(np.where(a > b, a, b) / b),
    lambda a, b: np.sum(np.outer(a, b)) + a[0] * b[1],
    lambda a, b: np.sum(np.concatenate((a, b)) ** 3) * np.std(b),
]


@pytest.mark.parametrize("function", LONG)
def test_gradients_beside_long_doubles(function: Any) -> None:
    """Each argument's gradient has its dtype, and that of long doubles all its digits."""
    a = np.array([1.0, 2.0, 0.3], dtype=np.longdouble)
    b = np.array([0.5, 1.5, 2.5])
    a[1:] += np.longdouble(1e-19)  # more than doubles hold
    expected = s2sgrad.grad(function, argnums=(0, 1))(np.float64(a), b)
    for given in ((a, b), (a, np.float32(b)), (a, np.longdouble(b))):
        for found, x, wanted in zip(
            s2sgrad.grad(function, argnums=(0, 1))(*given), given, expected, strict=True
        ):
            assert found.dtype == x.dtype
            np.testing.assert_allclose(np.float64(found), wanted, rtol=1e-6)
    long = s2sgrad.grad(lambda a: np.sum(a * a * b))(a)
    np.testing.assert_array_equal(long, 2 * a * b)
    _, pullback = s2sgrad.vjp(lambda a, b: a * b, a, b)
    assert [x_bar.dtype for x_bar in pullback(np.ones_like(a))] == [a.dtype, b.dtype]
