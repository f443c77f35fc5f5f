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
from s2sgrad.transform.writing.tidy import memory

Memory = dict[str, frozenset[str]]


def without_repeats(block: Block) -> Block:
    """Drop the compiler's own assignments of what the name holds already."""
    return _without(block, memory(block))


def _without(block: Block, held: Memory) -> Block:
    twice = _bound_alike(block)
    known = _Known(held)
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_without(then, held), orelse=_without(orelse, held))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, held))
        name = stmt.targets[0] if isinstance(stmt, nodes.Assign) else ""
        if name in twice and known.values.get(name) == stmt.values[0] and stmt.span is None:  # type: ignore[attr-defined]
            continue
        known.forget(stmt)
        if name in twice:
            known.note(name, stmt.values[0])  # type: ignore[attr-defined]
        result.append(stmt)
    return tuple(result)


def _bound_alike(block: Block) -> set[str]:
    """Names that a block binds to the same expression more than once."""
    found: dict[str, list[Expr]] = {}
    twice: set[str] = set()
    for stmt in block:
        if isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1:
            values = found.setdefault(stmt.targets[0], [])
            if values and values[-1] == stmt.values[0]:
                twice.add(stmt.targets[0])
            values.append(stmt.values[0])
    return twice


class _Known:
    """What names hold. depends: a name -> those whose expressions change with its memory."""

    def __init__(self, held: Memory) -> None:
        self.held = held
        self.values: dict[str, Expr] = {}
        self.depends: dict[str, set[str]] = {}

    def note(self, name: str, value: Expr) -> None:
        """A name holds the value of an expression from here on."""
        if name in nodes.names_in(value) or not _computed(value):
            return
        self.values[name] = value
        for used in (name, *nodes.names_in(value)):
            for place in (used, *self.held.get(used, ())):
                self.depends.setdefault(place, set()).add(name)

    def forget(self, stmt: Stmt) -> None:
        """Forget what a statement (or one inside it) changes."""
        if not self.values:
            return
        for inner in nodes.walk_block((stmt,)):
            changed = set(nodes.targets_of(inner))
            if isinstance(inner, nodes.Store | nodes.Mutate):
                base = root(inner.base)
                changed |= {base, *self.held.get(base, ())} if base is not None else set()
            if isinstance(inner, nodes.Do | nodes.Splice) or (
                isinstance(inner, nodes.Store | nodes.Mutate) and root(inner.base) is None
            ):
                self.values.clear()
            for name in changed:
                for holder in self.depends.get(name, ()):
                    self.values.pop(holder, None)


def _computed(value: Expr) -> bool:
    """Whether evaluating an expression again gives the same."""
    return isinstance(value, Call | nodes.Index) and not has_effect(value) and not _pops(value)


def _pops(value: Expr) -> bool:
    return any(isinstance(e, Call) and e.function == "pop" for e in nodes.walk(value))
