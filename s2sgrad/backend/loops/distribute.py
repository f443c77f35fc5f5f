"""Floor 6: a user's loop around loops of ours, turned so that the innermost runs along memory.

`for j: total = 0; for k: total += A[k, i] * B[k, j]; C[i, j] = total` goes down columns. Where the
iterations of j keep out of each other's way, each statement gets a loop over j of its own, inside
the loops that it had; what one statement hands on to the next is kept for every j:
`for j: totals[j] = 0; for k: for j: totals[j] += A[k, i] * B[k, j]; for j: C[i, j] = totals[j]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import size_of
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.counts import is_count, rising_counters
from s2sgrad.backend.loops.extents import Extent, add, integer, subtract, total
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.ranges import lasts
from s2sgrad.backend.loops.touches import Touches, apart, every, live_after, read_by, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import INT, Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_loops

_FLOATS = ("float64", "float")


class Distribution:
    """Turns loops of one function; new arrays are made ahead of each. given: its parameters."""

    def __init__(
        self, body: Block, groups: Groups, names: Names, types: dict[str, Type],
        given: Iterable[str],
    ) -> None:  # fmt: skip
        self.groups, self.names, self.types = groups, names, types
        self.after = live_after(body)
        self.counters = rising_counters(body) - set(given)

    def block(self, block: Block) -> Block:
        return map_loops(block, self._loop)

    def _loop(self, loop: nodes.For | nodes.While) -> list[Stmt]:
        made = replace(loop, body=self.block(loop.body))
        if isinstance(made, nodes.While):
            return [made]
        return self._distributed(made, self.after[id(loop)]) or [made]

    def _distributed(self, loop: nodes.For, after: frozenset[str]) -> list[Stmt] | None:
        """The statements in place of the loop; None where that is not the same, or no better."""
        first_count = range_of(loop)
        if first_count is None or not all(map(_is_simple, loop.body)):
            return None
        found = touches(loop.body)
        if found.odd or not self._worth(loop) or not self._independent(loop, found, after):
            return None
        first, count = first_count
        if not (lasts(first) and lasts(count)):
            return None
        (name,) = loop.targets
        body = mapped(loop.body, lambda e: add(e, first) if e == Var(name) else e)
        own = touches(body)
        moving = own.writes | own.counters

        def stays(expr: Expr) -> bool:
            return not nodes.names_in(expr) & moving and is_count(expr, self.counters)

        if not apart(own.arrays, own.arrays, (name,), self.groups, stays):
            return None
        extent = Extent(size_of(count), ("loop", name, count), count)
        parts = _parts(body)
        kept = self._handed_on(parts, found.writes - summed_in(loop))
        if not _are_floats(kept, body) or (kept and not is_count(first, self.counters)):
            return None
        length, place = total(count, first), add(Var(name, type=INT), first)
        held = {n: self._array(n, length) for n in kept}
        made: list[Stmt] = [_allocated(array, length, loop) for array in held.values()]
        for part in parts:
            part = _with_entries(part, held, (place,))
            if len(part) == 1 and isinstance(part[0], Nest):
                inner = part[0]
                both = (*inner.indices, name), (*inner.extents, extent)
                made.append(Nest(*both, inner.body, span=inner.span))
            else:
                made.append(Nest((name,), (extent,), part, span=loop.span))
        return made

    def _worth(self, loop: nodes.For) -> bool:
        """Whether more subscripts of the loops inside end with the outer counter."""
        (name,) = loop.targets
        gain = 0
        for stmt in loop.body:
            if isinstance(stmt, Nest):
                if _is_deep(stmt):
                    return False
                arrays = touches(stmt.body).arrays
                inner = _ending(stmt.indices[-1], arrays) if stmt.indices else 0
                gain += _ending(name, arrays) - inner
        return gain > 0

    def _independent(self, loop: nodes.For, found: Touches, after: frozenset[str]) -> bool:
        """Whether what an iteration computes stays its own, apart from arrays."""
        inside = found.writes | found.counters | set(loop.targets)
        own, summed = _mentions((loop,)), summed_in(loop)
        if found.writes - found.first - summed - _private(loop.body, own):
            return False
        if after & ({*found.writes, *loop.targets} - summed):
            return False
        return not any(
            nodes.names_in(e) & inside
            for stmt in every(loop.body)
            if isinstance(stmt, Nest)
            for e in read_by(stmt)
        )

    def _handed_on(self, parts: list[Block], written: set[str]) -> list[str]:
        """The numbers, of those written, that one part computes and another reads."""
        where: Counter[str] = Counter()
        for part in parts:
            where.update(n for n in _mentions(part) if n in written)
        return sorted(n for n, number in where.items() if number > 1)

    def _array(self, name: str, count: Expr) -> Var:
        kind = Array("float64", (size_of(count),))
        fresh = self.names.fresh(name)
        self.types[fresh] = kind
        return Var(fresh, type=kind)


def _allocated(array: Var, count: Expr, loop: nodes.For) -> Stmt:
    made = Call(np.empty, "np.empty", (count,), type=array.type)
    return nodes.Assign((array.name,), (made,), span=loop.span)


def summed_in(loop: nodes.For) -> set[str]:
    """Numbers that a loop only adds to, between its nests."""
    steps = Counter(s.base.name for s in loop.body if _is_sum(s))  # type: ignore[attr-defined]
    named = _mentions((loop,))
    return {name for name, times in steps.items() if named[name] == times}


def _is_sum(stmt: Stmt) -> bool:
    """Whether a statement adds to a number."""
    match stmt:
        case nodes.Store(base=Var(type=Scalar(dtype=dtype)), index=(), op="+" | "-"):
            return dtype in _FLOATS
    return False


def _private(block: Block, own: Counter[str]) -> set[str]:
    """Numbers that belong to one point of one nest."""
    found: set[str] = set()
    for stmt in every(block):
        if isinstance(stmt, Nest):
            here = _mentions((stmt,))
            found |= {n for n in touches(stmt.body).first if here[n] == own[n]}
    return found


def _are_floats(names: list[str], block: Block) -> bool:
    """Whether all that is assigned to these names are floats."""
    return all(
        isinstance(value.type, Scalar) and value.type.dtype in _FLOATS
        for stmt in every(block)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if target in names
    )


def _mentions(block: Block) -> Counter[str]:
    found: Counter[str] = Counter()
    for stmt in every(block):
        found.update(nodes.targets_of(stmt))
        for expr in read_by(stmt):
            found.update(n.name for n in nodes.walk(expr) if isinstance(n, Var))
    return found


def range_of(loop: nodes.For) -> tuple[Expr, Expr] | None:
    """(first value, how many) of a loop over a range by ones."""
    if len(loop.targets) != 1 or len(loop.sources) != 1:
        return None
    source = loop.sources[0]
    if not isinstance(source, Call) or source.function not in (range, "range"):
        return None
    match source.args:
        case (stop,):
            return integer(0), stop
        case (start, stop):
            return start, subtract(stop, start)
    return None


def _is_simple(stmt: Stmt) -> bool:
    """Whether a statement sets a number, or an entry of an array, or is a nest of such."""
    match stmt:
        case Nest(body=body):
            return all(map(_is_simple, body))
        case nodes.Assign(targets=targets, values=values):
            return len(targets) == 1 and isinstance(values[0].type, Scalar)
        case nodes.Store(base=Var() as base):
            return (isinstance(base.type, Array) and bool(stmt.index)) or _is_sum(stmt)
        case nodes.Comment():
            return True
    return False


def _is_deep(nest: Nest) -> bool:
    return any(isinstance(s, Nest) for s in nest.body)


def _ending(counter: str, arrays: list) -> int:
    return sum(bool(index) and counter in nodes.names_in(index[-1]) for _, index, _ in arrays)


def _parts(body: Block) -> list[Block]:
    """Nests by themselves, and what stands between them."""
    found: list[list[Stmt]] = []
    for stmt in body:
        if isinstance(stmt, Nest) or not found or isinstance(found[-1][-1], Nest):
            found.append([])
        found[-1].append(stmt)
    return [tuple(part) for part in found]


def _with_entries(block: Block, held: dict[str, Var], place: tuple[Expr, ...]) -> Block:
    """Numbers as entries of the arrays that hold them for every iteration."""

    def read(expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name in held:
            return Index(held[expr.name], place, type=Scalar("float64"))
        return expr

    def write(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=(name,), values=(value,)) if name in held:
                return [_stored(held[name], place, value, stmt)]
        return [stmt]

    return mapped(block, read, write)


def _stored(array: Var, place: tuple[Expr, ...], value: Expr, stmt: Stmt) -> nodes.Store:
    """`array[place] = value`, as an addition where it is one."""
    now = Index(array, place)
    match value:
        case Call(text="add_to", args=(total, more)) if total == now:
            return nodes.Store(array, place, more, "+", span=stmt.span)
        case Call(text="add_product", args=(total, left, right)) if total == now:
            both = Call(np.multiply, "*", (left, right), form="operator", type=Scalar("float64"))
            return nodes.Store(array, place, both, "+", span=stmt.span)
    return nodes.Store(array, place, value, span=stmt.span)
