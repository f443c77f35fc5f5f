"""Floor 3: numbers and arrays of floats, by their type, that hold integers on some paths.

Python and NumPy keep `n = 3` an integer where another path makes it `n * x`. Its derivative does
not mind; what asks for its class or dtype does, and what writes into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

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
    """Whether integers and floats meet in one place of values of these types."""
    held = [_number_in(kind) for kind in kinds]
    if any(map(_holds_integers, held)) and any(map(_holds_floats, held)):
        return True
    tuples = [kind.items for kind in held if isinstance(kind, Tuple)]
    records = [dict(kind.fields) for kind in held if isinstance(kind, Dict) and kind.fields]
    keys = dict.fromkeys(key for record in records for key in record)
    places = [[r[key] for r in records if key in r] for key in keys]
    places += [list(place) for place in zip(*tuples, strict=False)]
    return any(mixes(place) for place in places if len(place) > 1)


def may_be_whole(expr: nodes.Expr, names: Set[str]) -> bool:
    """Whether an expression of floats may give integers, or its items may be some.

    names: variables that may hold integers, or lists and dicts of both.
    """
    if not _may_hold_floats(expr.type):
        return False
    match expr:
        case nodes.Var(name=name):
            return name in names
        case nodes.Index(base=base, index=index) if (each := _of_each(base.type)) is not None:
            any_place = not isinstance(index[0], nodes.Const) and mixes(each)
            return any_place or may_be_whole(base, names)
        case nodes.Index(base=base):
            return may_be_whole(base, names)
        case nodes.Choice(then=then, orelse=orelse):
            return _one_of((then, orelse), names)
        case nodes.Sequence(items=items) | nodes.Mapping(values=items):
            if _of_each(expr.type) is not None:  # of each place it is known what is there
                return any(may_be_whole(item, names) for item in items)
            return _one_of(items, names)
        case nodes.Call(function="and" | "or", args=args):
            return _one_of(args, names)
        case nodes.Call(function=function, args=args) if function in _CHOOSES:
            return isinstance(expr.type, Scalar) and _one_of(args, names)
        case nodes.Call(function=function, args=(arg,)) if function is list:
            return mixes(_of_each(arg.type) or ()) or may_be_whole(arg, names)
        case nodes.Call() if _gives_floats(expr):
            return False
        case nodes.Call(args=(nodes.Sequence() as items, *_)) if isinstance(expr.type, Array):
            return may_be_whole(items, names) and not _has_floats(items, names)
        case nodes.Call(args=args):
            found = [may_be_whole(a, names) for a in args]
            others = [a for a, whole in zip(args, found, strict=True) if not whole]
            return any(found) and not any(_holds_floats(a.type) for a in others)
    return False


def made_whole(stmt: nodes.Stmt, names: Set[str]) -> Iterator[str]:
    """The variables of floats that a statement lets hold integers, or lists and dicts of both.

    names: those that may already."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            pairs = zip(targets, values, strict=True)
            yield from (target for target, value in pairs if may_be_whole(value, names))
        case nodes.Unpack(targets=targets, value=value) if may_be_whole(value, names):
            yield from targets
        case nodes.For(targets=targets, sources=sources):
            pairs = zip(targets, sources, strict=False)
            yield from (target for target, source in pairs if may_be_whole(source, names))
        case nodes.Mutate(base=base, method="append" | "insert" | "extend", args=args):
            if any(may_be_whole(arg, names) for arg in args) and (name := _root(base)):
                yield name
        case nodes.Mutate(base=base, target=str(target)) if may_be_whole(base, names):
            yield target
        case nodes.Store(base=base, value=value) if isinstance(base.type, List | Dict):
            if may_be_whole(value, names) and (name := _root(base)):
                yield name


def _root(expr: nodes.Expr) -> str | None:
    while isinstance(expr, nodes.Index):
        expr = expr.base
    return expr.name if isinstance(expr, nodes.Var) else None


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
    while isinstance(kind, List | Maybe) or (isinstance(kind, Dict) and kind.fields is None):
        kind = kind.item
    return kind


def _may_hold_floats(kind: Type) -> bool:
    kind = _number_in(kind)
    each = _of_each(kind)
    return _holds_floats(kind) if each is None else any(map(_may_hold_floats, each))


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


__all__ = ["made_whole", "may_be_whole", "mixes", "narrows"]
