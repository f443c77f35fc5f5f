"""Floor 5: entries that a mask selects, as choices over the whole array.

Before: `part = np.sqrt(r[near]); r[near] = 1.0 / part`, arrays of a length that the values decide.
After: `part = np.sqrt(r); r = np.where(near, 1.0 / part, r)`, which becomes a loop over entries
with a choice in it. For compiled code only: NumPy would compute what nobody asked for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.infer import infer_elementwise
from s2sgrad.analysis.masking import selects
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr

ROUNDS = 8
CHEAP = frozenset(
    {np.add, np.subtract, np.multiply, np.divide, np.negative, np.absolute, np.sqrt, np.square,
     np.maximum, np.minimum}
)  # fmt: skip
DTYPES = ("float64", "int64")
ZERO = Const(0.0, type=Scalar("float", None, 0.0))


class _Kept(Exception):
    """Something that has no form over the whole array."""


def without_packed(body: Block, types: dict[str, Type], taken: frozenset[str]) -> Block:
    """The body with what a mask selects as choices, wherever all uses allow it.

    `types` learns the new types of variables. taken: names that other things have.
    """
    stmts = list(nodes.walk_block(body))
    if not any(_is_selection(e) for s in stmts for top in _parts(s) for e in nodes.walk(top)):
        return body
    refused: set[str] = set()
    for _ in range(ROUNDS):
        run = _Run(body, refused, Names(set(types) | taken))
        new = run.block(body)
        failed = run.read_as_they_were(new)
        if not failed:
            types.update(run.types)
            return _rebinding(new, {id(s) for s in stmts})
        refused |= failed
    return body


def _parts(stmt: Stmt) -> tuple[Expr, ...]:
    if isinstance(stmt, nodes.Store) and len(stmt.index) == 1:
        return (Index(stmt.base, stmt.index), *nodes.expressions(stmt))
    return nodes.expressions(stmt)


def _is_selection(expr: Expr) -> bool:
    """Whether an expression is `a[mask]` for a mask of just the shape of `a`."""
    if not isinstance(expr, Index) or len(expr.index) != 1:
        return False
    own, mask = expr.base.type, expr.index[0].type
    if not (isinstance(own, Array) and isinstance(mask, Array)) or mask.dtype != "bool":
        return False
    known = bool(own.shape) and None not in (own.shape or ()) and own.shape == mask.shape
    return known and own.dtype in DTYPES


class _Run:
    """One attempt. masks: variable of selected entries -> the mask. refused: variables that other
    statements need as they are."""

    def __init__(self, body: Block, refused: set[str], names: Names) -> None:
        stmts = list(nodes.walk_block(body))
        self.effects: Effects = effects(body)
        self.bound = Counter(t for s in stmts for t in nodes.targets_of(s))
        self.places = {t: k for k, s in enumerate(stmts) for t in nodes.targets_of(s)}
        self.refused = refused
        self.masks: dict[str, Expr] = {}
        self.types: dict[str, Type] = {}
        self.names = names
        self.named: list[Stmt] = []  # what goes before the statement that is looked at

    def block(self, block: Block) -> Block:
        """A block; what it binds counts up to its end."""
        before, outer = dict(self.masks), self.named
        result: list[Stmt] = []
        for stmt in block:
            self.named = []
            new = self.statement(stmt)
            result += [new] if new is stmt else [*self.named, new]
        self.masks, self.named = before, outer
        return tuple(result)

    def read_as_they_were(self, body: Block) -> set[str]:
        """Variables that got a new type, and are read as if they had not."""
        return {
            node.name
            for stmt in nodes.walk_block(body)
            for expr in nodes.expressions(stmt)
            for node in nodes.walk(expr)
            if isinstance(node, Var) and not self._is_whole(node)
        }

    def _is_whole(self, var: Var) -> bool:
        """Whether a variable stands for the whole array, or never stood for a selection."""
        return var.type == self.types.get(var.name, var.type)

    def statement(self, stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                return replace(stmt, body=self.block(body))
            case nodes.Store(base=Var(), op="+at" | "-at"):
                return self._added(stmt)
            case nodes.Store(base=Var(type=Array("float64")), index=(mask,)):
                return self._store(stmt, mask) if _is_selection(Index(stmt.base, (mask,))) else stmt
            case nodes.Assign(targets=(name,), values=(value,)):
                return self._assign(stmt, name, value)
        return stmt

    def _store(self, stmt: nodes.Store, mask: Expr) -> Stmt:
        try:
            value = self.whole(stmt.value, mask)
            if stmt.op:
                value = _elementwise(_operator(stmt.op), stmt.op, (stmt.base, value))
        except _Kept:
            return stmt
        if getattr(value.type, "dtype", None) not in ("float64", "float", "int"):
            return stmt
        chosen = build.call(np.where, "np.where", mask, value, stmt.base)
        chosen = replace(chosen, type=stmt.base.type)
        return replace(stmt, index=(), value=chosen, op="")

    def _added(self, stmt: nodes.Store) -> Stmt:
        """`np.add.at(table, rows[mask], x[mask])`: zeros are added where nothing is selected."""
        found = (self._mask(p) for p in stmt.index)
        mask = next((m for m in found if m is not None), None)
        if mask is None or not _has_entries(stmt.base.type, len(stmt.index)):
            return stmt
        try:
            index = tuple(self._place(self.whole(p, mask), mask) for p in stmt.index)
            value = self.whole(stmt.value, mask)
        except _Kept:
            return stmt
        if getattr(value.type, "dtype", None) not in (*DTYPES, "float", "int"):
            return stmt
        return replace(stmt, index=index, value=_chosen(mask, value))

    def _assign(self, stmt: nodes.Assign, name: str, value: Expr) -> Stmt:
        value = map_expr(value, self._sum)
        stmt = replace(stmt, values=(value,))
        mask = self._mask(value)
        if mask is None or name in self.refused or self.bound[name] != 1:
            return stmt
        if not self._lasting(mask, self.places[name]) or self.effects.is_written(name):
            return stmt
        try:
            full = self.whole(value, mask)
        except _Kept:
            return stmt
        if getattr(full.type, "dtype", None) not in DTYPES:
            return stmt
        if getattr(full.type, "dtype", None) == "int64":
            full = _chosen(mask, full)  # so that it may be a subscript
        elif isinstance(full, Var):
            full = Call(np.copy, "copy", (full,), form="method", type=full.type)
        elif not _cheap(full):
            full = _chosen(mask, full)
        self.masks[name] = mask
        self.types[name] = full.type
        return replace(stmt, values=(full,))

    def _sum(self, expr: Expr) -> Expr:
        """`np.sum` of selected entries."""
        match expr:
            case Call(function=np.sum, args=(value,), kwargs=()):
                mask = self._mask(value)
                if mask is None:
                    return expr
                try:
                    full = self.whole(value, mask)
                except _Kept:
                    return expr
                return replace(expr, args=(_chosen(mask, full),))
        return expr

    def _mask(self, expr: Expr) -> Expr | None:
        """The mask that the first selection in an elementwise value goes by."""
        if _is_selection(expr):
            assert isinstance(expr, Index)
            return expr.index[0]
        if isinstance(expr, Var):
            return self.masks.get(expr.name)
        if not _is_elementwise(expr) and not isinstance(expr, Index):
            return None
        found = (self._mask(c) for c in nodes.children(expr))
        return next((m for m in found if m is not None), None)

    def _lasting(self, mask: Expr, place: int) -> bool:
        """Whether a mask is the same wherever it is named after this place."""
        if not isinstance(mask, Var) or self.effects.is_written(mask.name):
            return False
        return self.bound[mask.name] <= 1 and self.places.get(mask.name, -1) < place

    def whole(self, expr: Expr, mask: Expr) -> Expr:
        """The value over the whole array of what the mask selects of it."""
        if isinstance(expr.type, Scalar) or isinstance(expr, Const):
            return expr
        if _is_selection(expr):
            assert isinstance(expr, Index)
            if expr.index[0] == mask:
                return expr.base
            raise _Kept
        if isinstance(expr, Var) and expr.name in self.masks:
            if self.masks[expr.name] != mask:
                raise _Kept
            return replace(expr, type=self.types[expr.name])
        if isinstance(expr, Call) and expr.form == "method" and expr.text == "copy":
            return self.whole(expr.args[0], mask)
        if isinstance(expr, Index):
            return self._taken(expr, mask)
        if not _is_elementwise(expr):
            raise _Kept
        assert isinstance(expr, Call)
        args = tuple(self.whole(a, mask) for a in expr.args)
        return _elementwise(expr.function, expr.text, args, expr)

    def _taken(self, expr: Index, mask: Expr) -> Expr:
        """`table[rows[mask], columns[mask]]`: from the first entry where nothing is selected."""
        index = tuple(self._place(self.whole(p, mask), mask) for p in expr.index)
        if isinstance(expr.base, Var) and expr.base.name in self.masks:
            raise _Kept
        if not _has_entries(expr.base.type, len(index)):
            raise _Kept
        kind = infer_index(expr.base.type, index)
        if not isinstance(kind, Array) or kind.shape != getattr(mask.type, "shape", None):
            raise _Kept
        return replace(expr, index=index, type=kind)

    def _place(self, part: Expr, mask: Expr) -> Expr:
        """A part of a subscript, which may be anything where nothing is selected."""
        if isinstance(part.type, Scalar):
            return part
        if getattr(part.type, "dtype", None) != "int64":
            raise _Kept
        if isinstance(part, Var) and part.name in self.masks:
            return part
        value = _chosen(mask, part)
        var = Var(self.names.fresh("place"), type=value.type)
        self.types[var.name] = value.type
        self.named.append(nodes.Assign((var.name,), (value,)))
        return var


def _has_entries(kind: Type, axes: int) -> bool:
    """Whether an array surely has a first entry along its first axes."""
    shape = kind.shape if isinstance(kind, Array) else None
    least = [0 if n is None else sizes.least(n) or 0 for n in (shape or ())[:axes]]
    return len(least) == axes and min(least) >= 1


def _chosen(mask: Expr, value: Expr) -> Expr:
    """The value where the mask is true, else zero."""
    whole = getattr(value.type, "dtype", None) == "int64"
    zero = Const(0, type=Scalar("int", None, 0)) if whole else ZERO
    kind = value.type
    if isinstance(kind, Scalar):
        kind = Array("float64", getattr(mask.type, "shape", None))
    return replace(build.call(np.where, "np.where", mask, value, zero), type=kind)


def _is_elementwise(expr: Expr) -> bool:
    return (
        isinstance(expr, Call)
        and isinstance(expr.function, np.ufunc)
        and expr.function.nout == 1
        and expr.function.signature is None
        and expr.form in ("operator", "call")
        and not expr.kwargs
    )


def _cheap(expr: Expr) -> bool:
    """Whether computing entries that are not selected costs next to nothing."""
    return all(e.function in CHEAP or selects(e) for e in nodes.walk(expr) if isinstance(e, Call))


def _operator(sign: str) -> np.ufunc:
    from s2sgrad.rules.methods import OPERATORS

    function = OPERATORS.get(sign)
    if not isinstance(function, np.ufunc) or sign == "@":
        raise _Kept
    return function


def _elementwise(
    function: np.ufunc, text: str, args: tuple[Expr, ...], like: Call | None = None
) -> Call:
    form = like.form if like is not None else "operator"
    kind = infer_elementwise(function, tuple(a.type for a in args), form == "operator")
    return Call(function, text, args, form=form, type=kind, span=like.span if like else None)


def _rebinding(body: Block, old: set[int]) -> Block:
    """New writes of whole arrays as assignments, where no other name shares the memory."""
    shared = effects(body)
    fresh: set[int] = set()
    others: set[str] = set()
    for stmt in nodes.walk_block(body):
        if isinstance(stmt, nodes.Store) and not stmt.index and id(stmt) not in old:
            fresh.add(id(stmt))
        elif isinstance(stmt, nodes.Store | nodes.Mutate):
            others |= {shared.find(n) for n in nodes.names_in(stmt.base)}
    bound = nodes.bound_in(body)

    def rebound(stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(
                    stmt, then=tuple(map(rebound, then)), orelse=tuple(map(rebound, orelse))
                )
            case nodes.For(body=inner) | nodes.While(body=inner):
                return replace(stmt, body=tuple(map(rebound, inner)))
            case nodes.Store(base=Var(name=name), value=value) if id(stmt) in fresh:
                alone = shared.find(name) not in others and len(shared.members(name)) == 1
                if name in bound and alone:
                    return nodes.Assign((name,), (value,), span=stmt.span)
        return stmt

    return tuple(map(rebound, body))


__all__ = ["without_packed"]
