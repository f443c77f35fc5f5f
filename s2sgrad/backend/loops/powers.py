"""Floor 6: powers of single entries, as products and roots."""

from __future__ import annotations

import numpy as np

from s2sgrad.ir.nodes import Call, Const, Expr, Index, Var
from s2sgrad.ir.types import Scalar


def simple_power(expr: Call) -> Expr:
    """`x**2` of a variable or entry as a product, `x**-1.5` by a root: Numba calls `pow`."""
    match expr:
        case Call(text="**", form="operator", args=(Var() | Index() as base, Const(value=2))):
            return Call(np.multiply, "*", (base, base), form="operator", type=expr.type)
        case Call(text="**", form="operator", args=(base, exponent)) if _is_float64(base):
            from s2sgrad_runtime.numba_entries import POWERS

            value = number_of(exponent)
            if value in POWERS:
                function, name = POWERS[value]
                return Call(function, name, (base,), type=expr.type)
    return expr


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
