"""Floor 4: sets, written out in plain Python."""

from __future__ import annotations

from typing import Any

from s2sgrad_runtime import set_order


def in_order(table: Any) -> Any:
    """The items of a set to which they were only added, one by one, as Python goes through it."""
    items = list(table)
    return [items[k] for k in set_order(items)]


class FrozenSet:
    """frozenset: the keys of a dict. What two sets give is of the class of the first.

    added: whether all items were added one by one, and none was taken out. What is known of the
    order of a set follows from that.
    """

    PASSED_ON = ("frozenset", "as a key, take a tuple of its items: key = tuple(sorted(items))")

    def __init__(self, items: Any = ()) -> None:
        self.table = {}
        self.added = not isinstance(items, set | frozenset | dict)
        for item in items:
            self.table[item] = True

    def copy(self) -> Any:
        """A new set of the same items."""
        return self | ()

    def __copy__(self) -> Any:
        return self.copy()

    def union(self, *others: Any) -> Any:
        """What is in any."""
        made = self | ()
        for other in others:
            made = made | Set(other)
        return made

    def intersection(self, *others: Any) -> Any:
        """What is in all."""
        made = self | ()
        for other in others:
            made = made & Set(other)
        return made

    def difference(self, *others: Any) -> Any:
        """What is in none of the others."""
        made = self | ()
        for other in others:
            made = made - Set(other)
        return made

    def symmetric_difference(self, other: Any) -> Any:
        """What is in one of the two."""
        return self ^ Set(other)

    def issubset(self, other: Any) -> bool:
        """Whether all of it is in the other."""
        return all(item in other for item in self.table)

    def issuperset(self, other: Any) -> bool:
        """Whether all of the other is in it."""
        items = Set(other).table
        return all(item in self.table for item in items)

    def isdisjoint(self, other: Any) -> bool:
        """Whether none of it is in the other."""
        return not any(item in other for item in self.table)

    def __le__(self, other: Any) -> bool:
        return self.issubset(other)

    def __ge__(self, other: Any) -> bool:
        return self.issuperset(other)

    def __lt__(self, other: Any) -> bool:
        return len(self) < len(other) and self.issubset(other)

    def __gt__(self, other: Any) -> bool:
        return len(self) > len(other) and self.issuperset(other)

    def __eq__(self, other: Any) -> bool:
        return len(self) == len(other) and self.issubset(other)

    def __ne__(self, other: Any) -> bool:
        return not (len(self) == len(other) and self.issubset(other))

    def __xor__(self, other: Any) -> Any:
        return (self - other) | (other - self)

    def __contains__(self, item: Any) -> bool:
        return item in self.table

    def __len__(self) -> int:
        return len(self.table)

    def __or__(self, other: Any) -> Any:
        made = self.new()
        for item in self.table:
            made.table[item] = True
        for item in other:
            made.table[item] = True
        return made

    def __and__(self, other: Any) -> Any:
        made = self.new()
        for item in self.table:
            if item in other:
                made.table[item] = True
        return made

    def __sub__(self, other: Any) -> Any:
        made = self.new()
        for item in self.table:
            if item not in other:
                made.table[item] = True
        return made

    def new(self) -> Any:
        """An empty set of the same class, for what two sets give."""
        made = FrozenSet()
        made.added = False
        return made

    def __repr__(self) -> str:
        items = f"{list(self.table)}"[1:-1]
        return "frozenset({" + items + "})" if self.table else "frozenset()"


class Set(FrozenSet):
    """set: one that changes."""

    PASSED_ON = ("set", "pass a list of its items: sorted(items)")

    def new(self) -> Any:
        """An empty set of the same class, for what two sets give."""
        made = Set()
        made.added = False
        return made

    def __repr__(self) -> str:
        return "{" + f"{list(self.table)}"[1:-1] + "}" if self.table else "set()"

    def add(self, item: Any) -> None:
        """Put an item in."""
        self.table[item] = True

    def update(self, *others: Any) -> None:
        """Put several items in."""
        for items in others:
            if isinstance(items, set | frozenset | dict):
                self.added = False
            for item in items:
                self.table[item] = True

    def remove(self, item: Any) -> None:
        """Take an item out that is in."""
        self.added = False
        del self.table[item]

    def discard(self, item: Any) -> None:
        """Take an item out if it is in."""
        self.added = False
        if item in self.table:
            del self.table[item]

    def clear(self) -> None:
        """Take all items out."""
        self.table = {}
        self.added = True

    def difference_update(self, *others: Any) -> None:
        """Take out what is in the others."""
        self.table, self.added = self.difference(*others).table, False

    def intersection_update(self, *others: Any) -> None:
        """Keep what is in the others."""
        self.table, self.added = self.intersection(*others).table, False

    def symmetric_difference_update(self, other: Any) -> None:
        """Keep what is in one of the two."""
        self.table, self.added = self.symmetric_difference(other).table, False

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Any:
        self.intersection_update(other)
        return self

    def __isub__(self, other: Any) -> Any:
        self.table, self.added = (self - other).table, False
        return self

    def __ixor__(self, other: Any) -> Any:
        self.table, self.added = (self ^ other).table, False
        return self
