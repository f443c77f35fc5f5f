"""Floor 4: which names a function's text changes in place, or by other names for the same."""

from __future__ import annotations

import ast
import functools

from s2sgrad.frontend.functions.unfolding import CHANGES


@functools.lru_cache(maxsize=1024)
def changed_names(node: ast.AST) -> frozenset[str]:
    """Names of arrays, lists and objects that a function may change, as its text tells.

    What is bound to a part of something is another name for it: `row = a[0]; row += 1` changes
    `a`. What is passed to a function that is called for its effects may be changed there.
    """
    found: set[str] = set()
    same: list[tuple[str, str]] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript | ast.Attribute) and not isinstance(part.ctx, ast.Load):
            found |= _root(part)
        elif isinstance(part, ast.AugAssign):
            found |= _root(part.target)
        elif isinstance(part, ast.Call):
            found |= _changed_by(part)
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):  # for its effects
            found |= _root(part.value.func) if isinstance(part.value.func, ast.Attribute) else set()
            found |= {n for a in part.value.args for n in _roots(a)}
        elif isinstance(part, ast.Assign | ast.For):
            value = part.value if isinstance(part, ast.Assign) else part.iter
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            names = {n for t in targets for n in _names(t)}
            same += [(a, b) for a in names for b in _roots(value)]
    return frozenset(_closed(found, same))


def read_names(node: ast.AST) -> set[str]:
    """Names that a text reads, but for what it copies: `list(items)`."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("list", "tuple", "sorted"):
        return set()
    return {n for child in ast.iter_child_nodes(node) for n in read_names(child)}


def _closed(found: set[str], same: list[tuple[str, str]]) -> set[str]:
    while True:
        more = {n for pair in same if not found.isdisjoint(pair) for n in pair} - found
        if not more:
            return found
        found |= more


def _changed_by(call: ast.Call) -> set[str]:
    """The object of a method that changes it."""
    changes = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES
    return _root(call.func) if changes else set()


def _root(node: ast.AST) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _roots(value: ast.AST) -> set[str]:
    """Names of which a value may be, or hold, a part."""
    if isinstance(value, ast.Tuple | ast.List):
        return {n for e in value.elts for n in _roots(e)}
    if isinstance(value, ast.IfExp):
        return _roots(value.body) | _roots(value.orelse)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return {n for a in value.args for n in _roots(a)}  # zip, enumerate, a function of yours
    return _root(value)


def _names(target: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
