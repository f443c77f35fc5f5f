"""Floor 5: axes that reductions go along, where they are constants."""

from __future__ import annotations

from typing import Any

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing import build


def axes_of(axis: Expr | None, rank: int) -> tuple[int, ...] | None:
    """Constant axes, not negative and sorted; None if they are known only at run time."""
    if axis is None or (isinstance(axis, Const) and axis.value is None):
        return tuple(range(rank))
    if isinstance(axis, nodes.Sequence):
        values = [i.value if isinstance(i, Const) else None for i in axis.items]
    else:
        values = [constant_of(axis)]
    if not all(type(v) is int for v in values):
        return None
    return tuple(sorted(v % rank if v < 0 else v for v in values))  # type: ignore[operator,misc]


def flag(expr: Expr | None, default: bool) -> bool | None:
    """A constant truth value, and the one of an argument left out; None if it is not known."""
    value = default if expr is None else expr.value if isinstance(expr, Const) else None
    return value if isinstance(value, bool) else None


def expand_reduced(
    s: Any, y: Expr, a: Expr, axis: Expr | None = None, keepdims: Expr | None = None
) -> Expr | None:
    """A reduced array with its reduced axes back, of length 1."""
    rank = s.rank(a)
    keep = flag(keepdims, False)
    if rank is None or keep is None:
        return None
    if keep or rank == 0 or (s.rank(y) == 0 and axes_of(axis, rank) == tuple(range(rank))):
        return y
    axes = axes_of(axis, rank)
    if axes is None:
        return None
    if isinstance(y.type, Scalar):
        return y
    parts = [build.NEWAXIS if i in axes else build.FULL for i in range(rank)]
    while parts and parts[-1] is build.FULL:
        parts.pop()
    if all(p is build.NEWAXIS for p in parts) and axes == tuple(range(len(parts))):
        return y  # leading axes are added by broadcasting
    return build.index(y, *parts)


__all__ = ["axes_of", "expand_reduced", "flag"]
