"""Floor 6: adjoints of stencils as gathers.

A nest that adds values to several neighbours of its point writes each entry several times, one
after the other. Here each value goes into a scratch array with a border of zeros, and a second nest
adds up for each entry what its neighbours send: once written, and fit for vector instructions.
"""

from __future__ import annotations

from collections import Counter
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
MANY = 2  # neighbours for each value: every one has a scratch array of its own
Offsets = tuple[int, ...]


@dataclass(frozen=True)
class Term:
    """A value that is added to, or taken from, one neighbour."""

    value: Expr
    op: str
    offset: Offsets


@dataclass(frozen=True)
class Scatter:
    """The additions to neighbours in one array, in the order of the nest."""

    array: Var
    terms: tuple[Term, ...]


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
        offsets = [term.offset for term in scatter.terms]
        low = [min(o[k] for o in offsets) for k in range(len(nest.extents))]
        width = [max(o[k] for o in offsets) - low[k] for k in range(len(nest.extents))]
        kind = Array("float64", (None,) * len(width))
        shape = tuple(
            add(e.count, integer(2 * w)) for e, w in zip(nest.extents, width, strict=True)
        )
        scratch: dict[Expr, Var] = {}
        for term in scatter.terms:
            if term.value in scratch:
                continue
            base = term.value.name if isinstance(term.value, Var) else scatter.array.name
            name = self.names.fresh(f"{base}_bordered")
            self.types[name] = kind
            scratch[term.value] = Var(name, type=kind)
            zeros = Call(np.zeros, "np.zeros", (Sequence("tuple", shape),), type=kind)
            made.append(nodes.Assign((name,), (zeros,), span=nest.span))
        first = self._kept(nest, scatter, scratch, width)
        return [first, self._sums(nest, scatter, scratch, low, width)]

    def _kept(
        self, nest: Nest, scatter: Scatter, scratch: dict[Expr, Var], width: list[int]
    ) -> Nest:
        """The nest with values put into scratch arrays, each where it is first added."""
        place = tuple(add(Var(n), integer(w)) for n, w in zip(nest.indices, width, strict=True))
        body: list[Stmt] = []
        left = dict(scratch)
        terms = iter(scatter.terms)
        for stmt in nest.body:
            if not (isinstance(stmt, nodes.Store) and stmt.base == scatter.array):
                body.append(stmt)
                continue
            value = next(terms).value
            if value in left:
                body.append(nodes.Store(left.pop(value), place, value, span=stmt.span))
        return replace(nest, body=tuple(body))

    def _sums(
        self,
        nest: Nest,
        scatter: Scatter,
        scratch: dict[Expr, Var],
        low: list[int],
        width: list[int],
    ) -> Nest:
        terms = sorted(scatter.terms, key=lambda term: term.op == "-")
        lead = terms[0].op
        total: Expr | None = None
        for term in terms:
            place = tuple(
                add(Var(n), integer(w - o + first))
                for n, w, o, first in zip(nest.indices, width, term.offset, low, strict=True)
            )
            part = Index(scratch[term.value], place, type=Scalar("float64"))
            sign, function = ("+", np.add) if term.op == lead else ("-", np.subtract)
            total = (
                part
                if total is None
                else Call(function, sign, (total, part), form="operator", type=FLOAT)
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
        store = nodes.Store(scatter.array, at, total, lead, span=nest.span)
        return replace(nest, extents=extents, body=(store,))


def find_scatter(nest: Nest, groups: Groups) -> Scatter | None:
    """The additions to neighbours in an array that the nest touches in no other way."""
    found: dict[str, list[nodes.Store]] = {}
    for stmt in nest.body:
        if isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var):
            found.setdefault(stmt.base.name, []).append(stmt)
    every = touches(nest.body)
    values = _Values(nest)
    for name, stores in found.items():
        same = [a for a in every.arrays if groups.of(a[0]) == groups.of(name)]
        kind = stores[0].base.type
        if len(stores) < FEWEST or len(same) != len(stores) or not isinstance(kind, Array):
            continue
        terms = [_term(s, nest.indices, values) for s in stores]
        if kind.dtype != "float64" or any(t is None for t in terms):
            continue
        scatter = Scatter(stores[0].base, tuple(t for t in terms if t is not None))  # type: ignore[arg-type]
        apart = {t.offset for t in scatter.terms}
        if len(apart) >= FEWEST and len(apart) >= MANY * len({t.value for t in scatter.terms}):
            return scatter
    return None


def _term(stmt: nodes.Store, indices: tuple[str, ...], values: _Values) -> Term | None:
    offset = _offset(stmt.index, indices)
    if offset is None or stmt.op not in ("+", "-"):
        return None
    value = values.of(stmt.value)
    return None if value is None else Term(value, stmt.op, offset)


class _Values:
    """What a nest adds. Names that stand for the same value throughout count as one."""

    def __init__(self, nest: Nest) -> None:
        assigned = [s for s in nest.body if isinstance(s, nodes.Assign) and len(s.targets) == 1]
        times = Counter(t for s in nest.body for t in nodes.targets_of(s))
        self.once = {s.targets[0]: s for s in assigned if times[s.targets[0]] == 1}
        found = touches(nest.body)
        changing = {n for n, _, mode in found.arrays if mode != "r"}
        self.changing = changing | {n for n in found.writes if n not in self.once}
        self.first: dict[Expr, Var] = {}

    def of(self, value: Expr) -> Expr | None:
        """A value under the first name that it has; None for one that changes inside."""
        if not self._stays(value):
            return None
        if not isinstance(value, Var):
            return value
        stmt = self.once.get(value.name)
        if stmt is None:
            return None
        made = stmt.values[0]
        return self.first.setdefault(made, value) if self._stays(made) else value

    def _stays(self, value: Expr) -> bool:
        return not nodes.names_in(value) & self.changing


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
