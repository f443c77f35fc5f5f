"""Floor 4: sets, written out in plain Python."""

from __future__ import annotations

from typing import Any

from s2sgrad_runtime import set_left, set_order, set_places, set_popped

ADDED, REMOVED, MADE, CHANGED = "added", "removed", "made", "changed"
HIDDEN = "the order of a set that was changed in ways that do not tell it"


def in_order(found: Any) -> Any:
    """The items of a set as Python goes through it, where its history tells (see `FrozenSet`)."""
    if found.history == ADDED:
        items = list(found.table)
        return [items[k] for k in set_order(items)]
    if found.history == MADE or found.history == CHANGED:
        raise ValueError(HIDDEN)
    items = found.first + found.second
    if found.history == REMOVED:
        return [items[k] for k in set_left(items, len(found.first), found.steps)]
    order = set_places(items, found.history, len(found.first))
    return [items[k] for k in order if k >= 0]


class FrozenSet:
    """frozenset: the keys of a dict. What two sets give is of the class of the first.

    history: what is known of the order of a set follows from how it came to be. `ADDED`: all items
    were added one by one, and none was taken out. `REMOVED`: all that are in `first` were, and then
    those in `second` were added (0), taken out (1) or popped (2), or all were (3), as `steps` says.
    An operator: it gave this set, of one to which the items in `first` were
    added, and one of those in `second`. `MADE`: by operators, of more than that. `CHANGED`: other.
    """

    PASSED_ON = ("frozenset", "as a key, take a tuple of its items: key = tuple(sorted(items))")

    def __init__(self, items: Any = ()) -> None:
        self.table: Any = {}
        self.first: Any = []
        self.second: Any = []
        self.steps: Any = []
        self.history = MADE if isinstance(items, set | frozenset | dict) else ADDED
        for item in items:
            self.table[item] = True

    def told(self, made: Any, how: str, other: Any) -> Any:
        """What an operator gave, with its history."""
        plain = isinstance(other, set | frozenset)
        if plain and self.history == ADDED and other.history == ADDED:
            made.first, made.second = list(self.table), list(other.table)
            made.history = how
        else:
            made.history = MADE
        return made

    def copy(self) -> Any:
        """A new set of the same items."""
        return self | ()

    def __copy__(self) -> Any:
        return self.copy()

    def union(self, *others: Any) -> Any:
        """What is in any."""
        if len(others) == 1 and isinstance(others[0], set | frozenset):
            return self | others[0]
        made = self | ()
        for other in others:
            made = made | Set(other)
        return made

    def intersection(self, *others: Any) -> Any:
        """What is in all."""
        if len(others) == 1 and isinstance(others[0], set | frozenset):
            return self & others[0]
        made = self | ()
        for other in others:
            made = made & Set(other)
        return made

    def difference(self, *others: Any) -> Any:
        """What is in none of the others."""
        if len(others) == 1 and isinstance(others[0], set | frozenset):
            return self - others[0]
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
        alike = isinstance(other, (set, frozenset))
        return alike and len(self) == len(other) and self.issubset(other)

    def __ne__(self, other: Any) -> bool:
        alike = isinstance(other, (set, frozenset))
        return not (alike and len(self) == len(other) and self.issubset(other))

    def __xor__(self, other: Any) -> Any:
        return self.told((self - other) | (other - self), "^", other)

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
        return self.told(made, "|", other)

    def __and__(self, other: Any) -> Any:
        made = self.new()
        for item in self.table:
            if item in other:
                made.table[item] = True
        return self.told(made, "&", other)

    def __sub__(self, other: Any) -> Any:
        made = self.new()
        for item in self.table:
            if item not in other:
                made.table[item] = True
        return self.told(made, "-", other)

    def new(self) -> Any:
        """An empty set of the same class, for what two sets give."""
        return FrozenSet()

    def __repr__(self) -> str:
        items = f"{list(self.table)}"[1:-1]
        return "frozenset({" + items + "})" if self.table else "frozenset()"


class Set(FrozenSet):
    """set: one that changes."""

    PASSED_ON = ("set", "pass a list of its items: sorted(items)")

    def new(self) -> Any:
        """An empty set of the same class, for what two sets give."""
        return Set()

    def __repr__(self) -> str:
        return "{" + f"{list(self.table)}"[1:-1] + "}" if self.table else "set()"

    def add(self, item: Any) -> None:
        """Put an item in."""
        if self.history == REMOVED:
            self.note(0, item)
        elif self.history != ADDED:
            self.history = CHANGED
        self.table[item] = True

    def change(self, how: str, other: Any) -> None:
        """Note that this operator changes the set."""
        self.told(self, how, other)
        self.history = CHANGED if self.history == MADE else self.history

    def removing(self) -> None:
        """Note that items are taken out."""
        if self.history == ADDED:
            self.first, self.second, self.steps = list(self.table), [], []
        self.history = REMOVED if self.history in (ADDED, REMOVED) else CHANGED

    def note(self, step: int, item: Any) -> None:
        """Note what is done with an item."""
        self.second.append(item)
        self.steps.append(step)

    def update(self, *others: Any) -> None:
        """Put several items in."""
        for items in others:
            if isinstance(items, set | frozenset | dict):
                self.change("|=", items)
                for item in items:
                    self.table[item] = True
            else:
                for item in items:
                    self.add(item)

    def remove(self, item: Any) -> None:
        """Take an item out that is in."""
        self.removing()
        self.note(1, item)
        del self.table[item]

    def discard(self, item: Any) -> None:
        """Take an item out if it is in."""
        self.removing()
        if item in self.table:
            self.note(1, item)
            del self.table[item]

    def pop(self) -> Any:
        """Take an item out: that which Python does after the same steps."""
        if not self.table:
            raise KeyError("pop from an empty set")
        self.removing()
        if self.history != REMOVED:
            raise ValueError(HIDDEN)
        items = self.first + self.second
        item = items[set_popped(items, len(self.first), self.steps)]
        self.note(2, item)
        del self.table[item]
        return item

    def clear(self) -> None:
        """Take all items out."""
        if self.history == REMOVED:
            self.steps.append(3)
        else:
            self.history = ADDED
        self.table = {}

    def difference_update(self, *others: Any) -> None:
        """Take out what is in the others."""
        self.table, self.history = self.difference(*others).table, CHANGED

    def intersection_update(self, *others: Any) -> None:
        """Keep what is in the others."""
        self.table, self.history = self.intersection(*others).table, CHANGED

    def symmetric_difference_update(self, other: Any) -> None:
        """Keep what is in one of the two."""
        self.table, self.history = self.symmetric_difference(other).table, CHANGED

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Any:
        self.intersection_update(other)
        return self

    def __isub__(self, other: Any) -> Any:
        left = self - other
        self.change("-=", other)
        self.table = left.table
        return self

    def __ixor__(self, other: Any) -> Any:
        left = self ^ other
        self.change("^=", other)
        self.table = left.table
        return self
