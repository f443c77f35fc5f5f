"""Floor 5: arrays of one entry that are made of a number: `np.expand_dims(np.sum(v), 0)`.

Numba takes arrays only there; `np.full((1,), s)` is the same array.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import INT, Array, Scalar
from s2sgrad.transform.preparing.spelling import Writer, tuple_of
from s2sgrad.transform.writing import build


def as_array(writer: Writer, call: Call) -> Expr | None:
    """The array of one entry; None where the argument is no plain number."""
    kind = call.args[0].type
    if not isinstance(kind, Scalar) or kind.dtype not in ("float", "float64"):
        return None
    shape = call.type.shape if isinstance(call.type, Array) else None
    if not shape:
        return None
    ones = tuple_of([Const(1, type=INT) for _ in shape])
    made = Array("float64", (sizes.ONE,) * len(shape))
    return build.call(np.full, "np.full", ones, call.args[0], kind=made)


AS_ARRAY = dict.fromkeys(
    (np.expand_dims, np.reshape, np.ravel, np.atleast_1d, np.atleast_2d, np.atleast_3d), as_array
)

__all__ = ["AS_ARRAY"]
