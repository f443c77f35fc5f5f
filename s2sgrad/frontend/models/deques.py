"""Floor 4: collections.deque, written out in plain Python."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np


class Deque:
    """collections.deque: a list that both ends of can be taken from."""

    def __init__(self, iterable: Any = (), maxlen: Any = None) -> None:
        self.maxlen = maxlen
        self.items = list(iterable)
        self.shorten()

    def shorten(self) -> None:
        """Let go of what is too much at the left end."""
        if self.maxlen is not None:
            while len(self.items) > self.maxlen:
                self.items.pop(0)

    def __repr__(self) -> str:
        limit = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self.items}{limit})"

    def __array__(self) -> np.ndarray:
        return np.array(self.items)

    def append(self, item: Any) -> None:
        """Add an item at the right end."""
        self.items.append(item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop(0)

    def appendleft(self, item: Any) -> None:
        """Add an item at the left end."""
        self.items.insert(0, item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop()

    def extend(self, items: Any) -> None:
        """Add items at the right end."""
        for item in list(items) if isinstance(items, collections.deque) else items:
            self.append(item)

    def extendleft(self, items: Any) -> None:
        """Add items at the left end, one after the other."""
        for item in list(items) if isinstance(items, collections.deque) else items:
            self.appendleft(item)

    def pop(self) -> Any:
        """Take the item at the right end."""
        return self.items.pop()

    def popleft(self) -> Any:
        """Take the item at the left end."""
        return self.items.pop(0)

    def rotate(self, n: int = 1) -> None:
        """Move n items from the right end to the left end."""
        if len(self.items) > 0:
            for _ in range(n):
                self.items.insert(0, self.items.pop())
            for _ in range(-n):
                self.items.append(self.items.pop(0))

    def clear(self) -> None:
        """Remove all items."""
        self.items.clear()

    def insert(self, place: int, item: Any) -> None:
        """Put an item before another one."""
        if self.maxlen is not None and len(self.items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self.items.insert(place, item)

    def remove(self, item: Any) -> None:
        """Take the first such item out."""
        self.items.remove(item)

    def index(self, item: Any) -> Any:
        """Where the first such item is."""
        return self.items.index(item)

    def count(self, item: Any) -> Any:
        """How many such items there are."""
        return self.items.count(item)

    def reverse(self) -> None:
        """Turn the order round."""
        self.items.reverse()

    def copy(self) -> Any:
        """A new deque of the same items."""
        return Deque(self.items, self.maxlen)

    def __copy__(self) -> Any:
        return Deque(self.items, self.maxlen)

    def __add__(self, other: Any) -> Any:
        return Deque(self.items + other.items, self.maxlen)

    def __iadd__(self, items: Any) -> Any:
        self.extend(items)
        return self

    def __mul__(self, n: int) -> Any:
        return Deque(self.items * n, self.maxlen)

    def __imul__(self, n: int) -> Any:
        self.items *= n
        self.shorten()
        return self

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, collections.deque) and self.items == list(other)

    def __lt__(self, other: Any) -> bool:
        return self.items < list(other)

    def __le__(self, other: Any) -> bool:
        return self.items <= list(other)

    def __gt__(self, other: Any) -> bool:
        return self.items > list(other)

    def __ge__(self, other: Any) -> bool:
        return self.items >= list(other)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Any:
        return iter(self.items)

    def __reversed__(self) -> Any:
        return reversed(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.items[index] = value

    def __delitem__(self, index: Any) -> None:
        del self.items[index]

    def __contains__(self, value: Any) -> bool:
        return value in self.items
