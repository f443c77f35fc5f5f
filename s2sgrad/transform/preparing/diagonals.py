"""Floor 5: diagonals of arrays that are written in place.

`np.diagonal(A)` is a view that can't be written. What is written into `A` shows in it, and its
cotangent is added to that diagonal of the cotangent of `A`: a view that can be written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import Effects, root
from s2sgrad.analysis.held import chain
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt
from s2sgrad.ir.types import INT
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime import diagonal_view

ANY = (np.diag, np.diagonal, np.linalg.diagonal)


def with_diagonals_shown(block: Block, shows: Callable[[str, str], bool]) -> Block:
    """The block with diagonals that can be written where a change shows in one that has a name.

    shows: whether a change shows in what a variable has of the memory of another.
    """

    def shown(target: str, value: Expr) -> Expr:
        if isinstance(value, nodes.Choice):
            sides = shown(target, value.then), shown(target, value.orelse)
            return replace(value, then=sides[0], orelse=sides[1])
        seen = _is_diagonal(value) and shows(target, root(value) or "")
        return _writable(value) if seen else value

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign):
            return [stmt]
        values = tuple(map(shown, stmt.targets, stmt.values))
        return [replace(stmt, values=values)] if values != stmt.values else [stmt]

    return map_block(block, lambda e: e, on_stmt)


def with_plain_diagonals(block: Block, found: Effects) -> Block:
    """The block in which a diagonal is NumPy's own where its array is not written in place."""
    stored = {
        id(c) for s in nodes.walk_block(block) if isinstance(s, nodes.Store) for c in chain(s.base)
    }

    def on_expr(expr: Expr) -> Expr:
        if not isinstance(expr, Call) or expr.function is not diagonal_view:
            return expr
        owner = root(expr)
        if id(expr) in stored or (owner is not None and found.is_written(owner)):
            return expr
        return replace(expr, function=np.diagonal, text="np.diagonal")

    return map_block(block, on_expr, lambda stmt: [stmt])


def _is_diagonal(value: Expr) -> bool:
    return isinstance(value, Call) and any(value.function is own for own in ANY)


def _writable(call: Expr) -> Expr:
    assert isinstance(call, Call)
    args, named = list(call.args), dict(call.kwargs)
    if call.function is np.diag and "k" in named:
        named["offset"] = named.pop("k")
    if call.function is np.linalg.diagonal:
        named |= {"axis1": Const(-2, type=INT), "axis2": Const(-1, type=INT)}
    return replace(
        call, function=diagonal_view, text="diagonal_view", form="call", args=tuple(args),
        kwargs=tuple(named.items()),
    )  # fmt: skip


__all__ = ["with_diagonals_shown", "with_plain_diagonals"]
