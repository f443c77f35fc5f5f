"""Floor 4: loops over counters that make functions.

Generated code can't hold functions: a loop that puts them into a list, or makes one of another, is
written out turn by turn, where it is known while compiling how many turns it has.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.relations import Supposed
from s2sgrad.frontend.values import Iterator, Static, Value

MOST_TURNS = 100


class Unroll(Exception):
    """Start again: a loop makes functions, so it is written out."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__(node)
        self.node = node


class Roll(Exception):
    """Start again: a `while` loop can't be written out, since a run decides about its turns."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__(node)
        self.node = node


class Unrolling(Base):
    """The part of the lowering that writes loops out. unroll: loops over counters; rolled: `while`
    loops that are not to be written out, which others are where calls are."""

    unroll: set[ast.AST]
    rolled: set[ast.AST]
    unfold: set[ast.AST]

    def turns_of_while(self, stmt: ast.While) -> Callable[[], list[Value]] | None:
        """What asks the test and gives an item for each turn so far, and one if there is another.

        None for loops that generated code goes round. Where calls of a recursive function are
        written out, what its loops know must not be lost: it may be what ends the recursion.
        """
        if not self.unfold or stmt in self.rolled or isinstance(stmt.test, ast.Constant):
            return None
        found: list[Value] = []

        def ask() -> list[Value]:
            known = self.truth(self.condition(self.expr(stmt.test), stmt))
            if known is None or len(found) > MOST_TURNS:
                raise Roll(stmt)
            if known:
                found.append(Static(len(found)))
            return list(found)

        return ask

    def turns(self, iterable: Value, node: ast.AST) -> list[Value] | None:
        """The numbers that a loop to be written out goes through; None for other loops."""
        if node not in self.unroll:
            return None
        numbers = self.counted_numbers(iterable)
        if numbers is None or len(numbers) > MOST_TURNS:
            exact = self.exact_sizes() if numbers is None and is_counter(iterable) else {}
            if exact:  # the sizes of this call may tell
                raise Supposed(exact)
            return None
        return [Static(i) for i in numbers]

    def counted_numbers(self, iterable: Value) -> range | None:
        assert isinstance(iterable, Iterator)
        if iterable.kind == "reversed":
            inner = self.counted_numbers(iterable.parts[0]) if is_counter(iterable) else None
            return None if inner is None else inner[::-1]
        bounds = [self.known_whole(p) for p in iterable.parts]
        return None if None in bounds else range(*bounds)


def is_counter(value: Any) -> bool:
    """Whether a value is a range, forwards or backwards."""
    if isinstance(value, Iterator) and value.kind == "reversed":
        return is_counter(value.parts[0])
    return isinstance(value, Iterator) and value.kind == "range"
