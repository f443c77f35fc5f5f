"""Floor 5: arrays in place of lists that are filled item by item, and are only read.

    rows = [x]                              made = np.empty((n + 1, len(x)))
    for i in range(n):                      made[0] = x
        rows.append(f(rows[-1]))            for i in range(n):
    table = np.stack(rows)                      made[i + 1] = f(made[i])
                                            table = made

In code that is compiled: there the items lie one behind the other at once, and their cotangents
too, which loops over entries can then read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import Effects, effects, shares
from s2sgrad.analysis.indexing import constant_of, size_of
from s2sgrad.analysis.list_counts import (
    Filled,
    count_in,
    filled_list,
    items_in,
    length_of_items,
    makes_array,
    trips,
)
from s2sgrad.analysis.mixed_numbers import tells_integers
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.nodes import Block, Call, Expr, For, Stmt, Var
from s2sgrad.ir.sizes import Size, of
from s2sgrad.ir.types import Array, List, Scalar, Type, carries, shape_of
from s2sgrad.transform.preparing.filled_rows import with_filled_rows
from s2sgrad.transform.preparing.list_entries import Entries
from s2sgrad.transform.preparing.list_places import Count
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.allocated import empty
from s2sgrad.transform.writing.rewrite import with_blocks

Origin = dict[Any, Expr]
Fresh = Callable[[str, Expr], Var]
Items = Array | Scalar


def with_filled_arrays(
    block: Block, origin: Origin, fresh: Fresh, results: frozenset[str]
) -> tuple[Block, frozenset[str]]:
    """The block with such arrays, and their names. origin: how sizes are read off the arguments.
    fresh: a new variable for the value of an expression. results: names that are read after it."""
    if tells_integers(block, {}):
        return block, frozenset()  # an array would have floats for all
    mentions = Counter(results) + _mentions(block)
    rewriter = _Rewriter(origin, fresh, mentions, effects(block))
    listed = rewriter.block(block)
    made = frozenset(rewriter.made)
    return with_filled_rows(listed, made), made


def _mentions(block: Iterable[Stmt]) -> Counter[str]:
    """How often each name stands in a block."""
    found: Counter[str] = Counter()
    for stmt in nodes.walk_block(tuple(block)):
        found.update(nodes.targets_of(stmt))
        found.update(v.name for v in _variables(stmt))
    return found


def _variables(stmt: Stmt) -> Iterator[Var]:
    for expr in nodes.expressions(stmt):
        yield from (n for n in nodes.walk(expr) if isinstance(n, Var))


@dataclass
class _Rewriter:
    origin: Origin
    fresh: Fresh
    mentions: Counter[str]  # how often each name stands in the whole function
    effects: Effects
    made: list[str] = field(default_factory=list)

    def block(self, block: Block) -> Block:
        done: list[Stmt] = []
        while block:
            block = self._listed(block) or block
            done.append(with_blocks(block[0], self.block))
            block = block[1:]
        return tuple(done)

    def _listed(self, block: Block) -> Block | None:
        """The statements with an array for the list that the first one makes, if that can be."""
        match block[0]:
            case nodes.Assign(targets=(name,), values=(nodes.Sequence(kind="list"),)):
                pass
            case _:
                return None
        inside = _mentions(block)[name]
        if inside < 2 or inside != self.mentions[name] or self.effects.is_written(name):
            return None  # read elsewhere, or items change in the list, or with it
        found = filled_list(name, block)
        if found is None or not found.steps:
            return None
        if any(isinstance(s, For) and s.backwards for s, _ in found.steps):
            return None
        return self._as_array(name, found, block)

    def _as_array(self, name: str, found: Filled, block: Block) -> Block | None:
        variables = [v for s in nodes.walk_block(block) for v in _variables(s) if v.name == name]
        item = self._item(name, {v.type for v in variables}, found, block)
        makers = [m for s in nodes.walk_block(block) for m in _makers_in(s, name)]
        axes = {_axis(call) for _, call in makers} or {0}
        if item is None or len(axes) > 1:
            return None
        axis = axes.pop()
        allocated = self._allocated(item, found, axis, block, name)
        if allocated is None:
            return None
        base = _base(*makers[0]) if len(makers) == 1 else name
        array = self.fresh(base, allocated)
        entries = Entries(name, array, axis, item, self._read, self.fresh)
        rest = entries.filled(block[1:], Count(found.begun), found.steps[-1][0])
        once = len(makers) == 1 and any(makers[0][0] is stmt for stmt in block)
        alone = once and len(variables) == len(found.steps) + 1
        if name in _mentions(rest) or not (alone or self._keeps(rest, array.name)):
            return None
        self.made.append(array.name)
        return (*entries.begun(found.made, allocated), *rest)

    def _item(self, name: str, lists: set[Type], found: Filled, block: Block) -> Items | None:
        """The type of the items of a list, or of the arrays that there are for lists in it: all
        alike, and of known shape."""
        kinds = {_uncounted(kind.item) for kind in lists if isinstance(kind, List)}
        kind = kinds.pop() if len(kinds) == 1 else None
        if isinstance(kind, List):
            length = length_of_items(found, name, block)
            if length is None or not all(map(self._own, items_in(found, name))):
                return None
            kind = Array(getattr(kind.item, "dtype", None), (length,))
        if not isinstance(kind, Array | Scalar) or not carries(kind):
            return None
        return kind if kind.dtype and sizes.known(shape_of(kind)) else None

    def _own(self, put: tuple[Expr, Block, Block]) -> bool:
        """Whether a list is in another one and nowhere else, from the statement on that puts it
        there: put says which, and what stands before and after that."""
        item, before, after = put
        name = item.name if isinstance(item, Var) else None
        return name is None or self.mentions[name] == _mentions((*before, *after))[name] + 1

    def _read(self, size: Size) -> Expr | None:
        return build.size_expr(size, self.origin)

    def _keeps(self, block: Block, array: str) -> bool:
        """Whether what is made of the array is never changed: it was one of its own."""
        return not any(
            array in sources and self.effects.is_written(target)
            for stmt in nodes.walk_block(block)
            for target, sources in shares(stmt)
        )

    def _allocated(
        self, item: Items, found: Filled, axis: int, block: Block, name: str
    ) -> Call | None:
        """The array without its entries, written with what there is before the list."""
        shape, dtype = shape_of(item) or (), str(np.dtype(item.dtype))
        none_is_alike = not shape and dtype == "float64"
        if not none_is_alike and not not_negative(found.count - sizes.ONE):
            return None  # without items it fails, or has other axes
        self._note_length(found, name)
        kind = Array(dtype, (*shape[:axis], found.count, *shape[axis:]))
        counted = _counted(found, block)
        lengths = [
            counted if counted is not None and k == axis else self._read(s)
            for k, s in enumerate(kind.shape or ())
            if s is not None
        ]
        known = tuple(n for n in lengths if n is not None)
        return empty(known, kind) if len(known) == len(kind.shape or ()) else None

    def _note_length(self, found: Filled, name: str) -> None:
        """Note how a product is read off the arguments: `(n - 1) * m`, not `n * m - m`."""
        if all(len(letters) < 2 for letters, _ in found.count.terms):
            return
        total: Expr | None = build.number(found.begun.constant or 0)
        for step, _ in found.steps:
            total = _sum(total, self._added(step, name))
        if total is not None:
            self.origin.setdefault(found.count, total)

    def _added(self, stmt: Stmt, name: str) -> Expr | None:
        """How many items a statement adds to a list."""
        if not isinstance(stmt, For):
            return self._read(count_in(stmt, name) or of(0))
        each: Expr | None = build.number(0)
        for inner in stmt.body:
            each = _sum(each, self._added(inner, name))
        times = trips(stmt)
        turns = None if times is None else self._read(times)
        if turns is None or each is None or constant_of(each) == 0:
            return each
        return turns if constant_of(each) == 1 else build.binary("*", turns, each)


def _sum(a: Expr | None, b: Expr | None) -> Expr | None:
    if a is None or b is None:
        return None
    if constant_of(a) == 0 or constant_of(b) == 0:
        return a if constant_of(b) == 0 else b
    return build.binary("+", a, b)


def _uncounted(kind: Type) -> Type:
    if not isinstance(kind, List):
        return kind
    return replace(kind, item=_uncounted(kind.item), count=None)


def _counted(found: Filled, block: Block) -> Expr | None:
    """The variable or number that one loop counts up to which fills the whole list, if it is there
    when the list is made: an argument's length would hold on to the argument."""
    loop = found.steps[0][0] if len(found.steps) == 1 else None
    source = loop.sources[0] if isinstance(loop, For) and len(loop.sources) == 1 else None
    if not isinstance(source, Call) or source.function is not range or len(source.args) != 1:
        return None
    (stop,) = source.args
    whole = size_of(stop) == found.count and isinstance(stop, Var | nodes.Const)
    return stop if whole and not nodes.names_in(stop) & nodes.bound_in(block) else None


def _makers_in(stmt: Stmt, name: str) -> Iterator[tuple[Stmt, Call]]:
    for expr in nodes.expressions(stmt):
        for node in nodes.walk(expr):
            if isinstance(node, Call) and makes_array(node, name):
                yield stmt, node


def _axis(call: Call) -> int:
    """The axis along which the items stand."""
    if call.function is np.column_stack:
        return 1
    shape = call.type.shape if isinstance(call.type, Array) else None
    named = dict(call.kwargs).get("axis")
    axis: Any = 0 if named is None else constant_of(named)
    return int(axis) % len(shape or (0,))


def _base(stmt: Stmt, call: Call) -> str:
    """What the array is called: as the statement calls it, if that does nothing else."""
    if isinstance(stmt, nodes.Assign) and stmt.values == (call,):
        return stmt.targets[0]
    (rows,) = call.args
    assert isinstance(rows, Var)
    return rows.name


__all__ = ["with_filled_arrays"]
