"""Floor 4: the items of values whose length is known while compiling."""

from __future__ import annotations

import ast
import collections.abc
import inspect
from dataclasses import dataclass
from enum import EnumType
from typing import Any

from s2sgrad.analysis.relations import value_of
from s2sgrad.frontend.containers.object_keys import value_of_key
from s2sgrad.frontend.expressions.expressions import tuple_items
from s2sgrad.frontend.loops.numbered import ends_with_its_length
from s2sgrad.frontend.loops.set_items import SetItems
from s2sgrad.frontend.models.generators import by_number
from s2sgrad.frontend.models.sets import FrozenSet, Set
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Instance,
    Iterator,
    Mapping,
    Sequence,
    Static,
    Value,
    is_numeric,
)
from s2sgrad.ir import sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.nodes import Call
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array, Dict, Opaque, Tuple

FEW = 8
_BY_NUMBER = collections.abc.Sequence.__iter__  # subscripts until one raises an IndexError


@dataclass(frozen=True, slots=True)
class Row(Value):
    """What zip, enumerate or map gives, put together in the turn that takes it."""

    items: tuple[Value, ...]
    function: Value | None = None


class Iteration(SetItems):
    """Taking sequences and iterators apart."""

    def iterate(self, value: Value, node: ast.AST, in_turn: bool = False) -> list[Value] | None:
        """The items of a value whose length is known while compiling; None otherwise.

        in_turn: rows of iterators as `Row`, for a loop that is written out: what a row reads may
        change before its turn.
        """
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return list(contents.items)
        if isinstance(contents, Mapping):
            return [value_of_key(k) for k, _ in contents.items]
        if isinstance(contents, Instance) or self.held_object(value) is not None:
            return self.iterate(self.items_of(value, node), node)
        items = tuple_items(value)
        if items is not None:
            return list(items)
        if isinstance(value, Static) and isinstance(
            value.value, str | tuple | list | dict | frozenset | set
        ):
            return [Static(v) for v in value.value]
        if isinstance(value, Static) and isinstance(value.value, EnumType):
            members: list[Any] = list(value.value)
            return [Static(member) for member in members]
        if isinstance(value, Iterator):
            return self._iterate_lazily(value, node, in_turn)
        return None

    def items_of(self, value: Value, node: ast.AST) -> Value:
        """What an object of a class with `__iter__` gives."""
        made = self.by_class(value, lambda v: self.items_of(v, node), node)
        if made is not None:
            return made
        if isinstance(value, Dyn) and value.type == Opaque("mixed"):
            raise self.refuse(
                "the items of what is of one kind on some paths and of another on others", node,
                "generated code counts the items of a list, and goes by the keys of a dict",
                "give each kind a name of its own, or make a list of its items where it is set",
            )  # fmt: skip
        cls = self.class_of(value)
        held = self.held_object(value)
        if cls is None or not (held or isinstance(self.contents(value), Instance)):
            return value
        if cls in (Set, FrozenSet):
            return self.set_items(value, node)
        if held is None and self.is_stepping(value):
            raise self.refuse(
                "an iterator that other places take from is used here", node,
                "which of its items are left then is not known while compiling",
                "make a list of its items first: items = list(...)",
            )  # fmt: skip
        if hasattr(cls, "__iter__") and inspect.getattr_static(cls, "__iter__") is not _BY_NUMBER:
            made = self.call(self.attribute(value, "__iter__", node), [], {}, node)
            if hasattr(self.class_of(made), "__next__") and not self.is_stepping(made):
                return self.steps_of(made, node)
            return self.items_of(made, node)
        if not ends_with_its_length(cls):
            raise self.refuse(
                "iterating over an object without __iter__",
                node,
                "Python would go on until its __getitem__ raises an IndexError, not to its length"
                if hasattr(cls, "__getitem__")
                else "Python raises an error here as well",
                "give its class an __iter__, or loop over range(len(...))",
            )
        return self.model(by_number, [value], node)

    def _called_in_turn(
        self, function: Value, parts: tuple[Value, ...], found: list[list[Value]], node: ast.AST
    ) -> list[Value]:
        """`function` of one row of the parts after the other. A call may change what was not
        computed yet of the rows to come and of the results before it: both are held by containers
        meanwhile, or read again from lists.

        found: the items of the parts before the first call."""
        held = [self.sequence(items) for items in found]
        results: list[Value] = []
        while True:
            place = len(results)
            rows = list(map(self.held_items, held))
            for k, part in enumerate(parts if place else ()):
                rows[k] = self.rows_now(part, len(found[k]), node) or rows[k]
            if any(len(row) <= place for row in rows):
                return [self.held_items(result)[0] for result in results]
            row = [self.taken(items[place], node) for items in rows]
            results.append(self.sequence([self.call(function, row, {}, node)]))

    def held_items(self, value: Value) -> tuple[Value, ...]:
        """What a tuple or list that was taken apart holds now."""
        contents = self.contents(value)
        assert isinstance(contents, Sequence)
        return contents.items

    def taken(self, item: Value, node: ast.AST) -> Value:
        """An item in its turn."""
        if not isinstance(item, Row):
            return item
        items = list(item.items)
        if any(isinstance(i, Row) for i in items):  # a call may change what one before it reads
            held = [self.sequence([self.taken(i, node)]) for i in items]
            items = [self.held_items(h)[0] for h in held]
        if item.function is None:
            return self.sequence(items)
        return self.call(item.function, items, {}, node)

    def put_together(self, items: list[Value] | tuple[Value, ...], in_turn: bool) -> Value:
        return Row(tuple(items)) if in_turn else self.sequence(items)

    def _iterate_lazily(self, value: Iterator, node: ast.AST, in_turn: bool) -> list[Value] | None:
        if value.kind == "range":
            bounds = [self.constant_value(p) for p in value.parts]
            plain = all(isinstance(p, Static) for p in value.parts)
            if plain and all(type(b) is int for b in bounds) and len(range(*bounds)) <= 4:
                return [Static(i) for i in range(*bounds)]
            return None
        if value.kind == "count":
            return None
        if value.kind == "map":
            found = [self.iterate(p, node, in_turn) for p in value.parts[1:]]
            if any(f is None for f in found):
                return None
            if in_turn:
                rows = zip(*(f or () for f in found), strict=False)
                return [Row(row, value.parts[0]) for row in rows]
            columns = [items or [] for items in found]
            return self._called_in_turn(value.parts[0], value.parts[1:], columns, node)
        nested = value.kind == "zip" and any(map(self._is_open_inside, value.parts))
        if (nested and node not in self.unroll) or _generated(value):
            return None
        parts = [self.iterate(p, node, in_turn) for p in value.parts]
        if not parts:  # zip()
            return []
        if value.kind == "zip" and any(p is not None for p in parts):
            return self._rows_of_zip(value, parts, node, in_turn)
        if any(p is None for p in parts):
            return None
        if value.kind == "reversed":
            return list(reversed(parts[0] or []))
        return [self.put_together([Static(i), v], in_turn) for i, v in enumerate(parts[0] or [])]

    def _rows_of_zip(
        self, value: Iterator, parts: list[list[Value] | None], node: ast.AST, in_turn: bool
    ) -> list[Value] | None:
        """The rows of a zip; parts: the items of what it goes through, where they are known."""
        length = min(len(p) for p in parts if p is not None)
        if self._can_wait(parts, value.parts):
            return None
        columns = [
            p if p is not None else self.first_items(v, length, node, in_turn)
            for p, v in zip(parts, value.parts, strict=True)
        ]
        if any(c is None for c in columns):
            return None
        rows = zip(*(c for c in columns if c is not None), strict=False)
        return [self.put_together(row, in_turn) for row in rows]

    def without_generators(self, value: Value, node: ast.AST) -> Value:
        """An iterator over lists where it goes through generators beside other things."""
        if isinstance(value, Generator):
            late = self.may_change(value.node) or self.calls_with_changes(value)
            mapped = self.as_map(value) if late else None
            return mapped or self.comprehend_value(value, node)
        if not isinstance(value, Iterator) or not _generated(value):
            return value
        return Iterator(value.kind, tuple(self.without_generators(p, node) for p in value.parts))

    def rows_at_run_time(self, value: Value, node: ast.AST) -> Value | None:
        """How many rows a zip of known items and others of unknown number has in this run."""
        counts = self._open_counts(value, node)
        if not counts:
            return None
        count = counts[0] if len(counts) == 1 else self.on_min(counts, {}, node)
        return Dyn(self.named(count, "rows", node))

    def _open_counts(self, value: Value, node: ast.AST) -> list[Value]:
        """The numbers of items that only a run knows, also of a zip inside of another."""
        if not isinstance(value, Iterator) or value.kind not in ("zip", "enumerate"):
            return []
        found: list[Value] = []
        for part in value.parts:
            if value.kind == "zip" and self._is_open(part):
                found.append(self.on_len([part], {}, node))
            found += self._open_counts(part, node)
        return found

    def computed_once(self, value: Value, node: ast.AST) -> Value:
        """What is to be gone through, computed once, however often its items are asked for."""
        if isinstance(value, Iterator):
            return Iterator(value.kind, tuple(self.computed_once(p, node) for p in value.parts))
        if not isinstance(value, Dyn) or isinstance(value.type, Tuple):
            return value
        return Dyn(self.named(value, "items", node))

    def first_items(
        self, value: Value, length: int, node: ast.AST, in_turn: bool = False
    ) -> list[Value] | None:
        """The first items of a sequence of unknown length, zipped with one of known length.

        in_turn: as for `iterate`.
        """
        if not isinstance(value, Iterator):
            known = self.iterate(value, node, in_turn)
            if known is not None:
                return known[:length]
            if isinstance(value, Dyn) and isinstance(value.type, Dict):
                value = Dyn(self.keys_of(value.expr, node))
            length = min(length, self._length_here(value, length))
            if isinstance(value, Dyn):  # computed once, whichever of the items are reached
                value = Dyn(self.named(value, "items", node))
            return [self.index(value, Static(i), node) for i in range(length)]
        if value.kind == "count":
            return self._counted_on(value.parts[0], value.parts[1], length, node)
        if value.kind == "range":
            bounds = [self.known_whole(p) for p in value.parts]
            if None not in bounds:
                return [Static(i) for i in range(*bounds)[:length]]
            if node not in self.unroll:
                return None
            start = value.parts[0] if len(value.parts) > 1 else Static(0)
            step = value.parts[2] if len(value.parts) > 2 else Static(1)
            return self._counted_on(start, step, length, node)
        if value.kind == "reversed":
            return self._last(value.parts[0], length, node)
        parts = value.parts[1:] if value.kind == "map" else value.parts
        columns = [self.first_items(p, length, node, in_turn) for p in parts]
        if any(c is None for c in columns):
            return None
        rows = list(zip(*(c for c in columns if c is not None), strict=False))
        if value.kind == "map" and in_turn:
            return [Row(row, value.parts[0]) for row in rows]
        if value.kind == "map":
            return [self.call(value.parts[0], list(row), {}, node) for row in rows]
        if value.kind == "enumerate":
            rows = [(Static(i), *row) for i, row in enumerate(rows)]
        return [self.put_together(row, in_turn) for row in rows]

    def _counted_on(self, start: Value, step: Value, length: int, node: ast.AST) -> list[Value]:
        """The first numbers of a count or range, however many there are."""
        return [
            self.binary("+", start, self.binary("*", step, Static(i), node), node)
            for i in range(length)
        ]

    def _last(self, value: Value, length: int, node: ast.AST) -> list[Value] | None:
        """The last items, from the end."""
        if not isinstance(value, Iterator):
            length = min(length, self._length_here(value, length))
            return [self.index(value, Static(-1 - i), node) for i in range(length)]
        bounds = [self.constant_value(p) for p in value.parts]
        if value.kind != "range" or not all(type(b) is int for b in bounds):
            return None
        return [Static(i) for i in range(*bounds)[::-1][:length]]

    def few_whole_numbers(self, value: Value, node: ast.AST) -> Value | None:
        """The tuple of a short array of integers: a shape, or a place in an array."""
        kind = value.type if isinstance(value, Dyn) else None
        size = rows_of(value)
        if not isinstance(kind, Array) or (kind.dtype or "f")[0] not in "iu" or size is None:
            return None
        here = value_of(size, self.letters.actual)
        if here is None or here > FEW:
            return None
        self.suppose([(size, sizes.of(here))])
        return self.sequence([self.index(value, Static(i), node) for i in range(here)])

    def _length_here(self, value: Value, wanted: int) -> int:
        """How many rows an array has, if not more than wanted; the code is for that number then."""
        size = rows_of(value)
        if size is None or not_negative(size - sizes.of(wanted)):
            return wanted
        here = value_of(size, self.letters.actual)
        if here is None:
            return wanted
        self.suppose([(size, sizes.of(here))])
        return here

    def _is_open(self, value: Value) -> bool:
        """Whether only a run knows how many rows there are."""
        if isinstance(value, Iterator) and value.kind == "range":
            return None in map(self.known_whole, value.parts)
        if not isinstance(value, Dyn) or isinstance(value.type, Tuple):
            return False
        size = rows_of(value)
        return size is None or value_of(size, self.letters.actual) is None

    def _is_open_inside(self, value: Value) -> bool:
        """Whether only a run knows how many rows a zip inside of another has."""
        if not isinstance(value, Iterator) or value.kind not in ("zip", "enumerate"):
            return False
        return any(self._is_open(p) or self._is_open_inside(p) for p in value.parts)

    def _can_wait(self, parts: list[list[Value] | None], values: tuple[Value, ...]) -> bool:
        """Whether a run may take items known here one by one, beside a number of rows not known."""
        open_end = any(p is None and self._is_open(v) for p, v in zip(parts, values, strict=True))
        items = [item for p in parts for item in p or ()]
        return open_end and all(
            isinstance(i.value, int | float) if isinstance(i, Static) else is_numeric(i)
            for i in items
        )


def _generated(value: Value) -> bool:
    """Whether zip, enumerate, reversed or map goes through a generator."""
    if not isinstance(value, Iterator) or value.kind not in ("zip", "enumerate", "reversed", "map"):
        return False
    return any(isinstance(p, Generator) or _generated(p) for p in value.parts)


def rows_of(value: Value) -> Size | None:
    """How many rows an array has, or the list of its items."""
    expr = value.expr if isinstance(value, Dyn) else None
    if isinstance(expr, Call) and expr.function is list and len(expr.args) == 1:
        expr = expr.args[0]
    kind = None if expr is None else expr.type
    return kind.shape[0] if isinstance(kind, Array) and kind.shape else None
