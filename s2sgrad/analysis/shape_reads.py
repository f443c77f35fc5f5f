"""Floor 3: which names an expression reads by value, and which only for their shape."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import Array

Names = frozenset[str]


def by_value_and_shape(expr: Expr) -> tuple[Names, Names]:
    """The names that an expression reads, and those of arrays of which it reads the shape only."""
    match expr:
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(nodes.Var(name=name),)):
            if isinstance(expr.args[0].type, Array):
                return frozenset(), frozenset({name})
        case nodes.Var(name=name):
            return frozenset({name}), frozenset()
    pairs = [by_value_and_shape(child) for child in nodes.children(expr)]
    none: Names = frozenset()
    return none.union(*(own for own, _ in pairs)), none.union(*(shaped for _, shaped in pairs))
