"""Floor 6: the part of a reverse sweep in which NumPy is not to warn.

    y_bar = np.where(near, 0.0, y_bar)             y_bar = np.where(near, 0.0, y_bar)
    x_bar = masked(0.5 * y_bar / y, y_bar)   ->    with np.errstate(all="ignore"):
                                                       x_bar = masked(0.5 * y_bar / y, y_bar)

Both sides of a choice are computed there, and what is infinite on the side that was not taken is
left out. The function itself has no such quotient, and would not warn.
"""

from __future__ import annotations

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt
from s2sgrad.ir.types import Array, Number, Scalar

HEADER = 'with np.errstate(all="ignore"):'
_STEEP = (np.divide, np.power, np.reciprocal)
_PYTHONS = ("int", "float", "complex")  # their quotients raise, and never warn


def quiet_part(body: Block) -> slice:
    """The statements from the first to the last one that may warn of what is left out."""
    start = max((i for i, s in enumerate(body) if s == nodes.Comment("")), default=len(body))
    found = [i for i, stmt in enumerate(body) if _may_warn(stmt, i > start)]
    return slice(found[0], found[-1] + 1) if found else slice(0, 0)


def _may_warn(stmt: Stmt, backwards: bool) -> bool:
    """Whether a statement guards a quotient. backwards: it is of the reverse sweep."""
    return any(
        _leaves_out(e, backwards)
        for s in nodes.walk_block((stmt,))
        for top in nodes.expressions(s)
        for e in nodes.walk(top)
    )


def _leaves_out(expr: Expr, backwards: bool) -> bool:
    match expr:
        case Call(function=s2sgrad_runtime.masked, args=(value, _)):
            return _is_steep(value)
        case Call(function=np.where, args=(_, value, Const())) if backwards:
            return _is_steep(value)
        case Call(function=np.where, args=(_, Const(), value)) if backwards:
            return _is_steep(value)
    return False


def _is_steep(value: Expr) -> bool:
    """Whether it has a quotient or a power of NumPy's in it."""
    return any(
        isinstance(e, Call) and e.function in _STEEP and _is_numpys(e) and not _is_tame(e)
        for e in nodes.walk(value)
    )


def _is_tame(expr: Call) -> bool:
    """Whether it divides by a constant or a size, or is a square or the like."""
    by = expr.args[-1]
    if expr.function is np.power:
        return isinstance(by, Const) and by.value >= 0
    whole = isinstance(by.type, Scalar) and by.type.dtype in ("int", "int64")
    return isinstance(by, Const) or whole


def _is_numpys(expr: Expr) -> bool:
    kind = expr.type
    if isinstance(kind, Scalar):
        return kind.dtype not in _PYTHONS
    return isinstance(kind, Array | Number)


__all__ = ["HEADER", "quiet_part"]
