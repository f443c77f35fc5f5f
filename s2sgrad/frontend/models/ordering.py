"""Floor 4: order of what is no number: objects that compare themselves, comparisons of two items.

Read in place of the library's, as standard_library.py is.
"""

from __future__ import annotations

from typing import Any


def by_less(a: Any, b: Any) -> int:
    """The comparison that Python's sort makes: negative where a comes first."""
    return -1 if a < b else 0


def sorted_with(items: Any, compare: Any, reverse: bool = False) -> Any:
    """sorted by a comparison: the order is data. Equal items stay in their order.

    The comparisons are those that Python makes for up to 63 items: where they contradict each
    other, the order is Python's too.
    """
    size = len(items)
    order = list(range(size))
    if reverse:
        order = order[::-1]
    run = min(size, 1)
    if size > 1 and compare(items[order[1]], items[order[0]]) < 0:
        run = 2
        while run < size and compare(items[order[run]], items[order[run - 1]]) < 0:
            run += 1
        order = order[:run][::-1] + order[run:]
    else:
        while run < size and not compare(items[order[run]], items[order[run - 1]]) < 0:
            run += 1
    for i in range(run, size):
        item = order.pop(i)
        order.insert(_place(items, order, item, i, compare), item)
    if reverse:
        order = order[::-1]
    return [items[order[place]] for place in range(size)]


def _place(items: Any, order: Any, item: int, high: int, compare: Any) -> int:
    """Where an item belongs in those before `high`, behind its equals."""
    low = 0
    while low < high:
        middle = (low + high) // 2
        if compare(items[item], items[order[middle]]) < 0:
            high = middle
        else:
            low = middle + 1
    return low


def smallest_with(items: Any, compare: Any) -> Any:
    """min by a comparison: the first of the smallest."""
    best = 0
    for i in range(1, len(items)):
        if compare(items[i], items[best]) < 0:
            best = i
    return items[best]


def largest_with(items: Any, compare: Any) -> Any:
    """max by a comparison: the first of the largest."""
    best = 0
    for i in range(1, len(items)):
        if compare(items[best], items[i]) < 0:
            best = i
    return items[best]


def without_order(one: Any, other: Any) -> bool:
    """What comparing objects of a class without `__lt__` comes to: Python's own error."""
    raise TypeError("'<' not supported between objects of a class without __lt__")
