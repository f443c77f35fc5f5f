"""Floor 3: the classes that a value may be of, where the type that covers all paths says one.

`r = 1` on one path and `r = True` on another make a variable of integers by its type. Generated
code holds the very value that the program has; what asks for its class asks that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.types import NONE, Array, List, Maybe, Member, Number, Row, Scalar, Truth, Type

Classes = frozenset[Any]  # classes of numbers and containers, dtypes of arrays
_NOTHING: Classes = frozenset()
_PLAIN: dict[str, type] = {"float": float, "int": int, "bool": bool, "complex": complex}
_RANGE = frozenset({range})
_TRUTHS: Classes = frozenset({bool, np.bool_})
_SETTLE = (float, int, bool, complex, str, len, round)  # their results are of one class


def classes_of_type(kind: Type) -> Classes:
    """The classes of values of a type; none where it does not say."""
    match kind:
        case Maybe(item=item):
            return classes_of_type(item) | {type(None)}
        case Member(cls=cls):
            return frozenset({cls})
        case Truth(sure=sure):
            return frozenset({np.bool_} if sure else {bool, np.bool_})
        case Row():
            return _NOTHING
        case Scalar(dtype=dtype):
            return frozenset({_PLAIN.get(dtype) or np.dtype(dtype).type})
        case Array(dtype=dtype) | Number(dtype=dtype):
            return _NOTHING if dtype is None else frozenset({np.dtype(dtype)})
        case List(fixed=False, either=False):
            return frozenset({list})
    return frozenset({type(None)}) if kind == NONE else _NOTHING


def classes_held(expr: nodes.Expr, names: Mapping[str, Classes]) -> Classes:
    """The classes that an expression's value may be of. names: of variables, as in `Held`."""
    own = classes_of_type(expr.type)
    match expr:
        case nodes.Var(name=name):
            return names.get(name, own)
        case nodes.Choice(then=then, orelse=orelse):
            return classes_held(then, names) | classes_held(orelse, names)
        case nodes.Call(function="and" | "or", args=args):
            return _NOTHING.union(*(classes_held(a, names) for a in args))
        case nodes.Call(function=function) if function is range:
            return _RANGE
        case nodes.Call(function=function, args=args) if function not in _SETTLE:
            found = _of_parts(args, names)
            if getattr(expr.type, "dtype", None) == "bool" and not isinstance(expr.type, Array):
                return own | _TRUTHS if found else own  # a comparison, by Python or by NumPy
            clear = isinstance(expr.type, Array) and not _differs(found, own)
            return own if clear or not isinstance(expr.type, Scalar | Array) else own | found
    return own


def _of_parts(exprs: Iterable[nodes.Expr], names: Mapping[str, Classes]) -> Classes:
    """The classes of those arguments, and of items in them, that may be of several."""
    found = _NOTHING
    for expr in exprs:
        if isinstance(expr, nodes.Sequence):
            found |= _of_parts(expr.items, names)
        elif not isinstance(expr.type, Truth):
            held = classes_held(expr, names)
            found |= held if len(held) > 1 else _NOTHING
    return found


def _differs(found: Classes, own: Classes) -> bool:
    """Whether an array made of such values may have another dtype than its own."""
    if type(None) in found:
        return True
    kinds = {np.dtype(c).kind for c in found if c not in (list, range)}
    if "c" in kinds:
        return len(kinds) > 1
    return all(d.kind in "biu" for d in own) and len(kinds) > 1


class Held(dict[str, Classes]):
    """Variable -> the classes that it may hold, of those that may hold several."""

    def meet(self, name: str, held: Iterable[Classes]) -> None:
        """A variable gets one of several values."""
        found = _NOTHING.union(*held)
        if len(found) > 1:
            self[name] = self.get(name, _NOTHING) | found

    def note(self, stmt: nodes.Assign) -> None:
        """Variables get the values of an assignment."""
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            found = classes_held(value, self)
            if len(found) > 1 or found == _RANGE:
                self[target] = found
            else:
                self.pop(target, None)


__all__ = ["Classes", "Held", "classes_held", "classes_of_type"]
