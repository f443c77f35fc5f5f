"""Floor 5: tangents and cotangents of lists and tuples, added up entry by entry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir.nodes import Call, Expr, Sequence
from s2sgrad.ir.types import Array, Scalar
from s2sgrad.transform.writing import build


def added_up(a: Expr, b: Expr) -> Expr:
    """`accumulate(a, b)` of two cotangents of one structure: entry by entry of displays."""
    if not isinstance(a, Sequence) or not isinstance(b, Sequence):
        return Call(s2sgrad_runtime.accumulate, "accumulate", (a, b), type=a.type)
    pairs = zip(a.items, b.items, strict=True)
    return replace(a, items=tuple(_entry_added(x, y) for x, y in pairs))


def _entry_added(a: Expr, b: Expr) -> Expr:
    match a, b:
        case (Call(function=np.zeros_like), other) | (other, Call(function=np.zeros_like)):
            if not shares_memory(other):  # a sum may be written into
                return other
    if isinstance(a.type, Array | Scalar) and isinstance(b.type, Array | Scalar):
        return build.binary("+", a, b)
    return added_up(a, b)


__all__ = ["added_up"]
