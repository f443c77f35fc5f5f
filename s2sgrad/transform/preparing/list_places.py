"""Floor 5: how many items a list has while loops fill it, and where in an array its items stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from s2sgrad.analysis.indexing import constant_of, from_counter, size_of
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import not_negative, values_of_counter
from s2sgrad.ir.nodes import Call, Expr, For, Var
from s2sgrad.ir.sizes import ONE, Size, of
from s2sgrad.ir.types import INT
from s2sgrad.transform.writing import build

Read = Callable[[Size], Expr | None]


@dataclass(frozen=True)
class Turn:
    """A loop around: what counts its turns, from where on, and how many items each of them adds."""

    counter: Var
    start: Size
    each: Size


@dataclass(frozen=True)
class Range:
    """The values of a loop's variable: from `first` on, at least `gap` below the list's length."""

    first: Size
    gap: Size


@dataclass(frozen=True)
class Count:
    """How many items a list has somewhere.

    before: how many it had before the loops around were entered, and has more by what stands before
    in the present turn. turns: those loops. whole: whether nothing is added later.
    ranges: other loops' variables, with what is known of them.
    """

    before: Size
    turns: tuple[Turn, ...] = ()
    whole: bool = False
    ranges: tuple[tuple[str, Range | None], ...] = ()

    def more(self, items: Size) -> Count:
        """After so many items more."""
        return replace(self, before=self.before + items)

    def written(self, read: Read) -> Expr | None:
        """The number as an expression; read: how sizes are read off the arguments."""
        return self._place(of(0), read)

    def place(self, index: Expr, read: Read) -> Expr | None:
        """Which item a subscript takes, counted from the first; None where that is not known, or
        where there may be no such item."""
        number = constant_of(index)
        if type(number) is int:
            least = self.before + of(number) if number < 0 else self.before - of(number + 1)
            if not not_negative(least):
                return None
            return index if self.whole or number >= 0 else self._place(of(number), read)
        counting = dict(self.ranges).keys() | {turn.counter.name for turn in self.turns}
        if self.whole and not nodes.names_in(index) & counting:
            return index  # the array is as long as the list, and compiled code asks if it is there
        name, offset = from_counter(index)
        if offset is None:
            return None
        return index if self._is_place(name, offset) else None

    def _is_place(self, name: str, offset: Size) -> bool:
        """Whether a counter and so much more is surely the place of an item."""
        known = dict(self.ranges).get(name)
        if known is not None:
            return not_negative(known.first + offset, known.gap - offset)
        for turn in self.turns:
            if turn.counter.name == name:
                least = self.before - turn.start - offset - ONE
                return turn.each == ONE and not_negative(turn.start + offset, least)
        values = values_of_counter(name)
        if values is None:
            return False
        return not_negative(values[0] + offset, self.before - values[1] - offset)

    def within(self, loop: For, name: str) -> Count:
        """In a loop that adds nothing to the list of this name."""
        bound = nodes.bound_in(loop.body)
        found = {
            target: None if target in bound else self._range(source, name)
            for target, source in zip(loop.targets, loop.sources, strict=True)
        }
        return replace(self, ranges=tuple((dict(self.ranges) | found).items()))

    def _range(self, source: Expr, name: str) -> Range | None:
        match source:
            case Call(args=(stop,)) if source.function is range:
                first: Size | None = of(0)
            case Call(args=(start, stop)) if source.function is range:
                first = size_of(start)
            case _:
                return None
        gap = self._below(stop, name)
        return None if first is None or gap is None else Range(first, gap)

    def _below(self, stop: Expr, name: str) -> Size | None:
        """How far a number is below the list's length."""
        match stop:
            case Call(form="operator", text="-", args=(left, less)) if is_length(left, name):
                return size_of(less)
        if is_length(stop, name):
            return of(0)
        counter, offset = from_counter(stop)
        for turn in self.turns:
            if turn.counter.name == counter and offset is not None and turn.each == ONE:
                return self.before - turn.start - offset
        size = size_of(stop)
        return None if size is None else self.before - size

    def _place(self, more: Size, read: Read) -> Expr | None:
        total: Expr | None = None
        rest = self.before + more
        for turn in self.turns:
            each = read(turn.each)
            if each is None:
                return None
            rest -= turn.start * turn.each
            part = turn.counter if turn.each == ONE else build.binary("*", turn.counter, each)
            total = part if total is None else build.binary("+", total, part)
        return read(rest) if total is None else shifted(total, rest, read)


def shifted(place: Expr, by: Size, read: Read) -> Expr | None:
    """`i`, `i + 1`, `i - 1`, `i + n`."""
    number = by.constant
    if number is None:
        length = read(by)
        return None if length is None else build.binary("+", place, length)
    if number == 0:
        return place
    return build.binary("+" if number > 0 else "-", place, build.number(abs(number)))


def is_length(expr: Expr, name: str) -> bool:
    """Whether this is `len(name)`."""
    match expr:
        case Call(args=(Var(name=of_what),)):
            return expr.function is len and of_what == name
    return False


def counter_of(loop: For) -> tuple[Var | None, Size]:
    """A loop's variable that counts its turns one by one, and what it counts from."""
    bound = nodes.bound_in(loop.body)
    for target, source in zip(loop.targets, loop.sources, strict=True):
        if target in bound:
            continue
        if nodes.counts(source):
            return Var(target, type=INT), of(0)
        if isinstance(source, Call) and source.function is range and len(source.args) < 3:
            start = size_of(source.args[0]) if len(source.args) == 2 else of(0)
            if start is not None:
                return Var(target, type=INT), start
    return None, of(0)


__all__ = ["Count", "Turn", "counter_of", "is_length", "shifted"]
