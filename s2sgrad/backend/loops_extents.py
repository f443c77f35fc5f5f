"""Floor 6: the lengths of axes, and arithmetic of loop indices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import INT, Scalar, Type


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


@dataclass
class Context:
    """Where helper variables of one statement go. before: statements ahead of the loops."""

    names: Names
    types: dict[str, Type]
    before: list[Stmt] = field(default_factory=list)
    bounds: dict[Any, Var] = field(default_factory=dict)

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


def integer(value: int) -> Const:
    return Const(value, type=Scalar("int", None, value))


def add(left: Expr, right: Expr) -> Expr:
    if isinstance(right, Const) and right.value == 0:
        return left
    if isinstance(left, Const) and isinstance(right, Const):
        return integer(left.value + right.value)
    if isinstance(left, Const) and left.value == 0:
        return right
    if isinstance(right, Const) and right.value < 0:
        return subtract(left, integer(-right.value))
    return Call(np.add, "+", (left, right), form="operator", type=INT)


def subtract(left: Expr, right: Expr) -> Expr:
    if isinstance(right, Const) and right.value == 0:
        return left
    if isinstance(left, Const) and isinstance(right, Const):
        return integer(left.value - right.value)
    return Call(np.subtract, "-", (left, right), form="operator", type=INT)


def multiply(left: Expr, right: Expr) -> Expr:
    if isinstance(right, Const) and right.value == 1:
        return left
    return Call(np.multiply, "*", (left, right), form="operator", type=INT)


def length(array: Expr, axis: int) -> Expr:
    shape = Call(np.shape, "shape", (array,), form="attribute")
    return Index(shape, (integer(axis),), type=INT)
