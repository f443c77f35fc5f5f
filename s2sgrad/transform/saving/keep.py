"""Floor 5: keeping values for the reverse sweep, bringing them back, or computing them again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import root, shared_with
from s2sgrad.errors import Span
from s2sgrad.ir import nodes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, Known, List, carries
from s2sgrad.transform.saving.deciding import (
    Again,
    again,
    kept_after_block,
    kept_because,
    place_of,
)
from s2sgrad.transform.saving.needs import shape_may_change
from s2sgrad_runtime import absent

Pair = tuple[list[Stmt], list[Stmt]]


class KeepReversal:
    """The part of the reversal that saves and restores values. plan says which."""

    facts: Any
    plan: Any
    effects: Any
    depth: int
    keepers: set[str]
    unbound: set[str]
    pending: list[Stmt]
    first: list[Stmt]
    saved_row: Any

    def _last_change(self, block: Block, name: str) -> int:
        """The position of the last statement that binds a name or writes its memory."""
        followed = self.plan.follows(name)  # only the name is kept, not the memory
        last = self.plan.last_bound if followed else self.plan.last_written
        return max(0, last(block, name, len(block) - 1))

    def bind_on_all_paths(self, name: str, block: Block, stmt: Stmt) -> None:
        """A name that some paths to a statement leave unbound is None there: it can be kept."""
        direct = any(name in nodes.targets_of(s) for s in block if not nodes.blocks(s))
        if direct or name in self.unbound or name in self.plan.given:
            return
        self.unbound.add(name)
        nothing = nodes.Assign((name,), (self._no_value(name),))
        if self.plan.loops_around(stmt) and not self.plan.bound_earlier(stmt, name):
            self.pending.append(nothing)
        elif nothing not in self.first:  # it may hold something before the loops
            self.first.append(nothing)

    def _no_value(self, name: str) -> Expr:
        """What a name holds that has no value. None would do as a subscript, and as a truth."""
        if carries(self.facts.types[name]):
            return nodes.Const(None, type=Known(None))
        text = nodes.Const(name, type=Known(name))
        return Call(absent.no_value, "no_value", (text,), type=Known(None))

    def local_save(self, name: str, block: Block, stmt: Stmt) -> tuple[list[Stmt], Stmt]:
        """Keep the last value of a name bound in a block that runs many times."""
        value: Expr = Var(name, type=self.facts.types[name])
        held: Expr = value
        written = self.effects.is_written(name) and not self.plan.follows(name)
        written = written and not self._undone_elsewhere(name, block)
        if isinstance(value.type, Array) and written:
            held = self._copied(value)
        why = kept_after_block(self.plan, block, name)
        push, old = self.saved(place_of(stmt, block, name), held, name, why)
        return push, nodes.Assign((name,), (old,))

    def _undone_elsewhere(self, name: str, block: Block) -> bool:
        """Whether an array made in a block is written there under other names: what they wrote
        is undone under theirs, which a copy would not see."""
        inside = tuple(nodes.walk_block(block))
        bound = [s for s in inside if name in nodes.targets_of(s)]
        if any(shared_with(e) for s in bound for e in nodes.expressions(s)):
            return False
        writes = {root(s.base) or "" for s in inside if isinstance(s, nodes.Store | nodes.Mutate)}
        return any(self.effects.find(r) == self.effects.find(name) for r in writes - {name})

    def saved(
        self,
        place: Span | None,
        value: Expr,
        base: str,
        why: str = "its old value is overwritten here",
    ) -> tuple[list[Stmt], Expr]:
        """Keep a value for the reverse sweep: (forward statements, what gives it back)."""
        if not self.depth:
            name = self.facts.names.fresh(f"{base}_saved")
            self.facts.types[name] = value.type
            self.plan.decisions.append(Decision(base, place, why, name))
            return [nodes.Assign((name,), (value,))], Var(name, type=value.type)
        keeper = self.keeper(base, value)
        self.plan.decisions.append(Decision(base, place, why, keeper.name))
        push = nodes.Mutate(keeper, "append", (value,))
        return [push], Call("pop", "pop", (keeper,), form="method", type=value.type)

    def keeper(self, base: str, value: Expr) -> Var:
        """The list of one variable's saved values; made before the outermost loop."""
        name = self.facts.names.fresh(f"{base}_saved")
        kind = List(value.type)
        self.facts.types[name] = kind
        self.keepers.add(name)
        self.pending.append(nodes.Assign((name,), (nodes.Sequence("list", (), type=kind),)))
        return Var(name, type=kind)

    def restore_names(self, stmt: Stmt, targets: tuple[str, ...]) -> Pair:
        """Save the old values of names that a statement binds anew, where they are needed."""
        forward: list[Stmt] = []
        back: list[Stmt] = []
        for name in targets:
            if self.plan.must_save(stmt, name):
                value: Expr = Var(name, type=self.facts.types[name])
                if not self.plan.bound_before(stmt, name):
                    self.bind_on_all_paths(name, (), stmt)
                push, old = self._saved_name(stmt, name, value)
                forward += push
                back.append(nodes.Assign((name,), (old,)))
        return forward, back

    def _saved_name(self, stmt: Stmt, name: str, value: Expr) -> tuple[list[Stmt], Expr]:
        """Keep what a name holds, or a copy of it."""
        if not self.plan.copies(stmt, name):
            return self.saved(stmt.span, value, name)
        row = self.saved_row(stmt, name, value)
        if row is not None:
            return [row[0]], row[1]
        return self.saved(stmt.span, self._copied(value), name)

    def _copied(self, array: Expr) -> Call:
        """A copy of an array, which lies in memory as that does where anything asks."""
        if self.plan.by_order:
            return Call(np.copy, "np.copy", (array,), type=array.type)
        return Call(np.copy, "copy", (array,), form="method", type=array.type)

    def keep_shape(self, block: Block, name: str) -> None:
        """A cotangent is made zero ahead of a block that may bind its variable to something of
        another shape: what the variable was before tells how long it is."""
        if not shape_may_change(self.facts.types[name]):
            return
        for stmt in block:
            inside = tuple(nodes.walk_block((stmt,)))
            bound = [s for s in inside if name in nodes.targets_of(s)]
            self.plan.old |= {(id(s), name) for s in bound}
            for s in inside:
                if isinstance(s, nodes.Mutate | nodes.Store) and name in self.plan.resized(s):
                    self.plan.old.add((id(s), root(s.base) or ""))
            if bound:
                return

    def recomputed(self, block: Block, position: int, back: list[Stmt]) -> list[Stmt]:
        """Statements of the same block, up to the one that `back` reverses, that are cheap to
        run again before it."""
        found: list[Stmt] = []
        last = self.plan.last_bound  # what is bound before that is gone
        places = {last(block, name, position) for name in self.plan.free(back)}
        while places and (i := max(places)) >= 0:
            places.remove(i)
            stmt = block[i]
            if not (isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1):
                continue
            name = stmt.targets[0]
            if name in self.plan.steady or kept_because(self.plan, block, i, position):
                continue
            if self.plan.decided and Again(block, name, i, position) not in self.plan.available:
                continue  # what it is computed from is not known to be needed
            if i == position and not self.plan.run_again(stmt):
                continue
            self.plan.decisions.append(again(self.plan, stmt))
            found.insert(0, replace(stmt, span=None))
            inputs = nodes.names_in(stmt.values[0])
            self.plan.made_available(block, name, i, position, inputs)
            places |= {last(block, name, position) for name in inputs}
        return found
