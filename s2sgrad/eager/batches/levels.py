"""Into a batch and out of it: the steps at the border of a `vmap`, with their derivatives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, at, bottom, levels_of
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.settings.state import STATE, refresh
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.rules import structural

_NUMBERS = itertools.count(1)


class Level:
    """A `vmap` that is running. draws: "error", "different" or "same" random numbers."""

    __slots__ = ("draws", "number", "size")

    def __init__(self, number: int, size: int, draws: str) -> None:
        self.number, self.size, self.draws = number, size, draws


@contextmanager
def running(size: int, draws: str = "same") -> Iterator[Level]:
    """A block in which this many examples are computed at once."""
    before = STATE.levels
    level = Level(next(_NUMBERS), size, draws)
    STATE.levels, STATE.batched = (*before, level), True
    refresh()
    try:
        with random_refused(draws == "error"):
            yield level
    finally:
        STATE.levels = before
        refresh()


@contextmanager
def random_refused(refused: bool) -> Iterator[None]:
    """A block in which no random numbers may be drawn, if `refused`."""
    before = STATE.no_random
    STATE.no_random = before or refused
    try:
        yield
    finally:
        STATE.no_random = before


@contextmanager
def outside(number: int) -> Iterator[Level]:
    """A block outside of the level of this number and of those in it."""
    before = STATE.levels
    place = next(i for i, level in enumerate(before) if level.number == number)
    STATE.levels = before[:place]
    refresh()
    try:
        yield before[place]
    finally:
        STATE.levels = before
        refresh()


def enter(a: Any, dim: int, level: int) -> Any:
    """The entries along an axis as the examples of a level."""
    if isinstance(a, Tensor):
        return apply(op_of(enter), (a, dim, level), {})
    if a.__class__ is Batched and a.level > level:
        return Batched(enter(a.whole, dim + 1, level), a.level)
    return Batched(np.moveaxis(a, dim, 0), level, shared=True)


def leave(a: Any, dim: int, level: int, size: int) -> Any:
    """The examples of a level along an axis; what is the same for all is repeated."""
    if isinstance(a, Tensor):
        return apply(op_of(leave), (a, dim, level, size), {})
    if a.__class__ is Batched and a.level > level:
        return Batched(leave(a.whole, dim + 1, level, size), a.level)
    if at(a, level):
        return np.moveaxis(a.whole, 0, dim)
    return np.moveaxis(np.broadcast_to(a, (size, *a.shape)), 0, dim)


def spread(a: Any, level: int, size: int) -> Any:
    """The same value for every example of a level."""
    if isinstance(a, Tensor):
        return apply(op_of(spread), (a, level, size), {})
    if a.__class__ is Batched and a.level > level:
        return Batched(spread(a.whole, level, size), a.level)
    return Batched(np.broadcast_to(a, (size, *a.shape)), level, shared=True)


def total(a: Any, level: int) -> Any:
    """The sum over the examples of a level."""
    if isinstance(a, Tensor):
        return apply(op_of(total), (a, level), {})
    if a.level > level:
        return Batched(total(a.whole, level), a.level)
    return np.sum(a.whole, axis=0)


def size_of(a: Any, level: int) -> int:
    """How many examples a batch has at a level."""
    a = a._array if isinstance(a, Tensor) else a
    while a.level != level:
        a = a.whole
    return a.count  # type: ignore[no-any-return]


@structural(enter, linear=("a",))
def _enter(y_bar, y, a, dim, level):  # type: ignore[no-untyped-def]
    """The axis again."""
    return leave(y_bar, dim, level, np.shape(a)[dim]), None, None


@structural(leave, linear=("a",))
def _leave(y_bar, y, a, dim, level, size):  # type: ignore[no-untyped-def]
    """The examples again."""
    return enter(y_bar, dim, level), None, None, None


@structural(spread, linear=("a",))
def _spread(y_bar, y, a, level, size):  # type: ignore[no-untyped-def]
    """Every example adds to the one value."""
    return y_bar, None, None


@structural(total, linear=("a",))
def _total(y_bar, y, a, level):  # type: ignore[no-untyped-def]
    """Every example gets the cotangent of the sum."""
    return spread(y_bar, level, size_of(a, level)), None


def surplus(x_bar: Any, like: Any) -> list[int]:
    """The levels at which a cotangent is batched and its input is not, that have ended.

    The examples of such a level all depend on one value. Where the level is still running, its
    examples are being told apart, and so are their cotangents.
    """
    array = x_bar._array if isinstance(x_bar, Tensor) else x_bar
    kept = {*levels_of(like), *(running.number for running in STATE.levels)}
    return [level for level in levels_of(array) if level not in kept]


def summed(x_bar: Any, like: Any) -> Any:
    """A cotangent with the surplus examples added up."""
    for level in surplus(x_bar, like):
        x_bar = total(x_bar, level)
    return x_bar


def added_up(x_bar: Any, like: Any) -> Any:
    """A cotangent for a leaf's `.grad`: examples that share the leaf add up, at any level."""
    for level in levels_of(x_bar):
        if level not in levels_of(like):
            x_bar = total(x_bar, level)
    return x_bar


def drawn(shape: tuple[int, ...], draw: Any) -> Any:
    """Random numbers of a shape, other ones for each example of the levels that want that."""
    levels = [running for running in STATE.levels if running.draws == "different"]
    made = draw((*(running.size for running in levels), *shape))
    for running in levels:
        made = Batched(np.asarray(made) if made.__class__ is not Batched else made, running.number)
    return made


__all__ = [
    "Level",
    "added_up",
    "bottom",
    "drawn",
    "enter",
    "leave",
    "outside",
    "random_refused",
    "running",
    "spread",
    "summed",
]
