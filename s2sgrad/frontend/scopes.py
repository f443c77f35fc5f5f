"""Floor 4: the names of a function, and which values hold on to its activation."""

from __future__ import annotations

import ast
import functools
from itertools import pairwise
from typing import Any

from s2sgrad.frontend.same_text import CLASS_MAKER
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Func,
    Generator,
    Instance,
    Iterator,
    Partial,
    Sequence,
    Value,
    Yielding,
)


def is_local(function: Any) -> bool:
    """Whether a function is a method of a class that was made while compiling."""
    return getattr(function, "__qualname__", "").startswith(CLASS_MAKER)


def holds_scope(value: Value | None, frame: Frame) -> bool:
    """Whether a value holds a function made in this activation."""
    match value:
        case Generator(first=first) if holds_scope(first, frame):
            return True
        case Func(scope=scope) | Generator(scope=scope) | Yielding(scope=scope):
            while scope is not None and scope is not frame:
                scope = scope.parent
            return scope is frame
        case Chosen(options=options):
            return any(holds_scope(o, frame) for o in options)
        case Bound(function=function, owner=owner):
            return holds_scope(function, frame) or holds_scope(owner, frame)
        case Partial(function=function, args=args, made_of=made):
            parts = (function, *args) if made is None else (function, *args, made[1])
            return any(holds_scope(part, frame) for part in parts)
        case Iterator(parts=parts):
            return any(holds_scope(p, frame) for p in parts)
    return False


def contents_hold(contents: Any, frame: Frame) -> bool:
    """Whether a container holds a function made in this activation."""
    if isinstance(contents, Sequence):
        return any(holds_scope(v, frame) for v in contents.items)
    table = contents.fields if isinstance(contents, Instance) else contents.items
    return any(holds_scope(v, frame) for _, v in table)


def waits(running: list[tuple[Frame, ast.stmt]], loop: ast.AST | None) -> bool:
    """Whether an expression inside a loop waits, with operands it has read, for a call to end."""
    first = next((i for i, (_, stmt) in enumerate(running) if stmt is loop), -1) + 1
    pairs = pairwise(running[first:])
    return any(mine is not inner and not _only_calls(stmt) for (mine, stmt), (inner, _) in pairs)


def _only_calls(stmt: ast.stmt) -> bool:
    """Whether nothing was read before the call that a statement makes."""
    value = stmt.value if isinstance(stmt, ast.Expr | ast.Assign | ast.Return) else None
    return sum(isinstance(node, ast.Call) for node in ast.walk(stmt)) == 1 and isinstance(
        value, ast.Call
    )


@functools.lru_cache(maxsize=1024)
def local_names(node: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """Names that are local to a function: parameters and everything it binds."""
    spec = node.args
    found = {a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    found |= {a.arg for a in (spec.vararg, spec.kwarg) if a is not None}
    outer: set[str] = set()
    stack: list[ast.AST] = list(node.body) if isinstance(node, ast.FunctionDef) else [node.body]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.FunctionDef | ast.ClassDef):
            found.add(item.name)
            continue
        if isinstance(item, ast.Lambda):
            continue
        if isinstance(item, ast.comprehension):  # its own names end with it
            stack += (item.iter, *item.ifs)
            continue
        if isinstance(item, ast.Global | ast.Nonlocal):
            outer |= set(item.names)
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store | ast.Del):
            found.add(item.id)
        if isinstance(item, ast.Import | ast.ImportFrom):
            found |= {(a.asname or a.name).split(".")[0] for a in item.names}
        if isinstance(item, ast.MatchAs | ast.MatchStar) and item.name:
            found.add(item.name)
        stack += ast.iter_child_nodes(item)
    return frozenset(found - outer)
