"""Floor 6: saved values in arrays, by loop counters, where Python code keeps them in lists.

A list that is filled in one place inside loops over ranges, and emptied in one place inside the
same loops walked backwards, holds one value for each iteration: an array made before the loops
does as well, needs no growing, and its rows need no memory of their own.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.loops.cut_short import is_cut_short
from s2sgrad.backend.loops.extents import (
    add,
    integer,
    length,
    multiply,
    none_if_negative,
    settled_numbers,
    shifted,
)
from s2sgrad.backend.loops.held import begun_as_none, by_value, kept_entry
from s2sgrad.backend.loops.leaves import constant
from s2sgrad.backend.loops.ranges import Moment, known_length
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Index, Slice, Stmt, Var
from s2sgrad.ir.sizes import Size, changes
from s2sgrad.ir.types import INT, Array, Known, List, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block

_DTYPES = {"float": "float64", "int": "int64", "complex": "complex128"}
_HELD = ("float64", "float32", "complex128", "int64", "bool")
FULL = Slice(None, None, None)


@dataclass(frozen=True)
class Use:
    """Where a list is filled or emptied: inside these loops, outermost first."""

    value: Expr
    loops: tuple[nodes.For, ...]


@dataclass(frozen=True)
class Store:
    """An array in place of a list. index: the loop counters, and which part of a row is used. anew:
    whether it is filled and emptied in each turn of a loop."""

    array: Var
    shape: tuple[Expr, ...]
    index: tuple[Expr, ...]
    item: Type
    anew: bool = False


def stored_in_arrays(function: Function) -> tuple[Function, frozenset[str]]:
    """The function with such lists as arrays, and the names of those that are filled before any of
    them is emptied."""
    found = _stores(function)
    if not found:
        return function, frozenset()
    unsure = begun_as_none(function.body)
    types = {**function.types, **{name: s.array.type for name, s in found.items()}}

    def read(expr: Expr) -> Expr:
        match expr:
            case Call(form="method", text="pop", args=(Var(name=name),)) if name in found:
                return Index(found[name].array, found[name].index, type=found[name].item)
        return expr

    def write(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=(name,)) if name in found:
                return [replace(stmt, values=(made_of(found[name]),))]
            case nodes.Mutate(base=Var(name=name), method="append", args=(value,)) if name in found:
                own = found[name]
                store = nodes.Store(own.array, own.index, uncopied(value), span=stmt.span)
                return [kept_entry(store, unsure)]
        return [stmt]

    filled_first = frozenset(name for name, own in found.items() if not own.anew)
    return replace(function, body=map_block(function.body, read, write), types=types), filled_first


def made_of(own: Store) -> Expr:
    kind = own.array.type
    assert isinstance(kind, Array)
    shape: Expr = nodes.Sequence("tuple", own.shape) if len(own.shape) > 1 else own.shape[0]
    args: tuple[Expr, ...] = (shape,)
    if kind.dtype != "float64":
        dtype = np.dtype(kind.dtype).type
        name = "np.bool_" if kind.dtype == "bool" else f"np.{kind.dtype}"
        args += (nodes.Ref(name, dtype, type=Known(dtype)),)
    return Call(np.empty, "np.empty", args, type=kind)


def uncopied(value: Expr) -> Expr:
    """The value itself: an array copies what is written into it."""
    match value:
        case Call(form="method", text="copy", args=(base,)):
            return base
    return value


def held_dtype(item: Type) -> str | None:
    """The dtype of an array in which values of a type may be kept."""
    dtype = str(getattr(item, "dtype", None))
    dtype = _DTYPES.get(dtype, dtype)
    return dtype if dtype in _HELD and isinstance(item, Scalar | Array) else None


# --- which lists ---------------------------------------------------------------------------
def _stores(function: Function) -> dict[str, Store]:
    finder = _Finder()
    finder.block(function.body, ())
    moved = nodes.bound_in(function.body)
    sizes = Lengths(function, moved)
    found: dict[str, Store] = {}
    for name, loops in finder.made.items():
        if finder.count[name] != 2 or name not in finder.filled or name not in finder.emptied:
            continue
        filled, emptied = finder.filled[name], finder.emptied[name]
        around = _common(filled.loops, emptied.loops)
        here = filled.loops[len(around) :]
        back = emptied.loops[len(around) :]
        if loops or not (mirrored(here, back) or is_cut_short(name, here, back)):
            continue
        if isinstance(filled.value.type, Array) and not by_value(name, filled.value, function):
            continue
        made = sizes.store(name, here, filled.value, around)
        if made is not None:
            found[name] = made
    return found


class _Finder:
    """Collects where lists are made, filled, emptied, and how often they are named."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[nodes.For, ...]] = {}
        self.filled: dict[str, Use] = {}
        self.emptied: dict[str, Use] = {}
        self.count: Counter[str] = Counter()
        self.odd = False

    def block(self, block: Block, loops: tuple[nodes.For, ...]) -> None:
        for stmt in block:
            match stmt:
                case nodes.Assign(targets=(name,), values=(nodes.Sequence(kind="list", items=()),)):
                    self.count[name] += 1 if name in self.made else 0
                    self.made[name] = loops
                case nodes.Mutate(base=Var(name=name), method="append", args=(value,)):
                    self.filled[name] = Use(value, loops)
                case nodes.While():
                    self.block(stmt.body, (*loops, _UNEVEN))
                case nodes.For():
                    self.block(stmt.body, (*loops, stmt))
                case nodes.If():
                    self.block(stmt.then, loops)
                    self.block(stmt.orelse, loops)
            for expr in nodes.expressions(stmt):
                self.expr(expr, loops)

    def expr(self, expr: Expr, loops: tuple[nodes.For, ...]) -> None:
        for node in nodes.walk(expr):
            match node:
                case Var(name=name):
                    self.count[name] += 1
                case Call(form="method", text="pop", args=(Var(name=name),)):
                    self.emptied[name] = Use(node, loops)


_UNEVEN = nodes.For((), (), ())  # a loop whose trips are not those of a range


def _common(filled: tuple[nodes.For, ...], emptied: tuple[nodes.For, ...]) -> tuple[nodes.For, ...]:
    """The loops that are around both places."""
    pairs = zip(filled, emptied, strict=False)
    return tuple(a for a, _ in itertools.takewhile(lambda pair: pair[0] is pair[1], pairs))


def mirrored(forward: tuple[nodes.For, ...], back: tuple[nodes.For, ...]) -> bool:
    """Whether the second loops run over the same counters, backwards."""
    if len(forward) != len(back) or not forward:
        return False
    return all(
        _is_counted(a) and _is_counted(b) and _keeps_counter(a) and _keeps_counter(b)
        and a.targets == b.targets and _same_range(a.sources[0], b.sources[0])
        and a.backwards != b.backwards
        for a, b in zip(forward, back, strict=True)
    )  # fmt: skip


def _same_range(one: Expr, two: Expr) -> bool:
    """Whether two ranges are written alike, or their bounds are known to be the same lengths."""
    if one == two:
        return True
    bounds = one.args, two.args  # type: ignore[attr-defined]
    return len(bounds[0]) == len(bounds[1]) and all(
        a == b or (_size(a) is not None and _size(a) == _size(b))
        for a, b in zip(*bounds, strict=True)
    )


def _size(bound: Expr) -> Size | None:
    return getattr(bound.type, "size", None)


def _keeps_counter(loop: nodes.For) -> bool:
    """Whether a loop's counter is set by its header alone: not in `for _ ...: for _ ...`."""
    set_inside = nodes.bound_in(loop.body)
    return not set_inside & set(loop.targets)


def _is_counted(loop: nodes.For) -> bool:
    return (
        len(loop.targets) == 1
        and len(loop.sources) == 1
        and isinstance(loop.sources[0], Call)
        and loop.sources[0].function in (range, "range")
    )


# --- how large -----------------------------------------------------------------------------
class Lengths:
    """Expressions for lengths that hold before the loops."""

    def __init__(self, function: Function, moved: set[str]) -> None:
        self.moved, self.settled = moved, settled_numbers(function)
        self.types = function.types
        self.letters: dict[str, Expr] = {}
        self.given: dict[Size, Expr] = {}
        for name in function.parameters:
            kind = function.types.get(name)
            var = Var(name, type=kind) if kind is not None else None
            if var is None:
                continue
            size = kind.size if isinstance(kind, Scalar) and name not in moved else None
            if size is not None and size.letter:
                self.letters.setdefault(size.letter, var)
            for axis, own in enumerate(kind.shape or () if isinstance(kind, Array) else ()):
                if own is not None and any(map(changes, own.letters())):
                    continue  # what a loop binds to its name has other lengths in each iteration
                if own is not None and own.letter:
                    self.letters.setdefault(own.letter, length(var, axis))
                elif own is not None:
                    self.given.setdefault(own, length(var, axis))

    def store(
        self,
        name: str,
        loops: tuple[nodes.For, ...],
        value: Expr,
        around: tuple[nodes.For, ...] = (),
    ) -> Store | None:
        """An array for what a list takes in these loops; around: loops in each turn of which it is
        empty again."""
        item, dtype = value.type, held_dtype(value.type)
        if dtype is None:
            return None
        bounds: dict[str, tuple[Expr, Expr]] = {}
        shape: list[Expr] = []
        index: list[Expr] = []
        for loop in around:
            if not _is_counted(loop) or not _keeps_counter(loop):
                return None
            if (found := self._range(loop, bounds)) is not None:
                bounds[loop.targets[0]] = found
        for loop in loops:
            found = self._range(loop, bounds)
            if found is None:
                return None
            lowest, stop = found
            bounds[loop.targets[0]] = found
            if (constant(lowest, 0) or -1) < 0 and constant(lowest, 0) != 0:
                return None
            shape.append(none_if_negative(stop, self.settled))
            index.append(Var(loop.targets[0], type=INT))
        rest = self.rows(value, set(bounds))
        if rest is None:
            return None
        lengths, part = rest
        kind = Array(dtype, (*map(Moment().value, shape), *(s for s, _ in lengths)))
        while part and part[-1] == FULL:
            part.pop()
        whole = (*shape, *(e for _, e in lengths))
        return Store(Var(name, type=kind), whole, (*index, *part), item, bool(around))

    def longest(self, expr: Expr, loop: nodes.For) -> Expr | None:
        """A number that `k`, `k + 1` and the like never exceed in a loop over k, as known before
        all loops; None where there is none, or where they can be negative."""
        found = self._range(loop, {}) if _is_counted(loop) and _keeps_counter(loop) else None
        base, more = shifted(expr)
        if found is None or not isinstance(base, Var) or base.name not in loop.targets:
            return None
        lowest = constant(found[0], -1)
        if lowest is None or lowest + more < 0:
            return None
        return add(found[1], integer(max(more - 1, 0)))

    def _range(
        self, loop: nodes.For, bounds: dict[str, tuple[Expr, Expr]]
    ) -> tuple[Expr, Expr] | None:
        """(lowest counter, one more than the highest) over all iterations, as known outside."""
        args = loop.sources[0].args  # type: ignore[attr-defined]
        start, stop = (integer(0), args[0]) if len(args) == 1 else args[:2]
        step = constant(args[2], 1) if len(args) == 3 else 1
        if step is None or step == 0:
            return None
        if step < 0:
            start, stop = add(stop, integer(1)), add(start, integer(1))
        low, high = self._outside(start, bounds, 0), self._outside(stop, bounds, 1)
        return None if low is None or high is None else (low, high)

    def _outside(self, expr: Expr, bounds: dict[str, tuple[Expr, Expr]], upper: int) -> Expr | None:
        """The expression with counters of outer loops at their lowest or highest."""
        match expr:
            case Var(name=name) if name in bounds:
                return add(bounds[name][1], integer(-1)) if upper else bounds[name][0]
            case Call(form="operator", text="+" | "-" as sign, args=(left, nodes.Const() as right)):
                inner = self._outside(left, bounds, upper)
                if inner is None:
                    return None
                return add(inner, integer(right.value if sign == "+" else -right.value))
        names = nodes.names_in(expr)
        known = getattr(expr.type, "size", None)
        if not names & set(bounds) and not names & self.moved:
            return expr
        found = self.size(known_length(expr) if known is None else known)
        return expr if found is None and upper and names <= self.settled else found

    def size(self, size: Size | None) -> Expr | None:
        """A symbolic size read off the parameters."""
        if size is None:
            return None
        if not size.letters() <= set(self.letters):
            return self._counted_from(size)
        total: Expr = integer(0)
        for letters, factor in sorted(size.terms, reverse=True):
            part: Expr = integer(factor)
            if letters:
                part = self.letters[letters[0]]
                for letter in letters[1:]:
                    part = multiply(part, self.letters[letter])
                part = multiply(part, integer(factor))
            total = add(total, part)
        return total

    def _counted_from(self, size: Size) -> Expr | None:
        """`x.shape[0] - 2` of an x whose length is no letter, but even, say."""
        for own, known in self.given.items():
            more = (size - own).constant
            if more is not None:
                return add(known, integer(more))
        return None

    def rows(
        self, value: Expr, counters: set[str]
    ) -> tuple[list[tuple[Size | None, Expr]], list[Expr]] | None:
        """([(size, length) of each axis of a row], the part of the row that is used)."""
        kind = value.type
        if isinstance(kind, Scalar):
            return [], []
        assert isinstance(kind, Array)
        if kind.shape is None or kind.shape == ():
            return None
        lengths = [(s, self.size(s)) for s in kind.shape]
        if all(e is not None for _, e in lengths):
            return lengths, [FULL] * len(lengths)  # type: ignore[return-value]
        return self._ragged(uncopied(value), counters)

    def _ragged(
        self, value: Expr, counters: set[str]
    ) -> tuple[list[tuple[Size | None, Expr]], list[Expr]] | None:
        """Rows like `y[:k]`: as long as the whole of y, and used as far."""
        if not isinstance(value, Index) or not isinstance(value.base, Var):
            return None
        kind = value.base.type
        lengths: list[tuple[Size | None, Expr]] = []
        part: list[Expr] = []
        if not isinstance(kind, Array) or kind.shape is None or len(kind.shape) < len(value.index):
            return None
        rest = (FULL,) * (len(kind.shape) - len(value.index))
        for entry, size in zip((*value.index, *rest), kind.shape, strict=True):
            if isinstance(entry, Slice):
                whole = self.size(size)
                if whole is None or nodes.names_in(entry) & (self.moved - counters):
                    return None
                lengths.append((size, whole))
                part.append(entry)
            elif not isinstance(entry.type, Scalar):
                return None
        return lengths, part


__all__ = ["List", "held_dtype", "made_of", "mirrored", "stored_in_arrays", "uncopied"]
