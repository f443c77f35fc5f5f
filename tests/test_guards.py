"""A guard says yes only where the tokens of two calls are equal."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

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


def test_a_guard_knows_its_own_arguments() -> None:
    for value in VALUES:
        guard = guard_of((value, 2.0))
        assert guard is not None and guard(value, 3.0), value


def test_a_guard_never_mixes_up_kinds() -> None:
    for one, other in product(VALUES, repeat=2):
        guard = guard_of((one, 2.0))
        assert guard is not None
        if guard(other, 3.0):
            assert token(one) == token(other), (one, other)


def test_other_objects_take_the_slow_way() -> None:
    assert guard_of((object(),)) is None
    assert guard_of(([1.0] * 1000,)) is None
