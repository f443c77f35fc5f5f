"""NumPy functions run on traced arrays: gradients against central differences."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest

from s2sgrad.eager.numpy_code.relocated import relocated
from s2sgrad.eager.numpy_code.tracing import vjp
from s2sgrad.errors import ShapeError, UnsupportedError

A = np.random.default_rng(0).standard_normal((3, 3))


def central_differences(f: Callable[[Any], Any], x: Any, step: float = 1e-6) -> np.ndarray:
    """The gradient of a scalar function, entry by entry."""
    x = np.asarray(x, float)
    grad = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        args = (up, down) if x.ndim else (float(up), float(down))
        grad[i] = (f(args[0]) - f(args[1])) / (2 * step)
    return grad


def methods(x):
    return x.sum(0).T.reshape(-1)[::-1].dot(np.arange(3.0)) + x.copy().std() + x.flatten()[1]


def in_place(x):
    y = x.copy()
    y[0] *= 2
    y[1, :] = y[0] ** 2
    y += x
    y[y > 0.3] = 0.1
    return (y * y).sum()


def argument_in_place(x):
    x[0] = x[1] * 2
    x -= 1
    x /= 2
    return np.sum(x**3)


def try_except(x):
    try:
        if x.sum() < 100:
            raise ValueError
        return x.sum()
    except ValueError:
        z = np.linalg.solve(x + 4 * np.eye(3), x)
    return np.max(z) + z.mean() + np.einsum("ij,ji", z, z)


def generator(x):
    def parts():
        for row in x:
            yield row.sum() * row[0]

    total = 0.0
    for part in parts():
        total = total + part
    return total


def prefilled(x):
    y = np.zeros((3, 3))
    z = np.empty_like(x)
    for i in range(3):
        for j in range(3):
            y[i, j] = x[j, i] * x[i, j]
        z[i] = np.sin(y[i])
    return product(np.array([y.sum(), z[0, 0], 1.0])) * np.asarray(x)[0, 0]


def product(w):
    out = np.ones(3)
    out *= w
    return out.prod() + out.max()


def checks_types(x):
    assert isinstance(x, np.ndarray)
    return np.sqrt(np.abs(x)).mean(axis=0).std()


def lists(x):
    rows = [r * 2 for r in x]
    return np.stack(rows).clip(-0.5, 0.5).sum() + np.concatenate(rows).var()


FUNCTIONS = (
    methods, in_place, argument_in_place, try_except, generator, prefilled, checks_types, lists,
)  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradient(f: Any) -> None:
    value, pullback = vjp(f, A.copy())
    assert value == pytest.approx(f(A.copy()))
    assert not isinstance(value, np.ndarray)
    (x_bar,) = pullback(1.0)
    assert type(x_bar) is np.ndarray and x_bar.dtype == np.float64
    np.testing.assert_allclose(x_bar, central_differences(lambda x: f(x.copy()), A), atol=1e-6)
    np.testing.assert_array_equal(pullback(1.0)[0], x_bar)


@pytest.mark.parametrize("x", [1.3, -1.3])
def test_python_float(x: float) -> None:
    def f(x):
        assert isinstance(x, float)
        return np.sin(x) * x**2 if x > 0 else -x

    _, pullback = vjp(f, x)
    (x_bar,) = pullback(1.0)
    assert type(x_bar) is float
    assert x_bar == pytest.approx(float(central_differences(f, x)))


def test_closures_and_methods_of_objects() -> None:
    scale = np.arange(3.0)

    class Model:
        calls = 0

        def loss(self, x):
            self.calls += 1
            held = np.zeros(3)
            held[:] = x[0] * scale
            return held.sum()

    model = Model()
    _, pullback = vjp(model.loss, A)
    np.testing.assert_array_equal(pullback(1.0)[0][0], scale)
    assert model.calls == 1


def test_structures() -> None:
    @dataclasses.dataclass
    class Point:
        w: Any
        n: int

    def f(point, data, k):
        return {"a": (point.w * data["x"][0]).sum() * k, "b": point.w}

    value, pullback = vjp(f, Point(A, 3), {"x": [2.0, np.ones(2)]}, 3)
    assert set(value) == {"a", "b"}
    point_bar, data_bar, k_bar = pullback({"a": 1.0, "b": np.zeros((3, 3))})
    assert point_bar.n is None and k_bar is None
    np.testing.assert_allclose(point_bar.w, np.full((3, 3), 6.0))
    assert data_bar["x"][0] == pytest.approx(3 * A.sum())
    np.testing.assert_array_equal(data_bar["x"][1], np.zeros(2))


def test_arguments_stay_as_they_are() -> None:
    x = np.ones(3)
    vjp(argument_in_place, x)
    np.testing.assert_array_equal(x, np.ones(3))


def test_dtype_is_kept() -> None:
    value, pullback = vjp(lambda x: (x * 2).sum(), np.ones(3, np.float32))
    assert value.dtype == np.float32
    assert pullback(1.0)[0].dtype == np.float32


def test_second_order() -> None:
    def gradient_sum(x):
        _, pullback = vjp(lambda z: (z**3).sum(), x)
        return (pullback(1.0)[0] * np.arange(3.0)).sum()

    x = np.array([1.0, 2.0, 3.0])
    value, pullback = vjp(gradient_sum, x)
    assert value == pytest.approx(float((3 * x**2 * np.arange(3.0)).sum()))
    np.testing.assert_allclose(pullback(1.0)[0], 6 * x * np.arange(3.0))


def test_losing_the_derivative_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="loses the derivative"):
        vjp(float, 1.0)
    held = np.zeros(3)

    def into_plain(x):
        held[0] = x[0]
        return held.sum()

    with pytest.raises((UnsupportedError, ValueError, TypeError)):
        vjp(into_plain, np.ones(3))


def test_cotangents_are_checked() -> None:
    _, pullback = vjp(lambda x: x * 2, np.ones(3))
    with pytest.raises(ShapeError):
        pullback(np.ones(4))


def test_relocated_leaves_the_original_alone() -> None:
    before = dict(globals())
    with relocated(prefilled) as copy:
        assert copy is not prefilled and copy.__name__ == "prefilled"
        assert dict(globals()) == before
    assert type(np.zeros(2)) is np.ndarray


counter = 0


def counting(x):
    global counter
    counter += 1
    return x.sum()


def test_global_writes_reach_the_module() -> None:
    vjp(counting, np.ones(2))
    assert counter == 1


def with_math(x):
    total = 0.0
    for v in x.ravel():
        total += math.sin(v) * math.exp(float(v)) + sqrt(v * v + 1.0)
    return float(total)


def with_float_as_type(x):
    y = np.zeros(3, dtype=float)
    y[:] = x[0]
    y.sort()
    return (y * np.arange(3.0)).sum()


@pytest.mark.parametrize("f", [with_math, with_float_as_type])
def test_math_and_float(f: Any) -> None:
    _, pullback = vjp(f, A)
    np.testing.assert_allclose(pullback(1.0)[0], central_differences(f, A), atol=1e-6)


def test_seldom_arguments_of_functions_with_rules() -> None:
    """What their rules do not know is read as code, as the compiler does."""
    places, x = np.array([0.1, 0.5, 2.0, 3.0]), np.array([0.3, 0.7, 1.1, 1.4, 2.2])

    def f(x: Any) -> Any:
        mean, total = np.average(x * x, weights=x, returned=True)
        padded = np.pad(np.logspace(x[0], x[1], 3, base=x[2]), 1, constant_values=x[3])
        return mean * total + np.sum(np.interp(x * 3.0, places, x[1:] * x[0], period=3.5) * padded)

    numeric = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(5)]
    np.testing.assert_allclose(vjp(f, x)[1](1.0)[0], numeric, rtol=1e-7)


def test_arrays_on_the_memory_of_constants_may_be_written() -> None:
    """Before and after an operation has read a constant that NumPy's other classes share."""

    def f(x: Any) -> Any:
        c, d = np.ones(3) * 2.0, np.eye(3)
        part, matrix = np.lib.stride_tricks.as_strided(c, (3,), (8,)), np.asmatrix(d)
        y, z = x * x * c, d @ (x * x)
        part[0], matrix[0, 1] = 7.0, 2.0
        return np.sum(y * x) + np.sum(c * x) + z @ x + np.sum(d @ x)

    x = np.array([0.3, 0.7, 1.1])
    numeric = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(vjp(f, x)[1](1.0)[0], numeric, rtol=1e-7)


class Bunch(dict):
    """Its entries are its attributes."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.__dict__ = self


def test_entries_that_are_attributes_are_both() -> None:
    value, pullback = vjp(lambda p: p.a * np.sum(p["b"] * p.b), Bunch(a=0.7, b=np.ones(2)))
    assert value == 1.4
    assert pullback(1.0)[0]["a"] == 2.0
