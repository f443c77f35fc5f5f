"""Floor 4: equations between sizes, supposed where an operation needs them.

Lowering starts again with the equation, so that every type agrees with it; the calls that may use
the code are checked (`Lowered.relations`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.indexing import infer_index, not_none
from s2sgrad.analysis.infer import infer_call
from s2sgrad.analysis.memory import is_view
from s2sgrad.analysis.object_arrays import refuse_numbers
from s2sgrad.analysis.relations import (
    Relations,
    different,
    divisor,
    mismatches,
    multiple,
    needed,
    solved,
    unknown,
    value_of,
)
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.holding import grown, links_of, type_now
from s2sgrad.frontend.scopes import waits
from s2sgrad.frontend.waiting import compute_waiting
from s2sgrad.ir import nodes
from s2sgrad.ir.nested import holds_itself
from s2sgrad.ir.sizes import Shape, Size, of
from s2sgrad.ir.types import (
    Array,
    Dict,
    List,
    Opaque,
    Scalar,
    Tuple,
    Type,
    carries,
    shape_of,
)

MANY = 12  # equations of one function, beyond which sizes are left unknown


class Supposed(Exception):
    """Start again: these letters are equal to these sizes."""

    def __init__(self, relations: Relations) -> None:
        super().__init__()
        self.relations = relations


class Relating(Base):
    """The part of the lowering that finds equations between sizes."""

    def suppose(self, pairs: Iterable[tuple[Size, Size]]) -> None:
        """Start again with the first equation that holds in the call that is compiled."""
        if len(self.letters.relations) >= MANY:
            return
        for p, q in pairs:
            found = solved(p, q, self.letters.actual)
            if found is not None:
                raise Supposed(found)

    def relate_operands(self, kinds: Iterable[Type]) -> None:
        """Operands of an elementwise operation have equal sizes, or size 1."""
        self.suppose(mismatches(map(shape_of, kinds)))

    def emit_failing(self, expr: nodes.Call) -> None:
        """Add an operation whose operands don't fit together in the call at hand.

        NumPy says so when it runs, though the gradient may need no value of it.
        """
        shapes = [shape_of(display_type(a)) for a in expr.args]
        if isinstance(expr.function, np.ufunc) and not expr.function.signature:
            pairs = [p for p in mismatches(shapes) if 1 not in map(self._actually, p)]
        elif expr.function in (np.dot, np.matmul) and len(shapes) == 2:
            pairs = _inner_lengths(*shapes)
        else:
            return
        numbers = [set(map(self._actually, pair)) for pair in pairs]
        if any(len(n) == 2 and None not in n for n in numbers):
            self.builder.emit(nodes.Do(expr, span=expr.span))

    def emit_beyond(self, entry: nodes.Index, shape: Shape | None) -> None:
        """Add a subscript whose literal numbers lie beside the array in the call at hand."""
        for size, part in zip(shape or (), entry.index, strict=False):
            number = part.value if isinstance(part, nodes.Const) else None
            length = None if size is None else self._actually(size)
            if type(number) is not int or length is None:
                return
            if not -length <= number < length:
                self.builder.emit(nodes.Do(entry, span=entry.span))
                return

    def _actually(self, size: Size) -> int | None:
        return value_of(size, self.letters.actual)

    def relate_quotient(self, function: Any, kinds: list[Type]) -> None:
        """`len(x) // 2` is a size where it is exact; so is `len(x) // heads`, for as many heads as
        this call has."""
        if function is not np.floor_divide or len(self.letters.relations) >= MANY:
            return
        size, number = (k.size if isinstance(k, Scalar) else None for k in kinds)
        value = kinds[1].value if isinstance(kinds[1], Scalar) else None
        found = None
        if size is not None and number is not None and number.constant is None:
            found = divisor(size, number, self.letters.actual)
        elif size is not None:
            value = value if number is None else number.constant
            if type(value) is int and value >= 2:
                found = multiple(size, value, self.letters.actual)
        if found is not None:
            raise Supposed(found)

    def emit_store(self, store: nodes.Store) -> None:
        """Add a write in place: what is written has the sizes of the place, or size 1."""
        store = replace(store, base=not_none(store.base))
        node = store.base.type
        if isinstance(node, Dict) and holds_itself(node, store.value.type):
            raise UnsupportedError(
                "changing a node of a linked structure",
                store.span,
                "which nodes are the same depends on the run",
                "make a new node with the new value, or keep the numbers in arrays",
            )
        refuse_numbers(node, (store.value,), store.span)
        if isinstance(node, Opaque) and carries(store.value.type):
            raise UnsupportedError(
                "writing numbers into an array with named fields, or into an unknown object",
                store.span,
                "it is not followed which of its numbers depend on what",
                "keep each field in an array of its own, or in a dict of arrays",
            )
        store = self.named_place(store)
        name = root(store.base) or ""
        for loop in self.loops:
            if loop.filling is not None:
                loop.filling.changed(name, self.state, waits(self.running, loop.node))
        place = infer_index(store.base.type, store.index) if store.index else store.base.type
        store = _of_an_array(store, node)
        put = isinstance(node, List | Dict) and store.op == ""  # an item may be of any size
        if not put:
            self.relate_operands((place, display_type(store.value)))
        if store.index and not put:
            both = (nodes.Index(store.base, store.index, type=place), store.value)
            fit = nodes.Call(np.add, "+", both, form="operator", type=place, span=store.span)
            self.emit_failing(fit)
        self.emit_change(store)

    def named_place(self, store: nodes.Store) -> nodes.Store:
        """A write into something that has a name."""
        store = replace(store, base=self._with_root(store.base))
        if root(store.base) is None:
            raise UnsupportedError(
                "writing into an array that has no name",
                store.span,
                "nothing could read what is written",
                "give the array a name before it is written",
            )
        return store

    def _with_root(self, base: nodes.Expr) -> nodes.Expr:
        """`(a if c else b)[1:]` with a name for what is chosen: it is one of the two, and no
        copy."""
        match base:
            case nodes.Choice():
                return self.builder.bind("chosen", base, base.span)
            case nodes.Index(base=inner):
                return replace(base, base=self._with_root(inner))
            case nodes.Call(args=(inner, *rest)) if is_view(base):
                return replace(base, args=(self._with_root(inner), *rest))
        return base

    def emit_change(self, stmt: nodes.Store | nodes.Mutate) -> None:
        """Add a change in place, after what was to be computed of the value before it."""
        compute_waiting(self.state, self.builder)
        self.builder.emit(stmt)
        for one, other in links_of(stmt):
            self._meet(one, other)
            self._meet(other, one)

    def _meet(self, expr: nodes.Expr, other: nodes.Expr) -> None:
        """Two expressions are the same list or dict from here on: one holds what the other does."""
        now, seen = (type_now(e, self.builder.types) for e in (expr, other))
        both = grown(now, seen)
        if both is not None and both != now:
            self.grow(expr, both)

    def relate_versions(self, kinds: Iterable[Type]) -> None:
        """Values that one variable has on different paths."""
        for a, b in combinations(kinds, 2):
            self.suppose(different(a, b))

    def relate_count(self, kind: Type, count: int, node: ast.AST) -> None:
        """An array that is unpacked has as many entries as there are names."""
        size = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
        if size is None or size == of(count):
            return
        self.suppose([(size, of(count))])
        given = value_of(size, self.letters.actual)
        surely = len(self.builder.blocks) == 1  # elsewhere a run may never come here
        if surely and given is not None and given != count:
            what = f"can't unpack {given} values into {count} names"
            raise self.refuse(what, node, *say.OTHER_COUNT)

    def relate_call(
        self, function: Any, args: tuple[Type, ...], kwargs: dict[str, Type], result: Type
    ) -> None:
        """Arguments of a library call whose result is not known, and factors of a product."""
        if function in (np.dot, np.matmul) and len(args) == 2:
            self.suppose(_inner_lengths(*map(shape_of, args)))
        if unknown(result) and self.letters.actual and len(self.letters.relations) < MANY:
            found = needed(function, args, kwargs, self.letters.actual)
            if found is not None:
                raise Supposed(found)


def _inner_lengths(left: Shape | None, right: Shape | None) -> list[tuple[Size, Size]]:
    """The lengths that a product of matrices or vectors sums over."""
    if not left or not right:
        return []
    first, second = left[-1], right[max(len(right) - 2, 0)]
    return [] if first is None or second is None else [(first, second)]


def _of_an_array(store: nodes.Store, kind: Type) -> nodes.Store:
    """A list of numbers that is written into an array becomes one: its cotangent is one too."""
    value = store.value
    display = isinstance(value, nodes.Sequence)
    if display or not isinstance(kind, Array) or not isinstance(value.type, List | Tuple):
        return store
    made = infer_call(np.array, (value.type,), {})
    array = nodes.Call(np.array, "np.array", (value,), type=made, span=value.span)
    return replace(store, value=array)


def display_type(expr: nodes.Expr) -> Type:
    """The type of an argument, with the length of a display."""
    if isinstance(expr, nodes.Sequence):
        made_by = list if expr.kind == "list" else None  # as a subscript it is an array
        return Tuple(tuple(map(display_type, expr.items)), made_by)
    return expr.type
