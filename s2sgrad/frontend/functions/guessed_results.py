"""Floor 4: what the text of a function says of its result, before anything is lowered."""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.frontend.values import Func
from s2sgrad.ir.types import BOTTOM, Bottom, Tuple, Type


def returns_nothing(node: Any) -> bool:
    """Whether no return statement of a function has a value."""
    found = [s for s in ast.walk(node) if isinstance(s, ast.Return)]
    values = (s.value for s in found if s.value is not None)
    return isinstance(node, ast.FunctionDef) and all(
        isinstance(v, ast.Constant) and v.value is None for v in values
    )


def guess(function: Func) -> Type:
    """What the result is taken for before anything is known: a tuple of the right length."""
    for item in ast.walk(function.source.node):
        if isinstance(item, ast.Return) and isinstance(item.value, ast.Tuple):
            return _guessed(item.value)
    return Bottom()


def _guessed(made: ast.expr) -> Type:
    return Tuple(tuple(map(_guessed, made.elts))) if isinstance(made, ast.Tuple) else BOTTOM
