"""Floor 6: whether a list may hold copies of the arrays that it takes.

A list holds the arrays themselves, which may be written into through other names before they are
taken out again.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var


def by_value(name: str, value: Expr, function: Function) -> bool:
    """Whether it is no matter that what a list takes, `value`, is copied."""
    if not shared_names(value):
        return True
    first = next((k for k, s in enumerate(function.body) if _empties(s, name)), 0)
    before, after = function.body[:first], function.body[first:]
    if any(_fills(s, name) for s in after):
        before, after = (), function.body
    if _writes(after, name, Groups(function)):
        return False
    found = _writes(before, name, Groups(replace(function, body=before)))
    return not found or _only_into_new(name, before, found)


def _empties(stmt: Stmt, name: str) -> bool:
    """Whether something is taken out of a list anywhere in a statement."""
    return any(
        isinstance(node, Call) and node.text == "pop" and Var(name) in node.args
        for inner in nodes.walk_block((stmt,))
        for expr in nodes.expressions(inner)
        for node in nodes.walk(expr)
    )


def _fills(stmt: Stmt, name: str) -> bool:
    return any(_adds(inner, name) for inner in nodes.walk_block((stmt,)))


def _adds(stmt: Stmt, name: str) -> bool:
    return isinstance(stmt, nodes.Mutate) and stmt.base == Var(name)


def _writes(block: Block, name: str, groups: Groups) -> list[nodes.Store]:
    """The statements that may write into an array that the list holds."""
    mine = (groups.of(name), None)
    stores = (s for s in nodes.walk_block(block) if isinstance(s, nodes.Store))
    return [s for s in stores if groups.root(s.base) in mine]


def _only_into_new(name: str, block: Block, found: list[nodes.Store]) -> bool:
    """Whether these write into an array that is made in the same block as the list takes it, and
    before that: `a = np.empty(n); a[0] = 1.0; a_saved.append(a)`."""
    for k, stmt in enumerate(block):
        if _adds(stmt, name):
            return _into_new(block[:k], found)
        for inner in nodes.blocks(stmt):
            if any(_fills(s, name) for s in inner):
                return _only_into_new(name, inner, found)
    return False


def _into_new(block: Block, found: list[nodes.Store]) -> bool:
    for k in range(len(block) - 1, -1, -1):
        match block[k]:
            case nodes.Assign(targets=(own,), values=(Call() as made,)) if not shared_names(made):
                stores = [s for s in nodes.walk_block(block[k:]) if s in found]
                bound = [t for s in nodes.walk_block(block[k + 1 :]) for t in nodes.targets_of(s)]
                if len(stores) == len(found) and own not in bound:
                    return all(s.base == Var(own) for s in found)
    return False


__all__ = ["by_value"]
