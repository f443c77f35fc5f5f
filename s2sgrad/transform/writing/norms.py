"""Floor 5: derivatives of the norms that most programs take, spelled out."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.frontend.state import constant
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.axes import axes_of, expand_reduced, flag


def norm_of(x: Expr, ord: Expr | None, axis: Expr | None) -> str | None:
    """'squares' for the root of a sum of squares, 'sizes' for a sum of sizes; None for others."""
    kind = x.type
    if not isinstance(kind, Array) or kind.dtype != "float64" or kind.shape is None:
        return None
    axes = axes_of(axis, len(kind.shape))
    if axes is None or (ord is not None and not isinstance(ord, Const)):
        return None
    order = None if ord is None else ord.value
    if order is None or (order == "fro" and len(axes) == 2):
        return "squares"
    if len(axes) != 1 or isinstance(order, str):
        return None
    return {1: "sizes", 2: "squares"}.get(order)


def takes_small_norm(call: Call) -> bool:
    """Whether the cotangent of a norm may be a number that stands for an array."""
    if call.function is not np.linalg.norm or not call.args:
        return False
    given = dict(zip(("x", "ord", "axis"), call.args, strict=False)) | dict(call.kwargs)
    return norm_of(call.args[0], given.get("ord"), given.get("axis")) is not None


def norm_pullback(
    s: Any, y_bar: Expr, y: Expr, x: Expr,
    ord: Expr | None = None, axis: Expr | None = None, keepdims: Expr | None = None,
) -> Expr | None:  # fmt: skip
    """The cotangent of what `np.linalg.norm` was taken of: y_bar x / y, or y_bar sign(x)."""
    which = norm_of(x, ord, axis)
    if which == "sizes":
        bar = expand_reduced(s, y_bar, x, axis, keepdims)
        return None if bar is None else build.binary("*", bar, build.call(np.sign, "np.sign", x))
    if which is None:
        return None
    ratio = build.call(s2sgrad_runtime.safe_divide, "safe_divide", y_bar, y)
    spread = expand_reduced(s, ratio, x, axis, keepdims)
    return None if spread is None else build.binary("*", spread, x)


def norm_pushforward(
    s: Any, x_dot: Expr, y: Expr, x: Expr,
    ord: Expr | None = None, axis: Expr | None = None, keepdims: Expr | None = None,
) -> Expr | None:  # fmt: skip
    """The tangent of a norm: the sum of x x_dot, over y."""
    which = norm_of(x, ord, axis)
    if which is None:
        return None
    keep = flag(keepdims, False)
    if keep is None:
        return None
    given: dict[str, Any] = {"keepdims": constant(True)} if keep else {}
    if axis is not None and axis != constant(None):
        given = {"axis": axis, **given}
    weight = x if which == "squares" else build.call(np.sign, "np.sign", x)
    if len(x.type.shape) == 1 and not keep:  # type: ignore[attr-defined]
        total = build.binary("@", weight, x_dot)
    else:
        total = build.call(np.sum, "np.sum", build.binary("*", weight, x_dot), **given)
    if which == "sizes":
        return total
    return build.call(s2sgrad_runtime.safe_divide, "safe_divide", total, y)


__all__ = ["norm_of", "norm_pullback", "norm_pushforward", "takes_small_norm"]
