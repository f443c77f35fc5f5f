"""Floor 5: a search among the entries that a loop fills is a loop of its own, in compiled code.

    for i in range(n):                        for i in range(n):
        for j in range(m):                        for j in range(m):
            ...                                       ...
            h[i, j] = s                  ->           h[i, j] = s
            if s > best:                      for i in range(n):
                best = s                          for j in range(m):
                                                      if h[i, j] > best:
                                                          best = h[i, j]

So last_taken.py finds the one entry that was kept, and the loop that fills the table does not ask
in each trip of its reverse whether this was the one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.analysis.effects import Effects, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, For, If, Index, Stmt, Store, Var
from s2sgrad.ir.types import Array, Scalar
from s2sgrad.transform.writing.rewrite import map_block, with_blocks

_COMPARED = {np.less, np.less_equal, np.greater, np.greater_equal}
_FLOATS = ("float", "float64")


def with_searches_apart(block: Block, shared: Effects, active: frozenset[str]) -> Block:
    """The block with such searches behind the loops that they stood in; itself where none are.

    active: the names that carry derivatives; other searches are no burden to the reverse sweep.
    """
    result: list[Stmt] = []
    for stmt in block:
        made = list(_taken_apart(stmt, shared, active)) if isinstance(stmt, For) else [stmt]
        if len(made) == 1:
            made = [with_blocks(stmt, lambda b: with_searches_apart(b, shared, active))]
        result += made
    same = len(result) == len(block) and all(a is b for a, b in zip(result, block, strict=True))
    return block if same else tuple(result)


def _taken_apart(loop: For, shared: Effects, active: frozenset[str]) -> Iterator[Stmt]:
    """A loop, and behind it the search that stood in it."""
    for path in _paths(loop):
        search = _Search.of(path, shared)
        if search is not None and search.kept & active:
            yield _without_last(path)
            yield _alone(path, search.stmt)
            return
    yield loop


def _paths(loop: For) -> Iterator[tuple[For, ...]]:
    """The loop and those in it, down to each one that ends with a statement of another kind."""
    yield (loop,)
    for stmt in loop.body:
        if isinstance(stmt, For):
            yield from ((loop, *inner) for inner in _paths(stmt))


def _without_last(path: tuple[For, ...]) -> For:
    """The loops without the last statement of the innermost one."""
    first, *rest = path
    if not rest:
        return replace(first, body=first.body[:-1])
    inner = _without_last(tuple(rest))
    return replace(first, body=tuple(inner if s is rest[0] else s for s in first.body))


def _alone(path: tuple[For, ...], stmt: Stmt) -> Stmt:
    """The loops with nothing but a statement in the innermost one."""
    for loop in reversed(path):
        stmt = replace(loop, body=(stmt,))
    return stmt


@dataclass(frozen=True)
class _Search:
    """The statement of a search that asks entries. kept: the names that it binds."""

    stmt: Stmt
    kept: frozenset[str]

    @classmethod
    def of(cls, path: tuple[For, ...], shared: Effects) -> _Search | None:
        """The search that a loop ends with, where it may as well stand in a loop of its own."""
        if len(path[-1].body) < 2 or not all(map(_counts, path)):
            return None
        *before, last = path[-1].body
        stmts = tuple(nodes.walk_block(path[0].body))
        if any(isinstance(s, nodes.Exit | nodes.Return | nodes.While) for s in stmts):
            return None
        sought, kept = _sought(last)
        times = Counter(t for s in nodes.walk_block((path[0],)) for t in nodes.targets_of(s))
        if any(times[t] > 1 for loop in path for t in loop.targets):
            return None
        entry = sought if isinstance(sought, Index) else _stored(before, sought)
        if entry is None or not _stays(entry, path, shared):
            return None
        own = {id(s) for s in nodes.walk_block((last,))}
        others = tuple(s for s in stmts if id(s) not in own)
        if kept & {n for s in (path[0], *others) for n in _mentioned(s)}:
            return None
        (asked,) = map_block((last,), lambda e: entry if e == sought else e)  # type: ignore[arg-type, return-value]
        read = {n for s in nodes.walk_block((asked,)) for n in _mentioned(s)} - kept
        read |= {n for loop in path for source in loop.sources for n in nodes.names_in(source)}
        if read & _changing(path, entry, shared):
            return None
        return cls(asked, kept)


def _changing(path: tuple[For, ...], entry: Index, shared: Effects) -> set[str]:
    """The names that hold something else after the loops, other than their counters and the array
    of the entry."""
    counters = {t for loop in path for t in loop.targets}
    written = {
        shared.find(root(s.base) or "")
        for s in nodes.walk_block(path[0].body)
        if isinstance(s, Store | nodes.Mutate)
    }
    names = {n for s in nodes.walk_block((path[0],)) for n in _mentioned(s)}
    changed = {n for n in names if shared.find(n) in written} - nodes.names_in(entry.base)
    return (nodes.bound_in((path[0],)) - counters) | changed


def _counts(loop: For) -> bool:
    """Whether a loop has one counter, over a range."""
    source = loop.sources[0]
    return len(loop.sources) == 1 and isinstance(source, Call) and source.function is range


def _sought(stmt: Stmt) -> tuple[Expr | None, frozenset[str]]:
    """What a statement compares with the best of it so far, and the names that it binds."""
    none = None, frozenset[str]()
    match stmt:
        case Assign(targets=(name,), values=(Call(function=function, args=(a, b)),)):
            if function in (np.maximum, np.minimum) and Var(name) in (a, b):
                return (b if a == Var(name) else a), frozenset((name,))
        case If(test=Call(form="operator", function=function, args=(a, b)), then=then, orelse=()):
            plain = all(isinstance(s, Assign) and len(s.targets) == 1 for s in then)
            if function not in _COMPARED or not plain:
                return none
            kept = {s.targets[0]: s.values[0] for s in then if isinstance(s, Assign)}
            best = next((n for n in kept if Var(n) in (a, b)), None)
            sought = b if a == Var(best or "") else a
            if best is not None and kept[best] == sought:
                return sought, frozenset(kept)
    return none


def _stored(block: list[Stmt], sought: Expr | None) -> Index | None:
    """The entry that a variable's number has been put into, and still is in."""
    if not isinstance(sought, Var) or not isinstance(sought.type, Scalar):
        return None
    for stmt in reversed(block):
        match stmt:
            case Store(base=Var(), index=index, value=value, op="") if index and value == sought:
                return Index(stmt.base, index, type=Scalar("float64"))
        if sought.name in nodes.bound_in((stmt,)):
            return None
    return None


def _stays(entry: Index, path: tuple[For, ...], shared: Effects) -> bool:
    """Whether an entry is written in one trip only, by one statement of the innermost loop."""
    base = entry.base
    if not isinstance(base, Var) or not isinstance(base.type, Array):
        return False
    if base.type.dtype != "float64" or not all(isinstance(p.type, Scalar) for p in entry.index):
        return False
    counters = [t for loop in path for t in loop.targets]
    alone = [name for part in entry.index for name in _counted_with(part)]
    if any(alone.count(c) != 1 for c in counters):
        return False
    group, stores = shared.find(base.name), list[Stmt]()
    for stmt in nodes.walk_block(path[0].body):
        if isinstance(stmt, Store | nodes.Mutate) and shared.find(root(stmt.base) or "") == group:
            stores.append(stmt)
        if any(shared.find(t) == group for t in nodes.targets_of(stmt)):
            return False
    match stores:
        case [Store(base=to, index=index, op="") as only] if (to, index) == (base, entry.index):
            return any(s is only for s in path[-1].body)
    return False


def _counted_with(part: Expr) -> Iterator[str]:
    """The name in a subscript that is a name, or its sum or difference with a constant."""
    match part:
        case Var(name=name):
            yield name
        case Call(form="operator", text="+" | "-", args=(Var(name=name), Const())):
            yield name


def _mentioned(stmt: Stmt) -> set[str]:
    """The names that a statement itself reads or binds."""
    return {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)} | set(
        nodes.targets_of(stmt)
    )


__all__ = ["with_searches_apart"]
