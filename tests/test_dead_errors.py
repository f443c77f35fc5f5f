"""Errors of code whose value no gradient needs: they are raised as the function itself does."""

from __future__ import annotations

import math

import numpy as np
import pytest

import s2sgrad

X = np.arange(1.0, 6.0)


def _constant(x):
    math.log(-4.0)
    return x[0] ** 2


def _named_constant(x):
    y = math.sqrt(-4.0)  # noqa: F841
    return x[0] ** 2


def _of_an_argument(x, a=-1.0):
    y = 3.0 * math.log(a) + 1.0  # noqa: F841
    return x[0] ** 2


def _computed(x):
    y = math.acos(x[0] + 9.0)  # noqa: F841
    return x[0] ** 2


def _part_of_the_result(x):
    return x[0] + math.log(x[2] - 100.0)


def _on_a_path(x):
    if x[1] > 0.0:
        y = math.log(x[1] - 9.0)
    else:
        y = 0.0
    return x[0] ** 2 + y


def _in_a_loop(x, n=3):
    s = 0.0
    for i in range(n):
        y = math.log(i - 1.0)  # noqa: F841
        s += x[0]
    return s


def _overflow(x):
    y = math.exp(1e5)  # noqa: F841
    return x[0] ** 2


def _division(x, n=3):
    y = n // 0  # noqa: F841
    return x[0] ** 2


def _beyond(x):
    x[10]
    return x[0] ** 2


def _named_beyond(x):
    y = x[10] * 2.0  # noqa: F841
    return x[0] ** 2


def _too_many_axes_down(x):
    y = np.outer(x, x)[0, -7]  # noqa: F841
    return x[0] ** 2


def _selected_and_unpacked(x):
    a, b = x[x > 2.5]
    return a * b


def _listed_and_unpacked(x):
    a, b = [v for v in x if v > 2.5]
    return a * b


def _in_each_row(x):
    s = 0.0
    for a, b in [x[x > 3.5], x[x < 1.5]]:
        s += a * b
    return s


def _fewer_than_named(x):
    a, b, *_ = x[x > 4.5]
    return a * b


RAISING = [
    _constant, _named_constant, _of_an_argument, _computed, _part_of_the_result, _on_a_path,
    _in_a_loop, _overflow, _division, _beyond, _named_beyond, _too_many_axes_down,
    _selected_and_unpacked, _listed_and_unpacked, _in_each_row, _fewer_than_named,
]  # fmt: skip
COMPILED = [
    pytest.param(f, True, marks=[pytest.mark.slow] * (k % 3 > 0)) for k, f in enumerate(RAISING)
]


@pytest.mark.parametrize(("f", "jit"), [*((f, False) for f in RAISING), *COMPILED])
def test_raises_as_the_function_does(f, jit: bool) -> None:
    with pytest.raises(Exception) as expected:
        f(X.copy())
    for transform in (s2sgrad.grad, s2sgrad.value_and_grad):
        with pytest.raises(expected.type):
            transform(f, jit=jit, fallback="error")(X.copy())


def test_what_raises_nothing_falls_away() -> None:
    def f(x):
        y = math.log(4.0) + np.log(x[1] - 100.0) + math.exp(x[0])  # noqa: F841
        z = x[4] if x[0] > 0.0 else x[1]  # noqa: F841
        return x[0] ** 2

    text = s2sgrad.grad(f, fallback="error").source(X)
    assert "log" not in text and "exp" not in text and "x[4]" not in text


def test_a_literal_beyond_in_one_call_is_no_error_in_another() -> None:
    df = s2sgrad.grad(_named_beyond, fallback="error")
    with pytest.raises(IndexError):
        df(X)
    assert df(np.ones(12))[0] == 2.0


def _rows_of_a_path(x):
    rows = (x, x * 2.0, x * 3.0)
    if x[0] > 100.0:
        a, b = rows
    elif x[0] > 50.0:
        a = b = rows[3]
    else:
        a, b = rows[0], rows[1]
    return a @ b


@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "jit"])
def test_raises_where_a_run_comes_there(jit: bool) -> None:
    df = s2sgrad.grad(_rows_of_a_path, jit=jit, fallback="error")
    np.testing.assert_allclose(df(X), 4.0 * X)
    with pytest.raises(ValueError, match="too many values to unpack"):
        df(X + 200.0)
    with pytest.raises(IndexError, match="tuple index out of range"):
        df(X + 60.0)


def _by_length(x):
    n = len(x)
    if n == 2:
        a, b = x
        return a * b**2
    s = 0.0
    if n == 3:
        for a, b, c in np.outer(x, x):
            s += a * b * c
    return s + x @ x


@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "jit"])
def test_unpacked_where_the_length_is_another(jit: bool) -> None:
    """A length that the call that compiles has not: calls that come later may have it."""
    df = s2sgrad.grad(_by_length, jit=jit, fallback="error")
    for n in (5, 2, 3, 1, 2):
        s2sgrad.check_grad(_by_length, np.arange(1.0, n + 1.0))
        expected = s2sgrad.grad(_by_length)(np.arange(1.0, n + 1.0))
        np.testing.assert_allclose(df(np.arange(1.0, n + 1.0)), expected)


def test_a_dict_that_grows_while_it_is_gone_through() -> None:
    """As Python says, and not without an end."""

    def by_keys(x):
        table = {"a": x[0]}
        for key in table:
            table[key + "2"] = 1.0
        return sum(table.values())

    def by_items(x):
        table = {"a": x[0]}
        for key, value in table.items():
            table[key + "2"] = value
        return sum(table.values())

    for function in (by_keys, by_items):
        with pytest.raises(s2sgrad.UnsupportedError, match="changed size during iteration"):
            s2sgrad.grad(function, fallback="error")(X)
