"""Floor 3: what fails for some values, in Python too, whether or not anybody reads its value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import Scalar

# Functions of Python's numbers that raise a ValueError beyond an edge. (NumPy's give nan there.)
_EDGED = (
    *(math.log, math.log2, math.log10, math.log1p, math.sqrt, math.acos, math.asin, math.acosh),
    *(math.atanh, math.fmod, math.gamma, math.lgamma, math.factorial, math.comb, math.perm),
    math.isqrt,
)
_PYTHONS = ("int", "float", "complex")  # whose division by zero is an error


def raising_parts(expr: Expr) -> Iterator[Expr]:
    """The parts of an expression that raise an error for some values, or surely do."""
    if isinstance(expr, Call) and _may_raise(expr):
        yield expr
        return
    if isinstance(expr, nodes.Choice):  # only one side is computed
        expr = expr.test
    if isinstance(expr, Call) and expr.function in ("and", "or"):
        expr = expr.args[0]
    for part in nodes.children(expr):
        yield from raising_parts(part)


def _may_raise(call: Call) -> bool:
    if call.form == "operator":
        divisor = call.args[-1]
        zero = isinstance(divisor, Const) and type(divisor.value) in (int, float, complex)
        own = isinstance(call.args[0].type, Scalar) and call.args[0].type.dtype in _PYTHONS
        return call.text in ("/", "//", "%") and zero and own and divisor.value == 0  # type: ignore[attr-defined]
    if not call.text.startswith("math.") or call.kwargs:
        return False
    function: Any = getattr(math, call.text.removeprefix("math."), None)
    if all(isinstance(a, Const) for a in call.args):
        return _fails(function, [a.value for a in call.args if isinstance(a, Const)])
    return any(function is f for f in _EDGED)


def _fails(function: Any, args: list[Any]) -> bool:
    """Whether a function raises for these numbers."""
    try:
        function(*args)
    except (ValueError, OverflowError, ZeroDivisionError):
        return True
    return False


__all__ = ["raising_parts"]
