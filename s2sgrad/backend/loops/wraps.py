"""Floor 6: neighbours on a ring: `x[(j + 1) % n]` in a loop over j in `range(n)`.

A remainder takes as long as twenty additions, and what is read behind it can't be read several at
once. It differs from `j + 1` in the last iteration alone, which gets a loop of its own:

    for j in range(n):                 for j in range(0, n - 1):
        e += x[j] * x[(j + 1) % n]         e += x[j] * x[j + 1]
                                       for j in range(max(n - 1, 0), n):
                                           e += x[j] * x[(j + 1) % n]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sgrad.analysis.indexing import size_of
from s2sgrad.backend.loops.extents import add, integer
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import INT, Scalar
from s2sgrad.transform.writing.rewrite import map_block

LARGEST = 40  # statements of a loop that is written twice


def without_wraps(block: Block) -> Block:
    """The block with the innermost loops of the user's split by where neighbours are."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=without_wraps(body))
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=without_wraps(then), orelse=without_wraps(orelse))
            case nodes.For(body=body):
                result += _split(replace(stmt, body=without_wraps(body)))
                continue
        result.append(stmt)
    return tuple(result)


def _split(loop: nodes.For) -> list[Stmt]:
    """The loop, or its first iteration, those between, and its last."""
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
    if nodes.names_in(stop) & (written | {name}) or name in written:
        return [loop]
    steps = {_step(e, name, stop) for s in inside for v in nodes.expressions(s)
             for e in nodes.walk(v)}  # fmt: skip
    if not steps & {1, -1}:
        return [loop]
    first: Expr = integer(low + (low == 0 and -1 in steps))
    last = _one_less(stop) if 1 in steps else stop
    parts = [_over(loop, first, last, _plain(body, name, stop))]
    if first != start:
        parts.insert(0, _over(loop, start, _chosen(min, integer(1), stop), body))
    if last != stop:
        parts.append(_over(loop, _chosen(max, last, first), stop, body))
    return list(parts[::-1] if loop.backwards else parts)


def _one_less(stop: Expr) -> Expr:
    """With what is known of the number: entries before it lie inside of arrays that long."""
    last, size = add(stop, integer(-1)), size_of(stop)
    if size is None or not isinstance(last, Call):
        return last
    return replace(last, type=Scalar("int", size - of(1)))


def _over(loop: nodes.For, start: Expr, stop: Expr, body: Block) -> nodes.For:
    source = loop.sources[0]
    assert isinstance(source, Call)
    return replace(loop, sources=(replace(source, args=(start, stop)),), body=body)


def _chosen(function: object, one: Expr, two: Expr) -> Expr:
    return Call(function, function.__name__, (one, two), type=INT)  # type: ignore[attr-defined]


def _step(expr: Expr, name: str, stop: Expr) -> int | None:
    """The amount in `(name + amount) % stop`."""
    match expr:
        case Call(form="operator", text="%", args=(Call(form="operator") as moved, by)) if (
            by == stop
        ):
            match moved:
                case Call(text="+", args=(Var(name=own), Const(value=int(amount)))):
                    return amount if own == name else None
                case Call(text="-", args=(Var(name=own), Const(value=int(amount)))):
                    return -amount if own == name else None
    return None


def _plain(body: Block, name: str, stop: Expr) -> Block:
    """The statements without remainders by one place; neighbours by their places, not by names."""

    def plain(expr: Expr) -> Expr:
        step = _step(expr, name, stop)
        return add(Var(name, type=INT), integer(step)) if step in (1, -1) else expr

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
