"""Floor 4: writes in place that surely meet an array which was made just before.

    for _ in range(steps):
        un = u.copy()
        un[1:-1] = ...
        u = un

Names share their memory over the whole loop, and yet the caller's `u` is never written.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.new_arrays import memory_of, shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Stmt, Store, Var
from s2sgrad.ir.types import Array

Above = tuple[Block, ...]  # the statements before a place, of its own block and those around it


def without_fresh_stores(block: Block, above: Above = ()) -> Block:
    """The block without such writes: what is left tells whose other memory is written."""
    result: list[Stmt] = []
    for k, stmt in enumerate(block):
        here = (block[:k], *above)
        match stmt:
            case Store(base=Var(name=name, type=Array())) if _is_fresh(name, here):
                continue
            case nodes.If(then=then, orelse=orelse):
                sides = (without_fresh_stores(side, ((), *here)) for side in (then, orelse))
                stmt = replace(stmt, then=next(sides), orelse=next(sides))
            case nodes.For(body=body) | nodes.While(body=body):
                # What a round before has bound counts too: names that the loop binds, from its top
                # on, are those of nobody knows which round.
                inside = without_fresh_stores(body, ((stmt,), *here))
                stmt = replace(stmt, body=inside)
        result.append(stmt)
    return tuple(result)


def _is_fresh(name: str, above: Above) -> bool:
    """Whether a variable holds an array that was made on the way here, on every way."""
    for depth, block in enumerate(above):
        for k in range(len(block) - 1, -1, -1):
            stmt = block[k]
            if name not in nodes.bound_in((stmt,)):
                continue
            if not isinstance(stmt, Assign) or len(stmt.targets) != 1:
                return False
            value = stmt.values[0]
            if not shares_memory(value):
                return True
            before = (block[:k], *above[depth + 1 :])
            givers = memory_of(value)
            return bool(givers) and all(_is_fresh(giver, before) for giver in givers)
    return False


__all__ = ["without_fresh_stores"]
