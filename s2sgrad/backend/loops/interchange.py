"""Floor 6: which loop runs inside which: the innermost should go along memory.

`for k: for i, j: x[i, j, k]` becomes `for i, j: for k: x[i, j, k]` where points (i, j) keep out
of each other's way: the nest is then joined to its neighbours, and rows stay at hand.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import Access, apart, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt


def interchanged(block: Block, groups: Groups) -> Block:
    """The block with loops over nests turned inside out where memory is laid out that way."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(
                    stmt, then=interchanged(then, groups), orelse=interchanged(orelse, groups)
                )
            case nodes.While(body=body):
                stmt = replace(stmt, body=interchanged(body, groups))
            case nodes.For(body=body):
                stmt = replace(stmt, body=interchanged(body, groups))
                stmt = _turned(stmt, groups) or stmt
        result.append(stmt)
    return tuple(result)


def _turned(loop: nodes.For, groups: Groups) -> Nest | None:
    """The loop inside its only nest; None where that is not the same, or no better."""
    if len(loop.body) != 1 or not isinstance(loop.body[0], Nest):
        return None
    nest = loop.body[0]
    found = touches(nest.body)
    inside = found.writes | found.counters | set(loop.targets)
    if found.odd or (found.writes - found.first - found.summed):
        return None
    if any(nodes.names_in(e.count) & inside for e in nest.extents):
        return None
    if not apart(found.arrays, found.arrays, nest.indices, groups):
        return None
    if len(loop.targets) != 1 or not _better(loop.targets[0], nest.indices[-1], found.arrays):
        return None
    return replace(nest, body=(replace(loop, body=nest.body),))


def _better(counter: str, now: str, arrays: list[Access]) -> bool:
    """Whether more subscripts end with the one counter than with the other."""
    return _ending(counter, arrays) > _ending(now, arrays)


def _ending(counter: str, arrays: list[Access]) -> int:
    return sum(bool(index) and counter in nodes.names_in(index[-1]) for _, index, _ in arrays)  # type: ignore[index]
