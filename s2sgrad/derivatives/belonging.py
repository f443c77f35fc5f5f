"""Floor 8: arrays of its own for what is kept, or handed out, beside arrays of the caller's."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.calls.traced import memory_of
from s2sgrad_runtime.objects import attributes, has_attributes


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


def pair_kept(pair: tuple[Any, Any], given: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same for a value and its tangent, which share nothing with each other either."""
    first, second = pair
    return kept((first,), given)[0], kept((second,), given)[0]
