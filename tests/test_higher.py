"""Jacobians, Hessians and the functions around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sgrad
from s2sgrad.derivatives.basis import leaves

X = np.array([0.3, 0.7, 1.1])


class Total(NamedTuple):
    count: int
    sines: Any


def residuals(x, p):
    return {"outer": np.outer(x, x) * p["k"], "sum": Total(len(x), np.sum(np.sin(x)))}


def differences(f, x, h=1e-6):
    """The Jacobian of a function between vectors by central differences."""
    rows = [(np.ravel(f(x + h * e)) - np.ravel(f(x - h * e))) / (2 * h) for e in np.eye(x.size)]
    return np.stack(rows, axis=-1)


@pytest.mark.parametrize("jacobian", [s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev])
def test_jacobian_of_nested_results(jacobian):
    p = {"k": 2.0, "count": 3}
    found = jacobian(residuals, fallback="error")(X, p)
    expected = differences(lambda x: residuals(x, p)["outer"], X).reshape(3, 3, 3)
    np.testing.assert_allclose(found["outer"], expected, atol=1e-8)
    np.testing.assert_allclose(
        found["sum"].sines, differences(lambda x: residuals(x, p)["sum"].sines, X)[0], atol=1e-8
    )
    both = jacobian(residuals, (0, "p"), fallback="error")(X, p)
    assert both["outer"][0].shape == (3, 3, 3) and both["sum"].sines[1]["count"] is None
    np.testing.assert_allclose(both["outer"][1]["k"], np.outer(X, X), atol=1e-12)


def test_jacobian_takes_the_shorter_way():
    def tall(x):
        return x[0] * np.arange(50.0) + x[1]

    assert s2sgrad.jacobian(tall, fallback="error")(np.ones(2)).shape == (50, 2)
    assert s2sgrad.jacobian(lambda x: np.sum(x**2), fallback="error")(np.ones(50)).shape == (50,)


def test_hessian_of_several_arguments():
    def f(x, s):
        return np.sum(x * x * x) * s**2

    found = s2sgrad.hessian(f, (0, 1), fallback="error")(X, 2.0)
    np.testing.assert_allclose(found[0][0], np.diag(6 * X * 4.0), atol=1e-12)
    np.testing.assert_allclose(found[0][1], 3 * X**2 * 4.0, atol=1e-12)
    np.testing.assert_allclose(found[1][0], found[0][1], atol=1e-12)
    assert found[1][1] == pytest.approx(2 * np.sum(X**3))


def test_hvp_is_the_hessian_times_v():
    def f(x):
        return np.sum(np.sin(x) * x[::-1]) + np.prod(x)

    v = np.array([1.0, -2.0, 0.5])
    hessian = s2sgrad.hessian(f, fallback="error")(X)
    expected = differences(s2sgrad.grad(f, fallback="error"), X)
    np.testing.assert_allclose(hessian, expected, atol=1e-7)
    np.testing.assert_allclose(s2sgrad.hvp(f, fallback="error")(X, v), expected @ v, atol=1e-7)


def test_jvp_leaves_out_arguments_without_tangents():
    y, y_dot = s2sgrad.jvp(residuals, (X, {"k": 2.0}), (np.ones(3), None), fallback="error")
    np.testing.assert_allclose(y_dot["sum"].sines, np.sum(np.cos(X)))
    np.testing.assert_allclose(y_dot["outer"], 2.0 * (X[:, None] + X[None, :]))
    assert y.keys() == y_dot.keys()


def test_jvp_of_objects_and_methods():
    @dataclass
    class Model:
        w: np.ndarray
        scale: float

        def value(self, x):
            return np.sum(self.w * x) * self.scale

    model = Model(X.copy(), 2.0)
    assert s2sgrad.jvp(model.value, (X,), (np.ones(3),), fallback="error")[1] == pytest.approx(
        2 * np.sum(X)
    )
    y_dot = s2sgrad.jvp(
        lambda m, x: m.value(x), (model, X), (Model(np.ones(3), 1.0), None), fallback="error"
    )[1]
    assert y_dot == pytest.approx(2 * np.sum(X) + np.sum(X * X))


def test_linearize():
    y, push = s2sgrad.linearize(lambda x: x**2, X)
    np.testing.assert_allclose(y, X**2)
    np.testing.assert_allclose(push(np.ones(3)), 2 * X)
    np.testing.assert_allclose(push(X), 2 * X * X)


def test_pullbacks_and_pushes_stay_where_they_were_made():
    """Whatever is written into arguments, and into what the function reads from outside."""
    x, scale, rows = X.copy(), np.array([2.0, 3.0, 4.0]), [X.copy()]

    def f(x):
        return x**2 * scale * rows[-1]

    pullback = s2sgrad.vjp(f, x, fallback="error")[1]
    push = s2sgrad.linearize(f, x, fallback="error")[1]
    expected = 2 * X * X * scale
    x *= 7.0
    scale[:] = 0.0
    rows[0][:] = 5.0
    rows.append(X)
    np.testing.assert_allclose(pullback(np.ones(3))[0], expected)
    np.testing.assert_allclose(push(np.ones(3)), expected)


def test_tangents_of_other_shapes_are_refused():
    with pytest.raises(s2sgrad.ShapeError, match="the tangent of x has shape"):
        s2sgrad.jvp(lambda x: x, (X,), (np.ones(2),))
    with pytest.raises(TypeError, match="one tangent per argument"):
        s2sgrad.jvp(lambda x: x, (X,), ())
    with pytest.raises(TypeError, match="must be real"):
        s2sgrad.jvp(lambda x: x, (X,), (1j * X,))


def test_tangents_keep_their_dtype():
    x = X.astype(np.float32)
    y, y_dot = s2sgrad.jvp(lambda x: np.tanh(x) * 2.0, (x,), (np.ones(3),), fallback="error")
    assert y.dtype == y_dot.dtype == np.float32


def test_complex_functions():
    z = np.array([1.0 + 2.0j, 0.5 - 1.0j])
    dot = np.array([0.3 + 0.1j, -1.0 + 0.2j])

    def f(z):
        return np.abs(z) ** 2 * z + np.conj(z) * np.exp(z.real)

    h = 1e-6
    found = s2sgrad.jvp(f, (z,), (dot,), fallback="error")[1]
    np.testing.assert_allclose(found, (f(z + h * dot) - f(z - h * dot)) / (2 * h), rtol=1e-7)


def test_source_is_readable():
    def f(x, w):
        h = np.tanh(w @ x)
        return np.sum(h * h)

    text = s2sgrad.jacfwd(f).source(X, np.eye(3))
    assert "h = np.tanh(w @ x)" in text and "h_dot = w @ x_dot * slope" in text
    assert text.index("slope = 1.0 - h * h") < text.index("for column in range(")


def each_column(f, x):
    """The columns of a Jacobian, each by `jvp`."""
    units = np.eye(x.size).reshape(x.size, *x.shape)
    found = [s2sgrad.jvp(f, (x,), (u,), fallback="error")[1] for u in units]
    expected = np.moveaxis(np.array(found), 0, -1)
    return expected.reshape(*expected.shape[:-1], *x.shape)


def written_in_place(x):
    x = x.T
    x[0] = 0.5 * x[1] * np.exp(x[0])
    return x * np.sin(x[0, 0])


def stepped(x):
    s, h = 0.0, np.zeros(len(x))
    for i in range(len(x)):
        s = np.tanh(s + x[i])
        if x[i] > 0.0:
            h[i] = s * x[i]
    return h


def largest(x):
    return np.max(x) * np.sum(np.sqrt(np.abs(x)))


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(
    ("f", "shape"),
    [(written_in_place, (3, 3)), (stepped, (4,)), (largest, (4,)), (np.cumprod, (5,))],
)
def test_columns_in_one_function(f, shape, jit):
    x = np.random.default_rng(0).normal(size=shape)
    before = x.copy()
    jacobian = s2sgrad.jacfwd(f, jit=jit, fallback="error")
    np.testing.assert_allclose(jacobian(x), each_column(f, x), rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(x, before)
    assert jacobian.columns[0].table(jacobian.forward.binder.bind(x)) is not None
    single = x.astype(np.float32)
    assert jacobian(single).dtype == f(single).dtype


def until_small(x):
    while np.sum(x * x) > 0.5:
        x = np.sin(x) * 0.8
    return x * np.cos(x)


def both_names(x):
    a, b = x * 1.0, x * 2.0
    z = a if x[0] > 0.0 else b
    z += x**2
    return a * b


def history(x):
    h = np.zeros((3, len(x)))
    h[0] = x
    for t in range(2):
        h[t + 1] = np.tanh(h[t]) * x[::-1]
    return h


def descended(x, n=3):
    return np.sin(x) if n == 0 else descended(x * x + 1.0, n - 1) * x


def of_several_kinds(x):
    return {"outer": np.outer(x, x), "sum": np.sum(x**2)}, x[1:]


def nothing(x):
    return x[:0] ** 2


VECTOR = np.array([0.3, 0.7, -0.2])


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(
    "f",
    [written_in_place, stepped, largest, np.cumprod, until_small, both_names, history, descended,
     of_several_kinds, nothing],
)  # fmt: skip
def test_rows_in_one_function(f, jit):
    x = np.random.default_rng(0).normal(size=(3, 3)) if f is written_in_place else VECTOR.copy()
    before = x.copy()
    jacobian = s2sgrad.jacrev(f, jit=jit, fallback="error")
    expected = s2sgrad.jacfwd(f, fallback="error")(x)
    for _ in range(2):
        for found, like in zip(leaves(jacobian(x)), leaves(expected), strict=True):
            np.testing.assert_allclose(found, like, rtol=1e-12, atol=1e-14)
            assert found.dtype == like.dtype
    np.testing.assert_array_equal(x, before)
    assert jacobian.rows.table(jacobian.forward.binder.bind(x)) is not None


@pytest.mark.parametrize("argnums", [0, 1, "rate", (1, 0), (0, "rate")])
def test_rows_by_several_arguments(argnums):
    def f(w, params, rate):
        w = w * params["gain"]
        return np.tanh(w @ params["x"]) * rate

    args = np.eye(3) + 0.1, {"gain": 2.0, "x": VECTOR}, 0.7
    jacobian = s2sgrad.jacrev(f, argnums, fallback="error")
    found, expected = jacobian(*args), s2sgrad.jacfwd(f, argnums, fallback="error")(*args)
    for mine, like in zip(leaves(found), leaves(expected), strict=True):
        np.testing.assert_allclose(mine, like, rtol=1e-12, atol=1e-14)
    assert jacobian.rows.table(jacobian.forward.binder.bind(*args)) is not None
    assert jacobian.source(*args).count("for ") == 1


ROWS = """\
def f_rows(x, steps):
    h = x
    tanh_h_saved = []
    for _ in range(steps):
        tanh_h = np.tanh(h)
        tanh_h_saved.append(tanh_h)
        h = tanh_h * x
    unit = np.zeros_like(h)
    rows = np.zeros((h.shape[0], x.shape[0]))
    for row in range(h.shape[0]):
        unit[row] = 1.0
        tanh_h_left = tanh_h_saved.copy()
        x_bar = np.zeros_like(x)
        h_bar = unit
        for _ in reversed(range(steps)):
            tanh_h = tanh_h_left.pop()
            x_bar += h_bar * tanh_h
            h_bar = h_bar * x * (1.0 - tanh_h * tanh_h)
        x_bar += h_bar
        rows[row] = x_bar
        unit[row] = 0.0
    return h, rows
"""


def test_rows_are_readable():
    def f(x, steps):
        h = x
        for _ in range(steps):
            h = np.tanh(h) * x
        return h

    found = s2sgrad.jacrev(f).source(X, 3)
    assert found == ROWS


def folded(x, n=3):
    return np.sum(np.exp(0.3 * x)) if n == 0 else folded(np.sin(x) * x, n - 1) * np.sum(x)


def growing(x):
    """Lists that hold an array from outside, in forward mode, then in reverse."""
    steps = [x]
    for i in range(3):
        steps.append(np.tanh(steps[-1]) * steps[0] + i * steps[-1])
    return sum(np.sum(v**2) for v in steps)


@pytest.mark.parametrize("f", [folded, growing])
def test_third_order_of_recursion_and_lists(f):
    x, u, v, w = np.random.default_rng(1).normal(size=(4, 3))
    gradient = s2sgrad.grad(f, fallback="error")
    second = s2sgrad.grad(lambda x: np.sum(gradient(x) * u), fallback="error")
    third = s2sgrad.grad(lambda x: np.sum(second(x) * v), fallback="error")
    step = 1e-4
    slope = (second(x + step * w) - second(x - step * w)) @ v / (2.0 * step)
    assert third(x) @ w == pytest.approx(slope, rel=1e-6)
    product = s2sgrad.hvp(f, fallback="error")
    for _ in range(2):
        np.testing.assert_allclose(product(x, u), second(x), rtol=1e-10)
    mixed = s2sgrad.grad(lambda x: s2sgrad.jvp(f, (x,), (u,))[1], fallback="error")
    np.testing.assert_allclose(mixed(x), second(x), rtol=1e-10)


def test_draws_of_random_numbers_are_not_looped_over():
    def f(x):
        return np.random.default_rng(0).permutation(x) ** 2

    x = np.arange(3.0)
    found = s2sgrad.jacfwd(f, fallback="error")(x)
    np.testing.assert_allclose(np.sum(found, axis=0), 2.0 * x)


@pytest.mark.parametrize(
    "kind", [s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev, s2sgrad.hessian]
)
def test_whole_numbers_are_refused(kind):
    with pytest.raises(TypeError, match="'x': it holds no floats"):
        kind(lambda x: x * 2)(3)


def power(x, n):
    return np.cos(x) if n == 0 else x * power(x, n - 1) + np.sin(x)


def test_second_order_of_recursive_functions():
    def f(x):
        return power(x, 4)

    h = 1e-4
    expected = (f(0.7 + h) - 2.0 * f(0.7) + f(0.7 - h)) / h**2
    assert s2sgrad.hvp(f, fallback="error")(0.7, 1.0) == pytest.approx(expected, rel=1e-6)
    assert s2sgrad.hessian(f, fallback="error")(0.7) == pytest.approx(expected, rel=1e-6)


def test_compiled_forward_mode():
    pytest.importorskip("numba")

    def f(x):
        y = x.copy()
        for i in range(1, len(y)):
            y[i] += np.sin(y[i - 1]) * x[i]
        return np.sum(y * y)

    y_dot = s2sgrad.jvp(f, (X,), (np.ones(3),), jit=True, fallback="error")[1]
    h = 1e-6
    assert y_dot == pytest.approx((f(X + h) - f(X - h)) / (2 * h), rel=1e-7)
    expected = differences(s2sgrad.grad(f, fallback="error"), X)
    np.testing.assert_allclose(
        s2sgrad.hessian(f, jit=True, fallback="error")(X), expected, atol=1e-6
    )


def test_code_that_is_not_transformed_runs_on_tensors():
    def f(x):
        try:
            return np.sin(x) * x
        except ValueError:
            return x

    with pytest.warns(UserWarning, match="dynamic-graph tensors"):
        _, y_dot = s2sgrad.jvp(f, (X,), (np.ones(3),))
    np.testing.assert_allclose(y_dot, np.cos(X) * X + np.sin(X))
    with pytest.raises(s2sgrad.UnsupportedError):
        s2sgrad.jvp(f, (X,), (np.ones(3),), fallback="error")


@pytest.mark.parametrize("k", [1, -1])
def test_an_array_or_a_list(k):
    def f(x, k):
        y = x if k > 0 else [x[0], x[1]]
        return np.sum(x[:2] * y)

    x = X[:2]
    y_dot = s2sgrad.jvp(f, (x, k), (np.ones(2), None), fallback="error")[1]
    assert y_dot == pytest.approx(2.0 * np.sum(x))


def test_third_order_leaves_out_masked_products() -> None:
    def f(x):
        steep = np.prod(np.stack([np.log(x), x, np.sqrt(x)]), axis=0)
        return np.sum(np.where(x > 1e-3, steep, 0.0))

    x, w = np.array([-1.5, 2.0, 0.7]), np.array([1.0, 2.0, 3.0])
    first = s2sgrad.grad(f)
    second = s2sgrad.grad(lambda z: first(z) @ w)
    with np.errstate(invalid="ignore"):
        third = s2sgrad.grad(lambda z: second(z) @ w)(x)
        near, far = (second(x + 1e-5 * w) @ w, second(x - 1e-5 * w) @ w)
    assert third[0] == 0.0
    assert third @ w == pytest.approx((near - far) / 2e-5, rel=1e-6)
