"""Floor 5: values that the reverse sweep computes again fall away where they are still there.

Before:  parts = split(z)            After:  parts = split(z)
         a_bar += parts[0]                   a_bar += parts[0]
         parts = split(z)                    b_bar += parts[1]
         b_bar += parts[1]
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt
from s2sgrad.transform.tidy import memory

Memory = dict[str, frozenset[str]]


def without_repeats(block: Block) -> Block:
    """Drop the compiler's own assignments of what the name holds already."""
    return _without(block, memory(block))


def _without(block: Block, held: Memory) -> Block:
    known: dict[str, Expr] = {}
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_without(then, held), orelse=_without(orelse, held))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, held))
        if isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1:
            name, value = stmt.targets[0], stmt.values[0]
            if known.get(name) == value and stmt.span is None:
                continue
            _forget(known, stmt, held)
            if name not in nodes.names_in(value) and _computed(value):
                known[name] = value
        else:
            _forget(known, stmt, held)
        result.append(stmt)
    return tuple(result)


def _computed(value: Expr) -> bool:
    """Whether evaluating an expression again gives the same."""
    return isinstance(value, Call | nodes.Index) and not has_effect(value) and not _pops(value)


def _pops(value: Expr) -> bool:
    return any(isinstance(e, Call) and e.function == "pop" for e in nodes.walk(value))


def _forget(known: dict[str, Expr], stmt: Stmt, held: Memory) -> None:
    """Forget what a statement (or one inside it) changes."""
    changed: set[str] = set()
    for inner in nodes.walk_block((stmt,)):
        if isinstance(inner, nodes.Do | nodes.Splice):
            known.clear()
            return
        bound = set(nodes.targets_of(inner))
        changed |= bound
        if isinstance(inner, nodes.Store | nodes.Mutate):
            base = root(inner.base)
            if base is None:
                known.clear()
                return
            changed |= {base, *held.get(base, ())}
    for name, value in list(known.items()):
        used = {name, *nodes.names_in(value)}
        if changed & used.union(*(held.get(n, frozenset()) for n in used)):
            del known[name]
