"""Floor 6: arrays that are filled and never read fall away.

The compiler keeps `x` for the reverse sweep where that reads its shape; once lengths are numbers,
nothing of the array is read any more.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import has_effect
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import every, read_by
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var


def without_unread_arrays(body: Block) -> Block:
    """The body without new arrays that are only written, entry by entry. A name that may also be
    another array's is written for that one."""
    while True:
        stmts = every(body)
        made = {name for s in stmts if (name := allocated(s)) is not None}
        made -= {t for s in stmts if allocated(s) is None for t in nodes.targets_of(s)}
        read = {n for s in stmts for e in _reads(s) for n in nodes.names_in(e)}
        unread = made - read
        if not unread:
            return body
        body = _without(body, unread)


def _reads(stmt: Stmt) -> tuple[Expr, ...]:
    """What a statement reads; an array that it writes entries of only if they are not plain."""
    if isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var):
        base = (stmt.base,) if has_effect(stmt.value) else ()
        return (*base, *stmt.index, stmt.value)
    return read_by(stmt)


def _without(block: Block, unread: set[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Store(base=Var(name=name)) if name in unread:
                continue
            case nodes.Assign() if allocated(stmt) in unread:
                continue
            case Nest(body=body):
                stmt = replace(stmt, body=_without(body, unread))
                if not stmt.body:
                    continue
            case nodes.If(then=then, orelse=orelse):
                then, orelse = _without(then, unread), _without(orelse, unread)
                stmt = replace(stmt, then=then, orelse=orelse)
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, unread))
        result.append(stmt)
    return tuple(result)


__all__ = ["without_unread_arrays"]
