"""Floor 5: an array that one name alone holds, where that name is used for the last time.

    y_bar = u_bar                     y_bar = u_bar
    u_bar = np.zeros_like(u)          u_bar = np.zeros_like(u)
    d = y_bar[1:-1].copy()   becomes  d = y_bar[1:-1]
    u_bar[1:-1] += d                  u_bar[1:-1] += d
    y_bar[1:-1] = 0.0

Nobody reads what is written into it there, and nobody changes what a copy is made of. Analyses
without order find `y_bar` and `u_bar` together here, since each trip of the loop hands one on.
"""

from __future__ import annotations

from collections.abc import Callable

from s2sgrad.analysis.holders import Holders
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt

Used = Callable[[Stmt], str | None]


def last_uses(block: Block, used: Used) -> set[int]:
    """The statements (by id) that use an array which one name alone holds, and for the last time.

    used: the name of the array that a statement uses; None for statements that don't matter.
    """
    if not any(used(s) for s in nodes.walk_block(block)):
        return set()
    last: set[int] = set()
    again: set[int] = set()  # where it may be used later, in one of the places of a statement

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        if (name := used(stmt)) is not None:
            (again if name in after else last).add(id(stmt))

    Liveness(visit=visit).block(block, frozenset())
    last -= again
    return _alone(block, Holders(), used, last) if last else last


def _alone(block: Block, holders: Holders, used: Used, last: set[int]) -> set[int]:
    """Those of the statements at which one name alone holds the array."""
    found: set[int] = set()
    for stmt in block:
        if id(stmt) in last and used(stmt) in holders.own():
            found.add(id(stmt))
        for inner in nodes.blocks(stmt):
            found |= _alone(inner, holders.entering(inner), used, last)
        holders.after(stmt)
    return found


__all__ = ["last_uses"]
