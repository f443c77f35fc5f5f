"""`a[index]` and `a[index] = value` where the array, or arrays in the index, are batched."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, NeedsExamples, aligned, at, top


def is_array(part: Any) -> bool:
    """Whether a part of an index is an array or a list."""
    return isinstance(part, (np.ndarray, Batched, list))


def parts_of(index: Any, ndim: int) -> list[Any]:
    """The parts of an index with masks as positions, and slices for `...`."""
    parts: list[Any] = []
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, (bool, np.bool_)):
            raise NeedsExamples
        if isinstance(part, list):
            part = np.asarray(part) if part else np.zeros(0, np.intp)
        if is_array(part) and part.dtype.kind == "b":
            if isinstance(part, Batched):
                raise NeedsExamples
            parts += part.nonzero() if part.ndim else [None]
            if not part.ndim:
                raise NeedsExamples
        else:
            parts.append(part)
    used = sum(1 for p in parts if p is not None and p is not Ellipsis)
    rest = [slice(None)] * (ndim - used)
    place = next((i for i, p in enumerate(parts) if p is Ellipsis), None)
    return parts + rest if place is None else parts[:place] + rest + parts[place + 1 :]


class Place:
    """Where the entries of an index are in a whole.

    index: the index of the whole. moved: how many axes of index arrays stand behind the batch's
    though they belong behind `before` others; 0 where all is in its place.
    """

    __slots__ = ("before", "index", "moved")

    def __init__(self, index: Any, level: int, ndim: int, count: int) -> None:
        parts = parts_of(index, ndim)
        self.before = self.moved = 0
        arrays = [i for i, p in enumerate(parts) if is_array(p)]
        if not arrays:
            self.index: Any = (slice(None), *parts)
            return
        # Beside arrays, numbers count as arrays too.
        chosen = [i for i, p in enumerate(parts) if is_array(p) or isinstance(p, (int, np.integer))]
        rank = max(np.ndim(parts[i]) for i in chosen)
        joined = chosen == list(range(chosen[0], chosen[-1] + 1))
        if joined and not any(at(parts[i], level) for i in arrays):
            self.index = (slice(None), *parts)
            return
        rows = np.arange(count).reshape((count, *(1,) * rank))
        spread = [aligned(p, level, rank) if is_array(p) else p for p in parts]
        self.index = (rows, *spread)
        if joined and chosen[0] > 0:
            self.before, self.moved = chosen[0], rank


def getitem(self: Batched, index: Any) -> Any:
    """Entries of each example."""
    parts = index if isinstance(index, tuple) else (index,)
    level = max(self.level, top(parts))
    if level > self.level:
        return picked_from_one(self, parts, level)
    place = Place(index, level, self.ndim, self.count)
    made = self.whole[place.index]
    if place.moved:
        sources = tuple(range(1, 1 + place.moved))
        targets = tuple(place.before + s for s in sources)
        made = np.moveaxis(made, sources, targets)
    return Batched(made, level, self.shared and not any(map(is_array, parts)))


def picked_from_one(a: Any, parts: Any, level: int) -> Any:
    """Entries of one array at batched positions."""
    spread = parts_of(tuple(parts), a.ndim)
    places = [i for i, p in enumerate(spread) if is_array(p)]
    rank = max(np.ndim(spread[i]) for i in places)
    others = [i for i, p in enumerate(spread) if i not in places and p != slice(None)]
    if others or places != list(range(places[0], places[-1] + 1)):
        raise NeedsExamples
    before = tuple(spread[: places[0]])
    made = a[(*before, *(aligned(spread[i], level, rank) for i in places))]
    return Batched(np.moveaxis(made, places[0], 0), level)


def setitem(self: Batched, index: Any, value: Any) -> None:
    """Write to each example."""
    parts = index if isinstance(index, tuple) else (index,)
    level = max(self.level, top((*parts, value)))
    if level > self.level or self.shared:
        raise NeedsExamples
    place = Place(index, level, self.ndim, self.count)
    if place.moved:
        raise NeedsExamples
    if at(value, level):
        value = aligned(value, level, rank_at(self.whole, place.index) - 1)
    self.whole[place.index] = value


def rank_at(whole: Any, index: Any) -> int:
    """How many axes `whole[index]` has."""
    if whole.__class__ is Batched:
        return int(whole[index].ndim)
    return int(np.broadcast_to(np.zeros((), bool), whole.shape)[index].ndim)


Batched.__getitem__ = getitem
Batched.__setitem__ = setitem
