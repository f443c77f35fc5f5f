"""Floor 5: reverse of writes in place: `a[i] = e`, `a[i] += e`, `y *= e`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import rule_of_call
from s2sgrad.analysis.dict_entries import surely_there
from s2sgrad.analysis.effects import gives_view, root
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import (
    BOOL,
    NONE,
    Array,
    Dict,
    List,
    Maybe,
    Number,
    Scalar,
    Tuple,
    carries,
)
from s2sgrad.rules.methods import OPERATORS
from s2sgrad.transform.reverse.adjoint import Add, Adjoint, combined
from s2sgrad.transform.reverse.shadow_bars import all_different, repeats
from s2sgrad.transform.reverse.shadow_kinds import replaces_entry
from s2sgrad.transform.reverse.updates import as_increment, update_of
from s2sgrad.transform.saving.needs import RESULT
from s2sgrad.transform.saving.rows import RowReversal
from s2sgrad.transform.writing import build

Pair = tuple[list[Stmt], list[Stmt]]


class StoreReversal(RowReversal):
    """The part of the reversal that deals with writes in place."""

    facts: Any
    bars: Any
    plan: Any
    effects: Any
    saved: Any
    shadow_names: frozenset[str]
    from_shadow: Any

    def store(self, stmt: nodes.Store) -> Pair:
        """Reverse a write in place."""
        place = self._place(stmt)
        owner = self.bars.owner(place)
        if owner in self.shadow_names and not replaces_entry(stmt):
            return [stmt], []  # a zero for a new number: taken out by the number's own reverse code
        save, restore = self._save_region(stmt, place)
        if owner not in self.facts.activity.variables or not self.bars.is_set(owner):
            return [*save, stmt], restore
        if owner in self.facts.shadows and replaces_entry(stmt):
            return [*save, stmt], [*self.from_shadow(stmt, place), *restore]
        part = isinstance(stmt.base.type, List) and any(nodes.is_slice(p) for p in stmt.index)
        if part and _same_length(stmt.value):
            return [*save, stmt], [*self.bars.own(owner), *self._list_part(stmt, place, restore)]
        if part:
            raise UnsupportedError(
                "assigning to a slice of a list",
                stmt.span,
                "the list may change its length",
                "assign item by item, or use an array",
            )
        own = [*self.bars.own(owner), *self.bars.as_array(stmt, owner)]
        step = as_increment(stmt, place)
        if step.op in ("+", "-", "+at", "-at"):
            back = [*restore, *self._increment(step, place)]
        elif stmt.op in ("", "="):
            back = self._overwrite(stmt, place, restore)
        else:
            back = self._update(stmt, place, restore)
        return [*save, stmt], [*own, *back]

    def _list_part(self, stmt: nodes.Store, place: Expr, restore: list[Stmt]) -> list[Stmt]:
        """`items[1:] = accumulate(items[1:], others)`: as many entries as before."""
        adjoint = Adjoint(self.facts, above=self.bars.above)
        bar = self.bars.place(place)
        held = adjoint.bind(f"{self.bars.owner(place)}_part_bar", bar)  # a new list
        zeros = Call(s2sgrad_runtime.zeros_like, "zeros_like", (bar,), type=bar.type)
        adjoint.temps.append(nodes.Store(bar.base, bar.index, zeros))  # type: ignore[attr-defined]
        adjoint.push(stmt.value, held)
        result = [*restore, *adjoint.temps]
        for add in combined(adjoint.adds):
            result += self.bars.add(add.place, add.value)
        return result

    def _cotangent(self, place: Expr) -> Expr:
        """The cotangent of what is written to a place; of several writes the last one counts."""
        bar = self.bars.place(place)
        if not isinstance(bar, Index) or not repeats(bar) or all_different(bar):
            return bar
        if isinstance(bar.base.type, List | Dict):
            return bar
        parts = tuple(map(_as_value, bar.index))
        kind = Tuple(tuple(p.type for p in parts))
        index = parts[0] if len(parts) == 1 else nodes.Sequence("tuple", parts, type=kind)
        helper = s2sgrad_runtime.kept_writes
        return Call(helper, "kept_writes", (bar.base, index), type=bar.type)

    def _place(self, stmt: nodes.Store) -> Expr:
        if not stmt.index:
            return stmt.base
        return build.index(stmt.base, *stmt.index)

    def _save_region(self, stmt: nodes.Store, place: Expr) -> Pair:
        """Save what is overwritten, where earlier reverse code reads the array."""
        name = root(stmt.base)
        if name is None or not self.plan.must_save(stmt, name):
            return [], []
        there = self._was_there(stmt)
        if there is None:
            return self._save_entry(stmt, name)
        if not there:
            return [], [nodes.Mutate(stmt.base, "pop", stmt.index)]
        value = place
        fresh = isinstance(place, Index) and repeats(place) and not gives_view(place)
        kept = isinstance(place.type, Scalar) or isinstance(stmt.base.type, List | Dict)
        kept = kept or not isinstance(place.type, Array | Number)  # a new tree takes its place
        row = None if fresh or kept else self.saved_row(stmt, name, place)
        if row is not None:
            return [row[0]], [nodes.Store(stmt.base, stmt.index, row[1])]
        if not fresh and not kept:
            value = _copied(place)
        push, old = self.saved(stmt.span, value, name)
        back: list[Stmt] = [nodes.Store(stmt.base, stmt.index, old)]
        return push, back

    def _was_there(self, stmt: nodes.Store) -> bool | None:
        """Whether an entry of a dict was there, where that is known; all other places are."""
        kind = stmt.base.type
        if not isinstance(kind, Dict) or surely_there(kind, stmt.index[0]):
            return True
        return self.facts.entries.get(id(stmt))

    def _save_entry(self, stmt: nodes.Store, name: str) -> Pair:
        """An entry of a dict: None where there was none, which the reverse sweep takes out.

        Where entries may be None themselves, it is saved too whether there was one; a field of an
        object that holds None is as good as none.
        """
        entry = infer_index(stmt.base.type, stmt.index)
        unclear = isinstance(entry, Maybe) or entry == NONE
        kind = entry if isinstance(entry, Maybe) else Maybe(entry)
        value = Call("get", "get", (stmt.base, *stmt.index), form="method", type=kind)
        push, kept = self.saved(stmt.span, value, name)
        if unclear and stmt.base.type.made_by is not None:  # type: ignore[attr-defined]
            return push, [nodes.Store(stmt.base, stmt.index, kept)]
        old = Var(self.facts.names.fresh(f"{name}_entry"), type=kind)
        self.facts.types[old.name] = kind
        removed = nodes.Mutate(stmt.base, "pop", stmt.index)
        put = nodes.Store(stmt.base, stmt.index, old if unclear else replace(old, type=kind.item))
        before = nodes.Assign((old.name,), (kept,))
        if unclear:
            there = Call("in", "in", (stmt.index[0], stmt.base), form="operator", type=BOOL)
            noted, was_there = self.saved(stmt.span, there, f"{name}_had")
            return [*push, *noted], [before, nodes.If(was_there, (put,), (removed,))]
        none = nodes.Const(None, type=NONE)
        absent = Call("is", "is", (old, none), form="operator", type=BOOL)
        return push, [before, nodes.If(absent, (removed,), (put,))]

    def _overwrite(self, stmt: nodes.Store, place: Expr, restore: list[Stmt]) -> list[Stmt]:
        """base[index] = value: the value takes the cotangent, and the place forgets it."""
        bar = self._cotangent(place)
        adjoint = Adjoint(self.facts, above=self.bars.above)
        clear = self._cleared(stmt, place)
        if not adjoint.active(stmt.value):
            return [*restore, *clear]
        before: list[Stmt] = []
        adjoint.results[id(stmt.value)] = self._new_value(stmt, place, restore, before)
        own, memory = self.bars.owner(place), self.bars.memory(place)
        taken = bar
        adjoint.push(stmt.value, _fitted(adjoint, taken, stmt.value, place))
        adds = combined(adjoint.adds)
        same = [a for a in adds if self.bars.resolved(a.place) == self.bars.resolved(place)]
        others = [a for a in adds if a not in same]
        if len(same) == 1 and not others and not adjoint.temps and taken is bar:
            return [*before, *restore, self._replaced(place, same[0].value)]
        if taken is bar and (any(self.bars.memory(a.place) == memory for a in adds) or same):
            written = adjoint.results[id(stmt.value)]
            return [*before, *restore, *self._held(stmt, place, bar, own, written)]
        result = [*before, *restore, *self._fixed(adjoint)]
        for add in others:
            result += self.bars.add(add.place, add.value)
        return [*result, *clear]

    def _cleared(self, stmt: nodes.Store, place: Expr) -> list[Stmt]:
        """The place forgets what was written: zeros for what is there again."""
        if root(stmt.base) in self.plan.filled:
            return []  # nothing was there
        kind = place.type.item if isinstance(place.type, Maybe) else place.type
        same = isinstance(kind, Scalar) or build.same_shape(stmt.value.type, kind)
        same = same or not carries(kind)
        if same or not stmt.index or not isinstance(stmt.base.type, List | Dict):
            return self.bars.clear(place)
        like = place
        there = self._was_there(stmt)
        if there is False and isinstance(bar := self.bars.place(place), Index):
            return [nodes.Mutate(bar.base, "pop", bar.index)]
        if there is None:
            args = (stmt.base, *stmt.index)
            like = Call("get", "get", args, form="method", type=place.type)
        return self.bars.clear(place, like)

    def _held(
        self, stmt: nodes.Store, place: Expr, bar: Expr, own: str, written: Expr
    ) -> list[Stmt]:
        """The value reads the array itself: take its cotangent out before anything is added."""
        adjoint = Adjoint(self.facts, above=self.bars.above)
        held = adjoint.bind(f"{own}_part_bar", _copied(bar))
        adjoint.temps += self._cleared(stmt, place)
        adjoint.results[id(stmt.value)] = written
        adjoint.push(stmt.value, _fitted(adjoint, held, stmt.value, place))
        return self._spread(place, adjoint.temps, combined(adjoint.adds))

    def _new_value(
        self, stmt: nodes.Store, place: Expr, restore: list[Stmt], before: list[Stmt]
    ) -> Expr:
        """What the store wrote, where the reverse code may read it."""
        if not restore or not _reads_result(stmt.value):
            return replace(place, span=RESULT)
        name = self.facts.names.fresh("stored")
        self.facts.types[name] = place.type
        before.append(nodes.Assign((name,), (_copied(place),)))
        return Var(name, type=place.type)

    def _replaced(self, place: Expr, value: Expr) -> Stmt:
        """`place_bar = value`, as `place_bar /= x` where it reads so."""
        target = self.bars.place(place)
        if isinstance(value, Call) and value.form == "operator" and len(value.args) == 2:
            if value.args[0] == target and value.text in ("*", "/"):
                return update_of(target, value.text, value.args[1])
            if value.args[1] == target and value.text == "*":
                return update_of(target, "*", value.args[0])
        return self._written(target, place, value)

    def _written(self, target: Expr, place: Expr, value: Expr) -> Stmt:
        """`target = value`, where target is the cotangent of a place."""
        if not isinstance(target, Index) or self.bars.in_place(place):
            return nodes.Store(target, (), value)
        return nodes.Store(target.base, target.index, value)

    def _increment(self, stmt: nodes.Store, place: Expr) -> list[Stmt]:
        """base[index] += value: the value takes the cotangent, the place keeps it."""
        adjoint = Adjoint(self.facts, above=self.bars.above)
        if not adjoint.active(stmt.value):
            return []
        bar = self.bars.place(place) if stmt.op.endswith("at") else self._cotangent(place)
        own = self.bars.owner(place)
        result = self._pushed(stmt, place, bar, adjoint)
        touched = [a for a in result if self.bars.memory(a.place) == self.bars.memory(place)]
        plain = [a for a in result if _contains(a.value, bar)]
        if touched and ((len(result) > 1 and plain) or self._views(adjoint)):
            adjoint = Adjoint(self.facts, above=self.bars.above)
            held = adjoint.bind(f"{own}_part_bar", _copied(bar))
            result = self._pushed(stmt, place, held, adjoint)
        self.bars.views |= self._views(adjoint)
        statements = list(adjoint.temps)
        for add in result:
            statements += self.bars.add(add.place, add.value)
        return statements

    def _views(self, adjoint: Adjoint) -> set[str]:
        """Temporaries that are views of cotangents which go on changing."""
        found: set[str] = set()
        for stmt in adjoint.temps:
            if isinstance(stmt, nodes.Assign) and not isinstance(stmt.values[0].type, Scalar):
                value = stmt.values[0]
                if shares_memory(value) and nodes.names_in(value) & (self.bars.buffers | found):
                    found.add(stmt.targets[0])
        return found

    def _fixed(self, adjoint: Adjoint) -> list[Stmt]:
        """The temporaries, copied where they would be views of what is about to change."""
        views = self._views(adjoint)
        result: list[Stmt] = []
        for stmt in adjoint.temps:
            if isinstance(stmt, nodes.Assign) and stmt.targets[0] in views:
                stmt = replace(stmt, values=(_copied(stmt.values[0]),))
            result.append(stmt)
        return result

    def _pushed(self, stmt: nodes.Store, place: Expr, bar: Expr, adjoint: Adjoint) -> list[Add]:
        if stmt.op.startswith("-"):
            bar = build.negate(bar)
        adjoint.push(stmt.value, adjoint.fit(bar, stmt.value, place))
        return combined(adjoint.adds)

    def _update(self, stmt: nodes.Store, place: Expr, restore: list[Stmt]) -> list[Stmt]:
        """base[index] *= value and its kin: the operator's rule on the old value."""
        own, memory = self.bars.owner(place), self.bars.memory(place)
        adjoint = Adjoint(self.facts, above=self.bars.above)
        old = place
        call = Call(
            OPERATORS[stmt.op], stmt.op, (old, stmt.value), form="operator", type=place.type
        )
        before: list[Stmt] = []
        written = self._new_value(replace(stmt, value=call), place, restore, before)
        adjoint.results[id(call)] = written
        bar = self._cotangent(place)
        adjoint.push(call, bar)
        adds = combined(adjoint.adds)
        same = [a for a in adds if self.bars.resolved(a.place) == self.bars.resolved(place)]
        others = [a for a in adds if a not in same]
        if len(same) == 1 and not any(self.bars.memory(a.place) == memory for a in others):
            result = [*before, *restore, *self._fixed(adjoint)]
            for add in others:
                result += self.bars.add(add.place, add.value)
            return [*result, self._replaced(place, same[0].value)]
        adjoint = Adjoint(self.facts, above=self.bars.above)
        held = adjoint.bind(f"{own}_part_bar", _copied(bar))
        adjoint.temps += self.bars.clear(place)
        if before:
            (name,) = nodes.targets_of(before[0])
            written = Var(name, type=place.type)
        adjoint.results[id(call)] = written
        adjoint.push(call, held)
        adds = combined(adjoint.adds)
        return [*before, *restore, *self._spread(place, adjoint.temps, adds)]

    def _spread(self, place: Expr, temps: list[Stmt], adds: list[Add]) -> list[Stmt]:
        """Additions after a place was cleared: its own one is an assignment."""
        same = [a for a in adds if self.bars.resolved(a.place) == self.bars.resolved(place)]
        result = list(temps)
        if len(same) == 1:
            result = [s for s in result if not self._clears(s, place)]
            result.append(self._written(self.bars.place(place), place, same[0].value))
            adds = [a for a in adds if a is not same[0]]
        for add in adds:
            result += self.bars.add(add.place, add.value)
        return result

    def _clears(self, stmt: Stmt, place: Expr) -> bool:
        """Whether a statement puts zeros at the place, whatever they are made like."""
        (zeros,) = self.bars.clear(place)
        if not isinstance(stmt, nodes.Store) or not isinstance(zeros, nodes.Store):
            return False
        alike = (stmt.base, stmt.index) == (zeros.base, zeros.index)
        return stmt == zeros or (alike and getattr(stmt.value, "function", None) is _ZEROS)


_ZEROS = s2sgrad_runtime.zeros_like


def _same_length(value: Expr) -> bool:
    """Whether a list is made entry by entry from the part of a list that it replaces."""
    helpers = (s2sgrad_runtime.accumulate, s2sgrad_runtime.zeros_like)
    return isinstance(value, Call) and value.function in helpers


def _as_value(part: Expr) -> Expr:
    """A subscript part as a value: `1:3` is `slice(1, 3, None)`."""
    if not isinstance(part, nodes.Slice):
        return part
    nothing = nodes.Const(None)
    bounds = tuple(p or nothing for p in (part.lower, part.upper, part.step))
    return Call(slice, "slice", bounds, type=part.type)


def _reads_result(expr: Expr) -> bool:
    if not isinstance(expr, Call):
        return False
    rule = rule_of_call(expr)
    return rule is not None and any("y" in p.reads for p in rule.partials.values())


def _copied(expr: Expr) -> Expr:
    if isinstance(expr.type, Scalar) or not shares_memory(expr):
        return expr
    if not isinstance(expr.type, Array):  # a container, or a number
        return Call(s2sgrad_runtime.copy_tree, "copy_tree", (expr,), type=expr.type)
    return Call(np.copy, "copy", (expr,), form="method", type=expr.type)


def _contains(expr: Expr, part: Expr) -> bool:
    return any(node == part for node in nodes.walk(expr))


def _fitted(adjoint: Adjoint, bar: Expr, value: Expr, place: Expr) -> Expr:
    """The cotangent of a value that was spread over a place; trees are not spread."""
    tree = isinstance(place.type, List | Tuple | Dict | Maybe)
    return bar if tree else adjoint.fit(bar, value, place)
