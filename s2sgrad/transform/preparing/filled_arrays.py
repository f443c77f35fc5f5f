"""Floor 5: arrays in place of lists that are filled item by item only to be made arrays.

    rows = []                               made = np.empty((n, len(x)))
    for i in range(n):                      for i in range(n):
        rows.append(np.roll(x, i))              made[i] = np.roll(x, i)
    table = np.stack(rows)                  table = made

In code that is compiled: there the items lie one behind the other at once, and their cotangents
too, which loops over entries can then read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.analysis.indexing import constant_of, size_of
from s2sgrad.analysis.list_counts import MAKERS, Filled, append_in, filled_list
from s2sgrad.analysis.new_arrays import memory_of
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.nodes import Block, Call, Expr, For, Mutate, Stmt, Store, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import INT, Array, List, Scalar, carries
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.allocated import empty
from s2sgrad.transform.writing.rewrite import map_block

Origin = dict[Any, Expr]
Fresh = Callable[[str, Expr], Var]


def with_filled_arrays(
    block: Block, origin: Origin, fresh: Fresh, results: frozenset[str]
) -> Block:
    """The block with such arrays. origin: how sizes are read off the arguments. fresh: a new
    variable for the value of an expression. results: names that are read after the block."""
    mentions = Counter(results)
    for stmt in nodes.walk_block(block):
        mentions.update(nodes.targets_of(stmt))
        for expr in nodes.expressions(stmt):
            mentions.update(n.name for n in nodes.walk(expr) if isinstance(n, Var))
    return _Rewriter(origin, fresh, mentions, effects(block)).block(block)


@dataclass
class _Rewriter:
    origin: Origin
    fresh: Fresh
    mentions: Counter[str]  # how often each name stands in the whole block
    effects: Effects

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
                case For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body))
                case _:
                    for call in _makers_in(stmt):
                        stmt = self._made(call, stmt, result)
            result.append(stmt)
        return tuple(result)

    def _made(self, call: Call, stmt: Stmt, before: list[Stmt]) -> Stmt:
        """The statement with an array for the call, where its list becomes one in `before`."""
        (rows,) = call.args
        assert isinstance(rows, Var)
        found = filled_list(rows.name, before)
        if found is None or self.mentions[rows.name] != len(found.steps) + 2:
            return stmt
        made = self._allocated(call, rows, found, before)
        if made is None or any(isinstance(s, For) and s.backwards for s, _ in found.steps):
            return stmt
        if any(map(self.effects.is_written, _memory(found, rows.name))):
            return stmt  # items change in the list, or with it
        places = [build.size_expr(at, self.origin) for _, at in found.steps]
        known = [at for at in places if at is not None]
        if len(known) < len(places):
            return stmt
        entries = _Entries(rows.name, self.fresh(_base(stmt, call, rows), made), _axis(call))
        changed = {id(found.made): entries.begun(found.made, made)}
        for (step, _), at in zip(found.steps, known, strict=True):
            changed[id(step)] = [self._step(step, entries, at)]
        before[:] = [new for old in before for new in changed.get(id(old), [old])]
        array = entries.array
        return map_block((stmt,), lambda e: array if e == call else e, lambda s: [s])[0]

    def _allocated(self, call: Call, rows: Var, found: Filled, before: list[Stmt]) -> Call | None:
        """The array without its entries, written with what there is before the list."""
        kind, item = call.type, rows.type.item  # type: ignore[attr-defined]
        assert isinstance(kind, Array)
        if not isinstance(item, Scalar) and not sizes.known(getattr(item, "shape", None)):
            return None
        none_is_alike = isinstance(item, Scalar) and kind.dtype == "float64"
        if not none_is_alike and not not_negative(found.count - sizes.ONE):
            return None  # without items it fails, or has other axes
        counted = _counted(found, before)
        axis = _axis(call)
        lengths = [
            counted if counted is not None and k == axis else build.size_expr(s, self.origin)
            for k, s in enumerate(kind.shape or ())
            if s is not None
        ]
        known = tuple(n for n in lengths if n is not None)
        return empty(known, kind) if known and len(known) == len(kind.shape or ()) else None

    def _step(self, step: Stmt, entries: _Entries, at: Expr) -> Stmt:
        """A statement that appends, as one that writes entries from a place on."""
        if isinstance(step, Mutate):
            return entries.put(step, at)
        assert isinstance(step, For)
        append = append_in(step, entries.name)
        assert append is not None
        counter, start = _counter(step)
        loop = step
        if counter is None:
            counter = self.fresh("k", nodes.Const(0, type=INT))
            count = Call("count", "count", (), type=List(INT))
            loop = replace(
                step, targets=(counter.name, *step.targets), sources=(count, *step.sources)
            )
        place = _shifted(counter, at, start)
        body = tuple(entries.put(append, place) if s is append else s for s in step.body)
        return replace(loop, body=body)


@dataclass(frozen=True)
class _Entries:
    """The entries of an array along an axis, in place of the items of a list of this name."""

    name: str
    array: Var
    axis: int

    def begun(self, made: nodes.Assign, allocated: Call) -> list[Stmt]:
        """The array, with the items that the list had from the start."""
        (display,) = made.values
        assert isinstance(display, nodes.Sequence)
        first: Stmt = replace(made, targets=(self.array.name,), values=(allocated,))
        items = (self._store(item, build.number(k), made) for k, item in enumerate(display.items))
        return [first, *items]

    def put(self, append: Mutate, place: Expr) -> Stmt:
        return self._store(append.args[0], place, append)

    def _store(self, item: Expr, place: Expr, stmt: Stmt) -> Stmt:
        return Store(self.array, ((build.FULL,) * self.axis + (place,)), item, span=stmt.span)


def _counted(found: Filled, before: list[Stmt]) -> Expr | None:
    """The variable or number that one loop counts up to which fills the whole list, if it is there
    when the list is made: an argument's length would hold on to the argument."""
    loop = found.steps[0][0] if len(found.steps) == 1 else None
    source = loop.sources[0] if isinstance(loop, For) and len(loop.sources) == 1 else None
    if not isinstance(source, Call) or source.function is not range or len(source.args) != 1:
        return None
    (stop,) = source.args
    made = next(k for k, s in enumerate(before) if s is found.made)
    whole = size_of(stop) == found.count and isinstance(stop, Var | nodes.Const)
    later = nodes.bound_in(tuple(before[made:]))
    return stop if whole and not nodes.names_in(stop) & later else None


def _memory(found: Filled, name: str) -> frozenset[str]:
    """The variables in whose memory items of a list may lie."""
    (display,) = found.made.values
    items = list(nodes.children(display))
    for step, _ in found.steps:
        append = append_in(step, name) if isinstance(step, For) else step
        assert isinstance(append, Mutate)
        items += append.args
    return frozenset[str]().union(*map(memory_of, items))


def _makers_in(stmt: Stmt) -> Iterator[Call]:
    """What makes an array of numbers of a list whose length is known, in a statement itself."""
    for expr in nodes.expressions(stmt):
        for node in nodes.walk(expr):
            match node:
                case Call(function=function, args=(Var(type=List(count=Size())),)) if any(
                    function is maker for maker in MAKERS
                ):
                    if _is_plain(node):
                        yield node


def _is_plain(call: Call) -> bool:
    """Whether an array has numbers as they are in its list."""
    kind, item = call.type, call.args[0].type.item  # type: ignore[attr-defined]
    dtype = getattr(item, "dtype", None)
    if not isinstance(kind, Array) or dtype is None or not carries(kind):
        return False
    return kind.shape is not None and kind.dtype == str(np.result_type(np.dtype(dtype)))


def _axis(call: Call) -> int:
    """The axis along which the items stand."""
    assert isinstance(call.type, Array) and call.type.shape is not None
    named = dict(call.kwargs).get("axis")
    axis: Any = 0 if named is None else constant_of(named)
    return int(axis) % len(call.type.shape)


def _base(stmt: Stmt, call: Call, rows: Var) -> str:
    """What the array is called: as the statement calls it, if that does nothing else."""
    if isinstance(stmt, nodes.Assign) and stmt.values == (call,):
        return stmt.targets[0]
    return rows.name


def _shifted(counter: Expr, at: Expr, start: int) -> Expr:
    """The place of an item: `i`, `i + 1`, `i - 1`, `i + n`."""
    number = constant_of(at)
    if type(number) is not int:
        return _shifted(build.binary("+", counter, at), build.number(0), start)
    shift = number - start
    if shift == 0:
        return counter
    return build.binary("+" if shift > 0 else "-", counter, build.number(abs(shift)))


def _counter(loop: For) -> tuple[Var | None, int]:
    """A loop's variable that counts its trips, and what it counts from."""
    bound = nodes.bound_in(loop.body)
    for target, source in zip(loop.targets, loop.sources, strict=True):
        if target in bound:
            continue
        if nodes.counts(source):
            return Var(target, type=INT), 0
        if isinstance(source, Call) and source.function is range and len(source.args) < 3:
            start = constant_of(source.args[0]) if len(source.args) == 2 else 0
            if type(start) is int:
                return Var(target, type=INT), start
    return None, 0


__all__ = ["with_filled_arrays"]
