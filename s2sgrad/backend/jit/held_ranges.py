"""Floor 6: ranges that are kept, as lists: Numba holds no ranges in lists, and hands none over."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Function, Stmt
from s2sgrad.ir.types import INT, List
from s2sgrad.transform.writing.rewrite import map_block


def with_held_ranges(function: Function) -> Function:
    """`order = range(n)` as `order = list(range(n))`; what loops run over stays."""
    return replace(function, body=map_block(function.body, _subscripted, _statement))


def _subscripted(expr: Expr) -> Expr:
    """`range(n)[i]`: Numba can't subscript them either."""
    return replace(expr, base=_held(expr.base)) if isinstance(expr, nodes.Index) else expr


def _statement(stmt: Stmt) -> list[Stmt]:
    match stmt:
        case nodes.Assign(values=values):
            return [replace(stmt, values=tuple(map(_held, values)))]
        case nodes.Mutate(args=args):
            return [replace(stmt, args=tuple(map(_held, args)))]
        case nodes.Store(value=value):
            return [replace(stmt, value=_held(value))]
    return [stmt]


def _held(expr: Expr) -> Expr:
    match expr:
        case Call(function=function) if function is range:
            return Call(list, "list", (expr,), type=List(INT), span=expr.span)
        case nodes.Choice(then=then, orelse=orelse):
            return replace(expr, then=_held(then), orelse=_held(orelse))
        case nodes.Sequence(items=items):
            return replace(expr, items=tuple(map(_held, items)))
    return expr


__all__ = ["with_held_ranges"]
