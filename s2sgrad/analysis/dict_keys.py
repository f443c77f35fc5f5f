"""Floor 3: the keys of dicts, where a function goes through them.

`list(table)` depends on the keys that were put into the table, not on its values. Keys are not
followed from where they are put in to where they come out again: no derivative passes.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr, Stmt
from s2sgrad.ir.types import Dict, Type, carries, type_parts


def gives_keys(expr: Expr) -> bool:
    """Whether an expression is the list of the keys of a dict."""
    match expr:
        case nodes.Call(function=function, args=(table,)):
            return function is list and isinstance(table.type, Dict)
    return False


def keys_put_in(stmt: Stmt) -> Iterator[Expr]:
    """The keys of entries that a statement may add to dicts."""
    if isinstance(stmt, nodes.Store) and isinstance(stmt.base.type, Dict):
        yield from stmt.index
    for part in nodes.expressions(stmt):
        for expr in nodes.walk(part):
            if isinstance(expr, nodes.Mapping):
                yield from expr.keys


def comes_from_elsewhere(stmt: Stmt, bound: set[str]) -> bool:
    """Whether a statement reads a dict with numbers for keys which a function that calls itself
    was given, or which another one has filled. bound: the names that the code itself binds."""
    for part in nodes.expressions(stmt):
        for expr in nodes.walk(part):
            pair = isinstance(expr, nodes.Call) and type(expr.function).__name__ == "UserPair"
            given = isinstance(expr, nodes.Var) and expr.name not in bound
            kinds = [e.type for e in (expr, *nodes.children(expr))] if pair else []
            if any(map(_has_numbers_for_keys, [expr.type] if given else kinds)):
                return True
    return False


def _has_numbers_for_keys(kind: Type) -> bool:
    """Whether a type is, or holds, a dict whose keys are floats or hold such."""
    if isinstance(kind, Dict) and carries(kind.key):
        return True
    return any(map(_has_numbers_for_keys, type_parts(kind)))
