"""Floor 6: neighbours on a ring: `x[(j + 1) % n]` in a loop over j in `range(n)`.

A remainder takes as long as twenty additions, and what is read behind it can't be read several at
once. It differs from `j + 1` in the last iteration alone, which gets a loop of its own:

    for j in range(n):                 for j in range(0, n - 1):
        e += x[j] * x[(j + 1) % n]         e += x[j] * x[j + 1]
                                       for j in range(max(n - 1, 0), n):
                                           e += x[j] * x[(j + 1) % n]

The same for neighbours further away, and in loops made of `np.roll` (see turns.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from s2sgrad.analysis.indexing import size_of
from s2sgrad.backend.loops.extents import add, integer
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.ranges import lasts
from s2sgrad.backend.loops.touches import every
from s2sgrad.backend.loops.turns import place_on_ring, step_on_ring
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import INT, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block

FURTHEST = 8  # places to a neighbour
LARGEST = 40  # statements of a loop that is written twice


def without_wraps(block: Block, names: Names, types: dict[str, Type]) -> Block:
    """The block with innermost loops split by where neighbours are."""

    def inside(block: Block) -> Block:
        return without_wraps(block, names, types)

    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest(body=body):
                result += _split_nest(replace(stmt, body=inside(body)), names, types)
                continue
            case nodes.While(body=body):
                stmt = replace(stmt, body=inside(body))
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=inside(then), orelse=inside(orelse))
            case nodes.For(body=body):
                result += _split(replace(stmt, body=inside(body)))
                continue
        result.append(stmt)
    return tuple(result)


def _split(loop: nodes.For) -> list[Stmt]:
    """The loop, or its first iterations, those between, and its last."""
    match loop:
        case nodes.For(targets=(name,), sources=(Call(function=known, args=args),), body=body) if (
            known in (range, "range") and len(args) < 3
        ):
            start, stop = args if len(args) == 2 else (integer(0), args[0])
        case _:
            return [loop]
    inside = list(nodes.walk_block(body))
    written = {t for s in inside for t in nodes.targets_of(s)}
    simple = all(isinstance(s, nodes.Assign | nodes.Store | nodes.If) for s in inside)
    low = start.value if isinstance(start, Const) else None
    if not simple or len(inside) > LARGEST or type(low) is not int or low < 0:
        return [loop]
    if not lasts(stop) or nodes.names_in(stop) & (written | {name}) or name in written:
        return [loop]
    steps = {step for step in _steps(body, name, stop) if abs(step) <= FURTHEST}
    if not steps:
        return [loop]
    back, on = max(0, -min(steps)), max(0, *steps)
    first: Expr = integer(max(low, back))
    last = _less(stop, on)
    parts = [_over(loop, first, last, _plain(body, name, stop))]
    if first != start:
        parts.insert(0, _over(loop, start, _chosen(min, first, stop), body))
    if last != stop:
        ahead = _chosen(min, first, stop) if back > 1 else first
        parts.append(_over(loop, _chosen(max, last, ahead), stop, body))
    return list(parts[::-1] if loop.backwards else parts)


def _split_nest(nest: Nest, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """The same for the innermost loop of a nest, whose points may come in any order, and a name
    for each neighbour along the loops around it."""
    lengths = [e.count for e in nest.extents]
    if not any(map(partial(_steps, nest.body), nest.indices, lengths)):
        return [nest]
    name, count = nest.indices[-1], lengths[-1]
    steps = _steps(nest.body, name, count)
    loop = nodes.For((name,), (_range(count),), nest.body, span=nest.span)
    loops = _split(loop) if steps else [loop]
    if steps == {1, -1} and len(loops) == 3:
        apart = _chosen(max, add(count, integer(-1)), integer(1))
        loops = [replace(loop, sources=(_range(integer(0), count, apart),)), loops[1]]
    whole = len(loops) == 1
    body: Block = (
        (replace(nest, indices=(name,), extents=nest.extents[-1:]),) if whole else (*loops,)
    )
    for place in range(len(nest.indices) - 2, -1, -1):
        own = slice(place, place + 1)
        named = _neighbours(body, nest.indices[place], lengths[place], names, types)
        body = (Nest(nest.indices[own], nest.extents[own], named, span=nest.span),)
    return list(body)


def _neighbours(body: Block, name: str, count: Expr, names: Names, types: dict[str, Type]) -> Block:
    """The body of a loop with its neighbours on the ring named ahead."""
    known: dict[int, Var] = {}
    made: list[Stmt] = []
    for step in sorted(_steps(body, name, count)):
        found = names.fresh("before" if step < 0 else "after")
        types[found] = kind = Scalar("int64")
        known[step] = Var(found, type=kind)
        place = place_on_ring(add(Var(name, type=INT), integer(step)), count)
        made.append(nodes.Assign((found,), (place,)))

    def on_expr(expr: Expr) -> Expr:
        return known.get(step_on_ring(expr, name, count) or 0, expr)

    return (*made, *mapped(body, on_expr)) if made else body


def _range(*bounds: Expr) -> Call:
    return Call(range, "range", bounds, type=INT)


def _steps(body: Block, name: str, stop: Expr) -> set[int]:
    """The amounts in `(name + amount) % stop`."""
    found = {
        step_on_ring(node, name, stop)
        for stmt in every(body)
        for expr in nodes.expressions(stmt)
        for node in nodes.walk(expr)
    }
    return {step for step in found if step}


def _less(stop: Expr, amount: int) -> Expr:
    """With what is known of the number: entries before it lie inside of arrays that long."""
    last, size = add(stop, integer(-amount)), size_of(stop)
    if size is None or not isinstance(last, Call):
        return last
    return replace(last, type=Scalar("int", size - of(amount)))


def _over(loop: nodes.For, start: Expr, stop: Expr, body: Block) -> nodes.For:
    source = loop.sources[0]
    assert isinstance(source, Call)
    return replace(loop, sources=(replace(source, args=(start, stop)),), body=body)


def _chosen(function: object, one: Expr, two: Expr) -> Expr:
    return Call(function, function.__name__, (one, two), type=INT)  # type: ignore[attr-defined]


def _plain(body: Block, name: str, stop: Expr) -> Block:
    """The statements without remainders; neighbours by their places, not by names."""

    def plain(expr: Expr) -> Expr:
        step = step_on_ring(expr, name, stop)
        near = step is not None and abs(step) <= FURTHEST
        return add(Var(name, type=INT), integer(step or 0)) if near else expr

    body = map_block(body, plain)
    inside = list(nodes.walk_block(body))
    written = Counter(t for s in inside for t in nodes.targets_of(s))
    places = {
        s.targets[0]: s.values[0]
        for s in body
        if isinstance(s, nodes.Assign) and _is_neighbour(s, name) and written[s.targets[0]] == 1
    }
    known: dict[str, Expr] = {}
    result: list[Stmt] = []
    for stmt in body:  # ahead of it, a name has the neighbour of the iteration before
        result += map_block((stmt,), lambda e: known.get(e.name, e) if isinstance(e, Var) else e)
        known.update((name, places[name]) for name in nodes.targets_of(stmt) if name in places)
    return tuple(result)


def _is_neighbour(stmt: nodes.Assign, name: str) -> bool:
    match stmt.values:
        case (Call(text="+" | "-", args=(Var(name=own), Const(value=int()))),):
            return own == name
    return False


__all__ = ["without_wraps"]
