"""Floor 6: zeros like what may be None until a run has set it.

While Numba finds out the types of a loop, `m` is None first and None or an array later: zeros like
it would be a number first. An array that is named beside it tells their type.
"""

from __future__ import annotations

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Expr, Ref, Sequence
from s2sgrad.ir.types import Array, Known, Maybe, Tuple
from s2sgrad.transform.writing import build


def zeros_perhaps(expr: Expr) -> Expr | None:
    """`zeros_like(m)` by a function that is told the type; None of other expressions."""
    match expr:
        case Call(function=s2sgrad_runtime.zeros_like, args=(value,)) if (
            isinstance(value.type, Maybe)
        ):
            return _told(expr, value, value.type.item)
    return None


def _told(expr: Call, value: Expr, kind: object) -> Expr | None:
    from s2sgrad_runtime.numba_optional import zeros_if_there

    if not isinstance(kind, Array) or kind.shape is None or kind.dtype not in _FLOATS:
        return None
    shape = tuple(build.number(1) for _ in kind.shape)
    dtype = np.dtype(kind.dtype).type
    parts = (
        Sequence("tuple", shape, type=Tuple(tuple(n.type for n in shape))),
        Ref(f"np.{kind.dtype}", dtype, type=Known(dtype)),
    )
    ones = Call(np.zeros, "np.zeros", parts, type=Array(kind.dtype, (sizes.ONE,) * len(shape)))
    return Call(zeros_if_there, "zeros_if_there", (value, ones), type=expr.type, span=expr.span)


_FLOATS = frozenset({"float64", "float32", "complex128", "complex64"})

__all__ = ["zeros_perhaps"]
