"""Floor 3: variables that are bound to other variables, as they are."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Var


def with_other_names(names: frozenset[str], body: Block) -> frozenset[str]:
    """These names, and those that stand for the same values at times."""
    moves = [
        (target, value.name)
        for stmt in nodes.walk_block(body)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if isinstance(value, Var)
    ]
    while more := {target for target, name in moves if name in names} - names:
        names |= more
    return names


__all__ = ["with_other_names"]
