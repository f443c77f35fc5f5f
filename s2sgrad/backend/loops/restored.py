"""Floor 6: parts of arrays that the reverse sweep restores are read from where they were saved.

`A[k:] = A_saved[k, k:]; v_bar = A[k:] @ x_bar` becomes `v_bar = A_saved[k, k:] @ x_bar`: the array
need not be restored, where nothing else reads it. What was saved comes from far away once, for the
first read; a copy of it would be written besides.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.dead import without_dead_stores
from s2sgrad.backend.loops.touches import arrays_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing.rewrite import map_block


def read_where_saved(
    function: Function, saved: frozenset[str], outer: Function | None = None
) -> Function:
    """The function with such reads. saved: the arrays that hold what was saved."""
    groups = Groups(function, outer)

    def loop(stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, nodes.For) and stmt.backwards:
            return [replace(stmt, body=_read(stmt.body, saved, groups))]
        return [stmt]

    body = map_block(function.body, lambda e: e, loop)
    if body == function.body:
        return function
    return without_dead_stores(replace(function, body=body), outer)


def _read(body: Block, saved: frozenset[str], groups: Groups) -> Block:
    for k, stmt in enumerate(body):
        part = _restored(stmt, saved)
        if part is None or not _stays(part, body, k, groups):
            continue
        assert isinstance(stmt, nodes.Store)
        place, own = (part.base, part.index), stmt.value

        def read(expr: Expr, place: tuple = place, own: Expr = own) -> Expr:
            same = isinstance(expr, Index) and (expr.base, expr.index) == place
            return replace(own, span=expr.span) if same else expr

        body = (*body[: k + 1], *map_block(body[k + 1 :], read))
    return body


def _restored(stmt: Stmt, saved: frozenset[str]) -> Index | None:
    """The part of an array that a statement fills with what was saved of it."""
    match stmt:
        case nodes.Store(base=Var() as base, index=index, op="", value=Index(base=Var(name=name))):
            if index and name in saved and isinstance(stmt.value.type, Array):
                return Index(base, index, type=stmt.value.type)
    return None


def _stays(part: Index, body: Block, place: int, groups: Groups) -> bool:
    """Whether the part holds that until the next round, and its subscript means the same."""
    assert isinstance(part.base, Var)
    own, names = groups.of(part.base.name), nodes.names_in(part)
    writes = [
        s for s in nodes.walk_block(body) if isinstance(s, nodes.Store | nodes.Mutate | nodes.Do)
    ]
    into = [s for s in writes if any(groups.of(n) == own for n in _written(s))]
    bound = nodes.bound_in(body[place:])
    places = {groups.of(name) for name in arrays_read(part.index)}
    moves = any(groups.of(n) in places for s in writes for n in _written(s))
    return into == [body[place]] and not names & bound and not moves


def _written(stmt: Stmt) -> frozenset[str]:
    """Names whose memory a statement may write."""
    if isinstance(stmt, nodes.Do):
        return frozenset(nodes.names_in(stmt.value))
    return frozenset(nodes.names_in(stmt.base))  # type: ignore[attr-defined]


__all__ = ["read_where_saved"]
