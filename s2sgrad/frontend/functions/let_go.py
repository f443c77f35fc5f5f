"""Floor 4: calls of recursive functions after which nobody knows the given list by another name.

    items = collect(node, items)        return collect(node.left, items)        collect(node, [])

What such a function returns may be the list that it was given: there are no two names for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def lets_go(
    call: ast.AST, caller: ast.AST, function: ast.AST, places: Iterable[int | None]
) -> bool:
    """Whether that holds of a call, and of those of the function itself.

    places: of the parameters that are changed and returned; None for one that nothing is known of.
    """
    if not isinstance(function, ast.FunctionDef) or not isinstance(call, ast.Call):
        return False
    own = [n for n in ast.walk(function) if isinstance(n, ast.Call) and _calls(n, function.name)]
    return all(
        place is not None and _one_name(inner, scope, function, place)
        for inner, scope in [(call, caller), *((n, function) for n in own)]
        for place in places
    )


def _calls(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == name


def _one_name(call: ast.Call, scope: ast.AST, function: ast.FunctionDef, place: int) -> bool:
    given = _given(call, function, place)
    if isinstance(given, ast.List | ast.Dict | ast.ListComp | ast.DictComp):
        return True
    for stmt in _statements(scope):
        if isinstance(stmt, ast.Return | ast.Expr) and stmt.value is call:
            return True
        if isinstance(stmt, ast.Assign) and stmt.value is call and isinstance(given, ast.Name):
            (target, *others) = stmt.targets
            return not others and isinstance(target, ast.Name) and target.id == given.id
    return False


def _given(call: ast.Call, function: ast.FunctionDef, place: int) -> ast.expr | None:
    """What a call gives for a parameter."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    if place >= len(names) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    if place < len(call.args):
        return call.args[place]
    return next((k.value for k in call.keywords if k.arg == names[place]), None)


def _statements(scope: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(scope) if isinstance(node, ast.stmt))


__all__ = ["lets_go"]
