"""`zip(strict=True)` of iterators raises where one of them has more items than another."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import s2sgrad


def doubled(x: Any) -> Any:
    for v in x:
        yield 2.0 * v


def of_iterators(x: Any, y: Any, kind: str) -> Any:
    if kind == "accumulate":
        made = itertools.accumulate(x)
    elif kind == "expression":
        made = (v * v for v in x)
    elif kind == "chosen":
        made = (v * v for v in x if v < 9.0)
    elif kind == "map":
        made = map(np.sin, x)
    elif kind == "function":
        made = doubled(x)
    elif kind == "named":
        made = iter(x)
    else:
        made = enumerate(reversed(x)) if kind == "numbered" else zip(x, x[:-1], strict=False)
    total = 0.0
    for a, b in zip(made, y, strict=True):
        total += (a[1] if isinstance(a, tuple) else a) * b
    return total


def behind_others(x: Any, y: Any, kind: str) -> Any:
    held = [y]
    total = 0.0
    rows = zip(y, doubled(x), strict=True) if kind == "last" else zip(y, doubled(x), y, strict=True)
    for row in rows:
        total += row[0] * row[1] * held[-1][0]
    return total


def how_many_are_left(x: Any) -> Any:
    one = iter(x)
    return next(one) * len(one)


def of_one_taken_twice(x: Any) -> Any:
    total = 0.0
    one = iter(x)
    for a, b in zip(one, one, strict=True):
        total += a * b
    return total


KINDS = ("accumulate", "expression", "chosen", "map", "function", "named", "numbered", "pairs")


@pytest.mark.parametrize("kind", KINDS)
def test_lengths_are_compared(kind: str) -> None:
    x = np.array([0.5, 2.0, -1.0, 3.0])
    size = 3 if kind == "pairs" else 4
    gradient = s2sgrad.value_and_grad(of_iterators, fallback="error")
    assert np.isclose(gradient(x, np.ones(size), kind)[0], of_iterators(x, np.ones(size), kind))
    for other in (size - 1, size + 1, 0):
        with pytest.raises(ValueError, match="zip"):
            of_iterators(x, np.ones(other), kind)
        with pytest.raises(ValueError, match="different lengths"):
            gradient(x, np.ones(other), kind)


@pytest.mark.parametrize("kind", ["last", "in the middle"])
def test_lengths_are_compared_behind_others(kind: str) -> None:
    x = np.array([0.5, 2.0, -1.0, 3.0])
    gradient = s2sgrad.value_and_grad(behind_others, fallback="error")
    assert np.isclose(gradient(x, x + 1.0, kind)[0], behind_others(x, x + 1.0, kind))
    for y in (np.ones(3), np.ones(5)):
        with pytest.raises(ValueError, match="zip"):
            behind_others(x, y, kind)
        with pytest.raises(ValueError, match="different lengths"):
            gradient(x, y, kind)


def test_one_iterator_is_taken_in_whole_turns() -> None:
    gradient = s2sgrad.value_and_grad(of_one_taken_twice, fallback="error")
    value, slope = gradient(np.array([1.0, 2.0, 3.0, 4.0]))
    assert value == 14.0 and np.array_equal(slope, [2.0, 1.0, 4.0, 3.0])
    with pytest.raises(ValueError, match="different lengths"):
        gradient(np.array([1.0, 2.0, 3.0]))


def test_iterators_have_no_length() -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="it has no length"):
        s2sgrad.grad(how_many_are_left, fallback="error")(np.ones(3))
