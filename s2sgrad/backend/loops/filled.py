"""Floor 6: arrays that exist already, and new ones that hold one number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.loops.elements import is_array
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Var
from s2sgrad.ir.types import Scalar

_FILLED = {
    "np.ones_like": 1.0, "np.zeros_like": 0.0, "zeros_like": 0.0, "np.ones": 1.0, "np.zeros": 0.0,
}  # fmt: skip


def is_filled(value: Expr) -> bool:
    """Whether a value is a new array of one number."""
    if not isinstance(value, Call) or value.kwargs or not is_array(value):
        return False
    if value.type.dtype != "float64" or len(value.args) != 1 or value.form != "call":  # type: ignore[attr-defined]
        return False
    like = is_part(value.args[0]) if value.text.endswith("_like") else True
    return value.text in _FILLED and like


def filled(value: Expr) -> Expr:
    """An array of one number, as that number in a shape."""
    assert isinstance(value, Call)
    number, (like,) = Const(_FILLED[value.text]), value.args
    if value.text.endswith("_like"):
        return replace(value, function=np.full_like, text="np.full_like", args=(like, number))
    shape = like
    if isinstance(like.type, Scalar):
        shape = nodes.Sequence("tuple", (like,))
    return replace(value, function=np.full, text="np.full", args=(shape, number))


def is_part(expr: Expr) -> bool:
    """Whether a value is an array, or part of one, that exists already."""
    if isinstance(expr, Var):
        return is_array(expr)
    if isinstance(expr, Index):
        return is_array(expr.base)
    return (
        isinstance(expr, Call)
        and expr.form == "attribute"
        and expr.text == "T"
        and is_part(expr.args[0])
    )


__all__ = ["filled", "is_filled", "is_part"]
