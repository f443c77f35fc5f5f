"""Floor 5: values that the reverse sweep computes again fall away where they are still there.

Before:  parts = split(z)            After:  parts = split(z)
         a_bar += parts[0]                   a_bar += parts[0]
         parts = split(z)                    b_bar += parts[1]
         b_bar += parts[1]
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing.tidy import memory

Memory = dict[str, frozenset[str]]


def without_repeats(block: Block) -> Block:
    """Drop the compiler's own assignments of what the name holds already.

    A new array that is changed later, or is a result, is not another one that holds the same now.
    """
    held = memory(block)
    own: set[str] = set()
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            own.add(root(stmt.base) or "")
        elif isinstance(stmt, nodes.Return) and stmt.value is not None:
            own |= nodes.names_in(stmt.value)
    own |= {other for name in own for other in held.get(name, ())}
    return _without(block, held, own)


def _without(block: Block, held: Memory, own: set[str]) -> Block:
    twice = {n for n, value in _bound_alike(block).items() if n not in own or _is_old(value)}
    known = _Known(held)
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = _without(then, held, own), _without(orelse, held, own)
                stmt = replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, held, own))
        name = stmt.targets[0] if isinstance(stmt, nodes.Assign) else ""
        if name in twice and known.values.get(name) == stmt.values[0] and stmt.span is None:  # type: ignore[attr-defined]
            continue
        known.forget(stmt)
        if name in twice:
            known.note(name, stmt.values[0])  # type: ignore[attr-defined]
        result.append(stmt)
    return tuple(result)


def _is_old(value: Expr) -> bool:
    """Whether a value is no new array: a number, or (a view of) an array that was there before."""
    return isinstance(value.type, Scalar) or shares_memory(value)


def _bound_alike(block: Block) -> dict[str, Expr]:
    """Names that a block binds to the same expression more than once, and that one."""
    found: dict[str, list[Expr]] = {}
    twice: dict[str, Expr] = {}
    for stmt in block:
        if isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1:
            values = found.setdefault(stmt.targets[0], [])
            if values and values[-1] == stmt.values[0]:
                twice[stmt.targets[0]] = stmt.values[0]
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
