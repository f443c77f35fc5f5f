"""Floor 4: lists of several kinds of values, `[name, number]`, where generated code holds them.

Items of lists are of one type there, and a list of texts and numbers is an object with a field for
each place instead: these classes say what a list does with them. Its length stays.
"""

from __future__ import annotations

from typing import Any


class MixedList:
    """A list of values of several kinds."""

    AS_OWN = True  # results are made lists again
    AS_LIST = True

    def __len__(self) -> int:
        return len(self.names())

    def __iter__(self) -> Any:
        return iter(self.copy())

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return self.copy()[place]
        return getattr(self, self.names()[place])

    def __setitem__(self, place: Any, value: Any) -> None:
        setattr(self, self.names()[place], value)

    def __contains__(self, value: Any) -> bool:
        return value in self.copy()

    def __eq__(self, other: Any) -> bool:
        return list(other) == self.copy()

    def __ne__(self, other: Any) -> bool:
        return list(other) != self.copy()

    def __lt__(self, other: Any) -> bool:
        return tuple(self.copy()) < tuple(other)

    def __gt__(self, other: Any) -> bool:
        return tuple(self.copy()) > tuple(other)

    def __add__(self, other: Any) -> Any:
        return self.copy() + list(other)

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)  # type: ignore[attr-defined]  # is refused, as all that changes lengths
        return self

    def __imul__(self, times: Any) -> Any:
        self.extend(self)  # type: ignore[attr-defined]
        return self

    def __delitem__(self, place: Any) -> None:
        self.pop(place)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"{self.copy()}"

    def names(self) -> tuple[str, ...]:
        """The fields in which the values are."""
        raise NotImplementedError

    def copy(self) -> Any:
        """A plain list of the same values."""
        return [getattr(self, name) for name in self.names()]

    def index(self, value: Any) -> int:
        """The first place of a value."""
        return self.copy().index(value)


class TwoItems(MixedList):
    """A list of two values."""

    def names(self) -> tuple[str, ...]:
        return ("item0", "item1")


class ThreeItems(MixedList):
    """A list of three values."""

    def names(self) -> tuple[str, ...]:
        return ("item0", "item1", "item2")


class FourItems(MixedList):
    """A list of four values."""

    def names(self) -> tuple[str, ...]:
        return ("item0", "item1", "item2", "item3")


class FiveItems(MixedList):
    """A list of five values."""

    def names(self) -> tuple[str, ...]:
        return ("item0", "item1", "item2", "item3", "item4")


class SixItems(MixedList):
    """A list of six values."""

    def names(self) -> tuple[str, ...]:
        return ("item0", "item1", "item2", "item3", "item4", "item5")


CLASSES = {len(c().names()): c for c in (TwoItems, ThreeItems, FourItems, FiveItems, SixItems)}
