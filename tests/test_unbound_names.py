"""Names that a run leaves without a value raise what Python raises, as long as they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([1.1, 2.0, 3.0])


def an_array_after_a_loop(x, n):
    for i in range(n):
        y = x * (i + 1)
    return np.sum(y * x)


def a_number_after_a_loop(x, n):
    for i in range(n):
        y = x[i] * 2
    return y * x[0]


def a_counter(x, n):
    for i in range(n):  # noqa: B007
        pass
    return x[0] * i * x[1]


def an_entry(x, n):
    for v in x[:n]:
        y = [v, v * v]
    return y[0] * y[1]


def one_branch(x, n):
    if n > 0:
        y = x * x
    s = 0.0
    for k in range(3):
        s += np.sum(np.exp(y) * k)
        y = y * 0.5
    return s


def a_loop_in_a_loop(x, n):
    s = 0.0
    for j in range(3):
        for i in range(n):
            y = x * i + j
        s += np.sum(y * y) * x[0]
    return s


def a_branch_in_a_loop(x, n):
    s = 0.0
    for j in range(3):
        if n > j:
            y = x * (j + 1)
        s = s + np.sum(np.sin(y))
    return s


def changed_in_each_turn(x, n):
    for v in x[:n]:
        y = v * v
    s = 0.0
    for k in range(2):
        s += y * k
        y = y * 2
    return s


def else_of_a_loop(x, n):
    for i in range(n):
        y = x[i] * 2
        if y > 100:
            break
    else:
        return y * x[0]
    return x[1]


def else_of_a_loop_by_arrays(x, n):
    for i in range(n):
        y = x * (i + 1)
        if y[0] > 100:
            break
    else:
        return np.sum(y * x)
    return x[1]


def two_branches_of_three(x, n):
    if n == 1:
        y = x[0]
    elif n > 1:
        y = x[1]
    return y * x[0] * x[2]


def a_text_on_some_paths(x, n):
    if n == 1:
        kind = "first"
    elif n > 1:
        kind = "second"
    return x[0] ** 2 if kind == "first" else x[1] ** 2


def a_place_on_some_paths(x, n):
    if n == 1:
        k = 0
    elif n > 1:
        k = 1
    return np.sum(x[k] * x[:k])


def a_place_in_a_loop(x, n):
    s = 0.0
    for i in range(3):
        if n > i:
            k = i
        s += np.sum(x[k]) ** 2
    return s


def begun_in_a_branch(x, n):
    for i in range(3):
        if n > 0 and i == 0:
            s = x[0] ** 2
        s += x[i] ** 2
    return s


def deleted(x, n):
    y = x * 2
    if n == 0:
        del y
    return np.sum(y * x)


def read_by_a_function(x, n):
    if n == 1:
        y = x[0]
    elif n > 1:
        y = x[1]

    def times(v):
        return v * y

    return times(x[2])


def matched(x, n):
    match n:
        case 1:
            y = x[0]
        case 2 | 3:
            y = x[1]
    return y * x[0]


def asked_for_none(x, n):
    if n > 0:
        y = x[0] ** 2
    return x[1] if y is None else y * x[2]


def asked_for_none_after_a_loop(x, n):
    for i in range(n):
        y = x[i]
    missing = y is None
    return x[0] * missing + x[1] ** 2


def asked_for_its_class(x, n):
    while n > 0:
        y = 2.0 * n
        n -= 1
    return x[0] * x[1] if isinstance(y, float) else x[1]


def length_of_a_pair(x, n):
    if n > 0:
        y = [x[0], x[1]]
    return x[0] ** 2 if len(y) == 2 else x[1]


PROGRAMS = [
    asked_for_none, asked_for_none_after_a_loop, asked_for_its_class, length_of_a_pair,
    an_array_after_a_loop, a_number_after_a_loop, a_counter, an_entry, one_branch,
    a_loop_in_a_loop, a_branch_in_a_loop, changed_in_each_turn, else_of_a_loop,
    else_of_a_loop_by_arrays, two_branches_of_three, a_text_on_some_paths, a_place_on_some_paths,
    a_place_in_a_loop, begun_in_a_branch, deleted, matched,
]  # fmt: skip

WAYS: dict[str, Callable[..., Any]] = {
    "value_and_grad": lambda f, n: s2sgrad.value_and_grad(f, fallback="error")(X, n),
    "vjp": lambda f, n: s2sgrad.vjp(f, X, n, fallback="error"),
    "jvp": lambda f, n: s2sgrad.jvp(f, (X, n), (np.ones(3), None), fallback="error"),
    "jit": lambda f, n: s2sgrad.value_and_grad(f, jit=True, fallback="error")(X, n),
}


def _message(f: Callable[..., Any]) -> str:
    with pytest.raises(UnboundLocalError) as found:
        f(X, 0)
    return str(found.value)


@pytest.mark.parametrize("way", ["value_and_grad", "vjp", "jvp"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_the_error_is_python_s(f: Callable[..., Any], way: str) -> None:
    with pytest.raises(UnboundLocalError, match=re.escape(_message(f))):
        WAYS[way](f, 0)


@pytest.mark.parametrize("f", [*PROGRAMS[:5], PROGRAMS[9], *PROGRAMS[11:]])
def test_compiled_code_says_the_same(f: Callable[..., Any]) -> None:
    pytest.importorskip("numba")
    with pytest.raises(UnboundLocalError, match=re.escape(_message(f))):
        WAYS["jit"](f, 0)
    s2sgrad.check_grad(lambda x: f(x, 2), X)
    value, found = WAYS["jit"](f, 3)
    expected_value, expected = WAYS["value_and_grad"](f, 3)
    np.testing.assert_allclose(value, expected_value)
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("f", PROGRAMS)
def test_with_values_the_gradient_is_right(f: Callable[..., Any]) -> None:
    value, found = WAYS["value_and_grad"](f, 3)
    assert value == pytest.approx(f(X, 3))
    steps = 1e-6 * np.eye(3)
    expected = [(f(X + h, 3) - f(X - h, 3)) / 2e-6 for h in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("way", list(WAYS))
def test_what_a_function_inside_reads(way: str) -> None:
    with pytest.raises(NameError, match="'y' where it is not associated with a value"):
        WAYS[way](read_by_a_function, 0)


def test_a_part_of_an_error_of_the_user_s_own_stays() -> None:
    def nothing(x, n):
        m = None
        for k in range(n):
            m = x * k
        return np.sum(m * x)

    with pytest.raises(TypeError, match="NoneType"):
        s2sgrad.value_and_grad(nothing)(X, 0)


class Held:
    def __init__(self):
        self.m = None

    def see(self, x):
        self.m = x if self.m is None else self.m * x


def test_none_of_an_object_stays_none() -> None:
    def nothing(x, n):
        held = Held()
        for k in range(n):
            held.see(x * k)
        return np.sum(held.m * x)

    for derive in (s2sgrad.value_and_grad, s2sgrad.grad):
        with pytest.raises(TypeError, match="NoneType"):
            derive(nothing)(X, 0)
