"""Floor 8: arrays of its own for what is kept, or handed out, beside arrays of the caller's."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.calls.traced import memory_of
from s2sgrad_runtime.objects import attributes, has_attributes

_NUMBERS = (float, int, bool, complex, np.float64)


def kept(saved: tuple[Any, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The saved values, with copies of what the caller holds too and may change."""
    outside: set[int] = set()
    for value in given:
        _gather(value, outside)
    made: dict[int, Any] = {}
    return tuple(_copied(item, outside, made) for item in saved) if outside else saved


def _gather(value: Any, found: set[int]) -> None:
    """Identities of the memory and of the containers that a value is made of."""
    if isinstance(value, np.ndarray):
        found.add(memory_of(value))
    elif isinstance(value, list | dict) or has_attributes(value):
        if id(value) in found:
            return
        found.add(id(value))
        parts = (
            value
            if isinstance(value, list)
            else value.values()
            if isinstance(value, dict)
            else attributes(value).values()
        )
        for part in parts:
            _gather(part, found)
    elif isinstance(value, tuple):
        for part in value:
            _gather(part, found)


def _copied(item: Any, outside: set[int], made: dict[int, Any]) -> Any:
    if isinstance(item, np.ndarray):
        if memory_of(item) not in outside:
            return item
        if id(item) not in made:
            made[id(item)] = item.copy(order="K")
        return made[id(item)]
    if type(item) not in (list, tuple, dict):
        return item
    if id(item) not in made:
        parts = list(item.values()) if isinstance(item, dict) else item
        new = [_copied(part, outside, made) for part in parts]
        same = id(item) not in outside and all(a is b for a, b in zip(new, parts, strict=True))
        if same:
            made[id(item)] = item
        elif isinstance(item, dict):
            made[id(item)] = dict(zip(item, new, strict=True))
        else:
            made[id(item)] = type(item)(new)
    return made[id(item)]


def own(found: Any, given: tuple[Any, ...]) -> Any:
    """One result, copied where it is the caller's; quick for numbers and for new arrays."""
    if isinstance(found, float):
        return found
    if type(found) is not np.ndarray or found.base is not None:
        return kept((found,), given)[0]
    for value in given:
        if type(value) is np.ndarray:
            if value is found or value.base is found:
                return found.copy(order="K")
        elif type(value) not in _NUMBERS:
            return kept((found,), given)[0]
    return found


def pair_kept(pair: tuple[Any, Any], given: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same for a value and its tangent, which share nothing with each other either."""
    return own(pair[0], given), own(pair[1], given)
