"""Floor 5: numbers that get a name only to be put into a list or dict are put there at once.

`total = d[k] + v` and then `d[k] = total`, as the `__setitem__` of a class leaves it, is
`d[k] = d[k] + v`: it reads better, and the reversal sees that the entry is only added to.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt, Var
from s2sgrad.ir.types import Dict, List, Scalar
from s2sgrad.transform.writing.rewrite import with_blocks


def stored_at_once(block: Block, live: frozenset[str]) -> Block:
    """The block without such names; live: what is read behind it."""
    uses = Counter(n.name for s in nodes.walk_block(block) for n in _variables(s))
    bound = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
    once = {n for n, count in uses.items() if count == 1 and bound[n] == 1} - live

    def joined(inner: Block) -> Block:
        result: list[Stmt] = []
        for stmt in (with_blocks(s, joined) for s in inner):
            value = _value_put(result[-1], stmt, once) if result else None
            if value is not None and isinstance(stmt, nodes.Store):
                result[-1] = replace(stmt, value=value)
            else:
                result.append(stmt)
        return tuple(result)

    return joined(block)


def _value_put(before: Stmt, stmt: Stmt, once: set[str]) -> nodes.Expr | None:
    """The number that the statement before has bound to a name for this one."""
    match before, stmt:
        case (
            nodes.Assign(targets=(name,), values=(value,)),
            nodes.Store(base=base, value=Var(name=put), op=""),
        ) if name == put and name in once and isinstance(base.type, List | Dict):
            plain = isinstance(value.type, Scalar) and not has_effect(value)
            return value if plain else None
    return None


def _variables(stmt: Stmt) -> list[Var]:
    parts = [e for part in nodes.expressions(stmt) for e in nodes.walk(part)]
    return [e for e in parts if isinstance(e, Var)]


__all__ = ["stored_at_once"]
