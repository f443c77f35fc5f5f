"""Floor 5: arrays that take turns are copied where their names move on.

`un, u, up = u, up, un`: what the reverse sweep reads of `u` is overwritten two turns later, through
another name. It could be undone there: three lists for one array (which array `u` was, which one
was written, and what stood there). One copy of `u` in each turn says the same, and nothing of it
need be undone.
"""

from __future__ import annotations

from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Slice, Stmt
from s2sgrad.ir.types import Array
from s2sgrad.transform.saving.needs import lasting_shape

Saves = frozenset[tuple[int, str]]  # (statement, name)


def turns(plan: Any) -> list[Saves]:
    """For each memory that names share: the moves of names that copies may be kept at, where
    writes in the same loops would have to be undone without."""
    found: dict[str, set[tuple[int, str]]] = {}
    for key, name in plan.saves:
        stmt = plan.stmts[key]
        moves = isinstance(stmt, nodes.Assign) and plan.loops_around(stmt)
        if moves and name in plan.lasting and name not in plan.aliases:
            found.setdefault(plan.effects.find(name), set()).add((key, name))
    return [
        frozenset(moves)
        for group, moves in sorted(found.items())
        if all(lasting_shape(plan.types.get(name)) for _, name in moves)
        and any(_costs_as_much(plan, key, moves) for key, _ in _undone(plan, group))
    ]


def _undone(plan: Any, group: str) -> list[tuple[int, str]]:
    """The writes into a memory that are undone in the reverse sweep."""
    kinds = nodes.Store | nodes.Mutate
    return [
        (key, name)
        for key, name in plan.saves
        if isinstance(plan.stmts[key], kinds) and plan.effects.find(name) == group
    ]


def _costs_as_much(plan: Any, key: int, moves: set[tuple[int, str]]) -> bool:
    """Whether what a write replaces in a turn is about as much as an array has."""
    stmt: Stmt = plan.stmts[key]
    if not isinstance(stmt, nodes.Store) or not isinstance(stmt.base, nodes.Var):
        return False
    kind = stmt.base.type
    if not isinstance(kind, Array) or not kind.shape:
        return False
    single = sum(not isinstance(part, Slice) for part in stmt.index)
    around = [loop for loop in plan.loops_around(stmt) if isinstance(loop, nodes.For)]
    return any(
        {id(loop) for loop in plan.loops_around(plan.stmts[move])} <= {id(p) for p in around}
        and single <= len(around) - len(plan.loops_around(plan.stmts[move]))
        for move, _ in moves
    )


def better(plan: Any, moves: Saves, before: Saves) -> bool:
    """Whether nothing is undone any more in that memory, and less is saved than before."""
    group = plan.effects.find(next(iter(sorted(moves)))[1])
    return not _undone(plan, group) and len(plan.saves) < len(before)


__all__ = ["better", "turns"]
