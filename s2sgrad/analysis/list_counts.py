"""Floor 3: how many items a list has that loops filled: `rows = []; for ..: rows.append(..)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.analysis.indexing import size_of
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.item_sizes import length_of
from s2sgrad.ir.nodes import Block, Call, Expr, For, Mutate, Stmt, Var
from s2sgrad.ir.sizes import Size, of
from s2sgrad.ir.types import is_number

MAKERS = (np.array, np.asarray, np.stack)  # of arrays, one entry along an axis for each item


@dataclass(frozen=True)
class Filled:
    """A list that is made in a block and filled there, item by item.

    made: the statement that makes it. steps: those that append to it, in order, with how many
    items they find there.
    """

    made: nodes.Assign
    steps: tuple[tuple[Stmt, Size], ...]
    count: Size


def filled_list(name: str, block: Sequence[Stmt]) -> Filled | None:
    """What is known of a list at the end of a block; None where its length is not known."""
    steps: list[tuple[Stmt, Size]] = []  # with how many items they add, the last one first
    for stmt in reversed(block):
        if isinstance(stmt, nodes.Assign) and name in stmt.targets:
            start = _started(stmt, name)
            return None if start is None else _filled(stmt, start, steps[::-1])
        added = _added(stmt, name)
        if added is None:
            return None
        if added != of(0) or _appends(stmt, name):
            steps.append((stmt, added))
    return None


def _filled(made: nodes.Assign, start: int, steps: list[tuple[Stmt, Size]]) -> Filled:
    found: list[tuple[Stmt, Size]] = []
    count = of(start)
    for stmt, added in steps:
        found.append((stmt, count))
        count = count + added
    return Filled(made, tuple(found), count)


def _started(stmt: nodes.Assign, name: str) -> int | None:
    """How many items the display has that a list begins with."""
    value = stmt.values[stmt.targets.index(name)]
    display = isinstance(value, nodes.Sequence) and value.kind == "list"
    return len(value.items) if display and len(stmt.targets) == 1 else None  # type: ignore[attr-defined]


def _added(stmt: Stmt, name: str) -> Size | None:
    """How many items a statement adds to a list; None where that is not known, or where the list
    may be changed under another name from there on."""
    if _appends(stmt, name):
        return of(1)
    if isinstance(stmt, For) and (append := append_in(stmt, name)) is not None:
        rest = [s for s in nodes.walk_block(stmt.body) if s is not append]
        alone = all(_only_looks(s, name) for s in (_header(stmt), *rest))
        return trips(stmt) if alone and not _leaves(stmt.body) else None
    if all(_only_looks(s, name) for s in nodes.walk_block((stmt,))):
        return of(0)
    return None


def _header(stmt: For) -> For:
    """The loop without what it does."""
    return For(stmt.targets, stmt.sources, (), stmt.backwards, span=stmt.span)


def append_in(loop: For, name: str) -> Mutate | None:
    """The one statement of a loop that appends to a list in every trip."""
    found = [s for s in loop.body if _appends(s, name)]
    return found[0] if len(found) == 1 else None  # type: ignore[return-value]


def _appends(stmt: Stmt, name: str) -> bool:
    match stmt:
        case Mutate(base=Var(name=base), method="append", args=(item,), target=None):
            return base == name and name not in nodes.names_in(item)
    return False


def _only_looks(stmt: Stmt, name: str) -> bool:
    """Whether a statement neither changes a list nor gives it another name."""
    if name in nodes.targets_of(stmt):
        return False
    if isinstance(stmt, nodes.Store | Mutate) and root(stmt.base) == name:
        return False
    return not any(name in (n.name for n in _held(e)) for e in nodes.expressions(stmt))


def _held(expr: Expr) -> Iterator[Var]:
    """The variables whose objects the value of an expression may be, or hold."""
    if is_number(expr.type) and isinstance(expr, Call) and not has_effect(expr):
        return  # it may be asked for its length
    if isinstance(expr, Var):
        yield expr
    for child in nodes.children(expr):
        yield from _held(child)


def _leaves(block: Block) -> bool:
    """Whether some trips of a loop may end early."""
    return any(
        isinstance(s, nodes.Exit | nodes.Return | nodes.Splice) for s in nodes.walk_block(block)
    )


def trips(loop: For) -> Size | None:
    """How often a loop runs, where that is known."""
    lengths = {_length(s) for s in loop.sources if not nodes.counts(s)}
    return lengths.pop() if len(lengths) == 1 else None


def _length(source: Expr) -> Size | None:
    if not isinstance(source, Call) or source.function is not range:
        return length_of(source.type)
    bounds = [size_of(a) for a in source.args]
    if None in bounds or source.kwargs:
        return None
    start, stop = (of(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2].constant if len(bounds) == 3 else 1  # type: ignore[union-attr]
    assert start is not None and stop is not None
    if start.constant is not None and stop.constant is not None and step:
        return of(len(range(start.constant, stop.constant, step)))
    if step not in (1, -1):
        return None
    count = stop - start if step == 1 else start - stop
    return count if not_negative(count) else None


__all__ = ["MAKERS", "Filled", "append_in", "filled_list", "trips"]
