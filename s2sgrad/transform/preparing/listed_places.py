"""Floor 5: rows that are named one by one in a list, in code that is compiled.

Before: `A[[p, q]] = R @ A[[p, q]]`, which Numba does not take. After:

    part = np.stack([A[p], A[q]])
    value = R @ part
    A[p] = value[0]
    A[q] = value[1]

so that loops over entries do it, forwards and backwards. Of a place that is named twice the last
value stays, as it does in NumPy.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.infer import infer_elementwise
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Sequence, Stmt, Store, Var
from s2sgrad.ir.types import INT, Array, Scalar, Type, shape_of
from s2sgrad.rules.methods import OPERATORS
from s2sgrad.transform.preparing.spelling import Writer, at_times
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs

MOST = 8  # places that are written one by one
_WHOLE = ("int", "int64")  # Python's and NumPy's own


def with_listed_places(body: Block, types: dict[str, Type], taken: frozenset[str]) -> Block:
    """The body with such reads and writes row by row; `types` gets those of new names.

    taken: names that other things have, beside those that have a type.
    """
    names = Names(set(types) | taken)
    return map_block(body, lambda e: e, lambda s: _statement(s, names, types))


def _statement(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    if not isinstance(stmt, Assign | Store):
        return [stmt]
    inside = [n for e in nodes.expressions(stmt) for n in nodes.walk(e)]
    written = isinstance(stmt, Store) and _listed(stmt.base, stmt.index) is not None
    if not written and not any(_is_read(n) for n in inside):
        return [stmt]
    if any(map(at_times, inside)):
        return [stmt]
    writer = Writer(names, types)
    stmt = map_stmt_exprs(stmt, lambda e: _rows(writer, e))
    after = _written(writer, stmt) if isinstance(stmt, Store) and written else [stmt]
    return [*writer.before, *after]


def _is_read(expr: Expr) -> bool:
    return isinstance(expr, Index) and _listed(expr.base, expr.index) is not None


def _listed(base: Expr, index: tuple[Expr, ...]) -> int | None:
    """Which part of a subscript is a list of whole numbers, beside slices and numbers."""
    found = [k for k, p in enumerate(index) if isinstance(p, Sequence) and p.kind == "list"]
    if len(found) != 1 or not isinstance(base.type, Array) or not isinstance(base, Var):
        return None
    (place,) = found
    items = index[place].items  # type: ignore[attr-defined]
    others = all(
        isinstance(p, nodes.Slice) or (isinstance(p.type, Scalar) and p.type.dtype in _WHOLE)
        for k, p in enumerate(index)
        if k != place
    )
    whole = all(isinstance(i.type, Scalar) and i.type.dtype in _WHOLE for i in items)
    return place if others and whole and 0 < len(items) <= MOST else None


def _axis(index: tuple[Expr, ...], place: int) -> int:
    """The axis of the result along which the rows stand: where the list and the numbers do, if
    they are side by side, else the first one."""
    slices = [isinstance(p, nodes.Slice) for p in index]
    first, last = slices.index(False), len(slices) - 1 - slices[::-1].index(False)
    return 0 if any(slices[first:last]) else first


def _entries(base: Expr, index: tuple[Expr, ...], place: int) -> list[tuple[Expr, ...]]:
    """The subscripts of the rows."""
    items = index[place].items  # type: ignore[attr-defined]
    return [(*index[:place], item, *index[place + 1 :]) for item in items]


def _rows(writer: Writer, expr: Expr) -> Expr:
    """The rows that are read, in an array of their own."""
    if not _is_read(expr):
        return expr
    assert isinstance(expr, Index)
    place = _listed(expr.base, expr.index)
    assert place is not None
    rows = tuple(
        Index(expr.base, entry, type=infer_index(expr.base.type, entry), span=expr.span)
        for entry in _entries(expr.base, expr.index, place)
    )
    display = Sequence("list", rows)
    axis = _axis(expr.index, place)
    if isinstance(rows[0].type, Scalar):
        return _entries_in_array(writer, rows, expr)
    along = (("axis", Const(axis, type=INT)),) if axis else ()
    made = Call(np.stack, "np.stack", (display,), along, type=expr.type, span=expr.span)
    return writer.named(made)


def _entries_in_array(writer: Writer, entries: tuple[Expr, ...], like: Expr) -> Expr:
    """Numbers in a new array, into which they are written one by one."""
    if not isinstance(like.type, Array) or like.type.dtype != "float64":
        display = Sequence("list", entries)
        return Call(np.array, "np.array", (display,), type=like.type, span=like.span)
    count = Const(len(entries), type=INT)
    made = writer.named(Call(np.empty, "np.empty", (count,), type=like.type, span=like.span))
    for k, entry in enumerate(entries):
        writer.before.append(Store(made, (Const(k, type=INT),), entry, span=like.span))
    return made


def _written(writer: Writer, stmt: Store) -> list[Stmt]:
    """A write, row by row; as it is where the value is spread over the rows."""
    place = _listed(stmt.base, stmt.index)
    assert place is not None and isinstance(stmt.base, Var)
    display = stmt.index[place]
    assert isinstance(display, Sequence)
    parts = replace(display, items=tuple(_kept(writer, item) for item in display.items))
    index = (*stmt.index[:place], parts, *stmt.index[place + 1 :])
    whole = shape_of(infer_index(stmt.base.type, stmt.index))
    value, at_once = stmt.value, stmt.op.endswith("at")
    same = sizes.known(whole) and shape_of(value.type) == whole
    if not same and not isinstance(value.type, Scalar):
        return [stmt]
    if stmt.op not in ("", "=") and not at_once:
        function = OPERATORS.get(stmt.op)
        if not isinstance(function, np.ufunc):
            return [stmt]
        old = _rows(writer, Index(stmt.base, index, type=infer_index(stmt.base.type, index)))
        kind = infer_elementwise(function, (old.type, value.type), True)
        value = Call(function, stmt.op, (old, value), form="operator", type=kind, span=stmt.span)
        same = True
    if not isinstance(value.type, Scalar) and (shares_memory(value) or not isinstance(value, Var)):
        value = writer.named(build.copied(value) if shares_memory(value) else value)
    axis = _axis(index, place)
    before = (nodes.Slice(None, None, None),) * axis
    result: list[Stmt] = []
    for k, entry in enumerate(_entries(stmt.base, index, place)):
        row = build.index(value, *before, Const(k, type=INT)) if same else value
        op = stmt.op.removesuffix("at") if at_once else ""
        result.append(Store(stmt.base, entry, row, op, span=stmt.span))
    return result


def _kept(writer: Writer, item: Expr) -> Expr:
    """The number of a row, which the writes do not change."""
    return item if isinstance(item, Const | Var) else writer.named(item, "row")


__all__ = ["with_listed_places"]
