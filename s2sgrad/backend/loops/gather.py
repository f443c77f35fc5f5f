"""Floor 6: adjoints of stencils as gathers.

A nest that adds one value to several neighbours of its point writes each entry several times, one
after the other. Here the values go into a scratch array with a border of zeros, and a second nest
adds up for each entry what its neighbours send: once written, and fit for vector instructions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import Extent, add, integer
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import FLOAT, Array, Scalar, Type

FEWEST = 3  # neighbours from which a gather is worth its scratch array
Offsets = tuple[int, ...]


@dataclass(frozen=True)
class Scatter:
    """The additions of one value to neighbours in one array."""

    array: Var
    value: Var
    op: str
    offsets: tuple[Offsets, ...]


class Gathering:
    """Splits nests; scratch arrays are made ahead of the outermost loop."""

    def __init__(self, groups: Groups, names: Names, types: dict[str, Type]) -> None:
        self.groups, self.names, self.types = groups, names, types

    def block(self, block: Block) -> Block:
        """A block outside of loops."""
        result: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, nodes.For | nodes.While):
                made: list[Stmt] = []
                bound = {t for s in _walk(stmt.body) for t in nodes.targets_of(s)} | set(
                    nodes.targets_of(stmt)
                )
                stmt = replace(stmt, body=self._inside(stmt.body, bound, made))
                result += made
            elif isinstance(stmt, nodes.If):
                stmt = replace(stmt, then=self.block(stmt.then), orelse=self.block(stmt.orelse))
            result.append(stmt)
        return tuple(result)

    def _inside(self, block: Block, bound: set[str], made: list[Stmt]) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Nest():
                    result += self._split(stmt, bound, made)
                    continue
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(
                        stmt,
                        then=self._inside(then, bound, made),
                        orelse=self._inside(orelse, bound, made),
                    )
                case nodes.For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self._inside(body, bound, made))
            result.append(stmt)
        return tuple(result)

    def _split(self, nest: Nest, bound: set[str], made: list[Stmt]) -> list[Stmt]:
        scatter = find_scatter(nest, self.groups)
        counted = {n for e in nest.extents for n in nodes.names_in(e.count)}
        if scatter is None or counted & bound:
            return [nest]
        low = [min(o[k] for o in scatter.offsets) for k in range(len(nest.extents))]
        width = [max(o[k] for o in scatter.offsets) - low[k] for k in range(len(nest.extents))]
        kind = Array("float64", (None,) * len(width))
        name = self.names.fresh(f"{scatter.value.name}_bordered")
        self.types[name] = kind
        scratch = Var(name, type=kind)
        shape = tuple(
            add(e.count, integer(2 * w)) for e, w in zip(nest.extents, width, strict=True)
        )
        zeros = Call(np.zeros, "np.zeros", (Sequence("tuple", shape),), type=kind)
        made.append(nodes.Assign((name,), (zeros,), span=nest.span))
        first = self._kept(nest, scatter, scratch, width)
        return [first, self._sums(nest, scatter, scratch, low, width)]

    def _kept(self, nest: Nest, scatter: Scatter, scratch: Var, width: list[int]) -> Nest:
        place = tuple(add(Var(n), integer(w)) for n, w in zip(nest.indices, width, strict=True))
        body: list[Stmt] = []
        done = False
        for stmt in nest.body:
            if not (isinstance(stmt, nodes.Store) and stmt.base == scatter.array):
                body.append(stmt)
            elif not done:
                body.append(nodes.Store(scratch, place, scatter.value, span=stmt.span))
                done = True
        return replace(nest, body=tuple(body))

    def _sums(
        self, nest: Nest, scatter: Scatter, scratch: Var, low: list[int], width: list[int]
    ) -> Nest:
        total: Expr | None = None
        for offset in scatter.offsets:
            place = tuple(
                add(Var(n), integer(w - o + first))
                for n, w, o, first in zip(nest.indices, width, offset, low, strict=True)
            )
            part = Index(scratch, place, type=Scalar("float64"))
            total = (
                part
                if total is None
                else Call(np.add, "+", (total, part), form="operator", type=FLOAT)
            )
        assert total is not None
        at = tuple(add(Var(n), integer(first)) for n, first in zip(nest.indices, low, strict=True))
        extents = tuple(
            Extent(
                None if e.size is None else e.size + of(w),
                ("wider", e.size or e.key, w),
                add(e.count, integer(w)),
            )
            for e, w in zip(nest.extents, width, strict=True)
        )
        store = nodes.Store(scatter.array, at, total, scatter.op, span=nest.span)
        return replace(nest, extents=extents, body=(store,))


def find_scatter(nest: Nest, groups: Groups) -> Scatter | None:
    """The additions to neighbours in an array that the nest touches in no other way."""
    found: dict[tuple[str, Expr, str], list[Offsets]] = {}
    for stmt in nest.body:
        if (
            isinstance(stmt, nodes.Store)
            and stmt.op in ("+", "-")
            and isinstance(stmt.base, Var)
            and isinstance(stmt.value, Var)
        ):
            offset = _offset(stmt.index, nest.indices)
            if offset is not None:
                found.setdefault((stmt.base.name, stmt.value, stmt.op), []).append(offset)
    every = touches(nest.body)
    for (name, value, op), offsets in found.items():
        same = [a for a in every.arrays if groups.of(a[0]) == groups.of(name)]
        stores = [s.base for s in nest.body if isinstance(s, nodes.Store) and s.base == Var(name)]
        kind = stores[0].type
        if (
            len(offsets) >= FEWEST
            and len(same) == len(offsets)
            and isinstance(kind, Array)
            and kind.dtype == "float64"
        ):
            assert isinstance(value, Var) and isinstance(stores[0], Var)
            if value.name in every.writes:
                return Scatter(stores[0], value, op, tuple(offsets))
    return None


def _offset(index: tuple[Expr, ...], indices: tuple[str, ...]) -> Offsets | None:
    """The constants in `i + a, j + b` for the nest's own indices in order."""
    if len(index) != len(indices):
        return None
    found = []
    for part, name in zip(index, indices, strict=True):
        match part:
            case Var(name=own) if own == name:
                found.append(0)
            case Call(
                form="operator", text="+", args=(Var(name=own), Const(value=int(amount)))
            ) if own == name:
                found.append(amount)
            case _:
                return None
    return tuple(found)


def _walk(block: Block) -> list[Stmt]:
    found: list[Stmt] = []
    for stmt in block:
        found.append(stmt)
        for part in (stmt.body,) if isinstance(stmt, Nest) else nodes.blocks(stmt):
            found += _walk(part)
    return found
