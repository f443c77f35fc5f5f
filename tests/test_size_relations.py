"""Equations between sizes: code that rests on them is used for calls that satisfy them only."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from harness import assert_close, gradient_vector, numeric_gradient, select

import s2sgrad
from s2sgrad.analysis.relations import solved
from s2sgrad.ir.sizes import Size, of, surely_not_one

rng = np.random.default_rng(3)
n, m, k = of("n"), of("m"), of("k")


def check(df: Any, f: Any, *args: Any, which: Any = 0) -> str:
    """The gradient agrees with differences; the code that was used."""
    names = list(f.__code__.co_varnames)
    value, gradient = df(*args)
    assert float(value) == pytest.approx(float(f(*args)), rel=1e-12)
    expected = numeric_gradient(f, args, {}, which, names)
    assert_close(gradient_vector(gradient, select(args, {}, which, names)), expected, 2e-6)
    return df.source(*args)


def made(f: Any, which: Any = 0) -> Any:
    return s2sgrad.value_and_grad(f, argnums=which, fallback="error")


def differences(x, y):
    return np.sum((x[1:] - x[:-1]) * y)


def test_one_code_for_all_sizes_with_the_same_equation() -> None:
    df = made(differences, (0, 1))
    first = check(df, differences, rng.normal(size=5), rng.normal(size=4), which=(0, 1))
    again = check(df, differences, rng.normal(size=9), rng.normal(size=8), which=(0, 1))
    assert first == again and "unbroadcast" not in first


def test_a_call_without_the_equation_gets_code_of_its_own() -> None:
    df = made(differences, (0, 1))
    check(df, differences, rng.normal(size=5), rng.normal(size=4), which=(0, 1))
    check(df, differences, rng.normal(size=5), rng.normal(size=1), which=(0, 1))
    check(df, differences, rng.normal(size=2), rng.normal(size=3), which=(0, 1))
    check(df, differences, rng.normal(size=2), rng.normal(size=(3, 1)), which=(0, 1))
    check(df, differences, rng.normal(size=6), rng.normal(size=5), which=(0, 1))


def counted(x, count):
    return np.sum(x * np.arange(count)) + np.sum(np.full(count, 2.0) * x**2)


def test_an_integer_argument_that_changes() -> None:
    """The quick check of repeated calls compares shapes, but not numbers."""
    df, x, one = made(counted), rng.normal(size=4), np.array([0.7])
    for _ in range(2):
        source = check(df, counted, x, 4)
        assert "unbroadcast" not in source
        check(df, counted, x, 1)
        check(df, counted, one, 3)
        check(df, counted, one, 1)
        check(df, counted, rng.normal(size=6), 6)


def halves(x):
    a, b = np.split(x, 2)
    return np.sum(a * b) + np.sum(x.reshape(-1, 2)[:, 0] ** 3)


def test_multiples() -> None:
    df = made(halves)
    first = check(df, halves, rng.normal(size=8))
    assert check(df, halves, rng.normal(size=12)) == first
    check(df, halves, rng.normal(size=2))
    assert "unbroadcast" not in first


def table(x, rows, columns):
    t = x.reshape(rows, columns)
    return np.sum(t * t[:, :1]) + np.sum(t[:1] * t)


def test_products() -> None:
    df = made(table)
    for rows, columns in ((2, 3), (3, 2), (1, 6), (6, 1), (2, 3)):
        check(df, table, rng.normal(size=6), rows, columns)


def either(x, flag):
    y = x[1:] if flag > 0.0 else x[:-1] * 2.0
    return np.sum(y * x[1:]) + np.sum(x[:3] * y)


def test_an_equation_in_a_branch() -> None:
    df = made(either)
    check(df, either, rng.normal(size=4), 1.0)
    check(df, either, rng.normal(size=4), -1.0)
    check(df, either, rng.normal(size=2), -1.0)


WEIGHTS = np.ones(3)


def with_global(x):
    return np.sum(x[1:] ** 2 * WEIGHTS)


def test_a_global_that_changes_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    df, x = made(with_global), rng.normal(size=4)
    check(df, with_global, x)
    monkeypatch.setitem(globals(), "WEIGHTS", np.ones((2, 1)))
    check(df, with_global, x)
    monkeypatch.setitem(globals(), "WEIGHTS", np.arange(3.0))
    check(df, with_global, x)


def test_second_order() -> None:
    df = s2sgrad.grad(lambda x, y: np.sum(x[1:] ** 3 * y), fallback="error")
    ddf = s2sgrad.grad(lambda x, y: np.sum(df(x, y) ** 2), fallback="error")
    for shape in (3, 1, 3):
        x, y = rng.normal(size=4), rng.normal(size=shape)
        g = np.concatenate([[0.0], 3.0 * x[1:] ** 2 * y])
        expected = 2.0 * g * np.concatenate([[0.0], 6.0 * x[1:] * y])
        assert_close(ddf(x, y), expected, 1e-12)


@pytest.mark.parametrize(
    ("p", "q", "numbers", "expected"),
    [
        (n - of(1), m, {"n": 5, "m": 4}, {"n": m + of(1)}),
        (n, of(4), {"n": 4}, {"n": of(4)}),
        (n, m, {"n": 5, "m": 4}, None),
        (of("int_1"), n, {"int_1": 3, "n": 3}, {"int_1": n}),
        (n * m, k, {"n": 2, "m": 3, "k": 6}, {"k": n * m}),
        (n * n, of(9), {"n": 3}, {"n": of(3)}),
        (n, of("some_1"), {"n": 3}, None),
    ],
)
def test_solved(p: Size, q: Size, numbers: dict[str, int], expected: Any) -> None:
    assert solved(p, q, numbers) == expected


def test_sizes_that_may_be_one() -> None:
    assert surely_not_one(n + of(1)) and surely_not_one(n * m) and surely_not_one(of(0))
    assert not surely_not_one(n - of(1)) and not surely_not_one(of("int_1") + n)
    assert not surely_not_one(of(3) - n) and not surely_not_one(None)


def eliminated(a):
    a = a + 0.0
    for k in range(len(a) - 1):
        for i in range(k + 1, len(a)):
            a[i, k:] -= a[i, k] / a[k, k] * a[k, k:]
    return np.sum(a @ a)


def shaped_anew(a, x):
    y = np.reshape(a @ x, (1, x.shape[0]))
    return np.sum((a @ a).reshape(-1) ** 2) + np.sum(y**3)


def stacks(x):
    s = x @ x.transpose(0, 2, 1)
    return np.sum(np.tanh(s @ x) @ SQUARE) + np.sum(np.matmul(x, np.swapaxes(x, 1, 2)))


def diagonals(a, x):
    return np.sum((np.diag(x) + a) ** 2) + np.sum(np.diag(a) * np.diag(a, 1).sum())


SQUARE, VECTOR = rng.uniform(1.0, 2.0, (4, 4)) + 3.0 * np.eye(4), rng.normal(size=4)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (eliminated, (SQUARE,)),
        (shaped_anew, (SQUARE, VECTOR)),
        (stacks, (rng.normal(size=(2, 3, 4)),)),
        (diagonals, (SQUARE, VECTOR)),
    ],
)
def test_code_as_a_person_writes_it(f: Any, args: tuple[Any, ...]) -> None:
    """No helper that sums down to a shape, and no product that is there for its shape alone."""
    which = tuple(range(len(args)))
    source = check(made(f, which), f, *args, which=which)
    assert not re.findall(r"unbroadcast|unreshape|matmul_bar_|np\.shape", source)
    assert sum(map(source.count, ("a @ a", "a @ x"))) <= 2
