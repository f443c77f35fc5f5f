"""Cotangent blocks, opaque functions, user rules and `explain`, beyond their simplest use."""

from __future__ import annotations

import ctypes
import ctypes.util
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import s2sgrad

X = np.array([0.4, -0.7, 1.1])
CALLS: list[Any] = []


@s2sgrad.opaque
def note(value):
    CALLS.append(value)


@s2sgrad.opaque
def weights(seed):
    CALLS.append(seed)
    return np.linspace(1.0, 2.0, 3) * seed


def normalised_in_loop(x):
    y = np.sin(x)
    for i in range(3):
        y = y * x
        with s2sgrad.cotangent(y) as y_bar:
            n = np.linalg.norm(y_bar)
            if n > 1.0:
                y_bar = y_bar / n
            note(i)
    return np.sum(y)


def grad(f: Any, argnums: Any = 0) -> Any:
    return s2sgrad.grad(f, argnums, fallback="error")


def differences(f: Any, x: np.ndarray) -> np.ndarray:
    """Central differences of a scalar function."""
    step = 1e-6 * np.eye(x.size)
    return np.array([(f(x + e) - f(x - e)) / 2e-6 for e in step])


def test_a_block_in_a_loop_runs_backwards() -> None:
    CALLS.clear()
    found = grad(normalised_in_loop)(X)
    assert CALLS == [2, 1, 0]
    y_bar, expected = np.ones(3), np.zeros(3)
    for i in (2, 1, 0):
        n = float(np.linalg.norm(y_bar))
        y_bar = y_bar / n if n > 1.0 else y_bar
        expected += y_bar * np.sin(X) * X**i
        y_bar = y_bar * X
    np.testing.assert_allclose(found, expected + y_bar * np.cos(X))


def test_a_block_about_a_view() -> None:
    def f(x):
        a = np.zeros(4)
        a[:3] = x * x
        r = a[1:3]
        with s2sgrad.cotangent(r) as r_bar:
            r_bar *= 10.0
        return np.sum(a * a)

    np.testing.assert_allclose(grad(f)(X), 4.0 * X**3 * np.array([1.0, 10.0, 10.0]))


def test_a_block_needs_a_variable() -> None:
    def f(x):
        with s2sgrad.cotangent(x * 2.0) as x_bar:
            x_bar *= 2.0
        return np.sum(x)

    with pytest.raises(s2sgrad.UnsupportedError, match="expression"):
        grad(f)(X)


def test_a_block_on_tensors_is_refused() -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="tensors"):
        s2sgrad.cotangent(s2sgrad.eager.tensor(1.0))


def test_opaque_calls_happen_once_in_order() -> None:
    def f(x):
        total = 0.0
        for i in range(1, 3):
            w = weights(i)
            weights(10 * i)
            total += np.sum(np.sin(x * w) * w)
        return total

    df = grad(f)
    CALLS.clear()
    found = df(X)
    assert CALLS == [1, 10, 2, 20]
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-7)


def test_stop_gradient_of_a_container() -> None:
    def f(x, p):
        q = s2sgrad.stop_gradient(p)
        return np.sum(q["w"] * p["w"] * x)

    x_bar, p_bar = grad(f, (0, 1))(X, {"w": X})
    np.testing.assert_allclose(x_bar, X * X)
    np.testing.assert_allclose(p_bar["w"], X * X)


@s2sgrad.opaque
def _levels(parts: Any) -> Any:
    assert all(type(part) is np.ndarray for part in parts)
    return np.tanh(parts[0]) + len(parts)


def _cut(x: Any) -> Any:
    held = s2sgrad.stop_gradient({"all": x, "first": x[0]})
    root = optimize.brentq(lambda t: t**3 - x[0] ** 2, 0.0, 9.0)
    return np.sum(x * held["all"] + held["first"] * x + x * _levels([x, x])) + root


def test_cuts_and_solvers_on_tensors_are_those_of_compiled_code() -> None:
    def on_tensors(x: Any) -> Any:
        try:
            return _cut(x)
        finally:
            pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for take in (s2sgrad.grad, s2sgrad.hessian, lambda f: lambda x: s2sgrad.jvp(f, (x,), (x,))):
            np.testing.assert_allclose(take(on_tensors)(X), take(_cut)(X), atol=1e-12)


def test_rule_of_a_function_in_a_c_library() -> None:
    name = ctypes.util.find_library("m")
    if name is None:
        pytest.skip("no C library of mathematics here")
    library = ctypes.CDLL(name)
    for function in (library.sin, library.cos):
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    c_sin, c_cos = library.sin, library.cos

    @s2sgrad.rule(c_sin)
    def _(y_bar, y, x):
        return y_bar * c_cos(x)

    def f(x):
        return c_sin(x) * x

    expected = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert float(grad(f)(0.7)) == pytest.approx(expected, rel=1e-8)


def test_functions_of_one_name_are_told_apart() -> None:
    def made(factor: float) -> Any:
        def step(x):
            return factor * x

        @s2sgrad.rule(step)
        def _(y_bar, y, x, factor=factor):
            return y_bar * factor

        return step

    one, two = made(2.0), made(5.0)

    def f(x):
        return np.sum(one(x) * two(x))

    np.testing.assert_allclose(grad(f)(X), 20.0 * X)


def test_explain_says_what_is_saved_and_what_is_called() -> None:
    def f(x):
        h = x
        for i in range(4):
            h = np.tanh(h) * x * weights(i + 1)
        return np.sum(h)

    text = grad(f).explain(np.linspace(0.0, 1.0, 3))
    assert "fell back: nothing" in text and "weights: opaque" in text
    assert "saved for the reverse sweep" in text and "bytes" in text


def test_explain_says_why_it_fell_back() -> None:
    def f(x):
        try:
            return x * x
        except ValueError:
            return x

    with pytest.raises(s2sgrad.UnsupportedError):
        grad(f).explain(2.0)
    text = s2sgrad.grad(f).explain(2.0)
    assert "fell back: the whole of f" in text and "try" in text and "test_cuts.py:" in text
