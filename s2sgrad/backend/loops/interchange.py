"""Floor 6: which loop runs inside which: the innermost should go along memory.

`for k: for i, j: x[i, j, k]` becomes `for i, j: for k: x[i, j, k]` where points (i, j) keep out
of each other's way: the nest is then joined to its neighbours, and rows stay at hand.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import Access, apart, every, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt

STRIDE = 4  # what an entry in another row counts for, where one in the same row counts for 1


def interchanged(body: Block, groups: Groups) -> Block:
    """The body with loops over nests turned inside out where memory is laid out that way."""
    own = {allocated(s) for s in every(body)}
    return _block(body, groups, frozenset(n for n in own if n))


def _block(block: Block, groups: Groups, own: frozenset[str]) -> Block:
    """own: arrays made here, whose axes may be laid out in another order (see layout.py)."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                then, orelse = _block(then, groups, own), _block(orelse, groups, own)
                stmt = replace(stmt, then=then, orelse=orelse)
            case nodes.While(body=body):
                stmt = replace(stmt, body=_block(body, groups, own))
            case nodes.For(body=body):
                stmt = replace(stmt, body=_block(body, groups, own))
                stmt = _turned(stmt, groups, own) or stmt
        result.append(stmt)
    return tuple(result)


def _turned(loop: nodes.For, groups: Groups, own: frozenset[str]) -> Nest | None:
    """The loop inside its only nest; None where that is not the same, or no better."""
    if len(loop.body) != 1 or not isinstance(loop.body[0], Nest):
        return None
    nest = loop.body[0]
    if not nest.indices:  # over axes of one entry each
        return None
    found = touches(nest.body)
    inside = found.writes | found.counters | set(loop.targets)
    if found.odd or (found.writes - found.first - found.summed):
        return None
    if any(nodes.names_in(e.count) & inside for e in nest.extents):
        return None
    if not apart(found.arrays, found.arrays, nest.indices, groups):
        return None
    if len(loop.targets) != 1:
        return None
    inner, now = (_price(c, found.arrays, own) for c in (loop.targets[0], nest.indices[-1]))
    return replace(nest, body=(replace(loop, body=nest.body),)) if inner < now else None


def _price(counter: str, arrays: list[Access], own: frozenset[str]) -> int:
    """What the entries cost that an innermost loop with this counter goes to: nothing if it is
    one and the same, little if they lie side by side."""
    price = 0
    for name, index, _ in arrays:
        where = [k for k, part in enumerate(index or ()) if counter in nodes.names_in(part)]
        if where:
            along = where == [len(index or ()) - 1] or name in own
            price += 1 if along else STRIDE
    return price
