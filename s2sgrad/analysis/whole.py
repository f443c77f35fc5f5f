"""Floor 3: numbers and arrays of floats, by their type, that hold integers on some paths.

Python and NumPy keep `n = 3` an integer where another path makes it `n * x`. Its derivative does
not mind; what asks for its class or dtype does, and what writes into it.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Number, Scalar, Type, is_float_dtype

_DIVIDES = (np.divide, np.true_divide)


def narrows(kind: Type, wide: Type) -> bool:
    """Whether integers of one type meet floats in a variable of the other."""
    return _holds_integers(kind) and _holds_floats(wide)


def may_be_whole(expr: nodes.Expr, names: Set[str]) -> bool:
    """Whether an expression of floats may give integers. names: variables that may hold them."""
    if not names or not _holds_floats(expr.type):
        return False
    match expr:
        case nodes.Var(name=name):
            return name in names
        case nodes.Index(base=base):
            return may_be_whole(base, names)
        case nodes.Choice(then=then, orelse=orelse):
            return any(may_be_whole(e, names) or narrows(e.type, expr.type) for e in (then, orelse))
        case nodes.Call(function=function, args=args) if function not in _DIVIDES:
            found = [may_be_whole(a, names) for a in args]
            others = [a for a, whole in zip(args, found, strict=True) if not whole]
            return any(found) and not any(_holds_floats(a.type) for a in others)
    return False


def _holds_floats(kind: Type) -> bool:
    dtype = kind.dtype if isinstance(kind, Array | Number | Scalar) else None
    return dtype is not None and is_float_dtype(dtype)


def _holds_integers(kind: Type) -> bool:
    dtype = kind.dtype if isinstance(kind, Array | Number | Scalar) else None
    return dtype is not None and not is_float_dtype(dtype)


__all__ = ["may_be_whole", "narrows"]
