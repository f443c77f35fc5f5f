"""Floor 5: derivatives of `scipy.special.logsumexp` as most programs take it, spelled out."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.frontend.state import constant
from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.axes import axes_of, expand_reduced, flag


def _weights(s: Any, y: Expr, a: Expr, axis: Expr, keepdims: Expr) -> Expr | None:
    """exp(a - y): what each entry has of the sum."""
    spread = expand_reduced(s, y, a, axis, keepdims)
    if spread is None:
        return None
    gap = build.call(s2sgrad_runtime.gap, "gap", a, spread)
    return build.call(np.exp, "np.exp", gap)


def _is_plain(a: Expr, axis: Expr, b: Expr, signed: Expr) -> bool:
    """Whether a real array is summed along known axes, without factors and signs."""
    kind = a.type
    if not isinstance(kind, Array) or kind.dtype != "float64" or kind.shape is None:
        return False
    plain = isinstance(b, Const) and b.value is None and flag(signed, False) is False
    return plain and axes_of(axis, len(kind.shape)) is not None


def logsumexp_pullback(
    s: Any, y_bar: Expr, y: Expr, a: Expr, axis: Expr, b: Expr, keepdims: Expr, signed: Expr
) -> Expr | None:
    """y_bar exp(a - y)."""
    if not _is_plain(a, axis, b, signed):
        return None
    bar = expand_reduced(s, y_bar, a, axis, keepdims)
    weights = _weights(s, y, a, axis, keepdims)
    return None if bar is None or weights is None else build.binary("*", bar, weights)


def logsumexp_pushforward(
    s: Any, a_dot: Expr, y: Expr, a: Expr, axis: Expr, b: Expr, keepdims: Expr, signed: Expr
) -> Expr | None:
    """The sum of a_dot exp(a - y)."""
    keep = flag(keepdims, False)
    if keep is None or not _is_plain(a, axis, b, signed):
        return None
    weights = _weights(s, y, a, axis, keepdims)
    if weights is None:
        return None
    given: dict[str, Any] = {} if axis == constant(None) else {"axis": axis}
    given |= {"keepdims": constant(True)} if keep else {}
    return build.call(np.sum, "np.sum", build.binary("*", weights, a_dot), **given)


__all__ = ["logsumexp_pullback", "logsumexp_pushforward"]
