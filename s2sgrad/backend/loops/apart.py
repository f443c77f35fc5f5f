"""Floor 6: additions to many neighbours, a few at a time.

A nest that adds to five neighbours of its point in one array writes to five places that LLVM has to
prove apart before it may use vector instructions. It gives up above eight pairs, and each entry
takes its own instruction. In loops of their own, few at a time, they are soon proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sgrad.analysis.costs import COMPILED
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Expr, Stmt, Store, Var

MOST = 4  # places of one array that a loop may write to: six pairs, and some for what it reads
TOGETHER = 3  # places that are written to in one loop where there are more
CHEAP = 1.0  # nanoseconds of a number that may be computed in each of the loops


def in_few_places(block: Block, groups: Groups) -> Block:
    """The block with the innermost loops of such nests split."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                stmt = _split(replace(stmt, body=in_few_places(stmt.body, groups)), groups)
            case nodes.If(then=then, orelse=orelse):
                then, orelse = in_few_places(then, groups), in_few_places(orelse, groups)
                stmt = replace(stmt, then=then, orelse=orelse)
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=in_few_places(body, groups))
        result.append(stmt)
    return tuple(result)


def _split(nest: Nest, groups: Groups) -> Nest:
    stores = [s for s in nest.body if isinstance(s, Store)]
    if len(nest.indices) < 2 or not _has_many_places(stores) or not _may_split(nest, groups):
        return nest
    assigned = [s for s in nest.body if isinstance(s, Assign)]
    bodies = [(*_needed(assigned, part), *part) for part in _parts(stores)]
    twice = sum(isinstance(s, Assign) for body in bodies for s in body) - len(assigned)
    if twice > 0 and any(COMPILED.price(v) > CHEAP for s in assigned for v in s.values):
        return nest
    one = replace(nest, indices=nest.indices[-1:], extents=nest.extents[-1:])
    inner = tuple(replace(one, body=body) for body in bodies)
    return replace(nest, indices=nest.indices[:-1], extents=nest.extents[:-1], body=inner)


def _has_many_places(stores: list[Store]) -> bool:
    names = {s.base.name for s in stores if isinstance(s.base, Var)}
    return any(
        len({s.index for s in stores if isinstance(s.base, Var) and s.base.name == n}) > MOST
        for n in names
    )


def _may_split(nest: Nest, groups: Groups) -> bool:
    """Whether each iteration of the innermost loop only meets its own entries, and the numbers that
    it computes can be computed twice."""
    if not all(isinstance(s, Assign | Store) for s in nest.body):
        return False
    found = touches(nest.body)
    if found.odd or found.summed or found.writes & _inputs(nest):
        return False
    written = {groups.of(name) for name, _, mode in found.arrays if mode != "r"}
    if any(a[0] in found.writes for a in found.arrays):
        return False
    own = nest.indices[-1]
    for name, index, _ in found.arrays:
        if groups.of(name) in written and (not index or not _follows(index, own)):
            return False
    values = [v for s in nest.body if isinstance(s, Assign) for v in s.values]
    read = {n for v in values for n in nodes.names_in(v)}
    return not {groups.of(n) for n in read} & written


def _inputs(nest: Nest) -> frozenset[str]:
    """Numbers that an iteration reads before it has set them."""
    known: set[str] = set()
    found: set[str] = set()
    for stmt in nest.body:
        for expr in nodes.expressions(stmt):
            found |= nodes.names_in(expr) - known
        known |= set(nodes.targets_of(stmt))
    return frozenset(found)


def _follows(index: tuple[Expr, ...], name: str) -> bool:
    """Whether the last subscript is the counter, and no other has it."""
    return index[-1] == Var(name) and not any(name in nodes.names_in(p) for p in index[:-1])


def _parts(stores: list[Store]) -> Iterator[list[Store]]:
    part: list[Store] = []
    for store in stores:
        places = {(s.base, s.index) for s in [*part, store] if s.base == store.base}
        if part and len(places) > TOGETHER:
            yield part
            part = []
        part.append(store)
    if part:
        yield part


def _needed(assigned: list[Assign], stores: list[Store]) -> list[Assign]:
    """The assignments of numbers that some stores read."""
    read = {n for s in stores for e in nodes.expressions(s) for n in nodes.names_in(e)}
    kept: list[Assign] = []
    for stmt in reversed(assigned):
        if read & set(stmt.targets):
            kept.append(stmt)
            read |= {n for v in stmt.values for n in nodes.names_in(v)}
    return kept[::-1]


__all__ = ["in_few_places"]
