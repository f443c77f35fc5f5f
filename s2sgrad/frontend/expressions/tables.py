"""Floor 4: tables whose rows are tuples of several makes, as the instructions of a small machine.

`("push", 0), ("add",), ("push", 2)` has rows of two makes: `("push", k)` and `("add",)`. Which make
a row has is looked up in `(0, 1, 0)`, and k in a column of its own. So a test of `row[0]` is a
question which make it is, and behind it the row's length is known.
"""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import joined
from s2sgrad.frontend.values import Chosen, Dyn, Sequence, Static, Value, is_mixed, is_numeric
from s2sgrad.ir import nodes
from s2sgrad.ir.types import List, forget

Rows = list[tuple[Value, ...]]


class Tables(Base):
    """Rows of tables, taken at a place that a run decides, and unpacked."""

    def row_of_table(self, items: tuple[Value, ...], index: Value, node: ast.AST) -> Chosen | None:
        """One of several rows, by their makes; None where an item is no tuple of numbers, texts
        and the like, or no two are alike."""
        makes = [self._make_of(item) for item in items]
        kinds = list(dict.fromkeys(makes))
        if None in makes or not 1 < len(kinds) < len(items):
            return None
        place = Dyn(self.named(index, "place", node))
        numbers: list[Value] = [Static(kinds.index(make)) for make in makes]
        which = self.named(self._looked_up(numbers, place, node), "which", node)
        options = []
        for kind in kinds:
            first = items[makes.index(kind)]
            alike = [v if make == kind else first for v, make in zip(items, makes, strict=True)]
            options.append(self._row_of(alike, place, node))
        return Chosen(which, tuple(options))

    def _make_of(self, item: Value) -> Any:
        """What rows that are alike have in common: texts, and kinds of numbers."""
        contents = self.contents(item)
        if isinstance(contents, Sequence) and contents.kind == "tuple":
            makes = [self._make_of(v) for v in contents.items]
            return None if None in makes else (contents.made_by, *makes)
        if isinstance(item, Static) and not _is_number(item):
            return item
        return forget(self.residual(item).type) if _is_number(item) or is_numeric(item) else None

    def _row_of(self, rows: list[Value], place: Dyn, node: ast.AST) -> Value:
        """The entry of a column, or the row that entries of several make."""
        head = self.contents(rows[0])
        if not isinstance(head, Sequence):
            return (
                rows[0] if rows.count(rows[0]) == len(rows) else self._looked_up(rows, place, node)
            )
        columns = zip(*(self.static_items(row) or () for row in rows), strict=True)
        items = tuple(self._row_of(list(column), place, node) for column in columns)
        return self.new(Sequence("tuple", items, head.made_by))

    def _looked_up(self, column: list[Value], place: Dyn, node: ast.AST) -> Value:
        """`(0, 1, 0)[place]`."""
        if not all(isinstance(v, Static) for v in column):
            return self.index(self.sequence(column), place, node)
        exprs = tuple(map(self.residual, column))
        kind = forget(joined(tuple(e.type for e in exprs)))
        table = nodes.Sequence("tuple", exprs, type=List(kind))
        return Dyn(nodes.Index(table, (place.expr,), type=kind, span=self.span(node)))

    def index_mixed(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`base[index]` where either is one of several things."""
        if not is_mixed(base):
            assert isinstance(index, Chosen)
            return self.dispatch(index, lambda v: self.index(base, v, node), node)
        assert isinstance(base, Chosen)
        if (part := self._part_of_chosen(base, index)) is not None:
            return part
        return self.dispatch(base, lambda v: self.index(v, index, node), node)

    def call_of_chosen_rest(self, node: ast.Call) -> Value | None:
        """`f(*rest)` with a name that holds one of several lists: the call for each of them, on
        the path where that one is known. None for other calls."""
        for arg in node.args:
            if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Name):
                rest = self.expr(arg.value)
                if isinstance(rest, Chosen) and any(
                    v is not rest.options[-1] for v in rest.options
                ):
                    return self.dispatch(rest, lambda _: self.expr(node), node)
        return None

    def _part_of_chosen(self, chosen: Chosen, index: Value) -> Value | None:
        """`row[0]` of one of several tuples, where it is a text in one of them: what a test says
        of it tells of the row."""
        rows = [self.static_items(v) for v in chosen.options]
        place = self.constant_value(index)
        if type(place) is not int or None in rows:
            return None
        if not all(-len(row) <= place < len(row) for row in rows if row is not None):
            return None
        column = tuple(row[place] for row in rows if row is not None)
        if all(v == column[0] for v in column):
            return column[0]
        telling = any(isinstance(v, Static) and not _is_number(v) for v in column)
        return Chosen(chosen.which, column, chosen.numbers) if telling else None


def _is_number(value: Value) -> bool:
    return isinstance(value, Static) and type(value.value) in (int, float, complex, bool)
