"""Floor 6: whether a list may hold copies of the arrays that it takes, and what of no value.

A list holds the arrays themselves, which may be written into through other names before they are
taken out again.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import BOOL, NONE, Scalar


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
    before that: `a = np.empty(n); a[0] = 1.0; a_saved.append(a)`, or in the next iteration."""
    for k, stmt in enumerate(block):
        if _adds(stmt, name):
            return _into_new(block[:k], found) or _into_new(block[k + 1 :], found)
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
                plain = len(stores) == len(found) and own not in bound
                if plain and all(s.base == Var(own) for s in found):
                    return True
    return False


def begun_as_none(body: Block) -> frozenset[str]:
    """The names that may have no value yet: None stands for it."""
    return frozenset(
        target
        for stmt in nodes.walk_block(body)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if value == nodes.Const(None)
    )


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


def kept_entry(store: nodes.Store, unsure: frozenset[str]) -> Stmt:
    """A store of what a list took: nothing, or 0, of a name without a value, which nobody reads."""
    value = store.value
    if not isinstance(value, Var) or value.name not in unsure:
        return store
    nothing = nodes.Const(None, type=NONE)
    if isinstance(value.type, Scalar):
        absent = Call("is", "is", (value, nothing), form="operator", type=BOOL)
        entry = nodes.Choice(absent, nodes.Const(0, type=value.type), value, type=value.type)
        return replace(store, value=entry)
    there = Call("is not", "is not", (value, nothing), form="operator", type=BOOL)
    return nodes.If(there, (store,), ())


__all__ = ["begun_as_none", "by_value", "kept_entry", "with_other_names"]
