"""Floor 6: adjoints of stencils as gathers.

A nest that adds values to several neighbours of its point writes each entry several times, one
after the other. Here each value goes into a scratch array with a border of zeros, and a second nest
adds up for each entry what its neighbours send: once written, and fit for vector instructions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.analysis.effects import binds
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import Extent, add, integer
from s2sgrad.backend.loops.made_new import NewArrays
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.storage import Lengths
from s2sgrad.backend.loops.touches import touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import FLOAT, Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import with_blocks

FEWEST = 3  # neighbours from which a gather is worth its scratch array
MANY = 2  # neighbours for each value: every one has a scratch array of its own
Offsets = tuple[int, ...]


@dataclass(frozen=True)
class Term:
    """A value, times a number in the text, that is added to, or taken from, one neighbour."""

    value: Expr
    op: str
    offset: Offsets
    times: Const | None = None


@dataclass(frozen=True)
class Scatter:
    """The additions to neighbours in one array, in the order of the nest; None for those that stay
    there, since what they add goes to no other neighbour."""

    array: Var
    additions: tuple[Term | None, ...]

    @property
    def terms(self) -> list[Term]:
        """Those that are gathered."""
        return [term for term in self.additions if term is not None]


class Gathering:
    """Splits nests; scratch arrays are made ahead of the outermost loop."""

    def __init__(
        self, groups: Groups, names: Names, types: dict[str, Type], lengths: Lengths
    ) -> None:
        self.names, self.types, self.lengths = names, types, lengths
        self.new = NewArrays(groups)

    def block(self, block: Block) -> Block:
        """A block outside of loops."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.For() | nodes.While():
                    result += self._loop(stmt)
                case nodes.If(then=then, orelse=orelse):
                    sides = [self._entered(side, self.block) for side in (then, orelse)]
                    result.append(replace(stmt, then=sides[0], orelse=sides[1]))
                case _:
                    result.append(stmt)
            self.new.after(stmt)
        return tuple(result)

    def _entered(self, block: Block, change: Callable[[Block], Block]) -> Block:
        """A block inside, changed."""
        outside, self.new = self.new, self.new.entering(block)
        block = change(block)
        self.new = outside
        return block

    def _loop(self, loop: nodes.For | nodes.While) -> list[Stmt]:
        made: list[Stmt] = []
        bound = {t for s in (loop, *_walk(loop.body)) for t in nodes.targets_of(s)}
        body = self._entered(loop.body, lambda b: self._inside(b, bound, made))
        return [*made, replace(loop, body=body)]

    def _inside(self, block: Block, bound: set[str], made: list[Stmt]) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Nest):
                result += self._split(stmt, bound, made)
            else:
                within = with_blocks(
                    stmt, lambda b: self._entered(b, lambda b: self._inside(b, bound, made))
                )
                result.append(within)
            self.new.after(stmt)
        return tuple(result)

    def _split(self, nest: Nest, bound: set[str], made: list[Stmt]) -> list[Stmt]:
        groups = self.new.here()
        whole, nest = nest, _parted(nest, groups)
        scatter = find_scatter(nest, groups)
        counts = [self._ahead(e, bound) for e in nest.extents]
        if scatter is None or None in counts:
            return [whole]
        offsets = [term.offset for term in scatter.terms]
        low = [min(o[k] for o in offsets) for k in range(len(nest.extents))]
        width = [max(o[k] for o in offsets) - low[k] for k in range(len(nest.extents))]
        kind = Array("float64", (None,) * len(width))
        shape = tuple(
            add(n, integer(2 * w)) for n, w in zip(counts, width, strict=True) if n is not None
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
        sums = self._sums(nest, scatter, scratch, low, width)
        return [*self._split(first, bound, made), sums]

    def _ahead(self, extent: Extent, bound: set[str]) -> Expr | None:
        """The length of a loop as it is known ahead of the loops around it."""
        if not nodes.names_in(extent.count) & bound:
            return extent.count
        return self.lengths.size(extent.size)

    def _kept(
        self, nest: Nest, scatter: Scatter, scratch: dict[Expr, Var], width: list[int]
    ) -> Nest:
        """The nest with values put into scratch arrays, each where it is first added."""
        place = tuple(add(Var(n), integer(w)) for n, w in zip(nest.indices, width, strict=True))
        body: list[Stmt] = []
        left = dict(scratch)
        additions = iter(scatter.additions)
        for stmt in nest.body:
            own = isinstance(stmt, nodes.Store) and stmt.base == scatter.array
            term = next(additions) if own else None
            if term is None:
                body.append(stmt)
            elif term.value in left:
                store = nodes.Store(left.pop(term.value), place, term.value, span=stmt.span)
                body.append(store)
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
            part: Expr = Index(scratch[term.value], place, type=Scalar("float64"))
            if term.times is not None:
                product = (term.times, part)
                part = Call(np.multiply, "*", product, form="operator", type=FLOAT)
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


def _parted(nest: Nest, groups: Groups) -> Nest:
    """The nest with `y[i] += a` and `y[i] -= 2.0 * d` for `y[i] += a - 2.0 * d`, where it adds d
    elsewhere."""
    values = _Values(nest, groups)
    stores = [s for s in nest.body if isinstance(s, nodes.Store) and s.op in ("+", "-")]
    plain = {v for s in stores if (v := values.of(s.value)) is not None}
    body: list[Stmt] = []
    for stmt in nest.body:
        if isinstance(stmt, nodes.Store) and stmt.op in ("+", "-"):
            body += _parts(stmt, plain, values)
        else:
            body.append(stmt)
    return replace(nest, body=tuple(body))


def _parts(stmt: nodes.Store, plain: set[Expr], values: _Values) -> list[Stmt]:
    match values.made(stmt.value):
        case Call(form="operator", text="+" | "-" as sign, args=(left, right)):
            parts = (Term(part, "", ()) for part in (left, right) if values.of(part) is not None)
            if any(_as_multiple(p, plain, values).times is not None for p in parts):
                other = stmt.op if sign == "+" else "-" if stmt.op == "+" else "+"
                first, second = replace(stmt, value=left), replace(stmt, value=right, op=other)
                return [*_parts(first, plain, values), *_parts(second, plain, values)]
    return [stmt]


def find_scatter(nest: Nest, groups: Groups) -> Scatter | None:
    """The additions to neighbours in an array that the nest touches in no other way."""
    found: dict[str, list[nodes.Store]] = {}
    for stmt in nest.body:
        if isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var):
            found.setdefault(stmt.base.name, []).append(stmt)
    every = touches(nest.body)
    values = _Values(nest, groups)
    for name, stores in found.items():
        same = [a for a in every.arrays if groups.of(a[0]) == groups.of(name)]
        kind = stores[0].base.type
        if len(stores) < FEWEST or len(same) != len(stores) or not isinstance(kind, Array):
            continue
        terms = [_term(s, nest.indices, values) for s in stores]
        if kind.dtype != "float64" or any(t is None for t in terms):
            continue
        known = [t for t in terms if t is not None]
        plain = {t.value for t in known}
        known = [_as_multiple(t, plain, values) for t in known]
        often = Counter(t.value for t in known)
        gathered = tuple(t if often[t.value] > 1 else None for t in known)
        scatter = Scatter(stores[0].base, gathered)  # type: ignore[arg-type]
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


def _as_multiple(term: Term, plain: set[Expr], values: _Values) -> Term:
    """`4.0 * d` as d, four times, where d is added elsewhere."""
    match values.made(term.value):
        case Call(form="operator", text="*", args=(Const() as times, value)):
            single = values.of(value)
            if single is not None and single in plain:
                return replace(term, value=single, times=times)
    return term


class _Values:
    """What a nest adds. Names that stand for the same value throughout count as one."""

    def __init__(self, nest: Nest, groups: Groups) -> None:
        assigned = [s for s in nest.body if isinstance(s, nodes.Assign) and len(s.targets) == 1]
        times = Counter(t for s in nest.body for t in binds(s))
        self.once = {s.targets[0]: s for s in assigned if times[s.targets[0]] == 1}
        found = touches(nest.body)
        written = {groups.of(n) for n, _, mode in found.arrays if mode != "r"}
        changing = {n for n, _, _ in found.arrays if groups.of(n) in written}
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

    def made(self, value: Expr) -> Expr:
        """What a name stands for; any other expression is itself."""
        stmt = self.once.get(value.name) if isinstance(value, Var) else None
        return value if stmt is None else stmt.values[0]

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
