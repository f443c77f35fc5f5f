"""Floor 4: whether the items of an object that is taken by numbers end with its length.

A loop over an object without `__iter__` does not ask how long it is: it takes `obj[0]`, `obj[1]`...
until `__getitem__` raises an IndexError. Generated code counts to `len(obj)` instead, where the
texts of both methods say that this is the same.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.source import find_source

_LATER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def ends_with_its_length(cls: type) -> bool:
    """Whether `obj[len(obj)]` is an IndexError and none comes before, as far as the text says:
    entry k of what `__len__` measures is read, or k is compared with the length."""
    measured, taken = _definition(cls, "__len__"), _definition(cls, "__getitem__")
    if measured is None or taken is None or len(taken.args.args) != 2:
        return False
    last = measured.body[-1]
    plain = all(isinstance(s, ast.Expr) for s in measured.body[:-1])
    if not (plain and isinstance(last, ast.Return) and last.value is not None):
        return False
    owner, k = (a.arg for a in taken.args.args)
    length = ast.unparse(_renamed(last.value, measured.args.args[0].arg, owner))
    return _ends(taken.body, k, {length, f"len({owner})"})


def _ends(body: list[ast.stmt], k: str, lengths: set[str]) -> bool:
    """Whether statements raise an IndexError where k is one of these lengths."""
    for stmt in body:
        if isinstance(stmt, ast.If):
            if _raises(stmt) and any(_is_beyond(test, k, lengths) for test in _either(stmt.test)):
                return True
            if stmt.orelse or not ast.unparse(stmt.test).startswith(f"isinstance({k}, slice)"):
                return False
        elif not isinstance(stmt, ast.Return | ast.Assign | ast.Expr):
            return False
        elif any(_reads_entry(part, k, lengths) for part in _surely(stmt)):
            return True
        elif isinstance(stmt, ast.Return) or k in _bound(stmt):
            return False
    return False


def _definition(cls: type, name: str) -> ast.FunctionDef | None:
    function = getattr(cls, name, None)
    if not inspect.isfunction(function):
        return None
    try:
        node = find_source(function).node
    except UnsupportedError:
        return None
    return node if isinstance(node, ast.FunctionDef) else None


def _renamed(node: ast.expr, old: str, new: str) -> ast.expr:
    made = ast.parse(ast.unparse(node), mode="eval").body
    for part in ast.walk(made):
        if isinstance(part, ast.Name) and part.id == old:
            part.id = new
    return made


def _raises(stmt: ast.If) -> bool:
    first = stmt.body[0]
    return isinstance(first, ast.Raise) and ast.unparse(first).startswith("raise IndexError")


def _either(test: ast.expr) -> list[ast.expr]:
    """The conditions of which one is enough."""
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]


def _is_beyond(test: ast.expr, k: str, lengths: set[str]) -> bool:
    text = ast.unparse(test)
    return any(
        text in (f"{k} >= {n}", f"{n} <= {k}", f"not 0 <= {k} < {n}", f"{k} == {n}")
        for n in lengths
    )


def _reads_entry(part: ast.AST, k: str, lengths: set[str]) -> bool:
    if not isinstance(part, ast.Subscript) or ast.unparse(part.slice) != k:
        return False
    array = ast.unparse(part.value)
    return bool(lengths & {f"len({array})", f"{array}.shape[0]"})


def _surely(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated whenever a statement is."""
    yield node
    if isinstance(node, _LATER):
        return
    if isinstance(node, ast.IfExp):
        parts: list[ast.AST] = [node.test]
    elif isinstance(node, ast.BoolOp):
        parts = [node.values[0]]
    else:
        parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _surely(part)


def _bound(stmt: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(stmt) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}


__all__ = ["ends_with_its_length"]
