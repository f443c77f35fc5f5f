"""Floor 6: what is read and written where arrays change in place, before loops are made of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.infer import infer_elementwise
from s2sgrad.analysis.memory import is_view
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.elements import is_array, is_flip, is_scalar
from s2sgrad.backend.loops.turns import is_turn
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.types import FLOAT, Array
from s2sgrad.rules.methods import OPERATORS
from s2sgrad.transform.writing.rewrite import map_expr
from s2sgrad_runtime import copy_tree


def may_repeat(index: tuple[Expr, ...]) -> bool:
    """Whether a subscript may name an entry twice: arrays of numbers do."""
    return any(
        isinstance(p, nodes.Sequence)
        or (isinstance(p.type, Array) and p.type.dtype != "bool" and p.type.shape != ())
        for p in index
    )


def read_before_written(stmt: Store) -> Store:
    """`a[i] op= value` as `a[i] = a[i] op value`: of several writes to an entry the last counts."""
    entries = Index(stmt.base, stmt.index, type=infer_index(stmt.base.type, stmt.index))
    function = OPERATORS[stmt.op]
    kind = infer_elementwise(function, (entries.type, stmt.value.type), operator=True)
    args = (entries, stmt.value)
    made = Call(function, stmt.op, args, form="operator", type=kind, span=stmt.span)
    return replace(stmt, op="", value=made)


def spread_over_mask(stmt: Store) -> Store:
    """`a[mask] += number` as `a += np.where(mask, number, 0.0)`, a loop without branches."""
    kind = stmt.base.type
    match stmt.index:
        case (Expr(type=Array(dtype="bool", shape=shape)) as mask,) if stmt.op in ("+", "-"):
            plain = isinstance(kind, Array) and kind.dtype == "float64" and shape and kind.shape
            if not plain or len(kind.shape) != len(shape) or not is_scalar(stmt.value):  # type: ignore[arg-type,attr-defined]
                return stmt
            sides = (mask, stmt.value, nodes.Const(0.0, type=FLOAT))
            where = Call(np.where, "np.where", sides, type=kind, span=stmt.span)
            return replace(stmt, index=(), value=where)
    return stmt


def copied(value: Expr) -> Expr:
    """A copy of a part of an array; a value that is new already stays as it is."""
    if not isinstance(value, Var | Index) and not (isinstance(value, Call) and is_view(value)):
        return value
    if is_array(value):
        return Call(np.copy, "copy", (value,), form="method", type=value.type, span=value.span)
    if is_scalar(value):
        return value
    return Call(copy_tree, "copy_tree", (value,), type=value.type, span=value.span)


def array_reads(expr: Expr) -> list[Expr]:
    """The outermost parts of arrays that an expression reads, entry by entry of the loops."""
    if is_scalar(expr):
        return []  # read once, before the loops
    if is_flip(expr):
        turned = nodes.Slice(None, None, nodes.Const(-1))
        return [
            Index(r, (turned,), type=r.type) for c in nodes.children(expr) for r in array_reads(c)
        ]
    if is_turn(expr):
        nowhere = nodes.Slice(None, None, nodes.Const(0))  # in no subscript of the user's
        reads = array_reads(expr.args[0])  # type: ignore[attr-defined]
        return [Index(r, (nowhere,), type=r.type) for r in reads]
    if isinstance(expr, Call) and expr.args and is_view(expr):  # the entries lie elsewhere
        first, *rest = expr.args
        elsewhere = [replace(expr, args=(r, *rest), type=r.type) for r in array_reads(first)]
        further = (*rest, *(value for _, value in expr.kwargs))
        return [*elsewhere, *(r for part in further for r in array_reads(part))]
    if isinstance(expr, Var | Index):
        inner = [r for p in getattr(expr, "index", ()) for r in array_reads(p)]
        return [expr, *inner] if is_array(expr) or isinstance(expr, Index) else inner
    return [r for c in nodes.children(expr) for r in array_reads(c)]


def as_saved(value: Expr, before: Stmt | None, stores: frozenset[str]) -> Expr:
    """The value with what the statement before it saved read from there: nothing writes over it.

    stores: the arrays that hold what is saved.
    """
    match before:
        case Store(base=Var(name=name) as base, op="", index=index, value=Index() as own):
            if name in stores and is_array(own):
                row = Index(base, index, type=own.type)
                return map_expr(value, lambda e: row if e == own else e)
    return value


def takes(expr: Expr) -> bool:
    """Whether entries are taken by an array of places: into a new array."""
    return any(
        isinstance(node, Index) and any(is_array(p) for p in node.index)
        for node in nodes.walk(expr)
    )


def is_taken(expr: Expr) -> bool:
    """Whether an expression takes numbers from an array by arrays of places."""
    kind = expr.type
    return isinstance(expr, Index) and getattr(kind, "dtype", "") == "float64" and takes(expr)


def is_copy(expr: Expr) -> bool:
    """Whether an array is copied: into C order, where it is compiled."""
    if not isinstance(expr, Call) or expr.kwargs or len(expr.args) != 1:
        return False
    return expr.function is np.copy or (expr.form == "method" and expr.text == "copy")


def shows_writes(value: Expr, groups: Groups, written: set[str]) -> bool:
    """Whether a value is another look at an array that is written, through it or otherwise."""
    held = root(value) if isinstance(value, Call) and is_view(value) else None
    return held is not None and groups.of(held) in written


__all__ = [
    "array_reads", "as_saved", "copied", "is_copy", "is_taken", "may_repeat", "read_before_written",
    "shows_writes", "spread_over_mask", "takes",
]  # fmt: skip
