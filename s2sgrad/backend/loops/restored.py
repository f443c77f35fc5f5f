"""Floor 6: parts of arrays that the reverse sweep restores are read from where they were saved.

`A[k:] = A_saved[k, k:]; v_bar = A[k:] @ x_bar` becomes `v_bar = A_saved[k, k:] @ x_bar`: the array
need not be restored, where nothing else reads it. What was saved comes from far away once, for the
first read; a copy of it would be written besides. Of an array that is restored as a whole, any part
is read there: `u[...] = u_saved[t]; d = u[2:]` becomes `d = u_saved[t, 2:]`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.dead import without_dead_stores
from s2sgrad.backend.loops.touches import arrays_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar
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
        part = _restored(stmt)
        if part is None or not _stays(part, body, k, groups):
            continue
        if not _is_left(stmt, saved, body, groups):
            continue
        assert isinstance(stmt, nodes.Store) and isinstance(stmt.value, Index)
        assert isinstance(part.base, Var)
        if stmt.index:
            read = partial(_part_read, (part.base, part.index), stmt.value)
        else:
            read = partial(_whole_read, part.base, stmt.value)
        body = (*body[: k + 1], *map_block(body[k + 1 :], read))
    return body


def _part_read(place: tuple[Expr, tuple[Expr, ...]], own: Expr, expr: Expr) -> Expr:
    same = isinstance(expr, Index) and (expr.base, expr.index) == place
    return replace(own, span=expr.span) if same else expr


def _whole_read(whole: Var, own: Index, expr: Expr) -> Expr:
    """An expression, whose operands have been replaced, with the row for the array itself."""
    match expr:
        case Var() if expr == whole:
            return replace(own, span=expr.span)
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(base,)) if base == own:
            return replace(expr, args=(whole,))
        case Index(base=base, index=index) if base == own:
            if not all(map(_is_plain, index)):
                return replace(expr, base=whole)
            return replace(expr, base=own.base, index=(*own.index, *index))
    return expr


def _is_plain(part: Expr) -> bool:
    """Whether it is a slice or a number: those of an array's row may follow the row's own."""
    whole = isinstance(part.type, Scalar) and part.type.dtype.startswith("int")
    return isinstance(part, nodes.Slice) or whole


def _restored(stmt: Stmt) -> Index | None:
    """The part of an array that a statement fills with what was saved of it."""
    match stmt:
        case nodes.Store(
            base=Var() as base, index=index, op="", value=Index(base=Var(), index=row)
        ) if isinstance(stmt.value.type, Array):
            if index or (base.type == stmt.value.type and all(map(_is_number, row))):
                return Index(base, index, type=stmt.value.type)
    return None


def _is_number(part: Expr) -> bool:
    return isinstance(part.type, Scalar) and not isinstance(part, nodes.Slice)


def _is_left(stmt: Stmt, saved: frozenset[str], body: Block, groups: Groups) -> bool:
    """Whether a loop writes nothing into the array that a statement reads from."""
    name = stmt.value.base.name  # type: ignore[attr-defined]
    if name in saved:
        return True
    writes = [s for s in nodes.walk_block(body) if isinstance(s, _WRITES)]
    held = groups.of(name)
    written = any(groups.of(n) == held for s in writes for n in _written(s))
    return not written and name not in nodes.bound_in(body)


_WRITES = nodes.Store | nodes.Mutate | nodes.Do


def _stays(part: Index, body: Block, place: int, groups: Groups) -> bool:
    """Whether the part holds that until the next round, and its subscript means the same."""
    assert isinstance(part.base, Var)
    row = body[place].value.index  # type: ignore[attr-defined]
    own, subscripts = groups.of(part.base.name), (*part.index, *row)
    names = {part.base.name}.union(*map(nodes.names_in, subscripts))
    writes = [s for s in nodes.walk_block(body) if isinstance(s, _WRITES)]
    into = [s for s in writes if any(groups.of(n) == own for n in _written(s))]
    bound = nodes.bound_in(body[place:])
    places = {groups.of(name) for name in arrays_read(subscripts)}
    moves = any(groups.of(n) in places for s in writes for n in _written(s))
    return into == [body[place]] and not names & bound and not moves


def _written(stmt: Stmt) -> frozenset[str]:
    """Names whose memory a statement may write."""
    if isinstance(stmt, nodes.Do):
        return frozenset(nodes.names_in(stmt.value))
    return frozenset(nodes.names_in(stmt.base))  # type: ignore[attr-defined]


__all__ = ["read_where_saved"]
