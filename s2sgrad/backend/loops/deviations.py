"""Floor 6: variances as means: Numba has them over all axes only.

np.var(x, axis=0)      np.mean((x - np.mean(x, axis=0, keepdims=True)) ** 2, axis=0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops.elements import CannotLower, is_array
from s2sgrad.backend.loops.extents import add, integer, length
from s2sgrad.backend.loops.reductions import Reduction, reduction
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.sizes import ONE
from s2sgrad.ir.types import BOOL, INT, Array, Scalar, Type


def deviation(expr: Call, of: Expr, named: Callable[[Expr], Expr] | None = None) -> Expr | None:
    """A variance or standard deviation as a mean; None where it has other options than an axis.

    of: what it is of, which is read twice: a name for it. named: gives one to the mean.
    """
    options = dict(expr.kwargs)
    lost = options.pop("ddof", Const(0))
    mean = replace(
        expr, function=np.mean, text="np.mean", form="call", kwargs=tuple(options.items())
    )
    if not isinstance(lost, Const) or type(lost.value) is not int:
        return None
    try:
        found = reduction(mean)
    except CannotLower:
        return None
    kind = of.type
    if not isinstance(kind, Array) or kind.shape is None or not is_array(of):
        return None
    middle: Expr = _kept(mean, of, found, kind.shape)
    middle = middle if named is None else named(middle)
    moved = _of_two(np.subtract, "-", of, middle, kind)
    squares = _of_two(np.multiply, "*", moved, moved, kind)
    mean = replace(mean, args=(squares, *mean.args[1:]))
    result: Expr = mean
    if lost.value:
        total = replace(mean, function=np.sum, text="np.sum")
        count = _freedom(of, found, lost.value, len(kind.shape))
        result = Call(np.divide, "/", (total, count), form="operator", type=expr.type)
    if expr.text.endswith("std"):
        result = Call(np.sqrt, "np.sqrt", (result,), type=expr.type, span=expr.span)
    return result


def _freedom(of: Expr, found: Reduction, lost: int, rank: int) -> Expr:
    """How many entries are summed up, less `lost` (ddof); not below 0."""
    axes = range(rank) if found.over is None else sorted(k % rank for k in found.over)
    count, *others = (length(of, k) for k in axes)
    for other in others:
        count = Call(np.multiply, "*", (count, other), form="operator", type=INT)
    return Call(max, "max", (add(count, integer(-lost)), integer(0)), type=INT)


def _kept(mean: Call, value: Expr, found: Reduction, shape: tuple[Any, ...]) -> Call:
    """The mean, with axes of length 1 where others are summed up."""
    options = dict(mean.kwargs)
    if found.over is None:
        options.pop("keepdims", None)
        kept: Type = Scalar("float64")
    else:
        options["keepdims"] = Const(True, type=BOOL)
        over = {k % len(shape) for k in found.over}
        kept = Array("float64", tuple(ONE if k in over else s for k, s in enumerate(shape)))
    args = (value, *mean.args[1:])
    return replace(mean, args=args, kwargs=tuple(options.items()), type=kept)


def _of_two(function: Any, sign: str, left: Expr, right: Expr, kind: Type) -> Call:
    return Call(function, sign, (left, right), form="operator", type=kind)


def clipped(expr: Call) -> Expr | None:
    """A clip between two numbers as the smaller one of the larger one; None for others."""
    if expr.kwargs or len(expr.args) != 3 or expr.form == "attribute":
        return None
    value, low, high = expr.args
    same = value.type == expr.type and getattr(expr.type, "dtype", None) == "float64"
    bounds = all(
        isinstance(b.type, Scalar) and b.type.dtype in ("float", "float64", "int")
        for b in (low, high)
    )
    if not same or not bounds:
        return None
    above = Call(np.maximum, "np.maximum", (value, low), type=expr.type, span=expr.span)
    return Call(np.minimum, "np.minimum", (above, high), type=expr.type, span=expr.span)


__all__ = ["clipped", "deviation"]
