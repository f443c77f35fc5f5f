"""A callee that can't be transformed runs on tensors; the generated code around it stays."""

from __future__ import annotations

import contextlib
import math
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sgrad
from s2sgrad.eager.numpy_code.tracing import tracing

X = np.array([0.3, -1.2, 0.7])
W = np.array([1.5, 0.4, -0.6])


def differences(f: Any, x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """The derivative of a function by an array, entry by entry, in the last axis."""
    columns = []
    for i in range(x.size):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        columns.append((np.asarray(f(up)) - f(down)) / (2 * step))
    return np.stack(columns, -1)


def guarded(v, scale=2.0):
    try:
        y = np.sin(v) * scale
    except ValueError:
        y = v
    return y


def two_values(v):
    try:
        return v * v, np.sum(v)
    except ZeroDivisionError:
        raise


def by_dict(params, items):
    try:
        return params["w"] * items[0] + np.tanh(items[1])
    except ZeroDivisionError:
        raise


class Magic:
    """Attributes come from nowhere."""

    def __getattr__(self, name: str) -> Any:
        try:
            power = int(name.removeprefix("power")) / np.sum(np.ones(1))
        except ArithmeticError:
            raise AttributeError(name) from None
        return lambda v: v**power


def magical(v):
    return Magic().power3(v)


class Scale:
    """A context manager whose state the block reads."""

    factor = 1.0

    @contextlib.contextmanager
    def set(self, factor: float) -> Any:
        before, self.factor = self.factor, factor
        try:
            yield self
        except FloatingPointError:
            self.factor = 0.0
        self.factor = before


def in_context(v):
    scale = Scale()
    with scale.set(3.0) as s:
        y = v * s.factor
    return y * scale.factor


def squares(v):
    for entry in v:
        try:
            yield entry * entry
        except ZeroDivisionError:
            entry = None


def by_generator(v):
    total = 0.0
    for s in squares(v):
        total += math.sqrt(s + 1.0)
    return total


def recursive(v, depth):
    try:
        return v if depth == 0 else np.sin(recursive(v, depth - 1))
    except ZeroDivisionError:
        raise


def writes(v):
    try:
        v[0] = v[1] * 2.0
    except ZeroDivisionError:
        raise
    return v * v


def same_array(v):
    try:
        return v
    except ZeroDivisionError:
        raise


def maybe_dict(v):
    try:
        return {"y": v * v}
    except ZeroDivisionError:
        raise


def only_logs(v):
    try:
        _seen.append(float(np.sum(np.floor(v))))
    except ZeroDivisionError:
        raise


_seen: list[float] = []
_namespace: dict[str, Any] = {"np": np}
exec("def without_source(v):\n    return np.cos(v) * v", _namespace)
without_source = _namespace["without_source"]


def uses_guarded(w, x):
    h = np.tanh(x * w)
    return np.sum(guarded(h, scale=3.0) * h)


def uses_two_values(w, x):
    a, b = two_values(w * x)
    return np.sum(a * w) * b


def uses_dict(w, x):
    return np.sum(by_dict({"w": w, "n": 2}, [x, w * x]) ** 2)


def uses_magic(w, x):
    return np.sum(magical(w) * x)


def uses_context(w, x):
    return np.sum(in_context(w * w) * x)


def uses_generator(w, x):
    return by_generator(w * x) * np.sum(w)


def uses_no_source(w, x):
    return np.sum(without_source(w) * x)


def uses_recursive(w, x):
    return np.sum(recursive(w * x, 3))


def uses_log(w, x):
    y = w * x
    only_logs(y)
    return np.sum(y * y)


def in_loop(w, x):
    h = x
    for _ in range(3):
        h = guarded(h * w)
    return np.sum(h)


def in_branch(w, x):
    if np.sum(x) < 0.0:
        h = guarded(w)
    else:
        h = w
    return np.sum(h * x)


def twice(w, x):
    return np.sum(guarded(w) * guarded(x * w, scale=0.5))


def exponential(v):
    try:
        return np.exp(v)
    except ZeroDivisionError:
        raise


def both(a, b):
    try:
        return a + b
    except ZeroDivisionError:
        raise


def written_result(w, x):
    y = exponential(w)
    z = np.sum(y * x)
    y[1] *= w[0]
    return np.sum(y * y) * z


def shared_cotangents(w, x):
    a = w * 2.0
    c = both(a, w)
    return np.sum(c * x) + np.sum(a * w)


def into_buffer(w, x):
    y = np.zeros(3)
    y[:] = guarded(w * x)
    y[1] *= w[0]
    return np.sum(y * y)


class Model:
    """A plain object with a method that can't be transformed."""

    def __init__(self, w: Any, b: float) -> None:
        self.w, self.b, self.name, self.act = w, b, "model", np.tanh

    def predict(self, x: Any) -> Any:
        try:
            return self.act(x * self.w + self.b)
        except ZeroDivisionError:
            raise


class Forgetful(Model):
    """Its method changes the object."""

    def predict(self, x: Any) -> Any:
        try:
            self.b = self.b * 2.0
            return x * self.w + self.b
        except ZeroDivisionError:
            raise


class Pair(NamedTuple):
    w: Any
    k: float


def of_pair(pair, x):
    try:
        return x * pair.w * pair.k
    except ZeroDivisionError:
        raise


def uses_object(w, x):
    model = Model(w, 0.3)
    return np.sum(model.predict(x * 2.0) ** 2) + np.sum(model.w)


def uses_pair(w, x):
    return np.sum(of_pair(Pair(w, 0.5), x) ** 2)


PROGRAMS = (
    uses_guarded, uses_two_values, uses_dict, uses_magic, uses_context, uses_generator,
    uses_no_source, uses_recursive, uses_log, in_loop, in_branch, twice, into_buffer,
    written_result, shared_cotangents, uses_object, uses_pair,
)  # fmt: skip


def quietly(call: Any, *args: Any) -> Any:
    """The call's result, without the warnings that it runs on tensors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f: Any) -> None:
    df = s2sgrad.grad(f, argnums=(0, 1))
    w_bar, x_bar = quietly(df, W.copy(), X.copy())
    np.testing.assert_allclose(w_bar, differences(lambda w: f(w, X), W), atol=1e-7)
    np.testing.assert_allclose(x_bar, differences(lambda x: f(W, x), X), atol=1e-7)
    assert w_bar.dtype == W.dtype
    assert "eager_vjp(" in df.source(W, X)  # the rest is generated code


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_other_modes(f: Any) -> None:
    slope = differences(lambda w: f(w, X), W) @ X
    np.testing.assert_allclose(quietly(s2sgrad.jvp, f, (W, X), (X, 0 * X))[1], slope, atol=1e-7)
    value, pullback = quietly(s2sgrad.vjp, f, W, X)
    assert value == pytest.approx(f(W, X))
    np.testing.assert_allclose(pullback(2.0)[0] @ X, 2 * slope, atol=1e-7)
    np.testing.assert_allclose(pullback(1.0)[0] @ X, slope, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_order(f: Any) -> None:
    df = s2sgrad.grad(f)
    second = quietly(differences, lambda w: df(w, X), W)

    def slope(w, x, v):
        return np.sum(df(w, x) * v)

    np.testing.assert_allclose(quietly(s2sgrad.grad(slope), W, X, X), second @ X, atol=1e-6)
    np.testing.assert_allclose(quietly(s2sgrad.hvp(f), W, X, X), second @ X, atol=1e-6)


def test_what_is_compiled_is_not_traced() -> None:
    seen = []

    @s2sgrad.opaque
    def note(v):
        seen.append(type(v) is np.ndarray)

    def inner(v):
        note(v)
        seen.append(tracing())
        try:
            return v * v
        except ZeroDivisionError:
            raise

    def f(w):
        note(w)
        return np.sum(inner(w))

    quietly(s2sgrad.grad(f), W)
    assert seen == [True, True, True]
    assert not tracing()


def test_arguments_that_do_not_vary_stay_arrays() -> None:
    kinds = []

    def inner(v, table):
        try:
            kinds.append(type(table))
            return v * table
        except ZeroDivisionError:
            raise

    quietly(s2sgrad.grad(lambda w, x: np.sum(inner(w, x))), W, X)
    assert kinds == [np.ndarray]


def test_the_warning_names_place_and_reason_once() -> None:
    df = s2sgrad.grad(uses_guarded)
    with pytest.warns(UserWarning, match="the rest of uses_guarded stays compiled") as caught:
        df(W, X)
    (warning,) = caught
    text = str(warning.message)
    assert text.startswith("guarded runs on") and "try" in text and __file__ in text
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        df(X, W)


def test_refused_on_request() -> None:
    with pytest.raises(s2sgrad.UnsupportedError) as caught:
        s2sgrad.grad(uses_guarded, fallback="error")(W, X)
    assert caught.value.filename == __file__


def test_explained() -> None:
    df = s2sgrad.grad(uses_guarded)
    quietly(df, W, X)
    text = df.explain(W, X)
    assert "fell back: guarded runs on dynamic-graph tensors" in text and __file__ in text
    assert "transformed into NumPy code:\n  uses_guarded" in text and "'try'" in text


def test_readable() -> None:
    df = s2sgrad.grad(in_branch)
    assert df.source(W, X).splitlines()[:4] == [
        "def in_branch_grad(w, x):",
        "    branch = np.sum(x) < 0.0",
        "    if branch:",
        "        h, h_pullback = eager_vjp(guarded, w)",
    ]


@pytest.mark.parametrize("callee", [writes, maybe_dict], ids=lambda f: f.__name__)
def test_what_generated_code_can_not_follow_runs_whole(callee: Any) -> None:
    def f(w):
        y = w * 2.0
        z = callee(y)
        return np.sum((z["y"] if callee is maybe_dict else z) * y)

    df = s2sgrad.grad(f)
    found = quietly(df, W)
    np.testing.assert_allclose(found, differences(f, W), atol=1e-6)
    np.testing.assert_allclose(quietly(df, X), differences(f, X), atol=1e-6)


def test_a_result_that_is_the_argument() -> None:
    def written(w):
        y = w * 2.0
        z = same_array(y)
        z[0] *= 3.0
        return np.sum(z * y)

    def read(w):
        y = w * 2.0
        return np.sum(same_array(y) * y)

    for f in (written, read):
        found = quietly(s2sgrad.grad(f), W)
        np.testing.assert_allclose(found, differences(f, W), atol=1e-6)


def test_numba_compiles_the_rest() -> None:
    pytest.importorskip("numba")
    df = s2sgrad.grad(uses_guarded, jit=True)
    with pytest.warns(UserWarning, match="stays compiled"):
        found = df(W, X)
    np.testing.assert_allclose(found, differences(lambda w: uses_guarded(w, X), W), atol=1e-7)
    assert "uses_guarded_grad_part_1" in df.source(W, X)
    with pytest.raises(s2sgrad.UnsupportedError):
        s2sgrad.grad(uses_guarded, jit=True, fallback="error")(W, X)


def test_functions_without_parameters_that_vary() -> None:
    def f(w, x):
        return np.sum(w * guarded(x))

    df = s2sgrad.grad(f)
    np.testing.assert_allclose(quietly(df, W, X), np.sin(X) * 2.0)
    assert "wrt=()" in df.source(W, X)


@pytest.mark.parametrize("cls", [Model, Forgetful])
def test_gradient_by_an_object(cls: Any) -> None:
    def f(model, x):
        y = model.predict(x * 2.0)
        return np.sum(y * y) + np.sum(model.w)

    found = quietly(s2sgrad.grad(f), cls(W, 0.3), X)
    assert type(found) is cls
    np.testing.assert_allclose(found.w, differences(lambda w: f(cls(w, 0.3), X), W), atol=1e-6)
    slope = (f(cls(W, 0.3 + 1e-6), X) - f(cls(W, 0.3 - 1e-6), X)) / 2e-6
    assert found.b == pytest.approx(slope, abs=1e-6)
    model = cls(W, 0.3)
    quietly(s2sgrad.grad(f), model, X)
    assert model.b == 0.3


def scaled_in_place(v):
    w = v.copy()
    try:
        w *= v[0]
        w[1:] += w[0] * v[1:]
        w[[0, 2]] -= v[:2]
    except ValueError:
        w = v
    return np.sum(w**2)


def written_under_views(v):
    try:
        y = np.zeros(3)
        first, last = y[:2], y[2:]  # before anything that varies is written
        y[0] = v[0] ** 2
        last[0] = v[1] * v[2]
        return np.sum(first * v[:2]) + y[2] * 3 + np.sum(last)
    except ValueError:
        return 0.0


def test_an_island_that_writes_in_place_goes_forward():
    def f(x):
        return scaled_in_place(x) + x[1] * written_under_views(x)

    slope = differences(f, X) @ W
    np.testing.assert_allclose(quietly(s2sgrad.jvp, f, (X,), (W,))[1], slope, atol=1e-7)


# --- functions made inside others ----------------------------------------------------------------


def reads_names(x):
    k, pair = np.sum(x), {"a": x[1], "n": 2}

    def slope(v):
        return v * k

    def inner(v, by=x[0], *, q=3.0):
        try:
            return slope(v) * by + pair["a"] ** pair["n"] * q
        except ValueError:
            return v

    y = inner(x)
    k = k * k + x[0]  # read again at each call
    return np.sum(y * inner(x, 2.0, q=x[2]))


def made_by_others(x):
    def power(k, p):
        return lambda v: eval("np.sin(v * k) ** p", {"np": np}, {"v": v, "k": k, "p": p})

    f, g = power(x[0], 2), power(x[1], 3)
    return np.sum(f(x) + g(x)) + np.sum(f(g(x)))


def given_twice(x):
    def product(a, b):
        try:
            return a * b if a is b else a + b
        except ValueError:
            return a

    return np.sum(product(x, x))


def counts(x):
    total = 0.0

    def add(v):
        nonlocal total
        try:
            total = total + np.sum(v * v)
        except ZeroDivisionError:
            v = x

    add(x)
    add(x * x)
    return total


def calls_itself(x):
    def power(v, n):
        try:
            return v if n <= 1 else v * power(v, n - 1)
        except ValueError:
            return v

    return np.sum(power(x, 3))


def takes_whatever(x):
    result_0, seen, k = np.sin(x), 0.0, x[0] * 2

    def f(first, *rest, by=k, **named):
        nonlocal seen
        try:
            seen = seen * 0.5 + first
            return (sum(rest) * by + result_0[1]) * seen, named["z"] * first
        except ArithmeticError:
            return 0.0, 0.0

    k = x[1]
    a, b = f(x[0], x[1], x[2], z=k)
    for v in x:
        if v > 0:
            a = a * f(v, b, z=x[2])[1]
    return a + b * seen * k


def one_or_the_other(x):
    def even(i):
        try:
            return x[i] * odd(i + 1) if i < 3 else 1.0
        except IndexError:
            return 1.0

    def odd(i):
        return x[i] + even(i + 1) if i < 3 else 2.0

    return even(0) * np.sum(x)


@pytest.mark.parametrize("f", [reads_names, made_by_others, counts, calls_itself, takes_whatever])
def test_functions_made_inside_others_are_islands(f: Any) -> None:
    gradient = s2sgrad.grad(f)
    np.testing.assert_allclose(quietly(gradient, X), differences(f, X), rtol=1e-6)
    slope = quietly(s2sgrad.jvp, f, (X,), (W,))[1]
    np.testing.assert_allclose(slope, differences(f, X) @ W, rtol=1e-6)
    slopes = differences(lambda x: quietly(gradient, x), X)
    np.testing.assert_allclose(quietly(s2sgrad.hessian(f), X), slopes, atol=1e-5)
    assert "eager_vjp" in gradient.source(X)
    assert "runs on dynamic-graph tensors" in quietly(s2sgrad.grad(f).explain, X)
    assert f"the whole of {f.__name__}" not in quietly(s2sgrad.grad(f).explain, X)


@pytest.mark.parametrize("f", [given_twice, one_or_the_other])
def test_functions_made_inside_others_that_take_all_of_them(f: Any) -> None:
    np.testing.assert_allclose(quietly(s2sgrad.grad(f), X), differences(f, X), rtol=1e-6)
    assert f"the whole of {f.__name__}" in quietly(s2sgrad.grad(f).explain, X)


def fills(y, x, i):
    try:
        y[i] = x[i] ** 2 * (i + 1)
    except IndexError:
        return


def overwritten_later(x):
    y = x * 2
    z = guarded(y * x.copy())
    u = product_of(x.copy(), y)
    y[0] = 5.0
    return np.sum(z * u) + np.sum(product_of(x * 1.0, y))


def product_of(a, y):
    try:
        return a * y
    except ValueError:
        return a


def filled(x):
    y = np.zeros(3)
    for i in range(4):
        fills(y, x, i)
    return np.sum(y * x)


def handed_back_then_written(x):
    y = x * 1
    z = same_array(y)
    y[0] *= 5
    return np.sum(y**2 * z)


@pytest.mark.parametrize("f", [overwritten_later, filled, handed_back_then_written])
def test_second_derivatives_where_arrays_are_written(f: Any) -> None:
    slopes = differences(lambda x: quietly(s2sgrad.grad(f), x), X)
    np.testing.assert_allclose(quietly(s2sgrad.hessian(f), X), slopes, atol=1e-5)


def test_a_number_class_of_an_array_is_the_array() -> None:
    def f(x):
        y = x * 2.0
        v = np.float64(y)
        v[0] *= x[1]
        return guarded(x[0]) + np.sum(y * y * x)

    hidden = eval("lambda f: lambda x: f(x)")(f)
    np.testing.assert_allclose(quietly(s2sgrad.grad(hidden), X), differences(f, X), rtol=1e-6)


def positive(a):
    try:
        return len(a[a > 0]), a > 0
    except ValueError:
        return 0, False


def leading(a, n):
    try:
        return a[:n] * n
    except ValueError:
        return a


def second_of(a, b):
    try:
        return b
    except ValueError:
        return a


def whole_numbers(x):
    n, is_positive = positive(x)
    n, _ = positive(x * n)
    return np.sum(leading(x * x, n)) * n + x[n] * np.sum(is_positive * x)


def written_through_a_constant(x):
    y = x * 2
    v = second_of(x * 3, y)
    v[0] = x[1] ** 2
    return np.sum(y * y)


@pytest.mark.parametrize("f", [whole_numbers, written_through_a_constant])
def test_whole_numbers_and_results_that_do_not_vary(f: Any) -> None:
    wanted = differences(f, X)
    np.testing.assert_allclose(quietly(s2sgrad.grad(f), X), wanted, rtol=1e-6)
    np.testing.assert_allclose(quietly(s2sgrad.jvp, f, (X,), (W,))[1], wanted @ W, rtol=1e-6)
    slopes = differences(lambda x: quietly(s2sgrad.grad(f), x), X)
    np.testing.assert_allclose(quietly(s2sgrad.hessian(f), X), slopes, atol=1e-5)
