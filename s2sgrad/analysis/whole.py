"""Floor 3: numbers and arrays of floats, by their type, that hold integers on some paths.

Python and NumPy keep `n = 3` an integer where another path makes it `n * x`. Its derivative does
not mind; what asks for its class or dtype does, and what writes into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Dict, List, Maybe, Number, Scalar, Tuple, Type, is_float_dtype

_WHOLE_IN_MATH = ("ceil", "comb", "factorial", "floor", "gcd", "lcm", "perm", "prod", "trunc")
_OF_FLOATS = frozenset(
    {
        "average", "corrcoef", "cov", "geomspace", "interp", "linspace", "logspace", "mean",
        "median", "nanmean", "nanmedian", "nanstd", "nanvar", "percentile", "quantile", "std",
        "var",
    }
)  # fmt: skip
_HOMES_OF_FLOATS = ("numpy.linalg", "numpy.fft", "scipy.linalg", "scipy.special", "scipy.fft")
_CHOOSES = (np.maximum, np.minimum, max, min)  # Python's take one of the numbers as it is


def narrows(kind: Type, wide: Type) -> bool:
    """Whether integers of one type meet floats in a variable of the other."""
    return _holds_integers(kind) and _holds_floats(wide)


def mixes(kinds: Iterable[Type]) -> bool:
    """Whether integers and floats meet: in one of these types, or in what one of them holds."""
    held = [_number_in(kind) for kind in kinds]
    return any(map(_holds_integers, held)) and any(map(_holds_floats, held))


def may_be_whole(expr: nodes.Expr, names: Set[str]) -> bool:
    """Whether an expression of floats may give integers, or its items may be some.

    names: variables that may hold integers, or lists and dicts of both.
    """
    if not isinstance(expr.type, Tuple) and not _holds_floats(_number_in(expr.type)):
        return False
    match expr:
        case nodes.Var(name=name):
            return name in names
        case nodes.Index(base=base, index=index) if _of_each(base.type) is not None:
            return not isinstance(index[0], nodes.Const) and mixes(_of_each(base.type) or ())
        case nodes.Index(base=base):
            return may_be_whole(base, names)
        case nodes.Choice(then=then, orelse=orelse):
            return _one_of((then, orelse), names)
        case nodes.Sequence(items=items) | nodes.Mapping(values=items):
            return _one_of(items, names)
        case nodes.Call(function="and" | "or", args=args):
            return _one_of(args, names)
        case nodes.Call(function=function, args=args) if function in _CHOOSES:
            return isinstance(expr.type, Scalar) and _one_of(args, names)
        case nodes.Call() if _gives_floats(expr):
            return False
        case nodes.Call(args=(nodes.Sequence() as items, *_)) if isinstance(expr.type, Array):
            return may_be_whole(items, names) and not _has_floats(items, names)
        case nodes.Call(args=args):
            found = [may_be_whole(a, names) for a in args]
            others = [a for a, whole in zip(args, found, strict=True) if not whole]
            return any(found) and not any(_holds_floats(a.type) for a in others)
    return False


def _gives_floats(call: nodes.Call) -> bool:
    """Whether a function gives floats of integers too."""
    function, name = call.function, getattr(call.function, "__name__", "")
    if "dtype" in dict(call.kwargs) or function is float:
        return True
    if isinstance(function, np.ufunc) and len(call.args) >= function.nin:
        try:
            found = function.resolve_dtypes(
                (*(np.dtype(int),) * function.nin, *(None,) * function.nout)
            )
        except TypeError:  # not of integers
            return True
        return all(is_float_dtype(d.name) for d in found[function.nin :])
    home = getattr(function, "__module__", None) or ""
    if home == "math":
        return name not in _WHOLE_IN_MATH
    return name in _OF_FLOATS or home.startswith(_HOMES_OF_FLOATS)


def _has_floats(expr: nodes.Expr, names: Set[str]) -> bool:
    """Whether a float is surely among items: an array of all of them is one of floats."""
    if isinstance(expr, nodes.Sequence):
        return any(_has_floats(item, names) for item in expr.items)
    return _holds_floats(expr.type) and not may_be_whole(expr, names)


def _one_of(exprs: Sequence[nodes.Expr], names: Set[str]) -> bool:
    """Whether one of several values, which may be any of them, may be an integer."""
    return mixes(e.type for e in exprs) or any(may_be_whole(e, names) for e in exprs)


def _number_in(kind: Type) -> Type:
    """The type of a number or array, or of those that a list or dict holds."""
    while isinstance(kind, List | Dict | Maybe):
        kind = kind.item
    return kind


def _of_each(kind: Type) -> tuple[Type, ...] | None:
    """The types of what a tuple or record holds, where they are known of each place."""
    if isinstance(kind, Tuple):
        return kind.items
    if isinstance(kind, Dict) and kind.fields is not None:
        return tuple(item for _, item in kind.fields)
    return None


def _holds_floats(kind: Type) -> bool:
    dtype = kind.dtype if isinstance(kind, Array | Number | Scalar) else None
    return dtype is not None and is_float_dtype(dtype)


def _holds_integers(kind: Type) -> bool:
    dtype = kind.dtype if isinstance(kind, Array | Number | Scalar) else None
    return dtype is not None and not is_float_dtype(dtype)


__all__ = ["may_be_whole", "mixes", "narrows"]
