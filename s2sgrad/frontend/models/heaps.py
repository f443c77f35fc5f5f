"""Floor 4: heapq and bisect, written out in plain Python."""

from __future__ import annotations

from typing import Any

from s2sgrad.frontend.models.standard_library import sorted_by


def heapify(heap: Any) -> None:
    """heapq.heapify: from the last parent on, each item sinks to its place."""
    for k in reversed(range(len(heap) // 2)):
        _sink(heap, k)


def heappush(heap: Any, item: Any) -> None:
    """heapq.heappush."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap: Any) -> Any:
    """heapq.heappop."""
    item = heap.pop()
    if len(heap) > 0:
        item, heap[0] = heap[0], item
        _sink(heap, 0)
    return item


def heappushpop(heap: Any, item: Any) -> Any:
    """heapq.heappushpop."""
    if len(heap) > 0 and heap[0] < item:
        item, heap[0] = heap[0], item
        _sink(heap, 0)
    return item


def heapreplace(heap: Any, item: Any) -> Any:
    """heapq.heapreplace."""
    item, heap[0] = heap[0], item
    _sink(heap, 0)
    return item


def _rise(heap: Any, start: int, place: int) -> None:
    """An item changes places with its parents, down to `start`, while it is below them."""
    while place > start:
        parent = (place - 1) // 2
        if not heap[place] < heap[parent]:
            break
        heap[place], heap[parent] = heap[parent], heap[place]
        place = parent


def _sink(heap: Any, start: int) -> None:
    """An item goes down the smaller children to the end, and from there up to its place.

    So does heapq: it decides in which order equal items are taken.
    """
    place, child = start, 2 * start + 1
    while child < len(heap):
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child += 1
        heap[place], heap[child] = heap[child], heap[place]
        place, child = child, 2 * child + 1
    _rise(heap, start, place)


def merge(*iterables: Any, key: Any = None, reverse: bool = False) -> Any:
    """heapq.merge: of what stands first in each, the least comes first."""
    merged: list[Any] = []
    for items in iterables:
        merged = _merged(merged, list(items), key, reverse)
    return iter(merged)


def _merged(first: Any, second: Any, key: Any, reverse: bool) -> Any:
    result, i = [], 0
    for item in second:
        while i < len(first) and not _precedes(item, first[i], key, reverse):
            result.append(first[i])
            i += 1
        result.append(item)
    return result + first[i:]


def _precedes(one: Any, other: Any, key: Any, reverse: bool) -> Any:
    a, b = (one, other) if key is None else (key(one), key(other))
    return b < a if reverse else a < b


def nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    """heapq.nlargest."""
    return sorted_by(iterable, key, True)[:n]


def nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    """heapq.nsmallest."""
    return sorted_by(iterable, key)[:n]


def bisect_right(items: Any, item: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    """bisect.bisect_right: the place behind all entries that are not above."""
    place, end = lo, len(items) if hi is None else hi
    while place < end:
        middle = (place + end) // 2
        if item < (items[middle] if key is None else key(items[middle])):
            end = middle
        else:
            place = middle + 1
    return place


def bisect_left(items: Any, item: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    """bisect.bisect_left: the place behind all entries that are below."""
    place, end = lo, len(items) if hi is None else hi
    while place < end:
        middle = (place + end) // 2
        if (items[middle] if key is None else key(items[middle])) < item:
            place = middle + 1
        else:
            end = middle
    return place


def insort_right(items: Any, item: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    """bisect.insort_right."""
    value = item if key is None else key(item)
    items.insert(bisect_right(items, value, lo, hi, key=key), item)


def insort_left(items: Any, item: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    """bisect.insort_left."""
    value = item if key is None else key(item)
    items.insert(bisect_left(items, value, lo, hi, key=key), item)
