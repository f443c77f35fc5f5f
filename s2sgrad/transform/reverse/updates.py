"""Floor 5: writes in place that are updates, however they are written."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt
from s2sgrad.ir.types import Array, Dict, List, Scalar


def as_increment(stmt: nodes.Store, place: Expr) -> nodes.Store:
    """`a[i] = a[i] - e` of an array as `a[i] -= e`, and so for the numbers in a list or dict; any
    other write as it is."""
    if stmt.op not in ("", "=") or not stmt.index:
        return stmt
    if isinstance(stmt.base.type, List | Dict):
        if not isinstance(place.type, Scalar) or not isinstance(stmt.value.type, Scalar):
            return stmt
    elif not isinstance(stmt.base.type, Array):
        return stmt
    match stmt.value:
        case Call(form="operator", text="+" | "-" as sign, args=(first, value)) if first == place:
            return replace(stmt, op=sign, value=value)
        case Call(form="operator", text="+", args=(value, second)) if second == place:
            return replace(stmt, op="+", value=value)
    return stmt


def update_of(target: Expr, op: str, value: Expr) -> Stmt:
    """`target op= value`."""
    if isinstance(target, Index):
        return nodes.Store(target.base, target.index, value, op)
    return nodes.Store(target, (), value, op)


__all__ = ["as_increment", "update_of"]
