"""A guard says yes only where the tokens of two calls are equal."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2sgrad
from s2sgrad.calls.binding import token
from s2sgrad.calls.guards import guard_of


@dataclass
class Pair:
    left: Any
    right: Any = 1.0


class Plain:
    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)

    def scaled(self, x: float) -> float:
        return x * self.scale


class Row(NamedTuple):
    left: Any
    right: Any


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self, left: Any, *right: Any) -> None:
        self.left = left
        if right:
            (self.right,) = right


class Text(str):
    pass


def function(x: float) -> float:
    return x


VALUES: list[Any] = [
    1,
    True,
    1.0,
    0.0,
    None,
    "a",
    "b",
    np.str_("a"),
    np.str_("b"),
    Text("a"),
    Text("b"),
    1j,
    np.float32(1),
    np.float64(1),
    np.zeros(3),
    np.zeros(3, np.float32),
    np.zeros((3, 1)),
    np.zeros(4),
    [1.0, 2.0],
    (1.0, 2.0),
    [1.0],
    [np.zeros(3), [1]],
    [np.zeros(4), [1]],
    {"a": 1.0},
    {"b": 1.0},
    {"a": 1.0, "b": np.zeros(3)},
    {"b": np.zeros(3), "a": 1.0},
    {},
    [],
    function,
    float,
    range(3),
    Pair(1.0),
    Pair(1),
    Pair(np.zeros(3), Pair(1.0)),
    Pair(np.zeros(4), Pair(1.0)),
    Plain(left=1.0, right=1.0),
    Plain(left=1.0),
    np.sin,
    object(),
    logging.getLogger("a"),
    [1.0] * 1000,
    [1.0] * 9 + [1],
    [1] * 1000,
    [True] * 10,
    tuple([1.0] * 1000),
    dict.fromkeys(range(10), 1.0),
    dict.fromkeys(range(10), 1),
    slice(0, 2),
    slice(0, 3),
    np.dtype(float),
    np.dtype(int),
    Row(1.0, np.zeros(3)),
    Row(1.0, np.zeros(4)),
    (1.0, np.zeros(3)),
    OrderedDict(a=1.0),
    defaultdict(float, a=1.0),
    Counter(a=1),
    partial(function, 1.0),
    partial(function, x=1.0),
    partial(function, np.zeros(3)),
    partial(np.sin, 1.0),
    Slotted(1.0, 2.0),
    Slotted(1.0, np.zeros(3)),
    Slotted(1.0),
]


def test_a_guard_knows_its_own_arguments() -> None:
    for value in VALUES[:-1]:
        guard = guard_of((value, 2.0))
        assert guard is not None and guard(value, 3.0), value


def test_a_guard_never_mixes_up_kinds() -> None:
    for one, other in product(VALUES, repeat=2):
        guard = guard_of((one, 2.0))
        if guard is not None and guard(other, 3.0):
            assert token(one) == token(other), (one, other)


def test_other_objects_take_the_slow_way() -> None:
    assert guard_of((Slotted(1.0),)) is None  # the other slot may be filled
    assert guard_of((["a"] * 1000,)) is None


def test_a_guard_survives_what_is_gone() -> None:
    full = Slotted(1.0, 2.0)
    guard = guard_of((full,))
    assert guard is not None and guard(full)
    del full.right
    assert not guard(full)


def test_integers_that_sizes_rest_on() -> None:
    """Other integers take the same code as long as it suits them, and other code where not."""

    def product(x, n):
        return np.sum(x[:n] * x[n : 2 * n])

    slope, x = s2sgrad.grad(product, fallback="error"), np.arange(1.0, 9.0)
    for n in (2, 4, 3, np.int64(2), 4, 2):
        expected = np.concatenate([x[n : 2 * n], x[:n], np.zeros(8 - 2 * n)])
        np.testing.assert_array_equal(slope(x, n), expected)
    np.testing.assert_array_equal(slope(x, 7), [*x[7:] * np.ones(7), x[:7].sum()])


def test_which_objects_are_one() -> None:
    def ring() -> Plain:
        first = Plain()
        first.next = Plain(next=first)
        return first

    chain, both = Plain(next=Plain(next=Plain())), Plain(a=Plain(), b=Plain())
    same = Plain(a=both.a, b=both.a)
    guard = guard_of((ring(),))
    assert guard is not None and guard(ring()) and not guard(chain)
    for one, other in ((both, same), (same, both)):
        guard = guard_of((one,))
        assert guard is not None and guard(one) and not guard(other)


def test_a_method_notices_what_its_object_holds_now() -> None:
    owner = Plain(scale=2.0)
    slope = s2sgrad.grad(owner.scaled, fallback="error")
    assert slope(1.0) == 2.0
    owner.scale = 3.0
    assert slope(1.0) == 3.0
    owner.scale = np.float32(0.5)
    assert slope(1.0) == 0.5
    owner.scale = np.array([4.0])[0]
    assert slope(1.0) == 4.0


BOOK = [Pair(1.0, 2), Pair(2.0, 3)]
ROWS = [Row(0, 1.0), Row(1, 2.0)]
WEIGHTS = [0.1 * k for k in range(300)]
SCALES = Plain(of={"one": lambda v: 2.0 * v, "two": lambda v: 3.0 * v})
LOG = logging.getLogger("s2sgrad.tests")


def reads_a_book(x):
    LOG.debug("at %s", x)
    return sum(pair.left * x**pair.right for pair in BOOK)


def reads_rows(x):
    y = np.array([x, 2.0 * x])
    return sum(row.right * y[row.left] ** 2 for row in ROWS)


def reads_many_numbers(x):
    return sum(w * x**2 for w in WEIGHTS)


def reads_functions(x):
    return sum(scale(x) ** 2 for scale in SCALES.of.values())


def cut_in_two(x):
    n = 1 if x > 0.0 else 2
    values = np.array([x, x * x, x**3])
    return np.sum(values[:n]) + np.sum(values[n:] ** 2)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    "f", [reads_a_book, reads_rows, reads_many_numbers, reads_functions, cut_in_two]
)
def test_the_second_call_takes_the_short_cut(
    f: Callable[[float], float], compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if compiled:
        pytest.importorskip("numba")
    slope = s2sgrad.grad(f, fallback="error", jit=compiled)
    for _ in range(2):  # code is made, and then what was read meanwhile is known
        found = slope(0.7)
    assert found == pytest.approx((f(0.7 + 1e-5) - f(0.7 - 1e-5)) / 2e-5, rel=1e-6)
    monkeypatch.setattr(type(slope), "_find", None)
    assert slope(0.7) == found
