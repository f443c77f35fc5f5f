"""Floor 6: results that loops have filled are not copied once more.

The gradient of a sum along an axis is a copy of a broadcast row, so that it can be written to.
Where a loop writes it into an array of its own, that is the array to give.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Call, Expr, Function, Var
from s2sgrad.ir.types import Array

_MAKING = (np.empty, np.zeros, np.ones)


def without_copied_results(function: Function) -> Function:
    """The function that gives such arrays as they are."""
    *start, end = function.body
    if not isinstance(end, nodes.Return) or not isinstance(end.value, nodes.Sequence):
        return function
    copied = [item.args[0].name for item in end.value.items if _is_copy(item)]  # type: ignore[attr-defined]
    if not copied:
        return function
    own = {name for name in copied if _is_own(name, function)}

    def given(item: Expr) -> Expr:
        return item.args[0] if _is_copy(item) and item.args[0].name in own else item  # type: ignore[attr-defined]

    items = tuple(map(given, end.value.items))
    return replace(function, body=(*start, replace(end, value=replace(end.value, items=items))))


def _is_copy(expr: Expr) -> bool:
    made = isinstance(expr, Call) and expr.function is np.copy and not expr.kwargs
    return made and len(expr.args) == 1 and isinstance(expr.args[0], Var)  # type: ignore[attr-defined]


def _is_own(name: str, function: Function) -> bool:
    """Whether an array is made here, and no other name, call or result gets to see it."""
    stmts = tuple(nodes.walk_block(function.body))
    bound = [s for s in stmts if name in nodes.targets_of(s)]
    if len(bound) != 1 or not isinstance(bound[0], Assign) or len(bound[0].targets) > 1:
        return False
    value = bound[0].values[0]
    if not isinstance(value, Call) or not any(value.function is f for f in _MAKING):
        return False
    seen: Counter[str] = Counter()
    for stmt in stmts:
        for expr in nodes.expressions(stmt):
            _count(expr, name, seen, isinstance(stmt, nodes.Store) and expr is stmt.base)
    return seen["whole"] == 1 and not seen["part"]


def _count(expr: Expr, name: str, seen: Counter[str], entry: bool) -> None:
    """Count where a name stands: as a whole, or where a part of its array gets a name."""
    if isinstance(expr, Var):
        seen["whole"] += expr.name == name and not entry
        return
    if isinstance(expr, nodes.Index) and isinstance(expr.base, Var):
        seen["part"] += expr.base.name == name and not entry and not _is_number(expr)
        parts: tuple[Expr, ...] = expr.index
    else:
        parts = tuple(nodes.children(expr))
    for part in parts:
        _count(part, name, seen, False)


def _is_number(expr: Expr) -> bool:
    return not isinstance(expr.type, Array)


__all__ = ["without_copied_results"]
