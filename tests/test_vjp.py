"""`vjp` over the whole corpus: the pullback agrees with the gradient, and may be called again."""

from __future__ import annotations

import copy
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import programs
import pytest
from harness import assert_close, assert_own, gradient_vector, leaves, same

import s2sgrad

X = np.array([0.4, -0.7, 1.1])
CASES = {p.name: p for p in programs.load()}


def reference(program: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The gradient by every positional argument (None without floats); skips what has none yet."""
    places = tuple(i for i, a in enumerate(args) if leaves(a))
    df = s2sgrad.grad(program.function, places, fallback="error")
    try:
        found = dict(zip(places, df(*copy.deepcopy(args), **kwargs), strict=True))
    except Exception:
        pytest.skip("the gradient of this program has a test of its own")
    return tuple(found.get(i) for i in range(len(args)))


def _one_in_eighteen() -> list[Any]:
    """One program in thirty-six; the others where slow tests run."""
    slow = pytest.mark.slow
    return [pytest.param(n, marks=slow if k % 36 else ()) for k, n in enumerate(sorted(CASES))]


@pytest.mark.parametrize("name", _one_in_eighteen())
def test_pullback_agrees_with_the_gradient(name: str) -> None:
    program = CASES[name]
    args, kwargs = program.example()
    gradient = reference(program, args, kwargs)
    before = copy.deepcopy((args, kwargs))
    value, pullback = s2sgrad.vjp(program.function, *args, fallback="error", **kwargs)
    once, twice, again = pullback(1.0), pullback(2.0), pullback(1.0)
    assert same(before[0], args) and same(before[1], kwargs)
    np.testing.assert_allclose(value, program.function(*before[0], **before[1]))
    assert len(once) == len(args)
    assert_own(list(once), list(twice), args, list(kwargs.values()))
    for first, double, third, exact, arg in zip(once, twice, again, gradient, args, strict=True):
        if not leaves(arg):
            continue
        expected = gradient_vector(exact, arg)
        tolerance = {"rtol": 1e-6 if program.rtol > 1e-4 else 1e-9, "atol": 1e-9}
        np.testing.assert_allclose(gradient_vector(first, arg), expected, **tolerance)
        np.testing.assert_allclose(gradient_vector(double, arg), 2.0 * expected, **tolerance)
        np.testing.assert_array_equal(gradient_vector(first, arg), gradient_vector(third, arg))


def directional(f: Any, x: np.ndarray, x_dot: np.ndarray, value_bar: Any) -> float:
    """<value_bar, df(x) x_dot> by central differences."""

    def paired(value: Any, bar: Any) -> float:
        if isinstance(value, Held):
            return paired(value.a, bar.a)
        if isinstance(value, dict):
            return sum(paired(value[k], bar[k]) for k in value)
        if isinstance(value, list | tuple):
            return sum(paired(v, b) for v, b in zip(value, bar, strict=True))
        return float(np.sum(value * bar))

    step = 1e-6
    ends = [paired(f(x + s * step * x_dot), value_bar) for s in (1.0, -1.0)]
    return (ends[0] - ends[1]) / (2.0 * step)


def tuple_and_list(x):
    y = x.copy()
    for i in range(3):
        y[i] = np.sin(y[i]) * y[i - 1]
        y *= x
    parts = []
    for i in range(3):
        parts.append(y[i] * x[i])
    return y, parts[0] * parts[1], parts


def row_of_a_matrix(x):
    a = np.outer(x, x)
    row = a[0]
    for i in range(3):
        row *= x[i]
        a[1] = np.sin(row)
    return {"a": a, "rows": (row, a[1])}


def same_result_twice(x):
    y = np.cos(x)
    return y, [y, x]


@dataclass
class Held:
    a: Any


def same_object_twice(x):
    held = Held(np.cos(x))
    return held, [held, x * 2]


def bars_like(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, dict):
        return {k: bars_like(v, rng) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(bars_like(v, rng) for v in value)
    if isinstance(value, Held):
        return Held(bars_like(value.a, rng))
    return rng.standard_normal(np.shape(value))


def on_tensors(x):
    try:
        return same_object_twice(x)
    except ZeroDivisionError:
        return None


@pytest.mark.filterwarnings("ignore:.* runs on dynamic-graph tensors")
@pytest.mark.parametrize(
    "f", [tuple_and_list, row_of_a_matrix, same_result_twice, same_object_twice, on_tensors]
)
def test_structured_values(f: Any) -> None:
    rng = np.random.default_rng(0)
    value, pullback = s2sgrad.vjp(f, X, fallback="eager" if f is on_tensors else "error")
    bar = bars_like(value, rng)
    (x_bar,) = pullback(bar)
    for _ in range(3):
        x_dot = rng.standard_normal(3)
        assert float(x_bar @ x_dot) == pytest.approx(directional(f, X, x_dot, bar), rel=1e-6)
    np.testing.assert_array_equal(pullback(bar)[0], x_bar)


def test_the_value_belongs_to_the_caller() -> None:
    value, pullback = s2sgrad.vjp(lambda x: np.tanh(x), X, fallback="error")
    expected = pullback(np.ones(3))[0].copy()
    value[:] = 0.0
    np.testing.assert_array_equal(pullback(np.ones(3))[0], expected)


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_result_is_an_array_that_was_given(jit: bool) -> None:
    w = np.ones(3)

    def linear(u: np.ndarray) -> float:
        return np.sum(u * w)

    def identity(u: np.ndarray) -> np.ndarray:
        return u

    options = {"jit": jit, "fallback": "error"}
    value, pullback = s2sgrad.vjp(identity, X, **options)
    pushed = s2sgrad.jvp(identity, (X,), (w,), **options)
    held, push = s2sgrad.linearize(identity, X, **options)
    found = [s2sgrad.grad(linear, **options)(X), s2sgrad.hvp(lambda u: u @ u, **options)(X, w)]
    assert_own([*found, value, pullback(w)[0], *pushed, held, push(w)], X, w)


def test_cotangents_share_no_memory() -> None:
    bar = np.ones(3)
    first, second = s2sgrad.vjp(lambda x, y: x + y, X, X, fallback="error")[1](bar)
    assert not np.shares_memory(first, second)
    first[:] = 7.0
    np.testing.assert_array_equal(bar, np.ones(3))


def test_an_argument_that_is_written_and_returned() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        x[0] = x[1] ** 2
        return x

    x = np.array([1.0, 2.0, 3.0])
    value, pullback = s2sgrad.vjp(f, x, fallback="error")
    assert_close(value, np.array([4.0, 2.0, 3.0]), 1e-14)
    assert_close(pullback(np.ones(3))[0], np.array([0.0, 5.0, 1.0]), 1e-14)
    value, tangent = s2sgrad.jvp(f, (x,), (np.ones(3),))
    assert_close(value, np.array([4.0, 2.0, 3.0]), 1e-14)
    assert_close(tangent, np.array([4.0, 1.0, 1.0]), 1e-14)
    assert x[0] == 1.0


def test_none_is_a_zero_cotangent() -> None:
    _, pullback = s2sgrad.vjp(lambda x: (x * x, np.sin(x)), X, fallback="error")
    np.testing.assert_allclose(pullback((None, np.ones(3)))[0], np.cos(X))


def test_structure_of_the_cotangent_is_checked() -> None:
    _, pullback = s2sgrad.vjp(lambda x: {"a": x, "b": 2.0 * x}, X, fallback="error")
    with pytest.raises(s2sgrad.ShapeError, match="keys"):
        pullback({"a": X})
    with pytest.raises(s2sgrad.ShapeError, match=r"\['b'\] has shape"):
        pullback({"a": X, "b": 1.0})
    _, pullback = s2sgrad.vjp(lambda x: (x, x), X, fallback="error")
    with pytest.raises(s2sgrad.ShapeError, match="2 parts"):
        pullback((X,))


def test_aux() -> None:
    def f(x):
        y = x * x
        return np.sin(y), {"y": y, "note": "kept"}

    value, pullback, aux = s2sgrad.vjp(f, X, has_aux=True, fallback="error")
    np.testing.assert_allclose(value, np.sin(X * X))
    np.testing.assert_allclose(aux["y"], X * X)
    assert aux["note"] == "kept"
    np.testing.assert_allclose(pullback(np.ones(3))[0], 2.0 * X * np.cos(X * X))


class Scaled:
    """A model with state."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def response(self, x, power=2):
        return self.factor * x**power


def test_methods_and_keywords() -> None:
    model = Scaled(3.0)
    value, pullback = s2sgrad.vjp(model.response, X, power=3, fallback="error")
    np.testing.assert_allclose(value, 3.0 * X**3)
    (x_bar,) = pullback(np.ones(3))
    np.testing.assert_allclose(x_bar, 9.0 * X**2)
    model.factor = 1.0
    np.testing.assert_allclose(s2sgrad.vjp(model.response, X)[1](np.ones(3))[0], 2.0 * X)


def test_variadic_arguments_have_one_entry_each() -> None:
    def f(x, *rest):
        return x * rest[0] * rest[1]

    bars = s2sgrad.vjp(f, 2.0, 3.0, 4.0, fallback="error")[1](1.0)
    assert tuple(map(float, bars)) == (12.0, 8.0, 6.0)


def test_functions_that_run_on_tensors() -> None:
    def f(x, n):
        try:
            return {"y": x**n, "s": (x * x).sum()}
        except ValueError:
            return x

    with pytest.warns(UserWarning, match="tensors"):
        value, pullback = s2sgrad.vjp(f, X, 3)
    np.testing.assert_allclose(value["y"], X**3)
    for _ in range(2):
        x_bar, n_bar = pullback({"y": np.ones(3), "s": 1.0})
        np.testing.assert_allclose(x_bar, 3.0 * X**2 + 2.0 * X)
        assert n_bar is None


def test_source_of_the_pair_is_readable() -> None:
    from s2sgrad.derivatives.pullbacks import pullbacks

    def f(x, w):
        h = np.tanh(x * w)
        return h

    made, given = pullbacks(f, (X, X), {}, False, False, "error")
    assert made.source(*given) == (
        "def f_forward(x, w):\n"
        "    h = np.tanh(x * w)\n"
        "    return h.copy(), (x, w, h)\n"
        "\n"
        "\n"
        "def f_backward(h_bar, x, w, h):\n"
        "    product_bar = h_bar * (1.0 - h * h)\n"
        "    return product_bar * w, product_bar * x\n"
    )


def test_many_threads_at_once() -> None:
    """New kinds of arguments come from all threads; every thread gets its own gradient."""

    def f(x, k):
        y = x
        for _ in range(k):
            y = np.sin(y) * x
        return np.sum(y)

    df = s2sgrad.grad(f, fallback="error")
    exact = {n: s2sgrad.grad(f, fallback="error")(np.linspace(0.1, 1.0, n), 2) for n in range(5)}
    wrong: list[Any] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for n in rng.integers(0, 5, 40).tolist():
            found = df(np.linspace(0.1, 1.0, n), 2)
            pulled = s2sgrad.vjp(f, np.linspace(0.1, 1.0, n), 2, fallback="error")[1](1.0)[0]
            if not (np.allclose(found, exact[n]) and np.allclose(pulled, exact[n])):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_arguments_may_change_before_the_pullback_is_called() -> None:
    def scaled(matrix: Any, x: Any, factors: Any) -> Any:
        total = matrix @ x
        for factor in factors:
            total = total * factor
        return total

    matrix, x, factors = np.diag([1.0, 2.0]), np.array([3.0, 4.0]), [2.0, 5.0]
    value, pullback = s2sgrad.vjp(scaled, matrix, x, factors, fallback="error")
    before = pullback(np.ones(2))
    matrix *= 7.0
    x[0] = -1.0
    factors[0] = 9.0
    factors.append(3.0)
    value *= 0.0
    after = pullback(np.ones(2))
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(after[1], before[1])
    assert after[2] == before[2] == [55.0, 22.0]


def test_a_cotangent_that_is_a_view_of_what_is_put_back() -> None:
    def squares_through_views(x):
        a = x.reshape(2, 3).copy()
        views = [a[i] for i in range(2)]
        for v in views:
            v[::2] = v[::2] ** 2
        return np.sum(a**2)

    x = np.arange(1.0, 7.0)
    pullback = s2sgrad.vjp(squares_through_views, x)[1]
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], [4.0, 4.0, 108.0, 256.0, 10.0, 864.0])


@dataclass
class Settings:
    rate: float
    grid: np.ndarray
    steps: int = 3


def cubic(s):
    u = s.grid
    for _ in range(s.steps):
        u = u - 0.1 * s.rate * u**3
    return np.sum(u**2)


def test_gradients_by_objects_have_pullbacks() -> None:
    """Of objects, and beside a value: their cotangents are objects too."""
    model = Settings(1.3, np.array([1.0, -2.0, 0.5]))
    direction = Settings(0.3, np.array([0.1, 0.2, 0.3]))
    found = s2sgrad.grad(cubic, fallback="error")
    expected = s2sgrad.hvp(cubic)(model, direction)
    gradient, pullback = s2sgrad.vjp(found, model, fallback="error")
    assert isinstance(gradient, Settings)
    (bar,) = pullback(direction)
    np.testing.assert_allclose(bar.rate, expected.rate)
    np.testing.assert_allclose(bar.grid, expected.grid)
    both = s2sgrad.value_and_grad(cubic, fallback="error")
    (value, again), pullback = s2sgrad.vjp(both, model, fallback="error")
    (bar,) = pullback((1.0, direction))
    np.testing.assert_allclose(value, cubic(model))
    np.testing.assert_allclose(bar.grid, expected.grid + again.grid)
    _, (_, dot) = s2sgrad.jvp(both, (model,), (direction,), fallback="error")
    np.testing.assert_allclose(dot.rate, expected.rate)


def rows_written_through_views(x: np.ndarray, m: np.ndarray, a: float) -> float:
    made = np.outer(x, np.concatenate([x, [a]])).reshape(2, 3, 2) * 0.5
    kept, place = made[0], 0
    for row in made[0].T:
        row[place % 3] = x[0]
        _lines, kept = made.transpose(0, 2, 1).reshape(4, 3)[1:], kept
        _lines, kept = m + made.reshape(3, 4)[:, -1], kept
    return np.sum(made[1] * 0.3)


def test_compiled_pullbacks_run_again() -> None:
    """They restore what they were given, although nothing reads it in the same run."""
    options = {"jit": True, "fallback": "error"}
    _, pullback = s2sgrad.vjp(rows_written_through_views, X, np.eye(3), 0.7, **options)
    once, again = pullback(1.0), pullback(1.0)
    assert [np.array_equal(a, b) for a, b in zip(once, again, strict=True)] == [True] * 3


def entry_of_dicts(p, i, j):
    return np.sum(p[i][j] ** 2)


def test_dicts_in_dicts_come_back_from_compiled_code_as_dicts() -> None:
    one = np.ones(2)
    p = {1: {1: one, 2: 3.0 * one}, 2: {1: one}}
    _, pullback = s2sgrad.vjp(entry_of_dicts, p, 1, 2, jit=True)
    p_bar = pullback(0.5)[0]
    np.testing.assert_array_equal(p_bar[1][2], 3.0 * one)
    assert not np.any([p_bar[1][1], p_bar[2][1]])
    assert [type(held) for held in (p_bar, *p_bar.values())] == [dict] * 3


@pytest.mark.parametrize("jit", [False, True])
def test_selected_entries_are_a_result(jit: bool) -> None:
    """What a mask selects is returned as it is, not as a choice over the whole array."""

    def selected(x: Any, mask: Any) -> Any:
        y = np.sin(x)
        return y[mask], x[mask] ** 2, np.sum(y[mask])

    x, mask = np.linspace(0.1, 1.2, 12).reshape(3, 4), np.arange(12).reshape(3, 4) % 3 == 0
    value, pullback = s2sgrad.vjp(selected, x, mask, jit=jit)
    for found, expected in zip(value, selected(x, mask), strict=True):
        np.testing.assert_allclose(found, expected)
    x_bar = pullback((np.ones(4), np.ones(4), 2.0))[0]
    np.testing.assert_allclose(x_bar, np.where(mask, 3.0 * np.cos(x) + 2.0 * x, 0.0))
    rows = s2sgrad.jacrev(lambda x, mask: x[mask], jit=jit)(x, mask)
    assert rows.shape == (4, 3, 4) and np.sum(rows) == 4.0


@pytest.mark.parametrize("jit", [False, True])
def test_recursion_with_a_default(jit: bool) -> None:
    """The pair of the call stands beside that of the recursion, whose backward gives more parts."""

    def nested(x: Any, n: int = 3) -> Any:
        if n == 0:
            return {"v": x, "s": np.sum(x)}
        inner = nested(x * np.cos(x), n - 1)
        return {"v": inner["v"] + x, "s": inner["s"] * x[0]}

    _, pullback = s2sgrad.vjp(nested, X, jit=jit, fallback="error")
    expected = s2sgrad.grad(lambda x: np.sum(nested(x)["v"]) + 2.0 * nested(x)["s"])(X)
    (x_bar,) = pullback({"v": np.ones(3), "s": 2.0})
    np.testing.assert_allclose(x_bar, expected, 1e-12)
