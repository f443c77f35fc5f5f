"""Floor 5: arrays that are allocated before they are filled."""

from __future__ import annotations

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import Array, Known, Tuple


def empty(lengths: tuple[Expr, ...], kind: Array) -> Call:
    """`np.empty((n, m))`, or `np.empty(n)`, of a type."""
    shape = lengths[0]
    if len(lengths) > 1:
        shape = nodes.Sequence("tuple", lengths, type=Tuple(tuple(e.type for e in lengths)))
    if kind.dtype == "float64":
        return Call(np.empty, "np.empty", (shape,), type=kind)
    dtype = np.dtype(kind.dtype).type
    named = (("dtype", nodes.Ref(f"np.{kind.dtype}", dtype, type=Known(dtype))),)
    return Call(np.empty, "np.empty", (shape,), named, type=kind)


__all__ = ["empty"]
