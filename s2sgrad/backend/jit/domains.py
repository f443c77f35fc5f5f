"""Floor 6: the errors that Python's functions and operators raise for some numbers.

    y = math.log(x)         y = checked_log(x)
    z = a / b               z = a / noticed_divisor(b)
    w = a**0.5              w = noticed_power(a**0.5)

Only where both numbers of an operator are Python's own: NumPy's give inf and nan, with a warning.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from s2sgrad.ir.nodes import Block, Call, Const, Expr
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing.rewrite import map_block

_WIDE = ("float", "float64", "float32")


def with_errors(body: Block, again: bool) -> Block:
    """The body with functions that raise such errors. again: whether Python may run the code once
    more; else operators are left alone, whose numbers may be NumPy's after all."""

    def visit(expr: Expr) -> Expr:
        if not isinstance(expr, Call) or expr.kwargs:
            return expr
        if expr.form == "operator" and len(expr.args) == 2:
            return _operator(expr) if again else expr
        return _function(expr) if expr.form == "call" else expr

    return map_block(body, visit)


def _function(expr: Call) -> Expr:
    from s2sgrad_runtime.numba_domains import FUNCTIONS, WHOLE

    function: Any = _meant(expr)
    if isinstance(function, str) or not all(isinstance(a.type, Scalar) for a in expr.args):
        return expr
    if function in _hashable(FUNCTIONS, function) and len(expr.args) == _arguments(function):
        return _called(expr, FUNCTIONS[function])
    kind = expr.args[0].type if len(expr.args) == 1 else None
    if isinstance(kind, Scalar) and kind.dtype in _WIDE and function in _hashable(WHOLE, function):
        return _called(expr, WHOLE[function])
    return expr


def _meant(expr: Call) -> Any:
    """The function that is called: `math.log` is known as NumPy's, which raises nothing."""
    own = expr.text.startswith("math.") and not isinstance(expr.function, str)
    return getattr(math, expr.text.removeprefix("math."), expr.function) if own else expr.function


def _hashable(table: dict[Any, Any], function: Any) -> dict[Any, Any]:
    return table if getattr(type(function), "__hash__", None) else {}


def _arguments(function: Any) -> int:
    return 2 if function.__name__ in ("pow", "hypot") else 1


def _called(expr: Call, function: Any, args: tuple[Expr, ...] = ()) -> Call:
    args = args or expr.args
    return Call(function, function.__name__, args, type=expr.type, span=expr.span)


def _operator(expr: Call) -> Expr:
    from s2sgrad_runtime.numba_domains import (
        noticed_complex_power,
        noticed_divisor,
        noticed_power,
    )

    left, right = expr.args
    if not (_is_own(left) and _is_own(right)):
        return expr
    if expr.text == "**" and isinstance(expr.type, Scalar):
        asks = {"float": noticed_power, "complex": noticed_complex_power}.get(expr.type.dtype)
        return expr if asks is None else _called(expr, asks, (expr,))
    whole = expr.text in ("//", "%") and not (_is_float(left) or _is_float(right))
    if expr.text not in ("/", "//", "%") or whole or (isinstance(right, Const) and right.value):
        return expr
    asked = Call(noticed_divisor, "noticed_divisor", (right,), type=right.type, span=expr.span)
    return replace(expr, args=(left, asked))


def _is_own(expr: Expr) -> bool:
    """Whether a number is one of Python's."""
    return isinstance(expr.type, Scalar) and expr.type.dtype in ("float", "int", "complex")


def _is_float(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.dtype == "float"


__all__ = ["with_errors"]
