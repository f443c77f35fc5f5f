"""Floor 4: methods of lists, and slices of them that are written, in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np


def bound(at: int, size: int) -> int:
    """Where an end of a slice lies in a sequence of this size."""
    return max(at + size, 0) if at < 0 else min(at, size)


def list_replace(items: Any, start: Any, stop: Any, values: Any) -> None:
    """items[start:stop] = values."""
    values = list(values)
    rest = [] if stop is None else items[max(bound(stop, len(items)), bound(start, len(items))) :]
    first = bound(start, len(items))
    while len(items) > first:
        items.pop()
    items.extend(values)
    items.extend(rest)


def list_replace_each(items: Any, start: Any, stop: Any, step: int, values: Any) -> None:
    """items[start:stop:step] = values, for a step other than one."""
    values = list(values)
    places = np.arange(len(items))[start:stop:step]
    for k, value in zip(places, values, strict=True):
        items[k] = value


def list_replace_by(items: Any, start: Any, stop: Any, step: int, values: Any) -> None:
    """items[start:stop:step] = values, for a step that only a run knows."""
    if step == 1:
        list_replace(items, 0 if start is None else start, stop, values)
    else:
        list_replace_each(items, start, stop, step, values)


def list_delete_each(items: Any, start: Any, stop: Any, step: int) -> None:
    """del items[start:stop:step]."""
    places = np.arange(len(items))[start:stop:step]
    for k in places if step < 0 else places[::-1]:
        items.pop(k)


def list_sort(items: Any, key: Any = None, reverse: bool = False) -> None:
    """list.sort: in place."""
    ordered = sorted(items, key=key, reverse=reverse)
    for k in range(len(items)):
        items[k] = ordered[k]


def list_remove(items: Any, value: Any) -> None:
    """list.remove."""
    items.pop(items.index(value))


def list_index(items: Any, value: Any, start: int = 0, stop: Any = None) -> int:
    """list.index of an object whose class says what it is equal to."""
    last = len(items) if stop is None else bound(stop, len(items))
    for k in range(bound(start, len(items)), last):
        if items[k] is value or items[k] == value:
            return k
    raise ValueError("the value is not in the list")


def list_count(items: Any, value: Any) -> int:
    """list.count of an object whose class says what it is equal to."""
    count = 0
    for item in items:
        if item is value or item == value:
            count += 1
    return count


def list_contains(items: Any, value: Any) -> bool:
    """`value in items` of objects whose class says what they are equal to."""
    return any(item is value or item == value for item in items)


def own_index(items: Any, value: Any, start: int = 0, stop: Any = None) -> int:
    """list.index of objects that are equal to themselves alone."""
    last = len(items) if stop is None else bound(stop, len(items))
    for k in range(bound(start, len(items)), last):
        if items[k] is value:
            return k
    raise ValueError("the value is not in the list")


def own_count(items: Any, value: Any) -> int:
    """list.count of objects that are equal to themselves alone."""
    count = 0
    for item in items:
        if item is value:
            count += 1
    return count


def own_contains(items: Any, value: Any) -> bool:
    """`value in items` of objects that are equal to themselves alone."""
    return any(item is value for item in items)
