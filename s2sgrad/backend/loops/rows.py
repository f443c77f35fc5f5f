"""Floor 6: columns that inner loops walk along, copied into rows first.

`for i: for j: ... pos[j, 0] - pos[i, 0] ...` reads column 0 once for each i, entries that lie apart
in memory. Copied before the loops, they lie side by side: LLVM then reads several at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import Extent
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.storage import Lengths
from s2sgrad.backend.loops.touches import every, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import INT, Array, Scalar, Type


@dataclass(frozen=True)
class Tools:
    """What the pass needs of the function. lengths: sizes as expressions that always hold."""

    groups: Groups
    names: Names
    types: dict[str, Type]
    lengths: Lengths


def along_rows(block: Block, tools: Tools) -> Block:
    """The block, outside of loops, with such columns copied into rows."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                made: list[Stmt] = []
                new = _with_rows(stmt, tools, made)
                result += [*made, *new]
                continue
            case nodes.For() | nodes.While():
                made = []
                stmt = _inside(stmt, tools, made)
                result += made
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=along_rows(then, tools), orelse=along_rows(orelse, tools))
        result.append(stmt)
    return tuple(result)


def _inside(stmt: Stmt, tools: Tools, made: list[Stmt]) -> Stmt:
    """A statement inside of loops; `made` gets the memory for rows."""

    def block(inner: Block) -> Block:
        found: list[Stmt] = []
        for s in inner:
            found += _with_rows(s, tools, made) if isinstance(s, Nest) else [
                _inside(s, tools, made)
            ]  # fmt: skip
        return tuple(found)

    match stmt:
        case nodes.If(then=then, orelse=orelse):
            return replace(stmt, then=block(then), orelse=block(orelse))
        case nodes.For(body=body) | nodes.While(body=body):
            return replace(stmt, body=block(body))
    return stmt


@dataclass
class _Rows:
    """The rows for one nest. outer: its counters; written: groups of arrays that it writes."""

    tools: Tools
    written: set[str]
    found: dict[tuple[Expr, Extent], Var] = field(default_factory=dict)
    fills: list[Nest] = field(default_factory=list)
    made: list[Stmt] = field(default_factory=list)


def _with_rows(nest: Nest, tools: Tools, made: list[Stmt]) -> list[Stmt]:
    written = {tools.groups.of(n) for n, _, mode in touches((nest,)).arrays if mode != "r"}
    rows = _Rows(tools, written)
    new = _inner(nest, (), rows)
    made += rows.made
    return [*rows.fills, new]


def _inner(nest: Nest, outer: tuple[str, ...], rows: _Rows) -> Nest:
    """The nest with reads in its innermost loops replaced."""
    if any(isinstance(s, Nest | nodes.For | nodes.While) for s in nest.body):
        around = (*outer, *nest.indices)
        body = tuple(_inner(s, around, rows) if isinstance(s, Nest) else s for s in nest.body)
        return replace(nest, body=body)
    around = (*outer, *nest.indices[:-1])
    if not around or not nest.indices:
        return nest
    counter, extent = nest.indices[-1], nest.extents[-1]
    inside = {t for s in every(nest.body) for t in nodes.targets_of(s)} | set(around)
    body = mapped(nest.body, _reader(counter, extent, inside, rows))
    return replace(nest, body=body)


def _reader(counter: str, extent: Extent, inside: set[str], rows: _Rows) -> Callable[[Expr], Expr]:
    """Replaces reads down a column, at places that only the counter changes."""

    def read(expr: Expr) -> Expr:
        match expr:
            case Index(base=Var(name=name), index=index) if len(index) > 1:
                along = [k for k, p in enumerate(index) if p == Var(counter)]
                others = {n for p in index for n in nodes.names_in(p)} - {counter}
                if len(along) != 1 or along[0] == len(index) - 1 or others & inside:
                    return expr
                if rows.tools.groups.of(name) in rows.written or not _is_float(expr):
                    return expr
                if any(counter in nodes.names_in(p) for p in index if p != Var(counter)):
                    return expr
                row = _row(expr, counter, extent, rows)
                return (
                    expr if row is None else Index(row, (Var(counter, type=INT),), type=expr.type)
                )
        return expr

    return read


def _row(expr: Index, counter: str, extent: Extent, rows: _Rows) -> Var | None:
    for (other, length), row in rows.found.items():
        if other == expr and length.same(extent):
            return row
    count = rows.tools.lengths.size(extent.size)
    if count is None:
        return None
    tools = rows.tools
    assert isinstance(expr.base, Var)
    row = Var(tools.names.fresh(f"{expr.base.name}_row"), type=Array("float64", (extent.size,)))
    tools.types[row.name] = row.type
    rows.found[expr, extent] = row
    empty = Call(np.empty, "np.empty", (count,), type=row.type)
    rows.made.append(nodes.Assign((row.name,), (empty,)))
    fill = nodes.Store(row, (Var(counter, type=INT),), expr)
    for k, nest in enumerate(rows.fills):
        if nest.indices == (counter,) and nest.extents[0].same(extent):
            rows.fills[k] = replace(nest, body=(*nest.body, fill))
            return row
    rows.fills.append(Nest((counter,), (extent,), (fill,)))
    return row


def _is_float(expr: Index) -> bool:
    kind = expr.base.type
    return isinstance(kind, Array) and kind.dtype == "float64" and isinstance(expr.type, Scalar)


__all__ = ["Tools", "along_rows"]
