"""The public names and their promises: signatures, structure, dtypes, one sweep, one print."""

from __future__ import annotations

import inspect
import timeit
import types
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from harness import assert_own

import s2sgrad

X = np.array([0.4, -0.7, 1.1])
W = np.array([1.5, 0.5, -2.0])


def loss(w: np.ndarray, x: np.ndarray, power: int = 2, *, scale: float = 1.0) -> float:
    """A weighted power."""
    # residual against the weights
    r = x * w - 1.0
    return scale * np.sum(r**power)


def grad(f: Any, argnums: Any = 0, **options: Any) -> Any:
    return s2sgrad.grad(f, argnums=argnums, fallback="error", **options)


# grad: signature, argnums, structure


def test_signature_is_the_primals() -> None:
    assert inspect.signature(grad(loss)) == inspect.signature(loss)
    assert grad(loss).__name__


def test_defaults_and_keywords() -> None:
    df = grad(loss)
    expected = 2.0 * (X * W - 1.0) * X
    np.testing.assert_allclose(df(W, X), expected)
    np.testing.assert_allclose(df(x=X, w=W), expected)
    np.testing.assert_allclose(df(W, X, scale=3.0), 3.0 * expected)
    np.testing.assert_allclose(df(W, X, 3), 3.0 * (X * W - 1.0) ** 2 * X)


def test_missing_argument_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="x"):
        grad(loss)(W)


def test_argnums_by_position_name_and_tuple() -> None:
    by_w, by_x = 2.0 * (X * W - 1.0) * X, 2.0 * (X * W - 1.0) * W
    np.testing.assert_allclose(grad(loss, "x")(W, X), by_x)
    np.testing.assert_allclose(grad(loss, 1)(W, X), by_x)
    for which in ((0, 1), ("w", "x"), (0, "x")):
        found = grad(loss, which)(W, X)
        assert isinstance(found, tuple) and len(found) == 2
        np.testing.assert_allclose(found[0], by_w)
        np.testing.assert_allclose(found[1], by_x)
    single = grad(loss, (1,))(W, X)
    assert isinstance(single, tuple) and len(single) == 1
    np.testing.assert_allclose(grad(loss, (1, 0))(W, X)[0], by_x)


def test_keyword_only_by_name() -> None:
    found = grad(loss, "scale")(W, X, scale=2.0)
    assert float(found) == pytest.approx(np.sum((X * W - 1.0) ** 2))


def test_usable_as_decorator() -> None:
    @s2sgrad.grad
    def slope(x):
        return np.sum(x**3)

    np.testing.assert_allclose(slope(X), 3.0 * X**2)


@dataclass
class Pair:
    """A dataclass argument."""

    a: np.ndarray
    b: float


def test_result_has_the_arguments_structure() -> None:
    def f(tree):
        pair, rest = tree["pair"], tree["rest"]
        return np.sum(pair.a**2) * pair.b + rest[0][0] * rest[1]

    tree = {"pair": Pair(X, 0.5), "rest": [(2.0,), 3.0]}
    found = grad(f)(tree)
    assert list(found) == ["pair", "rest"] and isinstance(found["pair"], Pair)
    np.testing.assert_allclose(found["pair"].a, X)
    assert found["pair"].b == pytest.approx(np.sum(X**2))
    assert isinstance(found["rest"], list) and isinstance(found["rest"][0], tuple)
    assert (found["rest"][0][0], found["rest"][1]) == (3.0, 2.0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_dtype_is_kept(dtype: type) -> None:
    def f(x):
        return np.sum(np.sin(x) * np.array([1.0, 2.0, 3.0], dtype=x.dtype))

    found = grad(f)(X.astype(dtype))
    assert found.dtype == dtype and found.shape == (3,)


def test_an_argument_that_does_not_matter_gets_zeros() -> None:
    def f(x, y):
        return np.sum(x)

    np.testing.assert_array_equal(grad(f, 1)(X, W), np.zeros(3))


def test_integer_arrays_beside_stay_out() -> None:
    def f(x, k):
        return np.sum(x[k] ** 2)

    np.testing.assert_allclose(grad(f)(X, np.array([0, 0, 2])), [4.0 * X[0], 0.0, 2.0 * X[2]])


def test_prints_once_per_gradient_call(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        print("seen")
        s = 0.0
        for v in x:
            s = s * v + v
        return s

    df = grad(f)
    df(X)
    assert capsys.readouterr().out == "seen\n"
    df(X)
    assert capsys.readouterr().out == "seen\n"


Numbered = namedtuple("Numbered", "name count")


def test_prints_containers_as_python_does(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        counts, groups = Counter(), defaultdict(list)
        last, seen = deque(maxlen=2), set()
        for k, v in enumerate(x):
            counts["high" if v > 0.0 else "low"] += 1
            groups[k % 2].append(k)
            last.append(k)
            seen.add(k)
        print(counts, groups, last, seen, Counter(), f"{deque()}", set())
        pair = Numbered("n", len(x))
        print(pair, f"{pair}")
        return np.sum(x**2)

    f(X)
    expected = capsys.readouterr().out
    grad(f)(X)
    assert capsys.readouterr().out == expected


def test_result_shares_no_memory_with_the_arguments_or_itself() -> None:
    def f(x, y):
        return np.sum(x + y) + np.sum(x * W)

    first, second = grad(f, (0, 1))(X, W)
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, W) and first.flags.writeable
    keep = first.copy()
    grad(f, (0, 1))(X, W)[0][:] = 7.0
    np.testing.assert_array_equal(first, keep)


@pytest.mark.parametrize("jit", [False, True])
def test_gradients_can_be_written(jit: bool) -> None:
    def by_columns(x):
        return np.sum(np.sum(x, axis=0) ** 2)

    def on_one_path(x, n):
        if n > 1:
            return np.sum(np.mean(x, axis=1) ** 2)
        return np.sum(x**2)

    def in_a_list(rows):
        return np.sum(np.sum(np.array(rows), axis=0) ** 2)

    def of_a_diagonal(x):
        return np.sum(np.diag(x) * np.ones((3, 3)))

    def stepped(x):
        step = grad(by_columns)(x)
        step *= 2.0
        return np.sum(step**2)

    M = np.arange(12.0).reshape(3, 4)
    steps = [
        grad(by_columns, jit=jit)(M), grad(on_one_path, jit=jit)(M, 2), grad(stepped)(M),
        *grad(in_a_list)([M[0], M[1]]), grad(of_a_diagonal, jit=jit)(M[:, 0]),
    ]  # fmt: skip
    for step in steps:
        assert step.flags.writeable and 0 not in step.strides
        step *= 0.1


@pytest.mark.parametrize("jit", [False, True])
def test_gradients_share_no_memory_with_each_other(jit: bool) -> None:
    def added(x, y):
        return np.sum(np.sin(x + y))

    def swapped(x, y):
        for _ in range(2):
            x, y = y, x
        return np.sum(np.sin(x - y))

    def joined(x, y):
        return np.sum(np.concatenate((x, y)) ** 2)

    def in_a_dict(d, y):
        return np.sum(np.sin(d["a"] + d["b"] + y)) + np.sum(d["c"] * W)

    for f in (added, swapped, joined):
        assert_own(grad(f, (0, 1), jit=jit)(X, X * 2.0), X)
    table = {"a": X, "b": X * 2.0, "c": X * 3.0}
    assert_own(grad(in_a_dict, (0, 1), jit=jit)(table, W), table, W)
    assert_own(s2sgrad.vjp(added, X, W, fallback="error")[1](1.0), X, W)


def test_gradients_in_dicts_and_objects_are_not_the_callers_arrays() -> None:
    def product(d):
        return np.sum(d["a"] * d["b"])

    def of_object(p):
        return np.sum(p.a * p.b)

    table = {"a": X.copy(), "b": X * 2.0}
    assert_own(grad(product)(table), table)
    pair = types.SimpleNamespace(**table)
    assert_own(grad(of_object)(pair), table)


def test_closure_and_globals_are_read_when_called() -> None:
    scale = 2.0

    def f(x):
        return scale * np.sum(x)

    df = grad(f)
    np.testing.assert_allclose(df(X), 2.0)
    scale = 5.0
    np.testing.assert_allclose(df(X), 5.0)


def test_other_shapes_and_types_later() -> None:
    def f(x, n=2):
        return np.sum(x**n)

    df = grad(f)
    np.testing.assert_allclose(df(X), 2.0 * X)
    np.testing.assert_allclose(df(np.ones((2, 5))), 2.0 * np.ones((2, 5)))
    assert df(3.0) == pytest.approx(6.0)
    np.testing.assert_allclose(df(X, n=3), 3.0 * X**2)
    np.testing.assert_allclose(df(np.ones(0)), np.zeros(0))


# value_and_grad, vjp, differentiable


def test_value_and_grad() -> None:
    value, gradient = s2sgrad.value_and_grad(loss, argnums=(0, 1), fallback="error")(W, X)
    assert value == pytest.approx(loss(W, X)) and np.ndim(value) == 0
    np.testing.assert_allclose(gradient[1], 2.0 * (X * W - 1.0) * W)


def test_has_aux() -> None:
    def f(x):
        y = x * x
        return np.sum(y), {"y": y, "note": "kept"}

    (value, aux), gradient = s2sgrad.value_and_grad(f, has_aux=True, fallback="error")(X)
    assert value == pytest.approx(np.sum(X**2)) and aux["note"] == "kept"
    np.testing.assert_allclose(aux["y"], X**2)
    np.testing.assert_allclose(gradient, 2.0 * X)


def test_drops_into_scipy() -> None:
    optimize = pytest.importorskip("scipy.optimize")

    def rosenbrock(x):
        return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    function = s2sgrad.value_and_grad(rosenbrock, fallback="error")
    found = optimize.minimize(function, np.zeros(4), jac=True, method="L-BFGS-B")
    np.testing.assert_allclose(found.x, np.ones(4), atol=1e-3)


def test_vjp() -> None:
    def f(x, n, w):
        return {"a": np.sin(x) * w, "b": np.sum(x**n)}

    out, pullback = s2sgrad.vjp(f, X, 2, W, fallback="error")
    np.testing.assert_allclose(out["a"], np.sin(X) * W)
    for scale in (1.0, 2.0):  # it may be called again
        x_bar, n_bar, w_bar = pullback({"a": scale * np.ones(3), "b": 0.5})
        np.testing.assert_allclose(x_bar, scale * np.cos(X) * W + X)
        np.testing.assert_allclose(w_bar, scale * np.sin(X))
        assert n_bar is None


def test_vjp_of_loop_called_twice() -> None:
    def f(x):
        y = x
        while np.sum(y * y) < 100.0:
            y = y * 1.5 + 0.1 * x
        return y

    _, pullback = s2sgrad.vjp(f, X, fallback="error")
    first = pullback(np.ones(3))[0].copy()
    np.testing.assert_allclose(pullback(np.ones(3))[0], first)
    np.testing.assert_allclose(pullback(2.0 * np.ones(3))[0], 2.0 * first)


def test_vjp_checks_the_cotangents_shape() -> None:
    _, pullback = s2sgrad.vjp(lambda x: x * 2.0, X, fallback="error")
    with pytest.raises(s2sgrad.ShapeError):
        pullback(np.ones(4))


def test_differentiable() -> None:
    f = s2sgrad.differentiable(loss)
    assert f(W, X) == loss(W, X) and f.__name__ == "loss" and f.__doc__ == loss.__doc__
    np.testing.assert_allclose(f.grad(W, X), 2.0 * (X * W - 1.0) * X)
    assert "def " in f.grad.source(W, X)


class Line:
    """A model with methods."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def loss(self, x, y):
        return np.sum((self.slope * x - y) ** 2)


def test_argnums_of_a_bound_method_do_not_count_self() -> None:
    model = Line(2.0)
    np.testing.assert_allclose(grad(model.loss)(X, W), 4.0 * (2.0 * X - W))
    np.testing.assert_allclose(grad(model.loss, 1)(X, W), -2.0 * (2.0 * X - W))
    model.slope = 3.0
    np.testing.assert_allclose(grad(model.loss, "y")(X, W), -2.0 * (3.0 * X - W))


def test_gradient_of_a_gradient() -> None:
    def f(x):
        return np.sin(x) * x**3

    second = s2sgrad.grad(s2sgrad.grad(f, fallback="error"), fallback="error")
    x = 0.7
    exact = -np.sin(x) * x**3 + 6.0 * np.cos(x) * x**2 + 6.0 * np.sin(x) * x
    assert float(second(x)) == pytest.approx(exact, rel=1e-12)


# cost


def test_cost_of_a_call() -> None:
    """Guard and cache look-up; the bound is generous, the benchmark prints the number."""

    def f(x):
        return x * x

    df = grad(f)
    df(2.0)
    seconds = min(timeit.repeat(lambda: df(2.0), number=2000, repeat=7)) / 2000
    assert seconds < 12e-6
