"""Floor 6: Python's numbers and NumPy's truth values, where Numba computes them in another way.

Integers have 64 bits in compiled code. Those that grow by factors, or by their own sums, in a
loop are computed by functions that notice when that is too little; Python runs the code then.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt
from s2sgrad.ir.types import FLOAT, Array, Scalar, Truth
from s2sgrad.transform.writing.rewrite import map_block, map_expr

SMALL = 2  # the square of what counts something has 64 bits
# Operators on integers that fail, or need more digits, for some of them.
_NOTICED = {
    "**": "whole_power", "<<": "whole_shift", "//": "whole_quotient", "%": "whole_remainder",
}  # fmt: skip
Depends = dict[str, frozenset[str]]  # an integer -> the integers it is computed from, in a loop


def as_python_counts(body: Block) -> Block:
    """The body with powers, and with growing integers, as Python has them."""
    return tuple(map(_grown, map_block(body, _number)))


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


# --- integers that grow in loops -----------------------------------------------------------------
def _grown(stmt: Stmt) -> Stmt:
    """A statement, with what grows in its loops computed by functions that notice."""
    if isinstance(stmt, nodes.If):
        return replace(
            stmt, then=tuple(map(_grown, stmt.then)), orelse=tuple(map(_grown, stmt.orelse))
        )
    if not isinstance(stmt, nodes.For | nodes.While):
        return stmt
    depends = _dependences(stmt.body)
    if not any(name in found for name, found in depends.items()):
        return stmt
    return replace(stmt, body=map_block(stmt.body, lambda e: e, lambda s: [_noticed(s, depends)]))


def _dependences(body: Block) -> Depends:
    """What each integer that a loop computes depends on, by way of others."""
    direct: dict[str, set[str]] = {}
    for stmt in nodes.walk_block(body):
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                if _is_integer(value):
                    direct.setdefault(target, set()).update(nodes.names_in(value))
    found = {name: frozenset(names) for name, names in direct.items()}
    while True:
        wider = {n: v.union(*(found.get(m, frozenset()) for m in v)) for n, v in found.items()}
        if wider == found:
            return found
        found = wider


def _noticed(stmt: Stmt, depends: Depends) -> Stmt:
    if not isinstance(stmt, nodes.Assign):
        return stmt
    values = tuple(
        map_expr(value, lambda e, t=target: _guarded(e, t, depends))  # type: ignore[misc]
        if target in depends.get(target, ())
        else value
        for target, value in zip(stmt.targets, stmt.values, strict=True)
    )
    return stmt if values == stmt.values else replace(stmt, values=values)


def _guarded(expr: Expr, target: str, depends: Depends) -> Expr:
    """`k * n` that goes into k, and `k + m` where both come from k."""
    if not isinstance(expr, Call) or expr.form != "operator" or len(expr.args) != 2:
        return expr
    if expr.text not in ("*", "+") or not all(map(_is_integer, (expr, *expr.args))):
        return expr
    from s2sgrad_runtime.numba_whole import whole_product, whole_sum

    grows = [_from(arg, target, depends) for arg in expr.args]
    if expr.text == "*" and any(grows):
        return Call(whole_product, "whole_product", expr.args, type=expr.type, span=expr.span)
    if expr.text == "+" and all(grows):
        return Call(whole_sum, "whole_sum", expr.args, type=expr.type, span=expr.span)
    return expr


def _from(expr: Expr, target: str, depends: Depends) -> bool:
    """Whether an integer comes from what the target held before."""
    names = nodes.names_in(expr)
    return target in names or any(target in depends.get(name, ()) for name in names)


__all__ = ["as_python_counts"]
