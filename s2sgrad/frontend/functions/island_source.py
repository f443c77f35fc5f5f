"""Floor 4: what the source of a function that runs on tensors tells of its calls."""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.plain_parameters import own_parts
from s2sgrad.frontend.source import find_source
from s2sgrad.ir.types import NONE, Number, Tuple, Type


def asks_identity(function: Any) -> bool:
    """Whether a function asks if two values are one object."""
    try:
        node = find_source(function).node
    except UnsupportedError:
        return False
    return any(
        isinstance(n, ast.Compare)
        and any(isinstance(op, ast.Is | ast.IsNot) for op in n.ops)
        and not any(isinstance(part, ast.Constant) for part in (n.left, *n.comparators))
        for n in ast.walk(node)
    )


def result_type(function: Any, error: Any = None) -> Type:
    """What a function may return, as far as its source tells; checked when it runs."""
    if hasattr(function, "made_of"):
        return Tuple((Number(),) * function.outputs)
    try:
        node = find_source(function).node
    except UnsupportedError:
        return Number()
    return type_returned(node, error)


def type_returned(node: Any, error: Any = None) -> Type:
    """What the function of a node may return."""
    if isinstance(node, ast.Lambda):
        return _of_returned([node.body])
    own = list(own_parts(node))
    if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in own):
        found = error or UnsupportedError(
            "a generator can't run on tensors by itself",
            None,
            "it gives its values one by one, and tensors need them as a result",
            "make a list of them: list(generator)",
        )
        raise UnsupportedError(found.reason, found.span, found.why, found.fix)
    returned = [n.value for n in own if isinstance(n, ast.Return)]
    return _of_returned([v for v in returned if v is not None])


def _of_returned(values: list[ast.expr]) -> Type:
    if not [v for v in values if not (isinstance(v, ast.Constant) and v.value is None)]:
        return NONE
    lengths = {
        len(v.elts) if isinstance(v, ast.Tuple) and not any(map(_starred, v.elts)) else -1
        for v in values
    }
    (length, *others) = lengths
    return Number() if others or length < 1 else Tuple((Number(),) * length)


def _starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


__all__ = ["asks_identity", "result_type", "type_returned"]
