"""Floor 6: one name for each thing that the functions of a module refer to.

Each function was lowered for itself. Two of them may have given the same name to functions of the
user that are not the same: a nested def, lifted once for each. And a variable of the user's may be
called as a helper is that the code for Numba calls: `inverted = np.linalg.inv(A)`. Variables of
generated code are never called as what it calls is; parameters have the names that the user gave.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Any

from s2sgrad.backend.statements import Printer
from s2sgrad.ir import nodes
from s2sgrad.ir.names import RESERVED, Names
from s2sgrad.ir.nodes import Expr, Function, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_block, map_expr


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


def parameters_apart(function: Function, outside: Set[str]) -> Function:
    """The function with other names for parameters that are called as what its text calls.

    `def f(x, len)`: the text may count with `len`, though the user's does not.
    """
    others = RESERVED | set(dir(builtins)) | outside
    clashes = others.intersection(function.parameters)
    if not clashes:
        return function
    text = Printer().function(variables_apart(function, clashes))
    found = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    return variables_apart(function, clashes & found)


def variables_apart(function: Function, outside: Set[str]) -> Function:
    """The function with other names for variables that are called as what comes from outside."""
    bound = nodes.bound_in(function.body)
    bound.update(function.parameters)
    clashes = sorted(bound & outside)
    if not clashes:
        return function
    names = Names(bound | set(function.types) | outside)
    new = {name: names.fresh(name) for name in clashes}

    def on_expr(expr: Expr) -> Expr:
        if not isinstance(expr, Var) or expr.name not in new:
            return expr
        return replace(expr, name=new[expr.name])

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign() | nodes.Unpack() | nodes.For():
                return [replace(stmt, targets=tuple(new.get(t, t) for t in stmt.targets))]
            case nodes.Mutate(target=str(target)):
                return [replace(stmt, target=new.get(target, target))]
        return [stmt]

    return replace(
        function,
        parameters=tuple(new.get(p, p) for p in function.parameters),
        body=map_block(function.body, on_expr, on_stmt),
        inputs={n: map_expr(path, on_expr) for n, path in function.inputs.items()},
        types={new.get(n, n): kind for n, kind in function.types.items()},
        counters=frozenset(new.get(n, n) for n in function.counters),
    )


def _plain_references(function: Function) -> Iterator[nodes.Ref]:
    for stmt in nodes.walk_block(function.body):
        for expr in nodes.expressions(stmt):
            for node in nodes.walk(expr):
                if isinstance(node, nodes.Ref) and node.text.isidentifier():
                    yield node


__all__ = ["parameters_apart", "told_apart", "variables_apart"]
