"""`parallel=True`: independent loops run on all cores, the others as before; same results."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")


def rows_and_shared_weights(x: Any, w: Any) -> Any:
    y = np.sin(x) @ w
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j] ** 2 * w[j] + y[i]
    return s


def stencil(x: Any, w: Any) -> Any:
    u = x.copy()
    for _ in range(3):
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] - 2.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += 0.1 * inner**2
    return np.sum(u**2) * w[0]


def gathered(x: Any, w: Any) -> Any:
    """Repeated entries: their cotangents meet."""
    places = np.arange(40) % w.size
    s = 0.0
    for k in range(40):
        s += w[places[k]] ** 2 * x[k % 9, 0]
    return s


def running_sum(x: Any, w: Any) -> Any:
    """Each iteration reads what the one before has written."""
    y = np.zeros(x.shape[0])
    for i in range(1, x.shape[0]):
        y[i] = y[i - 1] * w[0] + x[i, 0]
    return np.sum(y * y)


def wraps_around(x: Any, w: Any) -> Any:
    """Entry -1 and entry n - 1 are one: the first and the last iteration meet."""
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0] + 1):
        y[i - 1] += x[i % 3, 0] * w[0] * (i + 1.0)
    return np.sum(y * y)


def two_names(x: Any, w: Any) -> Any:
    """Both names mean one array."""
    u = x.copy()
    shifted = u[1:]
    for i in range(u.shape[0] - 1):
        shifted[i, 0] = u[i, 0] * w[0] + x[i, 1]
    return np.sum(u * u)


def last_value(x: Any, w: Any) -> Any:
    """What the last iteration leaves behind is used."""
    last = 0.0
    for i in range(x.shape[0]):
        last = x[i, 0] * w[1]
    return last * last


def rows_by_view(x: Any, w: Any) -> Any:
    u = x.copy()
    for i in range(u.shape[0]):
        row = u[i]
        for j in range(u.shape[1]):
            row[j] = row[j] * w[j] + np.sin(row[j])
    return np.sum(u**3)


def largest(x: Any, w: Any) -> Any:
    scale = np.max(np.abs(x), axis=1, keepdims=True)
    e = np.exp(x - scale)
    return np.sum((e / np.sum(e, axis=1, keepdims=True)) @ w)


INDEPENDENT = (rows_and_shared_weights, gathered, rows_by_view, largest)
DEPENDENT = (running_sum, wraps_around, last_value)


def example(n: int = 9, m: int = 11) -> tuple[Any, Any]:
    """Small arrays stay on one core, whatever the loop."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, m)), rng.uniform(0.5, 1.5, size=m)


def differences(f: Callable[..., Any], args: tuple[Any, ...], k: int) -> Any:
    """Central differences by argument k along a direction."""
    direction = np.random.default_rng(1).normal(size=args[k].shape)

    def moved(t: float) -> Any:
        return f(*(a + t * direction if i == k else a for i, a in enumerate(args)))

    return direction, (moved(1e-5) - moved(-1e-5)) / 2e-5


def some_slow(*functions: Callable[..., Any]) -> Any:
    """Numba takes seconds for each: two always, the others where slow tests run."""
    marks = [() if k < 2 else (pytest.mark.slow,) for k in range(len(functions))]
    cases = zip(functions, marks, strict=True)
    return pytest.mark.parametrize("f", [pytest.param(f, marks=m, id=f.__name__) for f, m in cases])


@some_slow(stencil, two_names, *INDEPENDENT, *DEPENDENT)
def test_same_as_sequential_and_differences(f: Callable[..., Any]) -> None:
    options = {"argnums": (0, 1), "jit": True, "fallback": "error"}
    many = s2sgrad.value_and_grad(f, parallel=True, **options)
    one = s2sgrad.value_and_grad(f, **options)
    for args in (example(), example(400, 300)):
        found, expected = many(*args), one(*args)
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-11)
        for k in range(2):
            scale = 1.0 + np.max(np.abs(expected[1][k]))
            np.testing.assert_allclose(found[1][k] / scale, expected[1][k] / scale, atol=1e-12)
            direction, slope = differences(f, args, k)
            np.testing.assert_allclose(np.sum(found[1][k] * direction), slope, rtol=3e-6, atol=1e-7)


@some_slow(*INDEPENDENT)
def test_independent_loops_are_parallel(f: Callable[..., Any]) -> None:
    many = s2sgrad.value_and_grad(f, (0, 1), jit=True, parallel=True, fallback="error")
    assert "on_threads(" in many.source(*example())
    text = many.explain(*example())
    assert "loops on all cores:" in text and ": yes" in text
    again = s2sgrad.value_and_grad(f, (0, 1), jit=True, parallel=True, fallback="error")
    assert again.source(*example()) == many.source(*example())


def reasons(f: Callable[..., Any]) -> str:
    many = s2sgrad.value_and_grad(f, (0, 1), jit=True, parallel=True, fallback="error")
    return many.explain(*example())


def test_reasons_are_told() -> None:
    assert "iterations may meet in an entry of 'y'" in reasons(running_sum)
    assert "the last value of 'last' is used after it" in reasons(last_value)


def one_of_two(x: Any, w: Any) -> Any:
    """Arrays that are written by one name and read by another."""
    a, b = x[0] * 1.0, x[1] * x[1]
    for i in range(3):
        low = a if a[0] < b[0] else b
        low += 0.1 * w
        low[i] = a[i] * b[i + 1]
    return np.sum(a * b)


def test_writes_by_another_name_are_kept() -> None:
    args = example()
    found = s2sgrad.grad(one_of_two, (0, 1), jit=True, parallel=True, fallback="error")(*args)
    expected = s2sgrad.grad(one_of_two, (0, 1), fallback="error")(*args)
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-11)


@pytest.mark.slow
def test_pieces_and_other_transforms_take_the_options() -> None:
    args = example()

    def f(x: Any, w: Any) -> Any:
        noise = np.random.default_rng(3).normal(size=11)
        return np.sum(np.sin(x) * w + noise)

    found = s2sgrad.grad(f, (0, 1), jit=True, parallel=True, fastmath=True)(*args)
    expected = s2sgrad.grad(f, (0, 1))(*args)
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-11)
    product = s2sgrad.hvp(stencil, jit=True, parallel=True)(*args, args[0])
    np.testing.assert_allclose(product, s2sgrad.hvp(stencil)(*args, args[0]), rtol=1e-10)
    _, pull = s2sgrad.vjp(stencil, *args, jit=True, parallel=True)
    _, plain = s2sgrad.vjp(stencil, *args)
    np.testing.assert_allclose(pull(1.0)[0], plain(1.0)[0], rtol=1e-11)


def test_options_need_jit() -> None:
    with pytest.raises(ValueError, match="jit=True"):
        s2sgrad.grad(stencil, parallel=True)


def test_fastmath_keeps_nan_and_infinity() -> None:
    def f(x: Any) -> Any:
        y = np.where(np.isnan(x), 0.0, x)
        return np.sum(np.where(np.isinf(y), 1.0, y * y))

    x = np.array([1.0, np.nan, np.inf, 2.0])
    found = s2sgrad.grad(f, jit=True, fastmath=True, fallback="error")(x)
    np.testing.assert_array_equal(found, s2sgrad.grad(f)(x))


COUNTS = """
import numpy as np, numba, s2sgrad, test_parallel as t
numba.set_num_threads(1)
f = s2sgrad.value_and_grad(t.{name}, (0, 1), jit=True, parallel=True, fallback="error")
value, bars = f(*t.example())
print(repr((float(value), *(b.tolist() for b in bars))))
"""


@pytest.mark.slow
def test_number_of_threads() -> None:
    """One thread or several: the same gradient, but for the order of sums."""
    folder = os.path.dirname(__file__)
    code = COUNTS.format(name="rows_and_shared_weights")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    value, *bars = eval(done.stdout)
    expected = s2sgrad.value_and_grad(rows_and_shared_weights, (0, 1))(*example())
    assert value == pytest.approx(expected[0], rel=1e-12)
    for one, two in zip(bars, expected[1], strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-11)


def test_loops_that_take_no_time_beside_others_stay_on_one_core() -> None:
    """Numba has to compile a function for each loop on all cores."""

    def f(x: np.ndarray) -> float:
        y = np.sin(x)
        return np.sum((y[:, None] * y) ** 3) + np.sum(x)

    df = s2sgrad.grad(f, jit=True, parallel=True, fallback="error")
    x = np.linspace(0.0, 1.0, 40)
    assert np.allclose(df(x), s2sgrad.grad(f)(x))
    text = df.explain(x)
    assert "it takes no time beside other loops" in text
    assert df.source(x).count("on_threads(") >= 1


def test_loops_that_run_too_often_stay_on_one_core() -> None:
    """Before such a loop is long enough for threads, those around it would never end."""

    def f(a: np.ndarray) -> float:
        a = a.copy()
        for i in range(a.shape[0]):
            for j in range(i):
                a[i, j] -= np.dot(a[i, :j], a[j, :j])
        return np.sum(a)

    df = s2sgrad.grad(f, jit=True, parallel=True, fallback="error")
    a = np.random.default_rng(0).normal(size=(6, 6)) / 6.0
    assert np.allclose(df(a), s2sgrad.grad(f)(a))
    assert "on_threads(" not in df.source(a)


def test_threads_have_no_copies_of_what_is_as_large_as_the_loop() -> None:
    """Filling the copies with zeros and adding them up would take longer than the loop."""

    def f(x: np.ndarray, places: np.ndarray) -> float:
        s = 0.0
        for k in range(x.shape[0]):
            s += x[places[k]] ** 2 * x[k]
        return s

    df = s2sgrad.grad(f, jit=True, parallel=True, fallback="error")
    x, places = np.linspace(0.0, 1.0, 7), np.array([1, 1, 0, 6, 3, 2, 2])
    assert np.allclose(df(x, places), s2sgrad.grad(f)(x, places))
    assert "adding up a 'x_bar' for each thread would take as long" in df.explain(x, places)
