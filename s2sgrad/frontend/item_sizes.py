"""Floor 4: which sizes are equal within each item of a list of arrays that the caller passes.

In `for w, b in layers:` every b is as long as its own w is wide, in this call and in every call
that may use the code, for calls are told apart by the sizes of all that they bring. So an item
that is taken out gets letters of its own (`ir/item_sizes.py`), and what stands at the same place
of two lists the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.item_sizes import EACH, opened
from s2sgrad.ir.sizes import SOME, Size, of
from s2sgrad.ir.types import Array, List, Maybe, Scalar, Tuple, Type

Place = Callable[[int], nodes.Expr]  # the number of an item -> how it is read off the arguments
Found = dict[str, Size]  # letters of lists -> what they stand for at one place


class ListsChanged(Exception):
    """Start again: the function changes a list, so nothing may be known of its items' sizes."""


class ItemSizes(Base):
    """The part of the lowering that knows sizes of items of lists."""

    def start_item_sizes(self, known: bool) -> None:
        """Begin; known: False where nothing may be known of them."""
        self.item_sizes_known = known
        self.given_lists: set[str] = set()  # the variables of lists of which more is known
        self.counts: dict[int, Size] = {}  # lengths of lists -> the sizes that stand for them
        self.columns: dict[tuple[int, ...], str] = {}  # a size in every item -> its letter
        self.column_places: dict[str, tuple[tuple[int, ...], Callable[[int], nodes.Expr]]] = {}

    def given_list(self, name: str, item: Type, values: list[Any], path: nodes.Expr) -> nodes.Var:
        """A variable for a list that the caller passes at `path`."""
        each = self._each_of(item, values, lambda k: nodes.Index(path, (constant(k),)))
        if each == item or not self.item_sizes_known:
            return self._leaf(name, List(item), path)
        var = self._leaf(name, List(item, each=each, count=self._count(len(values), path)), path)
        self.given_lists.add(var.name)
        return var

    def _count(self, number: int, path: nodes.Expr) -> Size:
        """The length of a list: one size for those that are as long."""
        if number not in self.counts:
            length = nodes.Call(len, "len", (path,), type=Scalar("int"))
            self.counts[number] = self.letters.integer(length, number)
        return self.counts[number]

    def _each_of(self, kind: Type, items: list[Any], place: Place) -> Type:
        if isinstance(kind, Array) and kind.shape is not None:
            shapes = zip(*(i.shape for i in items), strict=True)
            found = (self._column(n, axis, place) for axis, n in enumerate(shapes))
            return Array(kind.dtype, tuple(found))
        if isinstance(kind, Tuple):
            parts = [
                self._each_of(part, [i[k] for i in items], _part_of(place, k))
                for k, part in enumerate(kind.items)
            ]
            return Tuple(tuple(parts), kind.made_by)
        return kind

    def _column(self, numbers: tuple[int, ...], axis: int, place: Place) -> Size:
        if len(set(numbers)) == 1:
            return self.letters.size(numbers[0], shape_entry(place(0), axis))
        letter = self.columns.setdefault(numbers, f"{EACH}{len(self.columns)}")
        self.column_places.setdefault(letter, (numbers, lambda k: shape_entry(place(k), axis)))
        return of(letter)

    # --- items that are taken out --------------------------------------------------------------
    def item_at(self, kind: Type, found: Found) -> Type | None:
        """The type of the item at a place; found: what letters stand for there, to be added to."""

        def letter_of(letter: str) -> Size:
            if letter not in found:
                found[letter] = of(f"{SOME}{next(self.builder.ids)}")
            return found[letter]

        return opened(kind.item if isinstance(kind, Maybe) else kind, letter_of)

    def item_of(self, kind: Type, index: tuple[nodes.Expr, ...]) -> Type | None:
        """The type of `items[index]`, if more is known of it than of any item."""
        if len(index) != 1 or not isinstance(index[0].type, Scalar):
            return None
        number = constant_of(index[0])
        if type(number) is int:
            return opened(kind, lambda letter: self.size_at(letter, number))
        name = index[0].name if isinstance(index[0], nodes.Var) else ""
        return self.item_at(kind, self.builder.places.get(name, {}))

    def size_at(self, letter: str, number: int) -> Size | None:
        """The size that a letter of a list stands for in one of its items."""
        numbers, place = self.column_places.get(letter, ((), None))
        if place is None or not -len(numbers) <= number < len(numbers):
            return None
        return self.letters.size(numbers[number], place(number))

    def length_of_column(self, letter: str) -> int:
        """How many items a list with this letter has, in the call that is compiled."""
        return len(self.column_places[letter][0]) if letter in self.column_places else 0

    # --- lists that are changed ----------------------------------------------------------------
    def check_item_sizes(self, body: nodes.Block) -> None:
        """Start again without them where a list of the caller's may be changed."""
        if self.given_lists and any(map(self._may_change, nodes.walk_block(body))):
            raise ListsChanged

    def _may_change(self, stmt: nodes.Stmt) -> bool:
        if not isinstance(stmt, nodes.Mutate | nodes.Store):
            return False
        base = stmt.base
        if isinstance(stmt, nodes.Store) and not isinstance(base.type, List | Maybe):
            return False
        if not isinstance(base, nodes.Var):
            return True
        kind = self.builder.types.get(base.name, base.type)
        if any(isinstance(k, List) and k.each is not None for k in (kind, base.type)):
            return True  # a copy: of its items as much was known
        mates = self.builder.all_mates(base.name)
        return any(n in self.given_lists or n in self.builder.paths for n in mates)


def _part_of(place: Place, k: int) -> Place:
    return lambda n: nodes.Index(place(n), (constant(k),))


def shape_entry(path: nodes.Expr, axis: int) -> nodes.Expr:
    """How the length of an axis is read off an array."""
    shape = nodes.Call(np.shape, "shape", (path,), form="attribute")
    return nodes.Index(shape, (constant(axis),), type=Scalar("int"))
