"""Floor 4: lists that loops have filled, where arrays are made of them, or loops go through them:
how long they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.list_counts import MAKERS, counted
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr, Var
from s2sgrad.ir.types import List


def counted_lists(
    function: Any, exprs: tuple[Expr, ...], block: Sequence[nodes.Stmt]
) -> tuple[Expr, ...]:
    """The arguments of what makes an array of a list, with the list's length in its type.

    block: the statements so far, where the call is.
    """
    if not any(function is maker for maker in MAKERS):
        return exprs
    match exprs:
        case (Var(type=List(count=None)) as rows, *rest):
            kind = counted(rows, block)
            if kind is not None:
                return (replace(rows, type=kind), *rest)
    return exprs


def with_count(expr: Expr, block: Sequence[nodes.Stmt]) -> Expr:
    """A list that a loop goes through, with its length in its type where that is known."""
    kind = expr.type
    if not isinstance(expr, Var) or not isinstance(kind, List) or kind.count is not None:
        return expr
    found = counted(expr, block)
    return expr if found is None else replace(expr, type=replace(kind, count=found.count))


__all__ = ["counted_lists", "with_count"]
