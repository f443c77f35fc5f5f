"""Floor 3: which names an expression reads by value, and which only for their shape."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import Array

Names = frozenset[str]


def by_value_and_shape(*exprs: Expr) -> tuple[Names, Names]:
    """The names that expressions read, and those of arrays of which they read the shape only."""
    pairs = [_of_one(expr) for expr in exprs]
    none: Names = frozenset()
    return none.union(*(own for own, _ in pairs)), none.union(*(shaped for _, shaped in pairs))


def _of_one(expr: Expr) -> tuple[Names, Names]:
    match expr:
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(nodes.Var(name=name),)):
            if isinstance(expr.args[0].type, Array):
                return frozenset(), frozenset({name})
        case nodes.Var(name=name):
            return frozenset({name}), frozenset()
    return by_value_and_shape(*nodes.children(expr))
