"""Floor 6: Python's numbers and NumPy's truth values, where Numba computes them in another way.

Integers have 64 bits in compiled code (`long_integers` finds those that may need more). Powers,
shifts and quotients of integers are computed by functions that notice what Python does in another
way; Python runs the code then.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.jit.long_integers import with_long_integers_noticed
from s2sgrad.ir.nodes import Block, Call, Const, Expr
from s2sgrad.ir.types import FLOAT, Array, Scalar, Truth
from s2sgrad.transform.writing.rewrite import map_block

SMALL = 2  # the square of what counts something has 64 bits
# Operators on integers that fail, or need more digits, for some of them.
_NOTICED = {
    "**": "whole_power", "<<": "whole_shift", "//": "whole_quotient", "%": "whole_remainder",
}  # fmt: skip


def as_python_counts(body: Block) -> Block:
    """The body with powers, and with long integers, as Python has them."""
    return with_long_integers_noticed(map_block(body, _number))


def _number(expr: Expr) -> Expr:
    """A power of integers, an operator between NumPy's truth values, or round(x, digits)."""
    if isinstance(expr, Call) and expr.text == "round" and len(expr.args) == 2:
        return _rounded(expr)
    if isinstance(expr, Call) and expr.function is np.argsort:
        return _ordered(expr)
    if not isinstance(expr, Call) or expr.form != "operator" or len(expr.args) != 2:
        return expr
    if isinstance(expr.type, Truth) and expr.text in ("+", "*"):
        sign, function = ("|", np.bitwise_or) if expr.text == "+" else ("&", np.bitwise_and)
        return replace(expr, text=sign, function=function)
    if expr.text not in _NOTICED or not all(map(_is_integer, expr.args)):
        return expr
    base, exponent = expr.args
    plain = isinstance(exponent, Const) or not _is_integer(expr)  # a place on a ring
    if expr.text in ("//", "%") and plain:
        return expr
    from s2sgrad_runtime import numba_whole

    if expr.text != "**":
        name = _NOTICED[expr.text]
        function = getattr(numba_whole, name)
        return Call(function, name, expr.args, type=expr.type, span=expr.span)
    if not _is_integer(expr):
        base = Call(float, "float", (base,), type=FLOAT)
        return replace(expr, args=(base, exponent))
    if isinstance(exponent, Const) and 0 <= exponent.value <= SMALL:
        return expr
    power = numba_whole.whole_power
    return Call(power, "whole_power", expr.args, type=expr.type, span=expr.span)


def _rounded(expr: Call) -> Expr:
    """A float of Python's, rounded as Python does it."""
    number, digits = expr.args
    own = isinstance(number.type, Scalar) and number.type.dtype == "float"
    if expr.form != "call" or not own or not _is_integer(digits):
        return expr
    from s2sgrad_runtime.numba_rounding import rounded

    return Call(rounded, "rounded", expr.args, type=expr.type, span=expr.span)


def _ordered(expr: Call) -> Expr:
    """The order of floats: as long as no two are equal, all ways to sort give the same."""
    keys = expr.args[0].type
    vector = isinstance(keys, Array) and keys.shape is not None and len(keys.shape) == 1
    dtype = keys.dtype if isinstance(keys, Array) else None
    if not vector or dtype not in ("float64", "float32") or len(expr.args) > 1 or expr.kwargs:
        return expr
    from s2sgrad_runtime.numba_orders import order_of

    return Call(order_of, "order_of", expr.args, type=expr.type, span=expr.span)


def _is_integer(expr: Expr) -> bool:
    """Whether a value is an integer of Python's own."""
    return isinstance(expr.type, Scalar) and expr.type.dtype == "int"


__all__ = ["as_python_counts"]
