"""Floor 6: array statements as loop nests, wherever that is surely the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.memory import is_view
from s2sgrad.backend.jit.outside import with_children
from s2sgrad.backend.loops.again import asks_before, is_computed_first
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.elements import (
    CannotLower,
    is_array,
    is_elementwise,
    is_fitted,
    is_scalar,
    is_spread,
)
from s2sgrad.backend.loops.filled import filled, is_filled, is_part
from s2sgrad.backend.loops.leaves import leaf
from s2sgrad.backend.loops.made_new import NewArrays
from s2sgrad.backend.loops.nests import Lowering
from s2sgrad.backend.loops.reductions import is_ones, worth
from s2sgrad.backend.loops.turns import is_turn
from s2sgrad.backend.loops.writes import (
    array_reads,
    as_saved,
    copied,
    is_copy,
    is_taken,
    may_repeat,
    read_before_written,
    shows_writes,
    spread_over_mask,
    takes,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List
from s2sgrad.rules.methods import OPERATORS


class Lowerer:
    """Walks blocks; every array statement that can be lowered becomes a nest.

    stores: arrays in place of lists. All their rows are written before the first one is read.
    """

    def __init__(
        self, names: Names, types: dict, groups: Groups, checks: bool, stores: frozenset[str]
    ) -> None:
        self.names, self.types, self.groups, self.stores = names, types, groups, stores
        self.new, self.nests = NewArrays(groups), Lowering(names, types, checks)
        self.written: set[str] = set()
        self.before: Stmt | None = None  # the statement that was lowered last, in the same block

    def note_writes(self, body: Block) -> None:
        """Find the arrays that are written in place."""
        stores = (s for s in nodes.walk_block(body) if isinstance(s, nodes.Store | nodes.Mutate))
        self.written = {self.groups.of(n) for s in stores for n in nodes.names_in(s.base)}

    def block(self, block: Block) -> Block:
        result, self.before = list[Stmt](), None
        for stmt in block:
            self.nests.moment.passed += 1
            result += self.statement(stmt)
            self.new.after(stmt)
            self.before = stmt
        return tuple(result)

    def inner(self, block: Block, again: bool = False) -> Block:
        """A block inside another; what it binds is forgotten after it (`again`: before it too)."""
        bound = nodes.bound_in(block)
        held, new = self._known(bound), self.new
        self.nests.moment.pass_by(bound)
        if again:
            self.nests.views = dict(held)
        self.new = new.entering(block)
        result = self.block(block)
        self.nests.views, self.new = held, new
        self.nests.moment.pass_by(bound)
        return result

    def statement(self, stmt: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        match stmt:
            case nodes.If(test=test, then=then, orelse=orelse):
                test = self.pulled(test, before)
                start, first = dict(self.nests.views), self.inner(then)
                after, self.nests.views = self.nests.views, start
                second = self.inner(orelse)
                both = self.nests.views.items()
                self.nests.views = {n: v for n, v in both if after.get(n) is v}
                return [*before, replace(stmt, test=test, then=first, orelse=second)]
            case nodes.While(body=body):
                return [replace(stmt, body=self.inner(body, again=True))]
            case nodes.For(body=body):
                self.forget(nodes.targets_of(stmt))
                self.nests.moment.enter(stmt)
                body = self.inner(body, again=True)
                self.nests.moment.leave(stmt)
                return [replace(stmt, body=body)]
            case nodes.Assign(targets=(target,), values=(value,)) if not stmt.nothing:
                return self._assign(stmt, target, value)
            case nodes.Store():
                return self._store(spread_over_mask(stmt))
            case nodes.Return(value=value):
                value = self.pulled(value, before)
                return [*before, replace(stmt, value=value)]
            case nodes.Mutate(args=args) if not any(is_copy(a) for a in args):
                args = tuple(self.pulled(a, before) for a in args)
                stmt = replace(stmt, args=args)
        self.forget(nodes.targets_of(stmt))
        return [*before, stmt]

    # --- views -------------------------------------------------------------------------------
    def forget(self, names: Iterable[str]) -> None:
        """Names get new values: what was known of them, or said with them, no longer holds."""
        names = set(names)
        self.nests.moment.pass_by(names)
        self.nests.views = self._known(names)

    def _known(self, lost: set[str]) -> dict[str, Any]:
        held = self.nests.views.items()
        return {n: v for n, v in held if n not in lost and not (v.names() & lost)}

    def bound(self, target: str, made: list[Stmt]) -> list[Stmt]:
        """The statements that made a new array; its lengths are those of the loops."""
        held = self.nests.views.get(target)
        self.forget((target,))
        if held is not None and held.base.name == target:
            self.nests.views[target] = held
        return made

    def _view(self, target: str, value: Expr) -> list[Stmt]:
        """Note that a variable is a part of an array; statements say where."""
        whole = isinstance(value, Var) and value.name not in self.nests.views
        if whole or not (is_array(value) and is_part(value)) or target in nodes.names_in(value):
            return []
        names = {target, *nodes.names_in(value)}
        if takes(value) and any(self.groups.of(n) in self.written for n in names):
            return []  # a copy of what may change, or one that is written itself
        context = self.nests.context()
        try:
            self.nests.views[target] = leaf(value, context)
        except CannotLower:
            return []
        return context.before

    # --- statements --------------------------------------------------------------------------
    def _assign(self, stmt: nodes.Assign, target: str, value: Expr) -> list[Stmt]:
        before: list[Stmt] = []
        value = self.inside(value, before)
        try:
            if is_elementwise(value) and not shows_writes(value, self.groups, self.written):
                made = self.nests.assigned(target, value, stmt.span)
                return [*before, *self.bound(target, made)]
            if isinstance(value, Call) and worth(value) and target not in nodes.names_in(value):
                made = self.nests.reduced(value, target)
                return [*before, *self.bound(target, made)]
            if is_filled(value):
                made = self.nests.assigned(target, filled(value), stmt.span)
                return [*before, *self.bound(target, made)]
        except CannotLower:
            pass
        self.forget((target,))
        where = self._view(target, value)
        if target not in self.nests.views and is_taken(value):
            try:
                made = self.nests.assigned(target, value, stmt.span)
                return [*before, *where, *self.bound(target, made)]
            except CannotLower:
                pass
        return [*before, *where, replace(stmt, values=(value,))]

    def _store(self, stmt: nodes.Store) -> list[Stmt]:
        before: list[Stmt] = []
        if may_repeat(stmt.index) and stmt.op in OPERATORS:
            stmt = read_before_written(stmt)
        value = stmt.value
        if isinstance(stmt.base, Call) and is_array(stmt.base):  # `np.reshape(a, shape)[...] += v`
            base = self._named(stmt.base, before)
            self.groups.add(base.name, stmt.base)
            self.new.bind(base.name, stmt.base)
            stmt = replace(stmt, base=base)
        if stmt.op in ("+", "-") and worth(value) and is_array(value):
            value = self.inside(value, before)
            if not self._reads(Index(stmt.base, stmt.index) if stmt.index else stmt.base, value):
                try:
                    return [*before, *self.nests.added(replace(stmt, value=value))]
                except CannotLower:
                    pass
        target: Expr = Index(stmt.base, stmt.index) if stmt.index else stmt.base
        if isinstance(stmt.base.type, Array) and is_array(value) and is_copy(value):
            assert isinstance(value, Call)
            value = value if self._reads(target, value.args[0]) else value.args[0]
        value = self.operand(value, before) if is_elementwise(value) else self.pulled(value, before)
        index = tuple(self.inside(p, before) for p in stmt.index)
        plain = replace(stmt, index=index, value=value)
        if stmt.index and not stmt.op and isinstance(stmt.base.type, List | Dict):
            return [*before, plain]  # an entry is replaced, nothing is written into an array
        target = Index(stmt.base, index) if index else stmt.base
        overlaps = self._reads(target, value)
        if overlaps:
            value = as_saved(value, self.before, self.stores)
            plain = replace(plain, value=value)
            overlaps = self._reads(target, value)
        if overlaps and not is_elementwise(value):
            value = copied(value)  # Numba updates in place without a look at overlaps
            plain = replace(plain, value=value)
        if not isinstance(stmt.base.type, Array) or stmt.base.type.shape in (None, ()):
            return [*before, plain]
        made = list[Stmt]()
        try:
            if overlaps:
                made, value = self._apart(value)
            return [*before, *made, *self.nests.stored(replace(plain, value=value))]
        except CannotLower:
            whole = is_elementwise(plain.value)
            return [*before, *made, replace(plain, value=value)] if whole else [*before, plain]

    def _apart(self, value: Expr) -> tuple[list[Stmt], Var]:
        """The value of a statement as an array of its own, made before anything is written."""
        if is_elementwise(value):
            name = self.names.fresh("part")
            return self.nests.assigned(name, value, value.span), Var(name, type=value.type)
        if not (is_copy(value) and is_array(value)):
            raise CannotLower
        made: list[Stmt] = []
        return made, self._named(value, made)

    def _reads(self, target: Expr, value: Expr) -> bool:
        """Whether the value reads the array that is written, elsewhere than where it is."""
        if nodes.names_in(getattr(target, "base", target)) & self.stores:
            return False
        name = root(target)
        again = isinstance(target, Index) and may_repeat(target.index)
        held = (root(part) for part in array_reads(value) if part != target or again)
        return name is None or any(self.new.share(name, own) for own in held if own)

    # --- expressions -------------------------------------------------------------------------
    def inside(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with what its operands need pulled out, itself left in place."""
        if isinstance(expr, nodes.Choice) or asks_before(expr):
            return expr
        if is_elementwise(expr) or (is_part(expr) and is_array(expr)):
            return self.operand(expr, before)
        if worth(expr):
            assert isinstance(expr, Call)
            if expr.text in ("np.dot", "@"):
                return replace(expr, args=tuple(self.operand(a, before) for a in expr.args))
            first, *rest = expr.args
            first = first if is_ones(first) else self.operand(first, before)
            return replace(expr, args=(first, *rest))
        found = [self.pulled(c, before) for c in nodes.children(expr)]
        return with_children(expr, found) if found else expr

    def operand(self, expr: Expr, before: list[Stmt]) -> Expr:
        """An operand of loops: elementwise, a part of an array, or a number."""
        if isinstance(expr, Var):
            return expr
        if is_scalar(expr):
            return self.pulled(expr, before)
        expr = filled(expr) if is_filled(expr) else expr
        if is_spread(expr) or is_fitted(expr):
            assert isinstance(expr, Call)
            which = 1 if expr.text in ("np.full", "np.full_like") else 0
            args = [self.operand(a, before) if k == which else a for k, a in enumerate(expr.args)]
            return replace(expr, args=tuple(args))
        if isinstance(expr, Call) and is_turn(expr):
            return replace(expr, args=(self.base(expr.args[0], before), *expr.args[1:]))
        if is_elementwise(expr):
            ways, parts = (self.operand, self.pulled), nodes.children(expr)
            return with_children(expr, [ways[is_computed_first(p, expr)](p, before) for p in parts])
        if isinstance(expr, Index) and is_array(expr.base):
            index = tuple(self.inside(p, before) for p in expr.index)
            if any(isinstance(p.type, Array) and p.type.dtype == "bool" for p in index):
                return self._named(replace(expr, index=index), before)
            return replace(expr, base=self.base(expr.base, before), index=index)
        if is_part(expr):
            assert isinstance(expr, Call)
            return replace(expr, args=(self.operand(expr.args[0], before),))
        found = self.pulled(expr, before)
        part = isinstance(found, Call) and is_part(found)
        whole = isinstance(found, Call | Index | nodes.Choice) and is_array(found)
        return self._named(found, before) if whole and not part else found

    def base(self, expr: Expr, before: list[Stmt]) -> Expr:
        """An array of which some entries are read, or some more than once: computed first."""
        found = self.operand(expr, before)
        computed = is_elementwise(found) and not is_turn(found)  # to turn twice is to turn once
        return self.pulled(found, before) if computed else found

    def _named(self, expr: Expr, before: list[Stmt]) -> Var:
        name = self.names.fresh("part")
        self.types[name] = expr.type
        if not isinstance(expr, Call) or is_view(expr):
            self.groups.add(name, expr)
            self.new.bind(name, expr)
        before.append(nodes.Assign((name,), (expr,), span=expr.span))
        return Var(name, type=expr.type)

    def pulled(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with elementwise arrays and reductions in it as variables."""
        expr = self.inside(expr, before)
        shows = shows_writes(expr, self.groups, self.written)  # and what is outside it may too
        try:
            if is_elementwise(expr) and not shows:
                name = self.names.fresh("part")
                before += self.nests.assigned(name, expr, expr.span)
                self.types[name] = expr.type
                return Var(name, type=expr.type)
            if worth(expr) and isinstance(expr, Call):
                name = self.names.fresh("total")
                before += self.nests.reduced(expr, name)
                return Var(name, type=expr.type)
        except CannotLower:
            pass
        return expr


__all__ = ["Lowerer"]
