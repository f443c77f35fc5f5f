"""Floor 6: one name for each thing that the functions of a module refer to.

Each function was lowered for itself. Two of them may have given the same name to functions of the
user that are not the same: a nested def, lifted once for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Expr, Function
from s2sgrad.transform.writing.rewrite import map_block


def told_apart(functions: list[Function]) -> list[Function]:
    """The functions, where none says by a plain name what that name means another thing for."""
    named: dict[str, Any] = {}
    clashes = [
        ref
        for function in functions
        for ref in _plain_references(function)
        if named.setdefault(ref.text, ref.value) is not ref.value
    ]
    if not clashes:
        return functions
    names = Names({n for f in functions for n in (f.name, *f.parameters, *f.types)} | named.keys())
    other: dict[tuple[str, int], str] = {}
    for ref in clashes:
        key = ref.text, id(ref.value)
        other[key] = other.get(key) or names.fresh(ref.text)

    def on_expr(expr: Expr) -> Expr:
        if not isinstance(expr, nodes.Ref):
            return expr
        return replace(expr, text=other.get((expr.text, id(expr.value)), expr.text))

    return [replace(f, body=map_block(f.body, on_expr)) for f in functions]


def _plain_references(function: Function) -> Iterator[nodes.Ref]:
    for stmt in nodes.walk_block(function.body):
        for expr in nodes.expressions(stmt):
            for node in nodes.walk(expr):
                if isinstance(node, nodes.Ref) and node.text.isidentifier():
                    yield node


__all__ = ["told_apart"]
