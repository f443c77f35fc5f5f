"""Floor 6: entries of an array that is computed entry by entry: `2.0 * y[i]` for `y_bar[i]`, where
`y_bar = 2.0 * y`."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block, map_expr


def entry_value(
    stmt: Stmt, body: Block, written: Container[str], groups: Groups, types: Mapping[str, Type]
) -> Expr | None:
    """What a statement gives an array, if that is computed entry by entry from arrays of the same
    lengths, one of which is in these groups, and a block reads single entries of it only."""
    if not isinstance(stmt, Assign) or len(stmt.targets) != 1:
        return None
    (name,), (value,) = stmt.targets, stmt.values
    kind = types.get(name)
    if not isinstance(kind, Array) or not kind.shape or kind.dtype != "float64":
        return None
    if not _by_entry(value, len(kind.shape)) or nodes.names_in(value) & nodes.bound_in(body):
        return None
    found = [e for e in nodes.walk(value) if isinstance(e, Var) and isinstance(e.type, Array)]
    arrays = {e.name for e in found}
    if len(arrays) > 1 and (None in kind.shape or any(e.type != kind for e in found)):
        return None
    if not any(groups.of(n) in written for n in arrays):
        return None
    stmts = list(nodes.walk_block(body))
    parts = [p for s in stmts for e in nodes.expressions(s) for p in nodes.walk(e)]
    single = sum(_is_entry(e, name, len(kind.shape)) for e in parts)
    return value if single and single == sum(e == Var(name) for e in parts) else None


def with_entries(block: Block, name: str, value: Expr) -> Block:
    """The block with entries of the value in place of those of an array by this name."""

    def read(expr: Expr) -> Expr:
        if not isinstance(expr, Index) or expr.base != Var(name):
            return expr
        place = expr

        def at(e: Expr) -> Expr:
            if isinstance(e, Var) and isinstance(e.type, Array):
                return replace(place, base=e)
            return replace(e, type=place.type) if isinstance(e.type, Array) else e

        return map_expr(value, at)

    return map_block(block, read)


def _by_entry(value: Expr, rank: int) -> bool:
    """Whether a value is arithmetic with numbers, and arrays of floats with so many axes."""
    match value:
        case Call(form="operator", args=args) if isinstance(value.type, Array):
            plain = isinstance(value.function, np.ufunc) and value.text != "@" and not value.kwargs
            return plain and all(_by_entry(a, rank) for a in args)
        case Var(type=Array(dtype=dtype, shape=shape)):
            return dtype == "float64" and shape is not None and len(shape) == rank
    return isinstance(value, Const | Var) and isinstance(value.type, Scalar)


def _is_entry(expr: Expr, name: str, rank: int) -> bool:
    """Whether an expression is a single entry of an array."""
    match expr:
        case Index(base=Var(name=base), index=index) if base == name:
            return len(index) == rank and all(isinstance(p.type, Scalar) for p in index)
    return False


__all__ = ["entry_value", "with_entries"]
