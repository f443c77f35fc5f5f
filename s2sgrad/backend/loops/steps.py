"""Floor 6: steps of loops in one statement again: `x = x + h * v`, not by a name of its own.

The reverse sweep has wanted `step = x + h * v; ...; x = step`, to be able to compute from the old x
what it needs. In one statement the step is one that may write into the x that is there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.elements import is_elementwise
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Array


def with_whole_steps(function: Function, outer: Function | None = None) -> Function:
    """The function with steps where their names are bound anew. outer: what it is a piece of."""
    stmts = list(nodes.walk_block(function.body))
    reads = Counter(n for s in stmts for e in nodes.expressions(s) for n in _named(e))
    bound = Counter(t for s in stmts for t in nodes.targets_of(s))
    once = {n for n, k in bound.items() if k == 1 == reads[n]} - set(function.parameters)
    if not any(_moved(s, once) for s in stmts):
        return function
    groups = Groups(function, outer)
    return replace(function, body=_block(function.body, once, groups))


def _named(expr: Expr) -> list[str]:
    return [e.name for e in nodes.walk(expr) if isinstance(e, Var)]


def _moved(stmt: Stmt, once: set[str]) -> str | None:
    """The name of an array that a statement only hands on, where that is its only use."""
    match stmt:
        case Assign(targets=(name,), values=(Var(name=own, type=Array()),)):
            return own if own in once and own != name else None
    return None


def _block(block: Block, once: set[str], groups: Groups) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                then, orelse = (_block(b, once, groups) for b in (then, orelse))
                stmt = replace(stmt, then=then, orelse=orelse)
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_block(body, once, groups))
        own = _moved(stmt, once)
        place = next((k for k, s in enumerate(result) if own in nodes.targets_of(s)), None)
        if own is not None and place is not None:
            step = result[place]
            if _may_wait(step, stmt, result[place + 1 :], groups):
                del result[place]
                assert isinstance(step, Assign) and isinstance(stmt, Assign)
                stmt = replace(stmt, values=step.values, span=step.span)
        result.append(stmt)
    return tuple(result)


def _may_wait(step: Stmt, move: Stmt, between: list[Stmt], groups: Groups) -> bool:
    """Whether a step computes the same after the statements in between."""
    match step, move:
        case Assign(targets=(_,), values=(value,)), Assign(targets=(name,)):
            pass
        case _:
            return False
    read = nodes.names_in(value)
    if name not in read or not is_elementwise(value) or has_effect(value):
        return False
    inside = tuple(nodes.walk_block(tuple(between)))
    if read & {t for s in inside for t in nodes.targets_of(s)}:
        return False
    held = {groups.of(n) for n in read}
    changes = (s for s in inside if isinstance(s, nodes.Store | nodes.Mutate))
    arrays = (s for s in changes if isinstance(s.base.type, Array))  # lists are not read here
    return not any(groups.of(root(s.base) or "") in held for s in arrays)


__all__ = ["with_whole_steps"]
