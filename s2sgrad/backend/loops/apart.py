"""Floor 6: additions to neighbours in loops of their own, where LLVM could not vectorise one loop.

`x_bar[j + 1] += d; x_bar[j] -= d` reads in each iteration what the one before has written; in two
loops, nothing does. `x_bar[i + 1, j] += d; x_bar[i, j] -= d` writes to two rows. LLVM compares them
as the loop runs, and gives up where there are five. In loops of their own there is nothing to
compare, which was measured to be twice as fast, and four times for some lengths of the rows.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.costs import COMPILED
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Stmt, Store, Var

CHEAP = 1.0  # nanoseconds of a number that may be computed in each of the loops


def with_additions_apart(block: Block, groups: Groups) -> Block:
    """The block with the innermost loops of such nests split."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                inner = with_additions_apart(stmt.body, groups)
                result += _split(replace(stmt, body=inner), groups)
                continue
            case nodes.If(then=then, orelse=orelse):
                then = with_additions_apart(then, groups)
                stmt = replace(stmt, then=then, orelse=with_additions_apart(orelse, groups))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=with_additions_apart(body, groups))
        result.append(stmt)
    return tuple(result)


def _split(nest: Nest, groups: Groups) -> list[Stmt]:
    parts = _parts(nest, groups)
    if len(parts) < 2:
        return [nest]
    assigned = [s for s in nest.body if isinstance(s, Assign)]
    bodies = [(*_needed(assigned, part), *part) for part in parts]
    twice = sum(isinstance(s, Assign) for body in bodies for s in body) > len(assigned)
    if twice and any(COMPILED.price(v) > CHEAP for s in assigned for v in s.values):
        return [nest]
    one = replace(nest, indices=nest.indices[-1:], extents=nest.extents[-1:])
    inner = tuple(replace(one, body=body) for body in bodies)
    if len(nest.indices) == 1:
        return list(inner)
    return [replace(nest, indices=nest.indices[:-1], extents=nest.extents[:-1], body=inner)]


def _parts(nest: Nest, groups: Groups) -> list[list[Store]]:
    """The stores of each loop: it adds to one place of an array. Those that do more are in the
    first."""
    stores = [s for s in nest.body if isinstance(s, Store)]
    if len(stores) < 2 or not all(isinstance(s, Assign | Store) for s in nest.body):
        return []
    added = _only_added(nest, groups)
    if added is None:
        return []
    parts: list[list[Store]] = [[]]
    places: list[dict[str, tuple[Expr, ...]]] = [{}]
    for store in stores:
        name = store.base.name if isinstance(store.base, Var) else ""
        if name not in added:
            parts[0].append(store)
            continue
        k = next((k for k, p in enumerate(places) if p.get(name, store.index) == store.index), -1)
        if k < 0:
            parts.append([])
            places.append({})
        parts[k].append(store)
        places[k][name] = store.index
    return [part for part in parts if part]


def _only_added(nest: Nest, groups: Groups) -> frozenset[str] | None:
    """The arrays that a nest adds to and uses in no other way; None where it must stay whole.

    Iterations of the innermost loop meet in entries of these arrays alone, in which the order of
    additions is free, and no number of the nest depends on what it writes.
    """
    found = touches(nest.body)
    if found.odd or found.summed or found.writes & _inputs(nest):
        return None
    written = {groups.of(name) for name, _, mode in found.arrays if mode != "r"}
    modes: dict[str, set[str]] = {}
    for name, _, mode in found.arrays:
        modes.setdefault(groups.of(name), set()).add(mode)
    own = nest.indices[-1]
    added: set[str] = set()
    for name, index, _ in found.arrays:
        if name in found.writes:
            return None
        if groups.of(name) not in written:
            continue
        if not index or any(own in nodes.names_in(p) for p in index[:-1]):
            return None
        if modes[groups.of(name)] == {"a"} and _offset(index[-1], own):
            added.add(name)
        elif index[-1] != Var(own):
            return None
    values = [v for s in nest.body if isinstance(s, Assign) for v in s.values]
    values += [s.value for s in nest.body if isinstance(s, Store)]
    if {groups.of(n) for v in values for n in nodes.names_in(v)} & written:
        return None
    return frozenset(added)


def _offset(part: Expr, name: str) -> bool:
    """Whether a subscript is the counter, or a number more or less."""
    match part:
        case Call(form="operator", text="+" | "-", args=(left, Const())):
            return left == Var(name)
    return part == Var(name)


def _inputs(nest: Nest) -> frozenset[str]:
    """Numbers that an iteration reads before it has set them."""
    known: set[str] = set()
    found: set[str] = set()
    for stmt in nest.body:
        for expr in nodes.expressions(stmt):
            found |= nodes.names_in(expr) - known
        known |= set(nodes.targets_of(stmt))
    return frozenset(found)


def _needed(assigned: list[Assign], stores: list[Store]) -> list[Assign]:
    """The assignments of numbers that some stores read."""
    read = {n for s in stores for e in nodes.expressions(s) for n in nodes.names_in(e)}
    kept: list[Assign] = []
    for stmt in reversed(assigned):
        if read & set(stmt.targets):
            kept.append(stmt)
            read |= {n for v in stmt.values for n in nodes.names_in(v)}
    return kept[::-1]


__all__ = ["with_additions_apart"]
