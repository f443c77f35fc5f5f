"""Floor 6: powers of single entries, as products and roots."""

from __future__ import annotations

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Var
from s2sgrad.ir.types import FLOAT, Scalar
from s2sgrad.transform.writing import build
from s2sgrad_runtime import power_bar_base


def simple_power(expr: Call) -> Expr:
    """`x**2` of a variable or entry as a product, `x**-1.5` by a root: Numba calls `pow`. The slope
    of a power by a power."""
    match expr:
        case Call(text="**", form="operator", args=(Var() | Index() as base, Const(value=2))):
            return Call(np.multiply, "*", (base, base), form="operator", type=expr.type)
        case Call(text="**", form="operator", args=(base, exponent)) if _is_float64(base):
            from s2sgrad_runtime.numba_entries import POWERS

            value = number_of(exponent)
            if value in POWERS:
                function, name = POWERS[value]
                return Call(function, name, (base,), type=expr.type)
        case Call(function=helper) if helper is power_bar_base:
            return _slope(expr)
    return expr


def _slope(expr: Call) -> Expr:
    """The cotangent of the base of a power as `y_bar * (n * x ** (n - 1))`, and 0 where n is 0:
    strips of such powers are computed at once."""
    y_bar, base, exponent = expr.args
    if not all(map(_is_float64, expr.args)) or not _is_cheap(exponent):
        return expr
    less, none = build.binary("-", exponent, build.number(1.0)), build.number(0.0)
    less = nodes.Choice(build.binary("==", exponent, none), none, less, type=FLOAT)
    power = Call(np.power, "np.power", (base, less), type=FLOAT)
    return build.binary("*", y_bar, build.binary("*", exponent, power))


def _is_cheap(expr: Expr) -> bool:
    """Whether an expression may well be computed twice."""
    return all(
        isinstance(e, Var | Const | Index) or (isinstance(e, Call) and e.text in ("+", "-", "*"))
        for e in nodes.walk(expr)
    )


def _is_float64(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.dtype in ("float", "float64")


def number_of(expr: Expr) -> float | None:
    """The number that a literal is, with its sign."""
    match expr:
        case Const(value=int() | float() as value):
            return float(value)
        case Call(form="operator", text="-", args=(Const(value=int() | float() as value),)):
            return -float(value)
    return None


__all__ = ["number_of", "simple_power"]
