"""Floor 6: functions that Numba lacks, as expressions over entries."""

from __future__ import annotations

import numpy as np

from s2sgrad.backend.loops.elements import is_array, number_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Var
from s2sgrad.ir.types import BOOL, Array, Scalar


def over_entries(expr: Call) -> Expr | None:
    """Lengths of rows as roots of sums of squares, steps as choices; None for other calls."""
    if expr.function is np.linalg.norm:
        return _lengths(expr)
    if expr.function is np.heaviside and not expr.kwargs and len(expr.args) == 2:
        return _step(expr)
    return None


def _lengths(expr: Call) -> Expr | None:
    (over, *given), options = expr.args, dict(expr.kwargs)
    if _is_of_all(over, given, options):
        squares = Call(np.square, "np.square", (over,), type=over.type, span=expr.span)
        total = Call(np.sum, "np.sum", (squares,), type=expr.type, span=expr.span)
        return Call(np.sqrt, "np.sqrt", (total,), type=expr.type, span=expr.span)
    named = "axis" in options and set(options) <= {"axis", "keepdims"}
    if given or not named or options["axis"] == Const(None) or not _is_real(over):
        return None
    if not isinstance(options["axis"], Const | Call) or not is_array(expr):
        return None  # of a matrix along two axes it is the same only by chance
    squares = Call(np.square, "np.square", (over,), type=over.type, span=expr.span)
    total = Call(np.sum, "np.sum", (squares,), expr.kwargs, type=expr.type, span=expr.span)
    return Call(np.sqrt, "np.sqrt", (total,), type=expr.type, span=expr.span)


def _is_of_all(over: Expr, given: list[Expr], options: dict[str, Expr]) -> bool:
    """Whether it is the root of all squares, one number."""
    orders = [k for k in (*given, *options.values()) if not _is_of_squares(k, over)]
    if not _is_real(over) or len(orders) > 1 or not set(options) <= {"ord", "axis"}:
        return False
    one_axis = len(over.type.shape) == 1  # type: ignore[attr-defined]
    return all(k == Const(None) or (one_axis and number_of(k) == 2) for k in orders)


def _is_of_squares(order: Expr, over: Expr) -> bool:
    """Whether it asks for what a matrix has anyway."""
    kind = over.type
    matrix = isinstance(kind, Array) and kind.shape is not None and len(kind.shape) == 2
    return matrix and order == Const("fro")


def _step(expr: Call) -> Expr | None:
    x, middle = expr.args
    if not isinstance(x, Var) or not isinstance(middle, Const | Var) or is_array(middle):
        return None
    number = isinstance(expr.type, Scalar)
    if not number and not (_is_real(x) and x.type == expr.type):
        return None
    zero, one = Const(0.0, type=Scalar("float")), Const(1.0, type=Scalar("float"))
    result: Expr = x  # NaN
    for sign, function, value in (
        ("==", np.equal, middle),
        (">", np.greater, one),
        ("<", np.less, zero),
    ):
        kind = BOOL if number else Array("bool", x.type.shape)  # type: ignore[attr-defined]
        test = Call(function, sign, (x, zero), form="operator", type=kind)
        if number:
            result = nodes.Choice(test, value, result, type=expr.type)
        else:
            result = Call(np.where, "np.where", (test, value, result), type=expr.type)
    return result


def _is_real(expr: Expr) -> bool:
    return isinstance(expr.type, Array) and bool(expr.type.shape) and expr.type.dtype == "float64"


__all__ = ["over_entries"]
