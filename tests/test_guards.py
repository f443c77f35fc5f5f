"""A guard says yes only where the tokens of two calls are equal."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from s2sgrad.calling import token
from s2sgrad.guards import guard_of


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
]


@pytest.mark.parametrize("i, j", list(product(range(len(VALUES)), repeat=2)))
def test_a_guard_never_mixes_up_kinds(i: int, j: int) -> None:
    guard = guard_of((VALUES[i], 2.0))
    assert guard is not None
    if guard(VALUES[j], 3.0):
        assert token(VALUES[i]) == token(VALUES[j])
    elif i == j:
        raise AssertionError("a guard must know its own arguments")


def test_other_objects_take_the_slow_way() -> None:
    assert guard_of((object(),)) is None
    assert guard_of(([1.0] * 1000,)) is None
