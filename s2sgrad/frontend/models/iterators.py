"""Floor 4: iterators that are taken from step by step, written out in plain Python.

`it = zip(x, y)` that is only gone through once is followed while compiling, and leaves no trace.
Where a program takes single items, stops halfway, or goes on with what is left, an object of the
class `Steps` remembers how far it has come.
"""

from __future__ import annotations

from typing import Any


class Steps:
    """What is left of an iterator. source: gives each item by its number."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.at = 0

    def more(self) -> bool:
        """Whether an item is left."""
        return self.source.has(self.at)

    def __contains__(self, value: Any) -> bool:
        while self.more():
            if self.step() == value:
                return True
        return False

    def step(self) -> Any:
        """The next item."""
        item = self.source.item(self.at)
        self.at = self.at + 1
        return item

    def step_or(self, default: Any) -> Any:
        """The next item, or the default where none is left."""
        return self.step() if self.more() else default

    def left(self) -> Any:
        """How many items are left."""
        return max(self.source.size() - self.at, 0)

    def taken(self) -> Any:
        """All that is left, as a list; nothing is left then."""
        rest = self.source.rest(self.at)
        self.at = self.source.size()
        return rest


class Rows:
    """The items of a list, tuple or array."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def has(self, k: Any) -> bool:
        """Whether there is one of this number."""
        return k < len(self.items)

    def size(self) -> Any:
        """How many there are."""
        return len(self.items)

    def item(self, k: Any) -> Any:
        """One of them."""
        return self.items[k]

    def rest(self, k: Any) -> Any:
        """Those from one on."""
        return self.items[k:]


class Turned(Rows):
    """The items of a list, tuple or array from the last to the first: the last at the beginning,
    whatever is put behind it later."""

    def __init__(self, items: Any) -> None:
        self.items, self.count = items, len(items)

    def has(self, k: Any) -> bool:
        """Whether there is one of this number."""
        return k < self.count

    def size(self) -> Any:
        """How many there are."""
        return self.count

    def item(self, k: Any) -> Any:
        """One of them."""
        return self.items[self.count - 1 - k]

    def rest(self, k: Any) -> Any:
        """Those from one on."""
        return [self.item(j) for j in range(k, self.count)]


class Numbers:
    """Numbers without end."""

    def __init__(self, start: Any, step: Any) -> None:
        self.start, self.by = start, step

    def item(self, k: Any) -> Any:
        """One of them."""
        return self.start + k * self.by

    def has(self, k: Any) -> bool:
        """There is one of every number."""
        return True


class Made:
    """The items of a generator without end. turn: gives the next one, whatever its number."""

    def __init__(self, turn: Any) -> None:
        self.turn = turn

    def item(self, k: Any) -> Any:
        """The next one: they are taken in their order."""
        return self.turn()

    def has(self, k: Any) -> bool:
        """There is one of every number."""
        return True


class Zipped:
    """Tuples of the items of several sources; `ends` are those of them that have an end."""

    def __init__(self, parts: Any, ends: Any) -> None:
        self.parts, self.ends = parts, ends

    def has(self, k: Any) -> bool:
        """Whether there is one of this number."""
        return all(part.has(k) for part in self.ends)

    def size(self) -> Any:
        """How many there are."""
        least = self.ends[0].size()
        for part in self.ends[1:]:
            least = min(least, part.size())
        return least

    def item(self, k: Any) -> Any:
        """One of them."""
        return tuple([part.item(k) for part in self.parts])

    def rest(self, k: Any) -> Any:
        """Those from one on."""
        return [self.item(j) for j in range(k, self.size())]


class Mapped:
    """What a function gives for the items of a source of tuples."""

    def __init__(self, function: Any, rows: Any) -> None:
        self.function, self.rows = function, rows

    def has(self, k: Any) -> bool:
        """Whether there is one of this number."""
        return self.rows.has(k)

    def size(self) -> Any:
        """How many there are."""
        return self.rows.size()

    def item(self, k: Any) -> Any:
        """One of them."""
        return self.function(*self.rows.item(k))

    def rest(self, k: Any) -> Any:
        """Those from one on."""
        return [self.item(j) for j in range(k, self.size())]
