"""Calls that pass the same thing twice, and functions that run several times for one derivative."""

from __future__ import annotations

import copy
import random
import types
import warnings
from typing import Any

import numpy as np
import pytest

import s2sgrad

W = np.array([1.0, 2.0, 3.0])
PARAMS = {"w": W}
REFUSED = s2sgrad.UnsupportedError


class Layer:
    def __init__(self, w: Any) -> None:
        self.w = w


def dicts(p, q):
    return np.sum(p["w"] * q["w"] ** 2)


def lists(p, q):
    return np.sum(p[0] * q[0] ** 2)


def objects(p, q):
    return np.sum(p.w * q.w**2)


def without_source(function: Any) -> Any:
    code = function.__code__.replace(co_filename="<nowhere>", co_firstlineno=10**6)
    return types.FunctionType(code, function.__globals__)


@pytest.mark.parametrize("function, holder", [(dicts, {"w": W}), (lists, [W]), (objects, Layer(W))])
def test_what_is_passed_twice_counts_apart(function: Any, holder: Any) -> None:
    """As for arrays: the derivative by one argument leaves the other as it is."""
    other, derivative = copy.deepcopy(holder), s2sgrad.grad(function, (0, 1), fallback="error")
    for args in ((holder, holder), (holder, other), (other, other)):
        for bar, expected in zip(derivative(*args), (W**2, 2 * W**2), strict=True):
            inside = (
                bar.w if isinstance(bar, Layer) else next(iter(getattr(bar, "values", bar.copy)()))
            )
            np.testing.assert_allclose(inside, expected)


def test_an_argument_that_is_a_global_too() -> None:
    def loss(p):
        return np.sum(p["w"] * PARAMS["w"])

    gradient = s2sgrad.grad(loss, fallback="error")
    for p in (PARAMS, {"w": W}, {"w": 2 * W}):
        np.testing.assert_allclose(gradient(p)["w"], W)


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
def test_one_object_in_two_places_of_an_argument() -> None:
    def total(layers):
        return sum(np.sum(layer.w ** (k + 2)) for k, layer in enumerate(layers))

    layer, gradient = Layer(W), s2sgrad.grad(total, fallback="error")
    for derivative in (gradient, s2sgrad.grad(without_source(total)), gradient):
        one, other = derivative([layer, Layer(W)])
        np.testing.assert_allclose([one.w, other.w], [2 * W, 3 * W**2])
        one, other = derivative([layer, layer])  # it is one: so is its gradient
        np.testing.assert_allclose(one.w, 2 * W + 3 * W**2)
        assert one is other
    s2sgrad.check_grad(total, [layer, layer])


class Node:
    def __init__(self, value: float, parent: Any = None) -> None:
        self.value, self.parent, self.children = value, parent, []
        if parent is not None:
            parent.children.append(self)

    def loss(self, x: Any) -> Any:
        return sum(np.sum(c.value * x**2) * c.parent.value for c in self.children)


def over_parents(root):
    return sum(c.value**2 * c.parent.value for c in root.children)


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
@pytest.mark.parametrize("hidden", [False, True], ids=["compiled", "on tensors"])
def test_objects_that_hold_themselves(hidden: bool) -> None:
    root = Node(2.0)
    for k in range(3):
        Node(1.0 + k, root)
    bar = s2sgrad.grad(without_source(over_parents) if hidden else over_parents)(root)
    assert bar.value == 14.0 and [c.value for c in bar.children] == [4.0, 8.0, 12.0]
    assert all(c.parent is bar for c in bar.children)
    for jit in (False, True):
        found = s2sgrad.grad(root.loss, jit=jit, fallback="error")(W)
        np.testing.assert_allclose(found, 24.0 * W)
    s2sgrad.check_grad(over_parents, root)
    dot = s2sgrad.jvp(over_parents, (root,), (root,), fallback="error")[1]
    assert dot == pytest.approx(3.0 * over_parents(root))  # it is homogeneous, of degree three
    again = s2sgrad.hvp(over_parents)(root, root)
    assert again.value == 28.0 and again.children[2].parent is again
    root.children[0].parent = Node(5.0)
    bar = s2sgrad.grad(over_parents, fallback="error")(root)
    assert bar.value == 13.0 and bar.children[0].parent.value == 1.0


def test_asking_whether_two_arguments_are_one() -> None:
    def asks(p, q):
        return np.sum(p["w"]) if p is q else np.sum(p["w"] * q["w"])

    gradient = s2sgrad.grad(asks, fallback="error")
    np.testing.assert_allclose(gradient({"w": W}, {"w": 2 * W})["w"], 2 * W)
    with pytest.raises(REFUSED, match="p and q are the same object"):
        gradient(PARAMS, PARAMS)


def scales(a, b):
    b[:] = b * a[0]
    return np.sum(a**2)


def appends(a, b):
    a.append(2 * a[0])
    return np.sum(b[-1] ** 2)


def sets(p, q):
    p["k"] = p["k"] ** 2
    return np.sum(q["k"])


def in_lists(a):
    a[0][1] *= a[2][0]
    return np.sum(a[0] * a[1])


def global_read(x):
    x[0] = 2 * x[1]
    return np.sum(x * W)


X = W.copy()
LIST = [X, X + 1]
TWICE: list[tuple[Any, tuple[Any, ...]]] = [
    (scales, (X, X[1:])),
    (appends, (LIST, LIST)),
    (sets, ({"k": X},) * 2),
    (in_lists, ([X, X, X],)),
    (in_lists, ([*(np.roll(X, k) for k in range(8)), X[:2], X[1:]],)),
    (global_read, (W,)),
]


@pytest.mark.parametrize("function, args", TWICE)
def test_writes_that_would_be_seen_elsewhere_are_refused(function: Any, args: Any) -> None:
    gradient = s2sgrad.grad(function, fallback="error")
    with pytest.raises(REFUSED, match=r"share memory|same object"):
        gradient(*args)
    apart = [
        [a.copy() for a in arg] if isinstance(arg, list) else copy.deepcopy(arg) for arg in args
    ]
    gradient(*apart)
    assert np.array_equal(X, [1.0, 2.0, 3.0]) and len(LIST) == 2


def test_also_in_second_order_and_on_tensors() -> None:
    gradient = s2sgrad.grad(scales, (0, 1), fallback="error")
    with pytest.raises(REFUSED, match="share memory"):
        s2sgrad.vjp(gradient, X, X[1:], fallback="error")
    with pytest.raises(REFUSED, match="share memory"):
        s2sgrad.hvp(scales, fallback="error")(X, X[1:], X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for function, args in ((scales, (X, X[1:])), (global_read, (W,))):
            places = tuple(range(len(args)))
            with pytest.raises(REFUSED, match="share memory"):
                s2sgrad.grad(without_source(function), places)(*args)
            with pytest.raises(REFUSED, match="share memory"):
                s2sgrad.jvp(without_source(function), args, tuple(np.ones_like(a) for a in args))


# --- several runs of one function ----------------------------------------------------------------
NUMBERS = np.random.default_rng(7)


def noisy(x, rng):
    y = x * rng.normal(size=3)
    for _ in range(2):
        y = y + np.sin(x) * rng.normal()
    return y * x[::-1]


def noisy_outside(x):
    return noisy(x, NUMBERS) * random.random() * np.random.uniform()


def noisy_sum(x, rng):
    return np.sum(noisy(x, rng) ** 2)


def seeded() -> Any:
    NUMBERS.bit_generator.state = np.random.default_rng(3).bit_generator.state
    random.seed(1)
    np.random.seed(2)
    return np.random.default_rng(5)


def differences(f: Any) -> np.ndarray:
    return np.stack([(f(W + h) - f(W - h)) / 2e-5 for h in 1e-5 * np.eye(3)], axis=-1)


@pytest.mark.parametrize("hidden", [False, True], ids=["compiled", "on tensors"])
@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
def test_all_runs_of_one_derivative_draw_the_same(outside: bool, hidden: bool) -> None:
    function = noisy_outside if outside else noisy
    function = without_source(function) if hidden else function

    def arguments() -> tuple[Any, ...]:
        rng = seeded()
        return (W,) if outside else (W, rng)

    expected = differences(lambda x: function(x, *arguments()[1:]))
    for jacobian in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
        np.testing.assert_allclose(jacobian(function)(*arguments()), expected, rtol=1e-6, atol=1e-8)
    y, push = s2sgrad.linearize(function, *(args := arguments()))
    for _ in range(2):
        dot = push(W, *[None] * (len(args) - 1))
        np.testing.assert_allclose(dot, expected @ W, rtol=1e-6)
    np.testing.assert_array_equal(y, function(*arguments()))
    if not outside:
        sparse = s2sgrad.sparse_jacobian(function)(*arguments()).toarray()
        np.testing.assert_allclose(sparse, expected, rtol=1e-6, atol=1e-8)
        gradient = s2sgrad.grad(noisy_sum)
        hessian = s2sgrad.hessian(noisy_sum)(*arguments())
        slope = differences(lambda x: gradient(x, seeded()))
        np.testing.assert_allclose(hessian, slope, rtol=1e-5, atol=1e-6)


def test_a_jacobian_counts_as_one_run() -> None:
    one, other = np.random.default_rng(5), np.random.default_rng(5)
    noisy(W, one)
    s2sgrad.jacfwd(noisy)(W, other)
    assert one.normal() == other.normal()


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
def test_functions_that_run_several_times_leave_their_arguments_alone() -> None:
    def f(x, buffer, rows, table):
        try:
            x[0] *= 2
        finally:
            buffer[0] = 5.0
        rows.append(x[0])
        table["k"] = x[1] * 2
        return x[:2] * rows[-1] * table["k"] * table["a"][0] * len(rows)

    def given() -> Any:
        return W.copy(), np.zeros(3), [1.0], {"a": W.copy()}

    expected = differences(lambda x: f(x.copy(), *given()[1:]))
    for derivative in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
        args = given()
        np.testing.assert_allclose(derivative(f)(*args), expected, rtol=1e-6, atol=1e-6)
        assert str(args) == str(given())
    args = given()
    _, push = s2sgrad.linearize(f, *args)
    np.testing.assert_allclose(push(W, None, None, None), expected @ W, rtol=1e-6)
    assert str(args) == str(given())


def through_a_view_without_a_name(m):
    b = m * 1.0
    b.ravel()[2] *= m[0, 0]
    return np.sum(b**2)


def through_views_of_what_is_given(items, p):
    p["m"][0, 1] += p["m"][1, 1] ** 2
    y, z, total = p["m"].reshape(-1), p["t"].ravel(), 0.0
    y[0] += z[1] ** 2
    z[1] *= 3 * y[2]
    for a in [*items, p["m"], p["m"] * p["t"]]:
        v = a.reshape(-1)
        v[2] *= v[0]
        total += np.sum(np.sin(v)) * np.sum(a)
    for k in range(len(items)):
        items[k].reshape(-1)[k] *= np.tanh(0.01 * total)
        total = total + rows_and_columns(np.sin(items[k]), 2.0)
    return 0.1 * total + np.sum(y**2) + z @ z


def rows_and_columns(a, depth):
    b = a * 1.5
    v = b.reshape(-1)
    v[1] = v[1] * 2
    further = rows_and_columns((b * 1.0).T, depth - 1) if depth > 0.5 else 0.0
    return further + np.sum(v) + np.sum(b**2)


def layouts(m):
    """The array in other orders of memory."""
    wide = np.zeros((2 * m.shape[0], 3 * m.shape[1]))
    wide[::2, ::-3] = m
    return m, np.asfortranarray(m), wide[::2, ::-3]


def test_arguments_of_other_layouts_where_they_decide_what_is_written() -> None:
    m = 0.1 * np.arange(1.0, 7.0).reshape(2, 3)
    unnamed = s2sgrad.grad(through_a_view_without_a_name, fallback="error")
    texts = [unnamed.source(other) for other in (*layouts(m), m)]
    assert texts[0] == texts[3] != texts[1]
    gradients = [unnamed(other)[0, 1] for other in (*layouts(m), m)]
    slope = [2 * m[0, 1], 2 * m[0, 1]]  # b[0, 2] is written, or a copy of it
    assert np.allclose(gradients, [slope[0], slope[1], slope[1], slope[0]])
    for first, second in zip(layouts(m), reversed(layouts(m[::-1])), strict=True):
        s2sgrad.check_grad(through_a_view_without_a_name, first)
        args = [second * 1.1, first * 1.2, second + 1], {"m": first, "t": second}
        s2sgrad.check_grad(through_views_of_what_is_given, *args)
        gradient = s2sgrad.grad(through_views_of_what_is_given, argnums=(0, 1))(*args)
        tangents = [np.cos(a) for a in args[0]], {"m": np.sin(second), "t": -first}
        _, slope = s2sgrad.jvp(through_views_of_what_is_given, args, tangents, fallback="error")
        together = sum(np.sum(g * t) for g, t in zip(gradient[0], tangents[0], strict=True))
        together += sum(np.sum(gradient[1][key] * tangents[1][key]) for key in ("m", "t"))
        assert np.isclose(slope, together, rtol=1e-10)


# --- arrays of the function's own ------------------------------------------------------------
def _next_in_a_copy(p, q):
    u = p
    for _ in range(3):
        new = u.copy()
        new[1:-1] += 0.1 * (q[2:] - 2 * u[1:-1] + u[:-2])
        u = new
    return np.sum(u * q)


def _changed_where_it_was_made(p, q):
    u = p
    for _ in range(3):
        u = u + 0.1 * q
        u[0] = 0.5 * q[1]
    return np.sum(u * q)


def _filled_and_handed_on(p, q):
    u = p
    k = 0
    while k < 3:
        v = np.empty_like(u)
        v[0] = u[0] * 0.5
        v[1:] = u[1:] * u[:-1] * q[1:]
        u, v = v, u
        k += 1
    return np.sum(u * q)


@pytest.mark.parametrize("f", [_next_in_a_copy, _changed_where_it_was_made, _filled_and_handed_on])
def test_the_same_array_twice_where_only_own_arrays_are_written(f: object) -> None:
    p = np.linspace(0.5, 1.2, 5)
    both = s2sgrad.grad(f, argnums=(0, 1), fallback="error")
    expected = both(p, p.copy())
    for once, other in zip(both(p, p), expected, strict=True):
        np.testing.assert_allclose(once, other)
    h = 1e-6 * np.eye(5)
    slopes = [(f(p + d, p) - f(p - d, p)) / 2e-6 for d in h]  # type: ignore[operator]
    np.testing.assert_allclose(expected[0], slopes, rtol=1e-6, atol=1e-7)


def test_the_same_array_twice_where_one_may_be_written_is_refused() -> None:
    def perhaps(p, q):
        u = p
        for k in range(3):
            if q[k] > 1.0:
                u = u * 2
            u[k] = q[k] * q[0]
        return np.sum(u * q)

    p = np.linspace(0.5, 1.2, 5)
    with pytest.raises(s2sgrad.UnsupportedError, match="share memory"):
        s2sgrad.grad(perhaps, fallback="error")(p, p)
