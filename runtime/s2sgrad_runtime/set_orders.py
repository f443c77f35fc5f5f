"""The orders in which sets are gone through, and give items away: Python's own are asked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

__all__ = ["set_left", "set_order", "set_places", "set_popped"]


def set_order(items: Any) -> list[int]:
    """The places of items in the order in which a set of them is gone through."""
    turns = {item: turn for turn, item in enumerate(set(items))}
    return sorted(range(len(items)), key=lambda place: turns[items[place]])


def set_places(items: Any, how: str, first: int) -> Any:
    """The places of items in the order in which a set is gone through that an operator gives, of
    a set of the first ones and one of the others; -1 for each item that is not in it."""
    held = set(items[:first])
    if how in _SET_OPERATORS:
        held = _SET_OPERATORS[how](held, set(items[first:]))
    places: dict[Any, int] = {}
    for place, item in enumerate(items):
        places.setdefault(item, place)
    found = [places[item] for item in held]
    return np.array(found + [-1] * (len(items) - len(found)), dtype=int)


def set_left(items: Any, first: int, steps: Any) -> list[int]:
    """The places of items in the order in which a set is gone through after steps with them.

    items: the `first` ones are added, the others are what the steps are taken with. steps: 0 adds
    an item, 1 takes it out, 2 pops it, 3 takes all out (of none).

    >>> set_left([5, 3, 8, 5], 2, [0, 1])
    [2, 1]
    """
    places = {item: place for place, item in enumerate(items)}
    return [places[item] for item in _after(items, first, steps)]


def set_popped(items: Any, first: int, steps: Any) -> int:
    """The place of the item that a set pops after steps with its items (see `set_left`)."""
    places = {item: place for place, item in enumerate(items)}
    return places[_after(items, first, steps).pop()]


def _after(items: Any, first: int, steps: Any) -> set[Any]:
    held = set(items[:first])
    later = iter(items[first:])
    for step in steps:
        if step == 3:
            held.clear()
            continue
        item = next(later)
        if step == 2:
            held.pop()  # from where the last one was found
        elif step == 1:
            held.remove(item)
        else:
            held.add(item)
    return held


_SET_OPERATORS: dict[str, Any] = {
    "|": operator.or_, "&": operator.and_, "-": operator.sub, "^": operator.xor,
    "|=": operator.ior, "-=": operator.isub, "^=": operator.ixor,
}  # fmt: skip
