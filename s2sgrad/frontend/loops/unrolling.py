"""Floor 4: loops over counters and arrays that make functions.

Generated code can't hold functions: a loop that puts them into a list, or makes one of another, is
written out turn by turn, where it is known while compiling how many turns it has.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from s2sgrad.analysis.relations import value_of
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.containers.row_types import holds_functions
from s2sgrad.frontend.exits import Unroll
from s2sgrad.frontend.loops.headers import WhileHeader
from s2sgrad.frontend.loops.iteration import rows_of
from s2sgrad.frontend.records import classes_of, several_classes
from s2sgrad.frontend.relations import Supposed
from s2sgrad.frontend.values import Iterator, Sequence, Static, Value, is_function
from s2sgrad.ir import sizes
from s2sgrad.ir.types import Array, Dict, List, Maybe, Opaque, Tuple, Type

MOST_TURNS = 100


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
    loops: list[Any]
    unfold: set[ast.AST]
    of_objects: list[ast.AST]  # loops that put objects of one class into lists
    of_functions: list[ast.AST]  # loops that put functions into lists
    of_lists: list[ast.AST]  # loops that make lists

    def note_lists(self, node: ast.AST, known: int) -> None:
        """Note a loop if one of the variables, but for the first `known`, is a list."""
        made = itertools.islice(self.builder.types.values(), known, None)
        lists = [kind for kind in made if isinstance(kind, List)]
        if lists:
            self.of_lists.append(node)
        if any(map(classes_of, lists)):
            self.of_objects.append(node)
        if any(map(holds_functions, lists)):
            self.of_functions.append(node)

    def objects_met(self, kinds: Iterable[Type], made: Type) -> None:
        """Start again if objects of several classes have come into one list: where loops have
        made them, those are written out."""
        if not _is_lost(made) or not any(map(classes_of, kinds)):
            return
        self.write_objects_out()
        raise several_classes(self.span(self.running[-1][1]) if self.running else None)

    def write_objects_out(self) -> None:
        """Start again with the loops written out that put objects into lists, if there are any:
        `sum(parts)` begins with a number, and goes on with objects."""
        self._write_out(self.of_objects)

    def write_lists_out(self) -> None:
        """The same for lists of anything, of which it must be known how long they are."""
        self._write_out(self.of_lists)

    def _write_out(self, loops: list[ast.AST]) -> None:
        later = [node for node in loops if node not in self.unroll]
        if later and all(loop.unrolled for loop in self.loops):
            raise Unroll(later[0])

    def turns_of_while(self, stmt: ast.While) -> Callable[[], list[Value]] | None:
        """What asks the test and gives an item for each turn so far, and one if there is another.

        None for loops that generated code goes round. Where calls of a recursive function are
        written out, what its loops know must not be lost: it may be what ends the recursion.
        """
        if not self.unfold or stmt in self.rolled or isinstance(stmt.test, ast.Constant):
            return None
        found: list[Value] = []

        def ask() -> list[Value]:
            known = self.truth(self.test(stmt.test))
            if known is None or len(found) > MOST_TURNS:
                raise Roll(stmt)
            if known:
                found.append(Static(len(found)))
            return list(found)

        return ask

    def turns(self, iterable: Value, node: ast.AST) -> list[Value] | None:
        """The items that a loop to be written out goes through; None for other loops."""
        if node not in self.unroll:
            return None
        if not is_counter(iterable):
            return self._rows_written_out(iterable, node)
        numbers = self.counted_numbers(iterable)
        if numbers is None or len(numbers) > MOST_TURNS:
            exact = self.exact_sizes() if numbers is None and is_counter(iterable) else {}
            if exact:  # the sizes of this call may tell
                raise Supposed(exact)
            return None
        return [Static(i) for i in numbers]

    def can_be_written_out(self, iterable: Value) -> bool:
        """Whether it may be known how many turns a loop has."""
        if isinstance(iterable, Iterator) and iterable.kind == "enumerate":
            return self.can_be_written_out(iterable.parts[0])
        zipped = iterable.parts if isinstance(iterable, Iterator) and iterable.kind == "zip" else ()
        known = any(isinstance(self.contents(p), Sequence) for p in zipped)
        return known or is_counter(iterable) or self.turns_here(iterable) is not None

    def goes_through_functions(self, iterable: Value) -> bool:
        """Whether zip takes functions of a known list, one after the other, in a loop of which
        only a run knows how many turns it has: every turn calls another one."""
        if not isinstance(iterable, Iterator) or iterable.kind not in ("zip", "enumerate"):
            return False
        parts = [self.contents(p) for p in iterable.parts]
        functions = (i for p in parts if isinstance(p, Sequence) for i in p.items)
        return any(map(is_function, functions)) or any(
            map(self.goes_through_functions, iterable.parts)
        )

    def turns_here(self, value: Value) -> int | None:
        """How many items there are in the call at hand, where its sizes tell; 100 at most."""
        if isinstance(value, Iterator) and value.kind in ("zip", "enumerate", "reversed", "map"):
            found = [self.turns_here(p) for p in _gone_through(value)]
            return None if None in found else min(n for n in found if n is not None)
        if isinstance(value, Iterator):
            numbers = self.counted_numbers(value) if value.kind == "range" else None
            return None if numbers is None else len(numbers)
        size = rows_of(value)
        here = None if size is None else value_of(size, self.letters.actual)
        return None if here is None or here > MOST_TURNS else here

    def _rows_written_out(self, iterable: Value, node: ast.AST) -> list[Value] | None:
        """The rows of arrays, of which the code supposes that every call has as many."""
        turns = self.turns_here(iterable)
        if turns is None:
            return None
        self._suppose_rows(iterable)
        return self.first_items(iterable, turns, node, in_turn=True)

    def _suppose_rows(self, value: Value) -> None:
        if isinstance(value, Iterator):
            for part in _gone_through(value):
                self._suppose_rows(part)
            return
        size = rows_of(value)
        here = None if size is None else value_of(size, self.letters.actual)
        if size is not None and here is not None:
            self.suppose([(size, sizes.of(here))])

    def want_turns_apart(self, items: tuple[Value, ...], node: ast.AST) -> None:
        """Start again where a loop's counter picks items whose arrays have other sizes each, as
        `layers[i]["W"]` does: written out, the code knows them."""
        loop = self.loops[-1] if self.loops else None
        stmt = None if loop is None or loop.frame is not self.frame else loop.node
        if not isinstance(stmt, ast.For) or stmt in self.unroll or len(items) > MOST_TURNS:
            return
        target, place = stmt.target, getattr(node, "slice", None)
        if not isinstance(target, ast.Name) or place is None:
            return
        names = {n.id for n in ast.walk(place) if isinstance(n, ast.Name)}
        shapes = {_shapes(self.residual(item).type) for item in items}
        if names == {target.id} and len(shapes) > 1:
            raise Unroll(stmt)

    def endless(
        self, target: ast.expr, count: Iterator, body: Callable[[], str], node: ast.AST, flag: str
    ) -> str:
        """`for k in itertools.count():`, as `while True`."""
        name = f"<count{len(self.loops)}>"
        start, step = count.parts
        self.set(self.frame, name, start)

        def counted() -> str:
            value = self.get(self.frame, name)
            assert value is not None
            self.bind_pattern(target, value)
            self.set(self.frame, name, self.kept(name, self.binary("+", value, step, node), node))
            return body()

        forever = ast.copy_location(ast.While(ast.Constant(True), [], []), node)
        return self.loop(WhileHeader(self, forever), None, counted, node, flag)

    def counted_numbers(self, iterable: Value) -> range | None:
        assert isinstance(iterable, Iterator)
        if iterable.kind == "reversed":
            inner = self.counted_numbers(iterable.parts[0]) if is_counter(iterable) else None
            return None if inner is None else inner[::-1]
        bounds = [self.known_whole(p) for p in iterable.parts]
        return None if None in bounds else range(*bounds)


def _shapes(kind: Type) -> tuple[Any, ...]:
    """The shapes of an array, or of those in a record or a tuple."""
    if isinstance(kind, Array):
        return (kind.shape,)
    parts = kind.items if isinstance(kind, Tuple) else ()
    if isinstance(kind, Dict):
        parts = tuple(part for _, part in kind.fields or ())
    return tuple(shape for part in parts for shape in _shapes(part))


def _is_lost(kind: Type) -> bool:
    """Whether a list holds things of which nothing is known: two classes have met."""
    while isinstance(kind, Maybe | List) or (isinstance(kind, Dict) and kind.made_by is None):
        kind = kind.item
    return isinstance(kind, Opaque)


def _gone_through(value: Iterator) -> tuple[Value, ...]:
    return value.parts[1:] if value.kind == "map" else value.parts


def is_counter(value: Any) -> bool:
    """Whether a value is a range, forwards or backwards."""
    if isinstance(value, Iterator) and value.kind == "reversed":
        return is_counter(value.parts[0])
    return isinstance(value, Iterator) and value.kind == "range"
