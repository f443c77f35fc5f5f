"""Forward mode against central differences along a direction, over the whole corpus."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import programs
import pytest
from harness import assert_close, ravel, replaced, same, select, unravel
from test_programs import PROGRAMS, one_in, parameter_names

import s2sgrad
from s2sgrad.derivatives.forward import Forward


def slope(p: programs.Program, direction: np.ndarray) -> float:
    """The derivative along a direction by central differences of fourth order."""
    args, kwargs = p.example()
    names = parameter_names(p)
    tree = select(args, kwargs, p.wrt, names)
    at = ravel(tree)

    def value(t: float) -> float:
        moved = replaced(args, kwargs, p.wrt, unravel(tree, at + t * direction), names)
        return float(p.function(*moved[0], **moved[1]))

    coarse, fine = ((value(h) - value(-h)) / (2 * h) for h in (1e-4, 5e-5))
    return (4.0 * fine - coarse) / 3.0


@pytest.mark.parametrize("p", one_in(15, PROGRAMS))
def test_forward(p: programs.Program) -> None:
    args, kwargs = p.example()
    wrt = p.wrt if isinstance(p.wrt, tuple) else (p.wrt,)
    tree = select(args, kwargs, wrt, parameter_names(p))
    at = ravel(tree)
    direction = np.random.default_rng(5).normal(size=at.size)
    forward = Forward(p.function, wrt, fallback="error")
    values = forward.binder.bind(*args, **kwargs)
    before = copy.deepcopy((args, kwargs))
    dots = forward.conform(values, unravel(tree, direction))
    given = copy.deepcopy(dots)
    y, y_dot = forward.push(values, dots)
    assert same(before[0], args) and same(before[1], kwargs), "the arguments were changed"
    assert same(given, dots), "the tangents were changed"
    value = p.function(*copy.deepcopy(args), **copy.deepcopy(kwargs))
    assert_close(np.asarray(y, float), np.asarray(value, float), 1e-12, "value")
    expected = slope(p, direction)
    assert_close(np.asarray(y_dot, float), np.asarray(expected), p.rtol, "tangent")


def newton(a: np.ndarray) -> float:
    x = np.ones_like(a)
    while np.max(np.abs(x * x - a)) > 1e-3:
        x = 0.5 * (x + a / x)
    return np.sum(x)


def in_place(a: np.ndarray) -> float:
    y = a.copy()
    for i in range(1, len(a)):
        y[i] += np.sin(y[i - 1]) * a[i]
        y[i:] *= y[i - 1]
    return np.sum(y**2)


def cell(h: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.tanh(h * x + x)


def recurrent(x: np.ndarray) -> float:
    states, h = [], np.zeros(3)
    for i in range(len(x) - 2):
        h = cell(h, x[i : i + 3])
        states.append(h)
    return sum(np.sum(s) * k for k, s in enumerate(states))


def along(f, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The derivative of a function in a direction by central differences of fourth order."""
    near, far = ((f(x + h * v) - f(x - h * v)) / (2 * h) for h in (1e-4, 2e-4))
    return (4.0 * near - far) / 3.0


THIRD = [newton, in_place, recurrent]


@pytest.mark.parametrize("f", THIRD, ids=lambda f: f.__name__)
def test_every_order(f) -> None:
    """Second and third derivatives, in every order of modes, against differences below."""
    x = np.linspace(0.6, 1.4, 5)
    u, v = np.random.default_rng(3).normal(size=(2, 5))
    gradient = s2sgrad.grad(f, fallback="error")
    product = along(gradient, x, v)
    assert_close(s2sgrad.hvp(f, fallback="error")(x, v), product, 1e-6)
    reverse_twice = s2sgrad.grad(lambda x: np.dot(gradient(x), v), fallback="error")
    assert_close(reverse_twice(x), product, 1e-6)
    forward_first = s2sgrad.grad(lambda x: s2sgrad.jvp(f, (x,), (v,))[1], fallback="error")
    assert_close(forward_first(x), product, 1e-6)
    third = along(reverse_twice, x, u)
    thrice = s2sgrad.grad(lambda x: np.dot(reverse_twice(x), u), fallback="error")
    assert_close(thrice(x), third, 1e-5)
    pushed = s2sgrad.jvp(reverse_twice, (x,), (u,), fallback="error")[1]
    assert_close(pushed, third, 1e-5)


def test_derivative_inside_a_function() -> None:
    """A gradient step inside the function, differentiated through."""
    inner = s2sgrad.grad(lambda w, a: np.sum(np.sin(w) * a + w**2 * a[::-1]))

    def outer(a):
        w = np.zeros_like(a)
        for _ in range(4):
            w = w - 0.1 * inner(w, a)
        return np.sum(w * w)

    a = np.linspace(0.5, 1.0, 4)
    found = s2sgrad.grad(outer, fallback="error")(a)
    h = 1e-5
    for k, e in enumerate(np.eye(4)):
        assert found[k] == pytest.approx((outer(a + h * e) - outer(a - h * e)) / (2 * h), rel=1e-6)


def test_grad_of_grad_of_a_number() -> None:
    def f(x):
        return x**4 * np.cos(x)

    d2 = s2sgrad.grad(s2sgrad.grad(f, fallback="error"), fallback="error")
    x, h = 0.7, 1e-4
    assert d2(x) == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-6)


@pytest.mark.parametrize("p", one_in(60, (p for p in PROGRAMS if p.second), first=4))
def test_forward_over_reverse(p: programs.Program) -> None:
    """`hvp` against differences of the gradient."""
    args, kwargs = p.example()
    names = parameter_names(p)
    gradient = s2sgrad.grad(p.function, argnums=p.wrt, fallback="error")
    tree = select(args, kwargs, p.wrt, names)
    at = ravel(tree)
    direction = np.random.default_rng(1).normal(size=at.size)

    def at_step(t: float) -> np.ndarray:
        moved = replaced(args, kwargs, p.wrt, unravel(tree, at + t * direction), names)
        return ravel(gradient(*moved[0], **moved[1]))

    near, far = ((at_step(t) - at_step(-t)) / (2 * t) for t in (5e-5, 1e-4))
    product = s2sgrad.hvp(p.function, argnums=p.wrt, fallback="error")
    found = product(*args, unravel(tree, direction), **kwargs)
    assert_close(ravel(found), (4.0 * near - far) / 3.0, 1e-5, "hessian times vector")


def in_another_precision(x: Any) -> Any:
    """Reductions that are told a dtype, or choose one themselves."""
    wide = np.prod(x, dtype=np.float64) + np.var(x, dtype=np.float64)
    return (
        np.nanstd(x),
        np.std(wide * x, dtype=np.float32),
        np.cumprod(x, dtype=np.float64),
        np.vander(x, 3),
        np.linspace(wide, wide + 1.0, 3, dtype=np.float32),
        np.add(x, wide, dtype=np.float32),
        np.diff(x, prepend=0.0),
    )


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_tangents_have_the_precision_of_their_values(precision: Any) -> None:
    x = np.linspace(0.3, 1.4, 4).astype(precision)
    values, dots = s2sgrad.jvp(in_another_precision, (x,), (np.cos(x),), fallback="error")
    steps = [in_another_precision(x.astype(float) + h * np.cos(x)) for h in (1e-3, -1e-3)]
    for value, dot, plain, up, down in zip(
        values, dots, in_another_precision(x), *steps, strict=True
    ):
        assert dot.dtype == value.dtype == plain.dtype
        slope = (np.float64(up) - np.float64(down)) / 2e-3
        np.testing.assert_allclose(dot, slope, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("value", [3, np.arange(1, 4), True])
def test_integers_have_no_tangent(value) -> None:
    def f(x):
        return x * x

    for none in (None, 0.0 * value):
        assert not np.any(s2sgrad.jvp(f, (value,), (none,))[1])
    with pytest.raises(TypeError, match="x as floats"):
        s2sgrad.jvp(f, (value,), (1.0 * value,))


def test_values_of_several_kinds_lose_no_tangent() -> None:
    def stacked(x: Any, c: Any) -> Any:
        rows = [[c, 1.0]]
        for _ in range(1):
            rows.append(x * c)
        return np.sum(np.stack(rows))

    given = (np.array([0.5, -1.5]), 0.7), (np.array([1.0, 10.0]), 100.0)
    with pytest.raises(s2sgrad.UnsupportedError, match="can't tell what this value is"):
        s2sgrad.jvp(stacked, *given, fallback="error")
    with pytest.warns(UserWarning, match="runs on dynamic-graph tensors"):
        _, tangent = s2sgrad.jvp(stacked, *given)
    assert tangent == pytest.approx(7.7)
