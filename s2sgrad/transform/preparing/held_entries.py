"""Floor 5: an entry of an array that a loop compares and replaces is a number while the loop runs.

    for k in range(i, j):            best = m[i, j]
        c = m[i, k] + m[k + 1, j]    for k in range(i, j):
        if c < m[i, j]:         ->       c = m[i, k] + m[k + 1, j]
            m[i, j] = c                  if c < best:
                                             best = c
                                     m[i, j] = best

So a search for the best is seen as one (see last_taken.py), wherever it keeps what it has found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.dependence import Access, apart
from s2sgrad.analysis.effects import Effects, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, For, Index, Stmt, Store, Var
from s2sgrad.ir.types import BOOL, Array, Scalar, Type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, with_blocks

Fresh = Callable[[str, Type], str]


def with_held_entries(block: Block, shared: Effects, fresh: Fresh) -> Block:
    """The block with such entries held by variables; itself where there are none."""
    if not any(isinstance(s, Store) for s in nodes.walk_block(block)):
        return block
    times = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
    return _Walker(shared, fresh, times).block(block, ())


@dataclass(frozen=True)
class _Walker:
    """times: how often names are bound."""

    shared: Effects
    fresh: Fresh
    times: Counter[str]

    def block(self, block: Block, around: tuple[Stmt, ...]) -> Block:
        result: list[Stmt] = []
        for at, stmt in enumerate(block):
            inside = (*around, stmt) if isinstance(stmt, For | nodes.While) else around
            new = with_blocks(stmt, partial(self.block, around=inside))
            result += self._loop(new, around, block[:at]) if isinstance(new, For) else [new]
        same = len(result) == len(block) and all(a is b for a, b in zip(result, block, strict=True))
        return block if same else tuple(result)

    def _loop(self, loop: For, around: tuple[Stmt, ...], before_it: Block) -> list[Stmt]:
        """The loop, with entries held; in an `if`, where without trips they might not be there."""
        test = _has_trips(loop)
        if test is None:
            return [loop]
        new, before, after = loop, list[Stmt](), list[Stmt]()
        entries = [e for e in _replaced(loop.body) if self._is_alone(e, loop, around)]
        for entry in entries:
            assert isinstance(entry.base, Var)
            held = Var(self.fresh(f"{entry.base.name}_entry", entry.type), type=entry.type)
            before.append(Assign((held.name,), (entry,), span=loop.span))
            after.append(Store(entry.base, entry.index, held, span=loop.span))
            new = replace(new, body=_with_number(new.body, entry, held))
        block = (*before, new, *after)
        if all(_was_reached(entry, before_it) for entry in entries):
            return list(block)
        return [nodes.If(test, block, (), span=loop.span)]

    def _is_alone(self, entry: Index, loop: For, around: tuple[Stmt, ...]) -> bool:
        """Whether a loop reaches an entry by this one subscript only, which stays as it is."""
        if nodes.names_in(entry) & nodes.bound_in((loop,)):
            return False
        stmts = tuple(nodes.walk_block(loop.body))
        if not any(entry in nodes.walk(e) for s in loop.body for e in _always_read(s)):
            return False
        if any(isinstance(s, nodes.Exit | nodes.Return | nodes.Splice) for s in stmts):
            return False
        memory = {self.shared.find(n) for n in nodes.names_in(entry)}
        for stmt in stmts:
            changes = isinstance(stmt, Store | nodes.Mutate) and not _writes(stmt, entry)
            if changes and self.shared.find(root(stmt.base) or "") in memory:  # type: ignore[attr-defined]
                return False
        return all(
            part == entry or self._is_apart(part, entry, (*around, loop, *inner), around)
            for part, inner in self._mentions(loop.body, (), entry)
        )

    def _mentions(
        self, block: Block, loops: tuple[Stmt, ...], entry: Index
    ) -> Iterator[tuple[Expr, tuple[Stmt, ...]]]:
        """Each way in which a block reads the memory of an entry, and the loops around it."""
        group = self.shared.find(root(entry.base) or "")
        for stmt in block:
            for expr in _read_by(stmt):
                yield from ((part, loops) for part in self._parts(expr, group))
            inside = (*loops, stmt) if isinstance(stmt, For | nodes.While) else loops
            for inner in nodes.blocks(stmt):
                yield from self._mentions(inner, inside, entry)

    def _parts(self, expr: Expr, group: str) -> Iterator[Expr]:
        """The subscripts of an array's memory in an expression; a variable by itself: all of it."""
        match expr:
            case Index(base=Var(name=name), index=index) if self.shared.find(name) == group:
                yield expr
                for part in index:
                    yield from self._parts(part, group)
            case Var(name=name):
                if self.shared.find(name) == group:
                    yield expr
            case _:
                for child in nodes.children(expr):
                    yield from self._parts(child, group)

    def _is_apart(
        self, part: Expr, entry: Index, inside: tuple[Stmt, ...], around: tuple[Stmt, ...]
    ) -> bool:
        """Whether a subscript of the same array never says this entry."""
        if not isinstance(part, Index) or part.base != entry.base:
            return False
        if any(self.times[t] > 1 for s in inside for t in nodes.targets_of(s)):
            return False
        moving = nodes.bound_in(inside[len(around) :])
        fixed = (nodes.names_in(part) | nodes.names_in(entry)) - moving
        fixed |= {
            n for s in inside for e in nodes.expressions(s) for n in nodes.names_in(e)
        } - moving
        return apart(Access(part.index, inside, 0, fixed), Access(entry.index, around, 0, fixed))


def _read_by(stmt: Stmt) -> tuple[Expr, ...]:
    """What a statement reads; a store does not read the entry that it replaces."""
    if isinstance(stmt, Store) and not stmt.op:
        return (*stmt.index, stmt.value) if isinstance(stmt.base, Var) else nodes.expressions(stmt)
    return nodes.expressions(stmt)


def _has_trips(loop: For) -> Expr | None:
    """The test whether a loop over a range has trips; None for other loops."""
    source = loop.sources[0]
    if len(loop.sources) > 1 or not isinstance(source, Call) or source.function is not range:
        return None
    args = source.args
    low, high = (build.number(0), args[0]) if len(args) == 1 else args[:2]
    step = args[2].value if len(args) > 2 and isinstance(args[2], nodes.Const) else 1
    if (len(args) > 2 and not isinstance(args[2], nodes.Const)) or not step:
        return None
    first, second = (low, high) if step > 0 else (high, low)
    return Call(np.less, "<", (first, second), form="operator", type=BOOL)


def _was_reached(entry: Index, before: Block) -> bool:
    """Whether a statement right before a loop reads or writes an entry: so it is there."""
    for stmt in reversed(before):
        if _writes(stmt, entry) or any(entry in nodes.walk(e) for e in _always_read(stmt)):
            return True
        if nodes.blocks(stmt) or nodes.names_in(entry) & frozenset(nodes.targets_of(stmt)):
            return False
    return False


def _always_read(stmt: Stmt) -> Iterator[Expr]:
    """The expressions that a statement evaluates whole, whatever their values are."""
    for expr in nodes.expressions(stmt):
        parts = list(nodes.walk(expr))
        lazy = any(isinstance(e, Call) and e.function in ("and", "or") for e in parts)
        if not lazy and not any(isinstance(e, nodes.Choice) for e in parts):
            yield expr


def _writes(stmt: Stmt, entry: Index) -> bool:
    return isinstance(stmt, Store) and stmt.base == entry.base and stmt.index == entry.index


def _replaced(body: Block) -> list[Index]:
    """The entries that a branch of a loop replaces, and its test compares."""
    found: dict[Index, None] = {}
    for stmt in nodes.walk_block(body):
        if isinstance(stmt, Store) and present() is COMPILED and _is_extreme(stmt):
            found[Index(stmt.base, stmt.index, type=Scalar("float64"))] = None
        if not isinstance(stmt, nodes.If):
            continue
        read = [e for e in nodes.walk(stmt.test) if isinstance(e, Index)]
        for inner in (*stmt.then, *stmt.orelse):
            if not isinstance(inner, Store) or inner.op or not isinstance(inner.base, Var):
                continue
            entry = Index(inner.base, inner.index, type=Scalar("float64"))
            if entry in read and _is_number(inner):
                found[entry] = None
    return list(found)


def _is_number(stmt: Store) -> bool:
    """Whether a store replaces one float of an array by another."""
    base, single = stmt.base.type, all(isinstance(p.type, Scalar) for p in stmt.index)
    floats = isinstance(base, Array) and base.dtype == "float64" and _is_float(stmt.value.type)
    return floats and single and bool(stmt.index)


def _is_extreme(stmt: Store) -> bool:
    """Whether a store keeps the larger, or smaller, of the entry and something else."""
    value = stmt.value
    if stmt.op or not isinstance(value, Call) or value.function not in (np.maximum, np.minimum):
        return False
    entry = Index(stmt.base, stmt.index)
    return isinstance(stmt.base, Var) and _is_number(stmt) and entry in value.args


def _is_float(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.dtype in ("float64", "float")


def _with_number(body: Block, entry: Index, held: Var) -> Block:
    """A loop's body with a variable in place of the entry."""

    def read(e: Expr) -> Expr:
        return held if e == entry else e

    def stored(s: Stmt) -> list[Stmt]:
        if not isinstance(s, Store) or not _writes(s, entry):
            return [s]
        value = s.value
        if s.op:
            value = build.binary(s.op, held, value)
        return [Assign((held.name,), (value,), span=s.span)]

    return map_block(body, read, stored)


__all__ = ["with_held_entries"]
