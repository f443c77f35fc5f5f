"""Floor 6: array code as explicit loops: which statements, and in what order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.loops_aliases import Groups
from s2sgrad.backend.loops_dead import without_dead_stores
from s2sgrad.backend.loops_elements import CannotLower, is_array, is_flip, is_scalar
from s2sgrad.backend.loops_fusion import fused
from s2sgrad.backend.loops_gather import Gathering
from s2sgrad.backend.loops_nests import Lowering, Nest, is_elementwise, is_ones, reduction
from s2sgrad.backend.loops_types import retyped
from s2sgrad.backend.numba_outside import with_children
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List
from s2sgrad_runtime import copy_tree


def loops(function: Function, outer: Function | None = None) -> Function:
    """The function with array statements as loop nests where that is surely the same.

    outer: the function that it is a piece of, and that goes on to use the arrays it takes.
    """
    function = without_dead_stores(retyped(function), outer)
    types = dict(function.types)
    names = Names(
        set(types)
        | set(function.parameters)
        | {"objmode", "njit", "compiled_form", "slice_bound", "np"}
    )
    lowerer = Lowerer(names, types, Groups(function, outer))
    body = lowerer.block(function.body)
    body = fused(body, lowerer.groups)
    body = Gathering(lowerer.groups, names, types).block(body)
    return replace(function, body=_expanded(body), types=types)


def _expanded(block: Block) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                stmt = stmt.loops()
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_expanded(then), orelse=_expanded(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_expanded(body))
        result.append(stmt)
    return tuple(result)


class Lowerer:
    """Walks blocks; every array statement that can be lowered becomes a nest."""

    def __init__(self, names: Names, types: dict, groups: Groups) -> None:
        self.names, self.types, self.groups = names, types, groups
        self.nests = Lowering(names, types)

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            result += self.statement(stmt)
        return tuple(result)

    def statement(self, stmt: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        match stmt:
            case nodes.If(test=test, then=then, orelse=orelse):
                new = replace(
                    stmt,
                    test=self.pulled(test, before),
                    then=self.block(then),
                    orelse=self.block(orelse),
                )
                return [*before, new]
            case nodes.While(body=body):
                return [replace(stmt, body=self.block(body))]
            case nodes.For(body=body):
                return [replace(stmt, body=self.block(body))]
            case nodes.Assign(targets=(target,), values=(value,)):
                return self._assign(stmt, target, value)
            case nodes.Store(value=value):
                return self._store(stmt, value)
            case nodes.Return(value=value):
                value = self.pulled(value, before)
                return [*before, replace(stmt, value=value)]
            case nodes.Mutate(args=args) if not any(_is_copy(a) for a in args):
                args = tuple(self.pulled(a, before) for a in args)
                return [*before, replace(stmt, args=args)]
        return [stmt]

    def _assign(self, stmt: nodes.Assign, target: str, value: Expr) -> list[Stmt]:
        before: list[Stmt] = []
        value = self.inside(value, before)
        try:
            if is_elementwise(value):
                return [*before, *self.nests.assigned(target, value, stmt.span)]
            if isinstance(value, Call) and _worth(value) and target not in nodes.names_in(value):
                return [*before, *self.nests.reduced(value, target)]
        except CannotLower:
            pass
        return [*before, replace(stmt, values=(value,))]

    def _store(self, stmt: nodes.Store, value: Expr) -> list[Stmt]:
        before: list[Stmt] = []
        value = self.inside(value, before) if is_elementwise(value) else self.pulled(value, before)
        plain = replace(stmt, value=value)
        if stmt.index and not stmt.op and isinstance(stmt.base.type, List | Dict):
            return [*before, plain]  # an entry is replaced, nothing is written into an array
        target: Expr = Index(stmt.base, stmt.index) if stmt.index else stmt.base
        overlaps = self._reads(target, value)
        if overlaps and not is_elementwise(value):
            value = _copied(value)  # Numba updates in place without a look at overlaps
            plain = replace(stmt, value=value)
        if not isinstance(stmt.base.type, Array) or stmt.base.type.shape in (None, ()):
            return [*before, plain]
        if overlaps:
            name = self.names.fresh("part")
            if not is_elementwise(value):
                return [*before, plain]
            try:
                before += self.nests.assigned(name, value, stmt.span)
            except CannotLower:
                return [*before, plain]
            value = Var(name, type=value.type)
            plain = replace(stmt, value=value)
        try:
            return [*before, *self.nests.stored(plain)]
        except CannotLower:
            return [*before, plain]

    def _reads(self, target: Expr, value: Expr) -> bool:
        """Whether the value reads the array that is written, elsewhere than where it is."""
        root = self.groups.root(target)
        if root is None:
            return True
        return any(
            self.groups.root(part) == root and part != target for part in _array_reads(value)
        )

    # --- expressions -------------------------------------------------------------------------
    def inside(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with what its operands need pulled out, itself left in place."""
        if isinstance(expr, nodes.Choice):
            return expr
        children = nodes.children(expr)
        if is_elementwise(expr):
            return with_children(
                expr,
                [
                    self.inside(c, before) if is_elementwise(c) else self.pulled(c, before)
                    for c in children
                ],
            )
        if _worth(expr):
            assert isinstance(expr, Call)
            if expr.text in ("np.dot", "@"):
                return replace(expr, args=tuple(self.pulled(a, before) for a in expr.args))
            first = self.inside(expr.args[0], before)
            return replace(expr, args=(first, *expr.args[1:]))
        found = [self.pulled(c, before) for c in children]
        return with_children(expr, found) if found else expr

    def pulled(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with elementwise arrays and reductions in it as variables."""
        expr = self.inside(expr, before)
        try:
            if is_elementwise(expr):
                name = self.names.fresh("part")
                before += self.nests.assigned(name, expr, expr.span)
                self.types[name] = expr.type
                return Var(name, type=expr.type)
            if _worth(expr):
                name = self.names.fresh("total")
                assert isinstance(expr, Call)
                before += self.nests.reduced(expr, name)
                return Var(name, type=expr.type)
        except CannotLower:
            pass
        return expr


def _copied(value: Expr) -> Expr:
    """A copy of a part of an array; a value that is new already stays as it is."""
    if not isinstance(value, Var | Index) and not (
        isinstance(value, Call) and value.form == "attribute"
    ):
        return value
    if is_array(value):
        return Call(np.copy, "copy", (value,), form="method", type=value.type, span=value.span)
    if is_scalar(value):
        return value
    return Call(copy_tree, "copy_tree", (value,), type=value.type, span=value.span)


def _is_copy(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.form == "method" and expr.text == "copy"


def _worth(expr: Expr) -> bool:
    """A reduction that loops do better than Numba: of an expression, or with options."""
    try:
        _, value, over, keep = reduction(expr)
    except CannotLower:
        return False
    return is_elementwise(value) or is_ones(value) or over is not None or keep


def _array_reads(expr: Expr) -> list[Expr]:
    """The outermost parts of arrays that an expression reads, entry by entry of the loops."""
    if is_scalar(expr):
        return []  # read once, before the loops
    if is_flip(expr):
        turned = nodes.Slice(None, None, nodes.Const(-1))
        return [
            Index(r, (turned,), type=r.type) for c in nodes.children(expr) for r in _array_reads(c)
        ]
    if isinstance(expr, Var | Index) or (
        isinstance(expr, Call) and expr.form == "attribute" and expr.text == "T"
    ):
        inner = [r for p in getattr(expr, "index", ()) for r in _array_reads(p)]
        return [expr, *inner] if is_array(expr) or isinstance(expr, Index) else inner
    return [r for c in nodes.children(expr) for r in _array_reads(c)]
