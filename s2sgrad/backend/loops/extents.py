"""Floor 6: the lengths of axes, and arithmetic of loop indices."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sgrad.backend.loops.ranges import Moment
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import BOOL, INT, Scalar, Type


class CannotLower(Exception):
    """An expression has no form as a loop that is sure to be the same."""


@dataclass(frozen=True)
class Extent:
    """How long an axis is. Equal sizes or equal keys mean equal lengths; count gives the number."""

    size: Size | None
    key: Any
    count: Expr = field(compare=False)

    def same(self, other: Extent) -> bool:
        if self.size is not None and self.size == other.size:
            return True
        return self.key is not None and self.key == other.key

    @property
    def one(self) -> bool:
        return self.size == ONE


Axes = tuple[tuple[Expr, Extent], ...]  # for each axis of a result: loop index and extent
Space = tuple[Extent, ...]


@dataclass
class Context:
    """Where helper statements of one statement go. before: statements ahead of the loops.

    views: variable -> the part of an array that it is (a Leaf). checks: whether lengths that are
    not known to be equal may be compared when the code runs; `UnequalLengths` is raised then.
    moment: what is known of variables where the statement stands.
    """

    names: Names
    types: dict[str, Type]
    views: dict[str, Any] = field(default_factory=dict)
    checks: bool = False
    moment: Moment = field(default_factory=Moment)
    before: list[Stmt] = field(default_factory=list)
    bounds: dict[Any, Var] = field(default_factory=dict)
    checked: set[Any] = field(default_factory=set)

    def once(self, key: Any, expr: Expr, base: str) -> Var:
        """A helper variable for the same thing wherever the statement needs it."""
        if key not in self.bounds:
            self.bounds[key] = self.named(expr, base)
        return self.bounds[key]

    def named(self, expr: Expr, base: str) -> Var:
        name = self.names.fresh(base)
        self.types[name] = expr.type
        self.before.append(nodes.Assign((name,), (expr,), span=expr.span))
        return Var(name, type=expr.type)

    def require(self, own: Extent, other: Extent) -> None:
        """Make sure that two lengths are equal; a check at run time where that isn't known."""
        if own.same(other):
            return
        if not self.checks:
            raise CannotLower("extent")
        if (own, other) in self.checked:
            return
        self.checked.add((own, other))
        self.before.append(raised_unless_equal(own.count, other.count))

    def joined(self, spaces: list[Space]) -> Space:
        """The space of values that are broadcast together."""
        found: list[Extent | None] = [None] * max(map(len, spaces), default=0)
        for space in spaces:
            for k, extent in enumerate(space, len(found) - len(space)):
                now = found[k]
                if now is None or now.one or (now.size is None and extent.size not in (None, ONE)):
                    found[k] = extent
        for space in spaces:
            for k, extent in enumerate(space, len(found) - len(space)):
                now = found[k]
                if not extent.one and now is not None:
                    self.require(extent, now)
        return tuple(e for e in found if e is not None)


def raised_unless_equal(one: Expr, two: Expr) -> Stmt:
    """The question, when the code runs, whether two lengths are equal."""
    from s2sgrad_runtime.lengths import UnequalLengths

    test = Call(np.not_equal, "!=", (one, two), form="operator", type=BOOL)
    return nodes.If(test, (nodes.Do(Call(UnequalLengths, "UnequalLengths", ()), "raise"),), ())


def integer(value: int) -> Const:
    return Const(value, type=Scalar("int", None, value))


def add(left: Expr, right: Expr) -> Expr:
    if isinstance(right, Const) and right.value == 0:
        return left
    if isinstance(left, Const) and isinstance(right, Const):
        return integer(left.value + right.value)
    if isinstance(left, Const) and left.value == 0:
        return right
    if isinstance(right, Const):
        base, own = shifted(left)
        if own:
            return add(base, integer(own + right.value))
        if right.value < 0:
            return Call(np.subtract, "-", (left, integer(-right.value)), form="operator", type=INT)
    return Call(np.add, "+", (left, right), form="operator", type=INT)


def shifted(expr: Expr) -> tuple[Expr, int]:
    """(base, amount) of `base + amount` or `base - amount`."""
    match expr:
        case Call(text="+", form="operator", args=(base, Const(value=int(amount)))):
            return base, amount
        case Call(text="-", form="operator", args=(base, Const(value=int(amount)))):
            return base, -amount
    return expr, 0


def subtract(left: Expr, right: Expr) -> Expr:
    """left - right, with constants gathered: (n - 2) - -2 is n."""
    if isinstance(right, Const):
        return add(left, integer(-right.value))
    (base, more), (other, less) = shifted(left), shifted(right)
    if base == other:
        return integer(more - less)
    match left:
        case Call(text="+", form="operator", args=(one, two)) if right in (one, two):
            return two if right == one else one
    return Call(np.subtract, "-", (left, right), form="operator", type=INT)


def total(count: Expr, first: Expr) -> Expr:
    """count + first; n where count is n - first."""
    match count:
        case Call(text="-", form="operator", args=(whole, less)) if less == first:
            return whole
    return add(count, first)


def multiply(left: Expr, right: Expr) -> Expr:
    if isinstance(right, Const) and right.value == 1:
        return left
    return Call(np.multiply, "*", (left, right), form="operator", type=INT)


def times(number: int, index: Expr) -> Expr:
    """number * index."""
    if isinstance(index, Const):
        return integer(number * index.value)
    return Call(np.multiply, "*", (integer(number), index), form="operator", type=INT)


def divided(count: Expr, number: int) -> Expr:
    """count // number."""
    if isinstance(count, Const):
        return integer(count.value // number)
    return Call(np.floor_divide, "//", (count, integer(number)), form="operator", type=INT)


def count_of(array: Expr, axis: int, size: Size | None) -> Expr:
    """The length of an axis: as a number where it is the same in every call."""
    number = None if size is None else size.constant
    return length(array, axis) if number is None else integer(number)


def length(array: Expr, axis: int) -> Expr:
    shape = Call(np.shape, "shape", (array,), form="attribute")
    return Index(shape, (integer(axis),), type=INT)


def settled_numbers(function: nodes.Function) -> frozenset[str]:
    """The whole numbers that are bound once, before the first list is made."""
    times = Counter(t for s in nodes.walk_block(function.body) for t in nodes.targets_of(s))
    found: set[str] = set()
    for stmt in function.body:
        match stmt:
            case nodes.Assign(values=(nodes.Sequence(kind="list", items=()),)):
                break
            case nodes.Assign() | nodes.Unpack():
                found |= set(stmt.targets)
    kinds = function.types
    return frozenset(n for n in found if times[n] == 1 and isinstance(kinds.get(n), Scalar))


def none_if_negative(length: Expr, settled: frozenset[str]) -> Expr:
    """A number of iterations, from variables of the function's own: none, where it is negative."""
    if not nodes.names_in(length) & settled:
        return length
    return Call(max, "max", (length, integer(0)), type=INT)
