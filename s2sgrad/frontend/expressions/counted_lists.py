"""Floor 4: lists that loops have filled, where arrays are made of them: how long they are."""

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


__all__ = ["counted_lists"]
