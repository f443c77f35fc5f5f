"""Floor 6: entries that are written with what was just read from them.

`h[i] = h[i] - d` hands its cotangent on as it is: `part_bar = h_bar[i]; ...; h_bar[i] = part_bar`.
Without the last statement the array is one that the loop only reads.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import arrays_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Index, Stmt, Store, Var
from s2sgrad.ir.types import Scalar


def without_idle_stores(block: Block, groups: Groups) -> Block:
    """The block without such statements."""
    result: list[Stmt] = []
    held: dict[str, Index] = {}  # number -> the entry that holds it
    for stmt in block:
        match stmt:
            case Nest(body=body) | nodes.For(body=body) | nodes.While(body=body):
                stmt, held = replace(stmt, body=without_idle_stores(body, groups)), {}
            case nodes.If(then=then, orelse=orelse):
                then, orelse = (without_idle_stores(b, groups) for b in (then, orelse))
                stmt, held = replace(stmt, then=then, orelse=orelse), {}
            case Assign(targets=(name,), values=(Index(type=Scalar()) as entry,)):
                held = _without(held, {name})
                if isinstance(entry.base, Var) and name not in nodes.names_in(entry):
                    held[name] = entry
            case Assign(targets=targets):
                held = _without(held, set(targets))
            case Store(base=Var(name=array) as base, index=index, op="", value=Var(name=name)) if (
                index and name in held and held[name] == Index(base, index, type=held[name].type)
            ):
                continue
            case Store(base=Var(name=array)):
                written = groups.of(array)
                held = {n: e for n, e in held.items() if written not in _memory(e, groups)}
                held = _without(held, {array})
            case _:
                held = {}
        result.append(stmt)
    return tuple(result)


def _memory(entry: Index, groups: Groups) -> set[str]:
    """The memory that an entry lies in, and that of the places in its subscript."""
    return {groups.of(name) for name in arrays_read((entry,))}


def _without(held: dict[str, Index], names: set[str]) -> dict[str, Index]:
    return {n: e for n, e in held.items() if n not in names and not nodes.names_in(e) & names}


__all__ = ["without_idle_stores"]
