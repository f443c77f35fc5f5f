"""Floor 5: the reversal. Every statement gives forward statements (itself, and what it saves)
and reverse statements; blocks, branches and loops combine them.

The reverse statements of a statement run in the state right after it, and undo it: a variable
that was overwritten, and that earlier statements' reverse code reads, gets its old value back.
Which values that are is found by a first run that only collects what is read (saving.py).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.contiguity import order_asked
from s2sgrad.analysis.effects import Effects
from s2sgrad.analysis.islands import is_island
from s2sgrad.frontend.functions.specialising import UserPair
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, Number, Opaque, Tuple
from s2sgrad.transform.preparing.partners import is_same
from s2sgrad.transform.reverse.adjoint import Adjoint, Facts, combined
from s2sgrad.transform.reverse.bars import Bars, mentioned
from s2sgrad.transform.reverse.branches import BranchReversal, negated
from s2sgrad.transform.reverse.exits import at_ends
from s2sgrad.transform.reverse.handing_on import HandingOn
from s2sgrad.transform.reverse.islands import IslandReversal
from s2sgrad.transform.reverse.lists import ListReversal
from s2sgrad.transform.reverse.loops import LoopReversal
from s2sgrad.transform.reverse.shadow_bars import repeats
from s2sgrad.transform.reverse.shadow_kinds import (
    binds_existing,
    copied_from,
    has_leaves,
    leaves_of,
    may_copy,
    shares,
)
from s2sgrad.transform.reverse.splice import SpliceReversal
from s2sgrad.transform.reverse.store import StoreReversal
from s2sgrad.transform.saving.keep import KeepReversal
from s2sgrad.transform.saving.saving import Plan
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr, map_stmt_exprs

Pair = tuple[list[Stmt], list[Stmt]]


class Reversal(
    HandingOn,
    KeepReversal,
    LoopReversal,
    BranchReversal,
    StoreReversal,
    ListReversal,
    SpliceReversal,
    IslandReversal,
):
    """One run over a function. plan: what to save, from the first run (None in that run)."""

    def __init__(self, facts: Facts, effects: Effects, plan: Plan) -> None:
        self.facts, self.effects, self.plan = facts, effects, plan
        self.bars = Bars(facts, effects)
        self.depth = 0
        self.primals = frozenset(facts.types)
        self.made = {id(maker) for maker in facts.makers.values()}
        self.shadow_names = frozenset(facts.shadows.values())
        self.spent: set[str] = set()  # seeds that were used as literals
        self.keepers: set[str] = set()
        self.barren: set[int] = set()
        self.shown: dict[int, str] = {}
        self.unbound: set[str] = set()  # names set to None before the loops
        self.pending: list[Stmt] = []  # what goes before the outermost loop: empty lists
        self.first: list[Stmt] = []  # what goes before everything
        self.element_bars: list[Stmt] = []  # of the last loop

    def block(self, block: Block) -> Pair:
        """Forward statements in order, and reverse statements in their order."""
        forward: list[list[Stmt]] = []
        reverse: list[Stmt] = []
        names = self.plan.kept_locals(block) if self.depth else ()
        kept = {n: self._last_change(block, n) for n in names}
        outer = self.bars.above
        pops: list[Stmt] = []
        for position in range(len(block) - 1, -1, -1):
            stmt = block[position]
            self.bars.above = block[:position]
            own, back = self.stmt(stmt)
            for name in [n for n, at in kept.items() if at == position]:
                self.bind_on_all_paths(name, block, stmt)
                push, pop = self.local_save(name, block, stmt)
                own = at_ends(own, push)
                pops = [pop, *pops]
            forward.append(own)
            elements = self.element_bars if isinstance(stmt, nodes.For) else []
            self.plan.record(stmt, back, self.primals, elements)
            if self.depth and back:
                back = self.recomputed(block, position, back) + back
            reverse += back
        forward.reverse()
        self.bars.above = outer
        return [s for part in forward for s in part], [*pops, *reverse]

    def stmt(self, stmt: Stmt) -> Pair:
        """The forward and the reverse statements of one statement."""
        if id(stmt) in self.facts.makers:
            return self._shadowed(stmt, self.facts.makers[id(stmt)])
        if id(stmt) in self.made:
            stmt = self._call_forward(stmt)
            save, restore = self.restore_names(stmt, nodes.targets_of(stmt))
            return [*save, stmt], restore
        if isinstance(stmt, nodes.Assign):
            return self._assign(stmt)
        flushed = self.bars.flush(mentioned(stmt))
        forward, back = self._other(stmt)
        return forward, [*flushed, *back]

    def _shadowed(self, stmt: Stmt, maker: Stmt) -> Pair:
        """Shadows are made: in reverse they are given to what their arrays were made from."""
        save, restore = self.restore_names(stmt, nodes.targets_of(stmt))
        if isinstance(maker, nodes.Assign):
            _, back = self._assign(maker, restores=False)
        else:
            assert isinstance(maker, nodes.Unpack)
            back = self.bars.flush(mentioned(maker)) + self._unpack(maker, restores=False)[1]
        return [*save, stmt], [*back, *restore]

    def _other(self, stmt: Stmt) -> Pair:
        match stmt:
            case nodes.Unpack():
                return self._unpack(stmt)
            case nodes.Store():
                return self.store(stmt)
            case nodes.Mutate():
                return self.mutate(stmt)
            case nodes.If():
                return self._if(stmt)
            case nodes.For() | nodes.While():
                return self.loop(stmt)
            case nodes.Splice():
                return self.splice(stmt)
        return [stmt], []

    # --- assignments -------------------------------------------------------------------------
    def _assign(self, stmt: nodes.Assign, restores: bool = True) -> Pair:
        save, restore = self.restore_names(stmt, stmt.targets if restores else ())
        live = [
            (t, v)
            for t, v in zip(stmt.targets, stmt.values, strict=True)
            if t in self.facts.activity.variables
            and t not in self.facts.aliases
            and self.bars.is_set(t)
            and not (t in self.facts.shadows and binds_existing(v) and not has_leaves(v))
        ]
        if not live:
            return [*save, stmt], [*restore, *self._from_copies(stmt)]
        adjoint = Adjoint(self.facts, above=self.bars.above)
        after: list[Stmt] = []
        consumed = {}
        for target, value in live:
            bar: Expr = self.bars.variable(target)
            if target in self.bars.constants:
                self.spent.add(bar.name)  # type: ignore[attr-defined]
                bar = self.bars.constants.pop(target)
            elif target in self.bars.lazy:
                bar = Var(bar.name, type=self.bars.lazy.pop(target))  # type: ignore[attr-defined]
            consumed[target] = self.bars.used(target)
            adjoint.results[id(value)] = self._result(target, stmt, restore, after)
            adjoint.masked = target in self.facts.masking.masked
            adjoint.unbounded = target in self.facts.masking.unbounded
            if target in self.facts.shadows and binds_existing(value):
                for item, entry in leaves_of(value, bar):
                    adjoint.push(item, entry)
                continue
            adjoint.push(value, bar)
        self._read_results(adjoint, stmt, restore, after)
        return [*save, stmt], [*after, *restore, *self.given_on(adjoint, consumed)]

    def _read_results(
        self, adjoint: Adjoint, stmt: nodes.Assign, restore: list[Stmt], after: list[Stmt]
    ) -> None:
        """A derivative that the statement itself has computed for another name is read there."""
        pairs = zip(stmt.targets, stmt.values, strict=True)
        known = [(t, v) for t, v in pairs if t in self.facts.partners]
        if not known:
            return

        def read(expr: Expr) -> Expr:
            for target, value in known:
                if is_same(expr, value):
                    return self._result(target, stmt, restore, after)
            return expr

        adjoint.temps[:] = [map_stmt_exprs(temp, read) for temp in adjoint.temps]
        adjoint.adds[:] = [replace(add, value=map_expr(add.value, read)) for add in adjoint.adds]

    def _from_copies(self, stmt: nodes.Assign) -> list[Stmt]:
        """What was copied, where it might have been a view, gets the cotangent of the copy."""
        (target, value) = (stmt.targets[0], stmt.values[0])
        if target not in self.facts.shadows or not may_copy(value):
            return []
        place = self.bars.place(copied_from(value))
        bar: Expr = self.bars.variable(target)
        apart = negated(shares(place, bar))
        if isinstance(value, Call) and value.function in (np.reshape, np.ravel):
            order = order_asked(value)
            if order:
                args = (bar, place, *order)
                bar = Call(s2sgrad_runtime.unreshape, "unreshape", args, type=place.type)
            else:
                shape = build.attribute(place, "shape", np.shape, Opaque("shape"))
                bar = Call(np.reshape, "reshape", (bar, shape), form="method", type=place.type)
        index = place.index if isinstance(place, nodes.Index) else ()
        base = place.base if isinstance(place, nodes.Index) else place
        op = "+at" if isinstance(place, nodes.Index) and repeats(place) else "+"
        return [nodes.If(apart, (nodes.Store(base, index, bar, op),), ())]

    def _result(
        self,
        target: str,
        stmt: nodes.Assign | nodes.Unpack,
        restore: list[Stmt],
        after: list[Stmt],
    ) -> Expr:
        """The result of an assignment; kept under a new name where its old value comes back."""
        kind = self.facts.types[target]
        if not any(target in nodes.targets_of(r) for r in restore):
            return Var(target, type=kind)
        name = self.facts.names.fresh(f"{target}_next")
        self.facts.types[name] = kind
        after.append(nodes.Assign((name,), (Var(target, type=kind),)))
        return Var(name, type=kind)

    def _unpack(self, stmt: nodes.Unpack, restores: bool = True) -> Pair:
        restored = stmt.targets if restores else ()
        if is_island(stmt.value):
            assert isinstance(stmt.value, Call)
            return self.island(stmt, stmt.value, restored)
        if isinstance(stmt.value, Call) and isinstance(stmt.value.function, UserPair):
            return self._user_call(stmt, stmt.value, restored)
        save, restore = self.restore_names(stmt, restored)
        active = [
            t
            for t in stmt.targets
            if t in self.facts.activity.variables
            and self.bars.is_set(t)
            and not (t in self.facts.shadows and binds_existing(stmt.value))
        ]
        if not active:
            return [*save, stmt], restore
        after: list[Stmt] = []
        results = tuple(self._result(t, stmt, restore, after) for t in stmt.targets)
        parts = tuple(
            self.bars.variable(t) if t in active else self._zero(t, result, after)
            for t, result in zip(stmt.targets, results, strict=True)
        )
        adjoint = Adjoint(self.facts, above=self.bars.above)
        kind = Tuple(tuple(p.type for p in parts))
        adjoint.results[id(stmt.value)] = nodes.Sequence("tuple", results, type=kind)
        consumed = {t: self.bars.used(t) for t in active}
        bar: Expr = nodes.Sequence("tuple", parts, type=kind)
        if isinstance(stmt.value.type, Array | Number):
            bar = Call(np.array, "np.array", (bar,), type=stmt.value.type)
        adjoint.push(stmt.value, bar)
        return [*save, stmt], [*after, *restore, *self.given_on(adjoint, consumed)]

    def _zero(self, target: str, result: Expr, after: list[Stmt]) -> Expr:
        """Zeros for a result that nothing depends on, made before its old value comes back."""
        zero = self.bars.zero(target)
        if isinstance(zero, nodes.Const) or result == Var(target, type=result.type):
            return zero
        name = self.facts.names.fresh(f"{target}_zeros")
        self.facts.types[name] = zero.type
        after.append(nodes.Assign((name,), (zero,)))
        return Var(name, type=zero.type)

    def _call_forward(self, stmt: Stmt) -> Stmt:
        """The statement; a call of a recursive function without a tape gives its value alone."""
        call = stmt.value if isinstance(stmt, nodes.Unpack) else None
        pair = call.function if isinstance(call, Call) else None
        if self.facts.taped or not isinstance(call, Call) or not isinstance(pair, UserPair):
            return stmt
        result = nodes.targets_of(stmt)[0]
        value = replace(call, text=f"{pair.name}_value", type=self.facts.types[result])
        return nodes.Assign((result,), (value,), span=stmt.span)

    def _user_call(self, stmt: nodes.Unpack, call: Call, restored: tuple[str, ...]) -> Pair:
        """`y, y_saved = f_forward(x)`; in reverse, `x_bar, = f_backward(y_bar, *y_saved)`.

        Without a tape, `y = f_value(x)`, and in reverse `x_bar, = f_vjp(y_bar, x)`.
        """
        result, saved = stmt.targets
        name = call.function.name
        forward = [self._call_forward(stmt)]
        restored = restored if self.facts.taped else tuple(n for n in restored if n != saved)
        save, restore = self.restore_names(stmt, restored)
        if result not in self.facts.activity.variables or not self.bars.is_set(result):
            return [*save, *forward], restore
        bar = self.bars.variable(result)
        self.bars.used(result)
        spread = Call("*", "*", (Var(saved, type=self.facts.types[saved]),), form="operator")
        back = Call("backward", f"{name}_backward", (bar, spread))
        if not self.facts.taped:
            back = Call("backward", f"{name}_vjp", (bar, *call.args))
        adjoint = Adjoint(self.facts, above=self.bars.above)
        parts: list[str] = []
        for arg in call.args:
            active = adjoint.active(arg)
            parts.append(self.facts.names.fresh("argument_bar") if active else "_")
            if active:
                self.facts.types[parts[-1]] = arg.type
                adjoint.push(arg, Var(parts[-1], type=arg.type))
        made: list[Stmt] = [*restore, nodes.Unpack(tuple(parts), back)]
        for add in combined(adjoint.adds):
            made += self.bars.add(add.place, add.value)
        return [*save, *forward], made
