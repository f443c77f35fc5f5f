"""Floor 5: a copy of a cotangent falls away where neither it nor its source changes any more.

Before:  y_bar = x_bar              After:  y_bar = x_bar
         y_bar = y_bar.copy()               a_bar += y_bar * b
         a_bar += y_bar * b

The reversal copies before it knows what follows: what is written in place in the forward sweep
often has a cotangent that is only read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import Effects, effects, root, shares
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.new_arrays import memory_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Index, Stmt, Var
from s2sgrad.transform.writing.last_uses import last_uses
from s2sgrad.transform.writing.rewrite import map_block


def without_idle_copies(block: Block) -> Block:
    """Drop the compiler's own copies of variables through which no change is seen."""
    copies = [s for s in nodes.walk_block(block) if is_own_copy(s)]
    if not copies or any(isinstance(s, nodes.Splice) for s in nodes.walk_block(block)):
        return block
    idle = {id(_copy_in(s)) for s in copies}  # statements are made anew on the way, values not
    last = last_uses(block, _copied)
    seen = Changes(_without(block, idle))
    for stmt in copies:
        if id(stmt) not in last and seen.through(nodes.targets_of(stmt)[0]):
            idle.discard(id(_copy_in(stmt)))
    return _without(block, idle) if idle else block


def _without(block: Block, idle: set[int]) -> Block:
    """The block with the source in place of these copies."""

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign) or not is_own_copy(stmt):
            return [stmt]
        if id(_copy_in(stmt)) not in idle:
            return [stmt]
        source = _copy_in(stmt).args[0]
        same = source == Var(nodes.targets_of(stmt)[0])
        return [] if same else [replace(stmt, values=(source,))]

    return map_block(block, lambda e: e, on_stmt)


def _copied(stmt: Stmt) -> str | None:
    """The array that a copy of ours is made of."""
    return root(_copy_in(stmt).args[0]) if is_own_copy(stmt) else None


def _copy_in(stmt: Stmt) -> Call:
    return stmt.values[0]  # type: ignore[attr-defined,no-any-return]


def is_own_copy(stmt: Stmt) -> bool:
    """Whether a statement is `y = x.copy()`, made by the compiler."""
    match stmt:
        case nodes.Assign(
            targets=(_,), values=(Call(form="method", args=(Var() | Index(),)) as call,)
        ):
            return stmt.span is None and call.function is np.copy
    return False


class Changes:
    """What is written in a block, and which variables are read afterwards."""

    def __init__(self, block: Block) -> None:
        self.found: Effects = effects(block)
        self.stores: dict[str, list[tuple[str, frozenset[str]]]] = {}
        self.takers: dict[str, set[str]] = {}
        self.returned: set[str] = set()
        for stmt in nodes.walk_block(block):
            for target, sources in sharing(stmt):
                for source in sources:
                    self.takers.setdefault(source, set()).add(target)
            if isinstance(stmt, nodes.Return):
                self.returned |= memory_of(stmt.value)
        Liveness(visit=self._visit).block(block, frozenset())

    def _visit(self, stmt: Stmt, after: frozenset[str]) -> None:
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            name = root(stmt.base) or ""
            self.stores.setdefault(self.found.find(name), []).append((name, after))

    def through(self, name: str) -> bool:
        """Whether memory is changed through a variable, or under it, or leaves the function."""
        derived, new = {name}, [name]
        while new:
            for taker in self.takers.get(new.pop(), ()):
                if taker not in derived:
                    derived.add(taker)
                    new.append(taker)
        if derived & self.returned:
            return True
        groups = {self.found.find(n) for n in derived}
        stores = [s for group in groups for s in self.stores.get(group, [])]
        return any(base in derived or derived & after for base, after in stores)


def sharing(stmt: Stmt) -> list[tuple[str, Iterable[str]]]:
    """(variable, variables it may share memory with): helpers of the runtime may give views."""
    if not isinstance(stmt, nodes.Assign):
        return [*shares(stmt)]
    return [(t, memory_of(v)) for t, v in zip(stmt.targets, stmt.values, strict=True)]


__all__ = ["Changes", "is_own_copy", "sharing", "without_idle_copies"]
