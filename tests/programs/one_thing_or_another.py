"""What is None, another class, a list or a tuple on some paths only, and is asked what it is."""

from __future__ import annotations

import enum
import math

import numpy as np

from programs.registry import normal, program


class _Held:
    def __init__(self, value):
        self.value = value


class _Told(_Held):
    def __str__(self):
        return "large" if self.value > 0.5 else "small"

    def __len__(self):
        return int(self.value > 0.8)


class _Alike(_Held):
    def __eq__(self, other):
        return isinstance(other, _Alike) and self.value > 0.5

    __hash__ = None


@program(normal(7))
def presence_under_a_name(x):
    total = 0.0
    for k, v in enumerate(x):
        held = None if v < 0.0 else _Held(v)
        there = held is not None
        total += v * (k + 1) if there else v**2
    return total


@program(normal(7))
def equality_with_none(x):
    total = 0.0
    for k, v in enumerate(x):
        held = None if v < 0.0 else _Alike(v)
        total += v if held == None else v**2  # noqa: E711
        total += v * k if None != held else v**3  # noqa: E711
    return total


@program(normal(7))
def texts_of_what_may_be_none(x):
    total = 0.0
    for v in x:
        held = None if v < 0.0 else _Told(v)
        total += v * len(f"{held}") + (v**2 if str(held) == "None" else v**3)
        total += v if f"{held}".startswith("l") else 2.0 * v
    return total


@program(normal(7))
def truths_of_objects_of_two_classes(x):
    total = 0.0
    for k, v in enumerate(x):
        held = _Told(v) if v > 0.0 else _Held(v)
        total += v * (k + 1) if any([held]) else v**2
        total += v if all((held, 1)) else v**3
    return total


@program(normal(7))
def functions_or_none(x):
    kinds, total = [None, math.sin, lambda v: v**2], 0.0
    for k, v in enumerate(x):
        chosen = None if v < 0.0 else math.cos
        total += (chosen or math.sin)(v) + (v if (chosen or 5) == 5 else v**2)
        of_table = kinds[k % 3]
        total += v**2 * any([chosen, of_table]) + (v if (of_table and 2) == 2 else v**3)
        if not chosen:
            total += v
    return total


@program(normal(7))
def tuples_of_two_lengths(x):
    total = 0.0
    for k, v in enumerate(x):
        row = (v,) if v < 0.0 else (v, 2.0 * v)
        total += v * (k + 1) if row == (v, 2.0 * v) else v**2
        total += v if (v,) != row else v**3
    return total


@program(normal(7))
def a_list_or_a_tuple(x):
    total = 0.0
    for k, v in enumerate(x):
        row = [v, v] if v < 0.0 else (v, 2.0 * v)
        total += v * (k + 1) if isinstance(row, list | tuple) else v**2
        match row:
            case _Held() | str():
                total += v
            case [a, b]:
                total += a * b
    return total + np.sum(x)


class _Stage(enum.IntEnum):
    EARLY = 1
    LATE = 2


@program(normal(7))
def members_and_ranks(x):
    total = 0.0
    for v in x:
        stage = _Stage.EARLY if v < 0.0 else _Stage.LATE
        total += v if isinstance(stage, enum.Enum) else v**2
        total += (v if type(stage) is int else v**2) + stage * v
        row = x.copy() if v > 0.0 else None
        total += (v if np.ndim(row) == 0 else v**2) + (v if np.size(row) == 1 else v**3)
    return total


@program(normal(7))
def sets_beside_other_things(x):
    total, seen = 0.0, set()
    for k, v in enumerate(x):
        row, kinds = ([1, 2] if v < 0.0 else (1, 2)), {1, 2}
        if v > 0.8:
            kinds.add(3)
        seen.add(k % 2)
        total += (v if kinds == row else v**2) + (v if kinds != {1, 2} else v**3)
        total += (v if kinds == k else v**3) + (v if seen == {0, 1} else v**2)
        total += (v if (1, 2) == kinds else v**2) + (v if seen != [0, 1] else v**2)
        total += v if list(row) == [1, 2] and kinds == frozenset([1, 2]) else v**3
    return total


@program(np.array([0.7, -0.4, 1.6]))
def classes_of_numbers_by_path(x):
    total, n = 0.0, 3
    if x[0] > 10.0:
        n = n * x[1]
    total += n * x[2] if isinstance(n, int) else n**2 * x[0]
    for k in range(4):
        r = True if k % 2 else 1
        total += x[0] ** 2 if isinstance(r, bool) else x[1] ** 3
        s = np.float64(x[2]) if k > 1 else float(x[2])
        total += s * (x[0] if isinstance(s, np.float64) else x[1])
    return total
