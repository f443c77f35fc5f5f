"""Floor 6: functions that Numba lacks, as expressions over entries."""

from __future__ import annotations

import numpy as np

from s2sgrad.backend.loops.elements import is_array
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Var
from s2sgrad.ir.types import BOOL, Array, Scalar
from s2sgrad.transform.writing.norms import norm_of


def over_entries(expr: Call) -> Expr | None:
    """Lengths of rows as roots of sums of squares, steps as choices; None for other calls."""
    if expr.function is np.linalg.norm:
        return _lengths(expr)
    if expr.function is np.heaviside and not expr.kwargs and len(expr.args) == 2:
        return _step(expr)
    return None


def _lengths(expr: Call) -> Expr | None:
    given = dict(zip(("x", "ord", "axis", "keepdims"), expr.args, strict=False))
    given |= dict(expr.kwargs)
    over, order, axis = given.pop("x"), given.pop("ord", None), given.get("axis")
    which = norm_of(over, order, axis)
    if which is None or not over.type.shape:  # type: ignore[attr-defined]
        return None
    named = tuple((k, v) for k, v in given.items() if v not in (Const(None), Const(False)))
    function, text = (np.square, "np.square") if which == "squares" else (np.abs, "np.abs")
    entries = Call(function, text, (over,), type=over.type, span=expr.span)
    total = Call(np.sum, "np.sum", (entries,), named, type=expr.type, span=expr.span)
    if which == "sizes":
        return total
    return Call(np.sqrt, "np.sqrt", (total,), type=expr.type, span=expr.span)


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
