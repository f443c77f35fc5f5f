"""Floor 5: reverse of list methods. The cotangent of a list is a list, changed back in step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import s2sgrad_runtime
from s2sgrad.analysis.effects import root
from s2sgrad.analysis.indexing import constant_of, size_of
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import never_negative
from s2sgrad.ir.carrying import holds_constants
from s2sgrad.ir.nodes import Call, Expr, Stmt, Var
from s2sgrad.ir.types import INT, Array, Dict, Number, Scalar, Tuple
from s2sgrad.transform.reverse.adjoint import Adjoint
from s2sgrad.transform.reverse.shadow_kinds import entry_type, is_leaf
from s2sgrad.transform.writing import build
from s2sgrad_runtime import stack_bar

Pair = tuple[list[Stmt], list[Stmt]]


class ListReversal:
    """The part of the reversal that deals with methods of lists."""

    facts: Any
    bars: Any
    plan: Any
    saved: Any
    shadow_names: frozenset[str]
    restore_names: Any

    def mutate(self, stmt: nodes.Mutate) -> Pair:
        """Reverse a method call that changes a list. What the name of a popped item held before
        comes back last: until then the name stands for the item."""
        save, restore = self.restore_names(stmt, nodes.targets_of(stmt))
        forward, back = self._changed(stmt)
        return [*save, *forward], [*back, *restore]

    def _changed(self, stmt: nodes.Mutate) -> Pair:
        owner = self.bars.owner(stmt.base)
        kind = entry_type(stmt.base.type, *stmt.args[:1] or (constant(0),))
        numbers = is_leaf(kind)
        if stmt.method in ("append", "insert"):  # a list may stand where tuples are known to
            among = isinstance(kind, Number) or isinstance(stmt.args[-1].type, Tuple)
            numbers = numbers or among  # a number among arrays, a tuple among lists
            numbers = numbers and is_leaf(stmt.args[-1].type)
        if numbers and owner in self.shadow_names:
            return [stmt], []  # undone with the list that it is the shadow of
        active = owner in self.facts.activity.variables and (
            self.bars.is_set(owner) or (stmt.method == "pop" and self.bars.is_set(stmt.target))
        )
        save, undo = self._undo(stmt)
        if owner in self.facts.shadows and (not numbers or holds_constants(stmt.base.type)):
            return [*save, stmt], undo  # the shadow is undone by itself, or never changed
        if not active:
            return [*save, stmt], undo
        own = self.bars.own(owner)
        bar = self.bars.place(stmt.base)
        handler = getattr(self, f"_{stmt.method}", None)
        if handler is None:
            raise UnsupportedError(
                f"list.{stmt.method} has no derivative here",
                stmt.span,
                "the cotangent of a list follows append, extend, insert, pop and assignments "
                "to items",
                "write it with these",
            )
        return [*save, stmt], [*own, *undo, *handler(stmt, bar)]

    def _undo(self, stmt: nodes.Mutate) -> Pair:
        """Bring the list itself back to what it was, where earlier reverse code reads it."""
        name = root(stmt.base)
        if name is None or not self.plan.must_save(stmt, name):
            return [], []
        base = stmt.base
        match stmt.method:
            case "append":
                return [], [nodes.Mutate(base, "pop", ())]
            case "insert":
                return [], [nodes.Mutate(base, "pop", (_inserted(stmt.args[0], base),))]
            case "pop":
                push, value = self._popped(stmt, name)
                if isinstance(base.type, Dict):
                    return push, [nodes.Store(base, stmt.args[:1], value)]
                return push, [_put_back(base, stmt.args, value)]
            case "reverse":
                return [], [nodes.Mutate(base, "reverse", ())]
        copy = Call(list, "list", (base,), type=base.type)
        push, old = self.saved(stmt.span, copy, name)
        full = nodes.Slice(None, None, None)
        return push, [nodes.Store(base, (full,), old)]

    def _popped(self, stmt: nodes.Mutate, name: str) -> tuple[list[Stmt], Expr]:
        """What a list or dict gave away; the shadow of numbers gives it no name."""
        if stmt.target is not None:
            return [], Var(stmt.target, type=self.facts.types[stmt.target])
        kind: Any = stmt.base.type
        entry = nodes.Index(stmt.base, stmt.args[:1] or (build.number(-1),), type=kind.item)
        return self.saved(stmt.span, entry, name)  # type: ignore[no-any-return]

    def _added(self, expr: Expr, bar: Expr, before: list[Stmt]) -> list[Stmt]:
        adjoint = Adjoint(self.facts)
        adjoint.push(expr, bar)
        result = [*before, *adjoint.temps]
        for add in adjoint.adds:
            result += self.bars.add(add.place, add.value)
        return result

    def _take_back(
        self, stmt: nodes.Mutate, bar: Expr, item: Expr, args: tuple[Expr, ...]
    ) -> list[Stmt]:
        """Take an entry's cotangent out of the list's, and give it to the item."""
        adjoint = Adjoint(self.facts)
        if not adjoint.active(item):
            return [nodes.Mutate(bar, "pop", args)]
        name = self.facts.names.fresh("item_bar")
        self.facts.types[name] = item.type
        taken = nodes.Mutate(bar, "pop", args, name)
        return self._added(item, Var(name, type=item.type), [taken])

    def from_shadow(self, stmt: nodes.Store, place: Expr) -> list[Stmt]:
        """A write of an entry, whose shadow's list has been changed beside it: what was put there
        shares its cotangent, but for a tuple of numbers among lists, which gets it here."""
        value = stmt.value
        if not (isinstance(value.type, Tuple | Scalar) and is_leaf(value.type)):
            return []
        if not Adjoint(self.facts).active(value):
            return []
        name = self.facts.names.fresh("item_bar")
        self.facts.types[name] = value.type
        entry = replace(self.bars.place(place), type=value.type)
        taken = nodes.Assign((name,), (entry,))
        return self._added(value, Var(name, type=value.type), [taken])

    def _append(self, stmt: nodes.Mutate, bar: Expr) -> list[Stmt]:
        return self._take_back(stmt, bar, stmt.args[0], ())

    def _insert(self, stmt: nodes.Mutate, bar: Expr) -> list[Stmt]:
        return self._take_back(stmt, bar, stmt.args[1], (_inserted(stmt.args[0], bar),))

    def _pop(self, stmt: nodes.Mutate, bar: Expr) -> list[Stmt]:
        """The popped item's cotangent goes back into the list's."""
        assert stmt.target is not None
        if self.bars.is_set(stmt.target):
            value: Expr = self.bars.variable(stmt.target)
            del self.bars.state[stmt.target]
        else:
            value = self.bars.zero(stmt.target)
        if isinstance(stmt.base.type, Dict):
            return [nodes.Store(bar, stmt.args, value)]
        return [_put_back(bar, stmt.args, value)]

    def _clear(self, stmt: nodes.Mutate, bar: Expr) -> list[Stmt]:
        """Zeros for what there was."""
        zeros = Call(s2sgrad_runtime.zeros_like, "zeros_like", (stmt.base,), type=stmt.base.type)
        return [nodes.Mutate(bar, "extend", (zeros,))]

    def _reverse(self, stmt: nodes.Mutate, bar: Expr) -> list[Stmt]:
        return [nodes.Mutate(bar, "reverse", ())]

    def _extend(self, stmt: nodes.Mutate, bar: Expr) -> list[Stmt]:
        """The last entries are the extension's. There may be none: `bar[-0:]` would be all."""
        items = stmt.args[0]
        count = Call(len, "len", (items,), type=Scalar("int"))
        adjoint = Adjoint(self.facts)
        start = build.binary("-", _length(bar), count)
        tail = nodes.Slice(start, None, None)
        if isinstance(items, nodes.Sequence):
            start = constant(-len(items.items))  # type: ignore[assignment]
            tail = nodes.Slice(start, None, None)
            if not items.items:
                return []
        taken = adjoint.bind("items_bar", nodes.Index(bar, (tail,), type=bar.type))
        adjoint.temps.append(nodes.Do(nodes.Text(("del ", ""), (nodes.Index(bar, (tail,)),))))
        if isinstance(items.type, Array):
            taken = Call(stack_bar, "stack_bar", (taken, items), type=items.type)
        adjoint.push(items, taken)
        result = list(adjoint.temps)
        for add in adjoint.adds:
            result += self.bars.add(add.place, add.value)
        return result


def _put_back(base: Expr, args: tuple[Expr, ...], value: Expr) -> Stmt:
    """The reverse of `base.pop(*args)`, which gave this value."""
    if not args or constant_of(args[0]) == -1:
        return nodes.Mutate(base, "append", (value,))
    place = args[0]
    known = constant_of(place)
    if type(known) is int:
        place = constant(known + 1 if known < 0 else known)
    elif not _counts(place):
        place = build.binary("%", place, build.binary("+", _length(base), build.number(1)))
    return nodes.Mutate(base, "insert", (place, value))


def _inserted(place: Expr, base: Expr) -> Expr:
    """Where `base.insert(place, ...)` has put the entry: places beyond the ends are the ends."""
    if build.is_number(place, 0):
        return place
    last = build.binary("-", _length(base), build.number(1))
    from_start = Call(min, "min", (place, last), type=INT)
    if _counts(place):
        return from_start
    from_end = Call(max, "max", (build.binary("+", place, last), build.number(0)), type=INT)
    known = constant_of(place)
    if type(known) is int:
        return from_end
    test = build.binary("<", place, build.number(0))
    return nodes.Choice(test, from_end, from_start, type=INT)


def _length(base: Expr) -> Expr:
    return Call(len, "len", (base,), type=INT)


def _counts(place: Expr) -> bool:
    """Whether a number is surely not negative, by its look."""
    value, size = constant_of(place), size_of(place)
    if type(value) is int:
        return value >= 0
    if size is not None:
        return never_negative(size)
    if isinstance(place, Call) and place.text in ("+", "*", "//", "%"):
        return all(map(_counts, place.args))
    return isinstance(place, Call) and place.function is len
