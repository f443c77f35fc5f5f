"""Floor 6: a loop's statements with other expressions for some, as where strips hold values."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.jit.outside import with_children
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.transform.writing.rewrite import map_block


def with_values(block: Block, where: dict[Expr, Expr]) -> Block:
    """The block with what is in strips read there."""

    def stmt(s: Stmt) -> list[Stmt]:
        match s:
            case nodes.Assign(values=values):
                return [replace(s, values=tuple(with_value(v, where) for v in values))]
            case nodes.Store(index=index, value=value):
                places = tuple(with_value(p, where) for p in index)
                return [replace(s, index=places, value=with_value(value, where))]
            case nodes.If(test=test):
                return [replace(s, test=with_value(test, where))]
        return [s]

    return map_block(block, lambda e: e, stmt)


def with_value(expr: Expr, where: dict[Expr, Expr]) -> Expr:
    """The expression with what is in strips read there."""
    if expr in where:
        return where[expr]
    children = nodes.children(expr)
    parts = [with_value(c, where) for c in children]
    same = all(a is b for a, b in zip(parts, children, strict=True))
    return expr if same else with_children(expr, parts)


__all__ = ["with_value", "with_values"]
