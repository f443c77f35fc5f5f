"""Floor 4: unpacking: names for the parts of a tuple, list or array."""

from __future__ import annotations

import ast

from s2sgrad.analysis.list_counts import counted
from s2sgrad.analysis.relations import value_of
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import FALL
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Generator,
    Iterator,
    Sequence,
    Static,
    Value,
    is_mixed,
    is_none,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.item_sizes import length_of
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import Array, Bottom, List, Number, Opaque, Scalar, Tuple, unfolded


class Unpacking(Base):
    """Lowering of targets that are several names."""

    def unpack(self, elements: list[ast.expr], value: Value, node: ast.stmt) -> None:
        """Bind names to the parts of a value."""
        if is_mixed(value):
            self._unpack_chosen(value, elements, node)
            return
        value = self.items_of(self.all_left(value, node), node)
        if isinstance(value, Generator):
            value = self.comprehend_value(value, node)
        star = next((i for i, e in enumerate(elements) if isinstance(e, ast.Starred)), None)
        value = self.not_none(value)
        if is_none(value):  # fails in Python too, unless a later attempt knows of more than None
            what = "cannot unpack non-iterable NoneType object"
            raise Fails(what, self.span(node), *say.NO_SEQUENCE)
        if isinstance(value, Dyn) and isinstance(value.type, Tuple) and star is None:
            if self._unpack_names(elements, value, node):
                return
            value = Dyn(self.named(value, "parts", node))
        items = self.iterate(value, node)
        if items is None and isinstance(value, Iterator):
            value = self.on_tuple([value], {}, node)
            items = self.iterate(value, node)
        if items is None:
            items = self._unpack_array(elements, value, star, node)
        if items is None:
            return
        self._check_count(len(items), len(elements), star is not None, node)
        if star is not None:
            after = len(elements) - star - 1
            middle = items[star : len(items) - after]
            items = [*items[:star], self.sequence(middle, "list"), *items[len(items) - after :]]
        if not all(isinstance(e, ast.Name) for e in elements) and len(items) > 1:
            items = [
                Dyn(self.named(i, "part", node))
                if isinstance(i, Dyn) and not isinstance(i.expr, nodes.Slice)
                else i
                for i in items
            ]
        targets = [e.value if isinstance(e, ast.Starred) else e for e in elements]
        self.one_by_one(items, lambda i, item: self.assign(targets[i], item, node))

    def _check_count(self, count: int, names: int, starred: bool, node: ast.stmt) -> None:
        """Raise what Python raises where a sequence has not as many parts as names wait for."""
        least = names - starred
        if count == names or (starred and count >= least):
            return
        what = f"not enough values to unpack (expected {'at least ' * starred}{least}, got {count})"
        if count > least:
            what = f"too many values to unpack (expected {least})"
        raise self._other_count(what, node)

    def _other_count(self, what: str, node: ast.stmt) -> Fails:
        failed = Fails(what, self.span(node), *say.OTHER_COUNT)
        failed.raises = ValueError
        return failed

    def _ask_count(self, base: Dyn, names: int, starred: bool, node: ast.stmt) -> None:
        """Add the error of Python's for a length that only a run knows: items are taken one by one,
        which would leave the others out."""
        least = names - starred
        size = length_of(base.type) if isinstance(base.type, Array) else None
        if isinstance(base.expr, nodes.Var) and isinstance(base.type, List):
            filled = counted(base.expr, self.builder.block)
            size = None if filled is None else filled.count
        surely = isinstance(base.type, Number | Bottom) or not least
        given = None if size is None else value_of(size, self.letters.actual)
        if surely or size == of(least) or (starred and given is not None):
            return  # a subscript beside an argument is an error of its own
        length = self.call(Static(len, "len"), [base], {}, node)
        test = self.compare("<" if starred else "!=", length, Static(least), node)
        wanted = f"at least {least}" if starred else str(least)
        few = "not enough" if starred else "too many, or not enough,"

        def fails() -> str:
            raise self._other_count(f"{few} values to unpack (expected {wanted})", node)

        self.choose(self.residual(test, node), fails, lambda: FALL, node)

    def _unpack_chosen(self, value: Value, elements: list[ast.expr], node: ast.stmt) -> None:
        """One of several things: parts of one of several tuples, or names on each one's path."""
        assert isinstance(value, Chosen)
        if self._parts_of_chosen(value, elements, node):
            return

        def run(option: Value) -> Value:
            self.unpack(elements, option, node)
            return Static(None)

        self.dispatch(value, run, node)

    def _unpack_names(self, elements: list[ast.expr], value: Dyn, node: ast.stmt) -> bool:
        """`q, r = f(x)` stays one statement where all targets are names."""
        names = [e.id for e in elements if isinstance(e, ast.Name)]
        kinds = tuple(map(unfolded, value.type.items))  # type: ignore[attr-defined]
        if len(names) != len(elements) or len(names) != len(kinds):
            return False
        made = [self.builder.fresh(n, k) for n, k in zip(names, kinds, strict=True)]
        targets = tuple(m.name for m in made)
        self.builder.emit(nodes.Unpack(targets, value.expr, span=self.span(node)))
        for name, var in zip(names, made, strict=True):
            self.set_name(name, Dyn(var))
        return True

    def _unpack_array(
        self, elements: list[ast.expr], value: Value, star: int | None, node: ast.stmt
    ) -> list[Value] | None:
        """Items of an array or list taken by position; a starred name gets a slice."""
        known = Array | List | Number | Bottom  # bottom: of a recursion, at first
        if not isinstance(value, Dyn) or not isinstance(value.type, known):
            raise self.refuse("can't unpack this", node, *say.NO_SEQUENCE)
        base = Dyn(self.named(value, "parts", node))
        if star is None:
            self.relate_count(value.type, len(elements), node)
            self._ask_count(base, len(elements), False, node)
            return [self.index(base, Static(i), node) for i in range(len(elements))]
        self._ask_count(base, len(elements), True, node)
        after = len(elements) - star - 1
        upper = nodes.Const(-after, type=Scalar("int", None, -after)) if after else None
        part = nodes.Slice(
            nodes.Const(star, type=Scalar("int", None, star)), upper, None, type=Opaque("slice")
        )
        middle = self.index(base, Dyn(part), node)
        if isinstance(value.type, Array | Number):
            middle = self.call(Static(list, "list"), [middle], {}, node)
        front = [self.index(base, Static(i), node) for i in range(star)]
        back = [self.index(base, Static(i - after), node) for i in range(after)]
        starred = elements[star]
        assert isinstance(starred, ast.Starred)
        for element, item in zip(
            [*elements[:star], *elements[star + 1 :]], [*front, *back], strict=True
        ):
            self.assign(element, item, node)
        self.assign(starred.value, middle, node)
        return None

    def _parts_of_chosen(self, chosen: Chosen, elements: list[ast.expr], node: ast.stmt) -> bool:
        """`op, *args = row` of one of several tuples: names of the parts, of which a run knows
        as much as of the row. False where not all fit."""
        star = next((i for i, e in enumerate(elements) if isinstance(e, ast.Starred)), None)
        rows = [self.contents(v) for v in chosen.options]
        parts = []
        for row in rows:
            if not isinstance(row, Sequence):
                return False
            items = list(row.items)
            if star is not None and len(items) >= len(elements) - 1:
                end = len(items) - (len(elements) - star - 1)
                items[star:end] = [self.sequence(items[star:end], "list")]
            if len(items) != len(elements):
                return False
            parts.append(items)
        for element, column in zip(elements, zip(*parts, strict=True), strict=True):
            same = all(v == column[0] for v in column)
            value = column[0] if same else Chosen(chosen.which, column, chosen.numbers)
            self.assign(element.value if isinstance(element, ast.Starred) else element, value, node)
        return True
