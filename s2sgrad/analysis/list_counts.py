"""Floor 3: how many items a list has that loops filled: `rows = []; for ..: rows.append(..)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.analysis.indexing import size_of
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.item_sizes import length_of
from s2sgrad.ir.nodes import Block, Call, Expr, For, Mutate, Stmt, Var
from s2sgrad.ir.sizes import Size, changes, of
from s2sgrad.ir.types import Array, List, is_number

# Of arrays, one entry along an axis for each item.
MAKERS = (np.array, np.asarray, np.stack, np.vstack, np.column_stack)


@dataclass(frozen=True)
class Filled:
    """A list that is made in a block and filled there, item by item.

    made: the statement that makes it, with so many items from the start. steps: those that append
    to it, in order, with how many items they find there. count: how many there are in the end.
    """

    made: nodes.Assign
    begun: Size
    steps: tuple[tuple[Stmt, Size], ...]
    count: Size


def filled_list(name: str, block: Sequence[Stmt]) -> Filled | None:
    """What is known of a list at the end of a block; None where its length is not known."""
    steps: list[tuple[Stmt, Size]] = []  # with how many items they add, the last one first
    for stmt in reversed(block):
        if isinstance(stmt, nodes.Assign) and name in stmt.targets:
            start = _started(stmt, name)
            return None if start is None else _filled(stmt, start, steps[::-1])
        added = count_in(stmt, name)
        if added is None:
            return None
        if added != of(0) or _appends(stmt, name):
            steps.append((stmt, added))
    return None


def counted(rows: Var, block: Sequence[Stmt]) -> List | None:
    """The type of a list at the end of a block with its length, and with that of lists in it; None
    where its length is not known."""
    kind, found = rows.type, filled_list(rows.name, block)
    if found is None or not isinstance(kind, List):
        return None
    item = kind.item
    if isinstance(item, List):
        item = replace(item, count=length_of_items(found, rows.name, block))
    return replace(kind, item=item, count=found.count)


def length_of_items(found: Filled, name: str, block: Sequence[Stmt]) -> Size | None:
    """How many items each of the lists has that are in a list of a block; None where they differ,
    or may change."""
    items = list(items_in(found, name))
    lengths = {_length_of(*item) for item in items}
    kept = all(_unchanged_later(item, block) for item, *_ in items)
    return lengths.pop() if len(lengths) == 1 and kept else None


def _unchanged_later(item: Expr, block: Sequence[Stmt]) -> bool:
    """Whether a list is only looked at by the names that joins of paths give it."""
    if not isinstance(item, Var):
        return True
    stmts = list(nodes.walk_block(tuple(block)))
    moves = {t: v.name for s in stmts for t, v in _moves(s)}
    names = {n for n in moves if item.name in _followed(n, moves)}
    return all(_is_move(s) or all(_only_looks(s, n) for n in names) for s in stmts)


def _followed(name: str, moves: dict[str, str]) -> set[str]:
    """The names that a value came from."""
    found: set[str] = set()
    while name in moves and moves[name] not in found:
        name = moves[name]
        found.add(name)
    return found


def _is_move(stmt: Stmt) -> bool:
    return isinstance(stmt, nodes.Assign) and stmt.move


def _moves(stmt: Stmt) -> Iterator[tuple[str, Var]]:
    if isinstance(stmt, nodes.Assign) and stmt.move:
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            if isinstance(value, Var):
                yield target, value


def items_in(found: Filled, name: str) -> Iterator[tuple[Expr, Block, Block]]:
    """The items that a list is given, with what stands in the same block before and after that."""
    (display,) = found.made.values
    yield from ((item, (), ()) for item in nodes.children(display))
    for step, _ in found.steps:
        yield from _appended((step,), name)


def _appended(block: Block, name: str) -> Iterator[tuple[Expr, Block, Block]]:
    for k, stmt in enumerate(block):
        if isinstance(stmt, For):
            yield from _appended(stmt.body, name)
        elif isinstance(stmt, Mutate) and _appends(stmt, name):
            yield stmt.args[0], block[:k], block[k + 1 :]


def _length_of(item: Expr, before: Block, after: Block) -> Size | None:
    """How many items a list has that is made where it is put into another one."""
    if isinstance(item, nodes.Sequence):
        return of(len(item.items))
    if not isinstance(item, Var):
        return None
    if any(not _is_move(s) and count_in(s, item.name) != of(0) for s in after):
        return None
    found = filled_list(item.name, before)
    return None if found is None or any(map(changes, found.count.letters())) else found.count


def _filled(made: nodes.Assign, start: int, steps: list[tuple[Stmt, Size]]) -> Filled:
    found: list[tuple[Stmt, Size]] = []
    count = of(start)
    for stmt, added in steps:
        found.append((stmt, count))
        count = count + added
    return Filled(made, of(start), tuple(found), count)


def _started(stmt: nodes.Assign, name: str) -> int | None:
    """How many items the display has that a list begins with."""
    value = stmt.values[stmt.targets.index(name)]
    display = isinstance(value, nodes.Sequence) and value.kind == "list"
    return len(value.items) if display and len(stmt.targets) == 1 else None  # type: ignore[attr-defined]


def count_in(stmt: Stmt, name: str) -> Size | None:
    """How many items a statement adds to a list; None where that is not known, or where the list
    may be changed under another name from there on."""
    if _appends(stmt, name):
        return of(1)
    if isinstance(stmt, For) and any(_appends(s, name) for s in nodes.walk_block(stmt.body)):
        times, each = trips(stmt), turn_of(stmt, name)
        if times is None or each is None or any(map(changes, each.letters())):
            return None
        return times * each if _only_looks(_header(stmt), name) else None
    if all(_only_looks(s, name) for s in nodes.walk_block((stmt,))):
        return of(0)
    return None


def makes_array(call: Call, name: str) -> bool:
    """Whether a call makes an array of the items of a list, as they are."""
    kind = call.type
    match call.args:
        case (Var(name=rows, type=List(item=item)),) if isinstance(kind, Array) and rows == name:
            item = item.item if isinstance(item, List) else item
            dtype = getattr(item, "dtype", None)
            plain = dtype is not None and kind.dtype == str(np.result_type(np.dtype(dtype)))
            return plain and any(call.function is maker for maker in MAKERS)
    return False


def _header(stmt: For) -> For:
    """The loop without what it does."""
    return For(stmt.targets, stmt.sources, (), stmt.backwards, span=stmt.span)


def turn_of(loop: For, name: str) -> Size | None:
    """How many items each turn of a loop adds to a list; None where turns may differ."""
    if _leaves(loop.body):
        return None
    total = of(0)
    for stmt in loop.body:
        added = count_in(stmt, name)
        if added is None:
            return None
        total = total + added
    return total


def _appends(stmt: Stmt, name: str) -> bool:
    match stmt:
        case Mutate(base=Var(name=base), method="append", args=(item,), target=None):
            return base == name and not _holds(item, name)
    return False


def _only_looks(stmt: Stmt, name: str) -> bool:
    """Whether a statement neither changes a list nor gives it another name."""
    if name in nodes.targets_of(stmt):
        return False
    if isinstance(stmt, nodes.Store | Mutate) and root(stmt.base) == name:
        return False
    if isinstance(stmt, For):  # it hands out the items, not the list
        return all(_of_numbers(s) or not _holds(s, name) for s in stmt.sources)
    return not any(_holds(e, name) for e in nodes.expressions(stmt))


def _of_numbers(source: Expr) -> bool:
    kind = source.type
    return isinstance(source, Var) and isinstance(kind, List) and is_number(kind.item)


def _holds(expr: Expr, name: str) -> bool:
    """Whether the value of an expression may be, or hold, a list."""
    return any(name == v.name for v in _held(expr))


def _held(expr: Expr) -> Iterator[Var]:
    """The variables of lists that the value of an expression may be, or hold."""
    if is_number(expr.type) and not isinstance(expr, Var) and not has_effect(expr):
        return  # it may be asked for its length, or for an item
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
    """How often a loop runs, where that is known: not over lists that it changes."""
    lengths = {
        None if _is_changed(s, loop.body) else _length(s)
        for s in loop.sources
        if not nodes.counts(s)
    }
    return lengths.pop() if len(lengths) == 1 else None


def _is_changed(source: Expr, body: Block) -> bool:
    """Whether a loop may add to the list that it goes through, or take items out."""
    if not isinstance(source, Var) or not isinstance(source.type, List):
        return False
    return any(count_in(stmt, source.name) != of(0) for stmt in body)


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


__all__ = [
    "MAKERS",
    "Filled",
    "count_in",
    "counted",
    "filled_list",
    "items_in",
    "length_of_items",
    "makes_array",
    "trips",
    "turn_of",
]
