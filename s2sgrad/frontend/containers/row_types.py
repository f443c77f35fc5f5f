"""Floor 4: what types tell of objects that are records, or places in lists, in generated code."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.types import DEEP, Dict, Nested, Pick, Row, Type, type_parts


def holds_rows(kind: Type) -> bool:
    """Whether a value is, or holds, objects that are places in lists of their fields."""
    if isinstance(kind, Dict) and holds_rows(kind.key):
        return True
    return isinstance(kind, Row) or any(map(holds_rows, type_parts(kind)))


def has_order(cls: Any) -> bool:
    """Whether objects of a class can be sorted, other than tuples."""
    if cls is None or issubclass(cls, tuple):
        return False
    plain: Any = object
    return cls.__lt__ is not plain.__lt__ or cls.__gt__ is not plain.__gt__


def kept_as(kind: Type) -> tuple[str, str, str]:
    """What generated code can't hand on: what it is, why, and what to write instead."""
    if holds_functions(kind):
        return "functions in a list or dict", "generated code holds their numbers", "call them"
    why = "generated code keeps its fields in lists"
    return "an object that is linked with others", why, "use what the object holds"


def holds_functions(kind: Type) -> bool:
    """Whether a value is the number of a function, or holds such."""
    if isinstance(kind, Pick) or is_of_function(kind):
        return True
    return any(map(holds_functions, type_parts(kind)))


def is_of_function(kind: Type) -> bool:
    """Whether a value is the record of what a function was made with."""
    return isinstance(kind, Dict) and hasattr(kind.made_by, "OF_FUNCTIONS")


def classes_in(kind: Type) -> set[type]:
    """The classes of the objects that a value is or holds as records of their fields."""
    found = {kind.made_by} if isinstance(kind, Dict) and kind.made_by is not None else set()
    parts = (kind.record,) if isinstance(kind, Nested) else type_parts(kind)
    return found.union(*map(classes_in, parts))


def nested_classes(kind: Type, around: tuple[type, ...] = ()) -> set[type]:
    """The classes whose records hold each other so deep that only a run knows how deep."""
    cls = kind.made_by if isinstance(kind, Dict) else None
    around = around if cls is None else (*around, cls)
    found = {cls} if cls is not None and around.count(cls) >= DEEP else set()
    return found.union(*(nested_classes(part, around) for part in type_parts(kind)))


_TAKING = (
    *(np.equal, np.not_equal, np.remainder, np.floor_divide, len, list, tuple, dict, zip),
    *("==", "!=", "is", "is not", "in", "not in", "not", "and", "or", "list+", "list*", "index"),
    *(reversed, enumerate, "get", "keys", "values", "items", "copy", "pop"),
)


def given_to(expr: nodes.Expr) -> tuple[nodes.Expr, ...]:
    """What an expression makes use of, other than to hold it or to ask which one it is."""
    match expr:
        case nodes.Call(args=args):
            return args
        case nodes.Text(parts=parts):
            return tuple(p for p in parts if isinstance(p, nodes.Expr))
        case nodes.Index(base=base, index=index) if not isinstance(base.type, Dict):
            return index
        case nodes.Slice(lower=lower, upper=upper, step=step):
            return tuple(p for p in (lower, upper, step) if p is not None)
    return ()


def takes_rows(function: Any) -> bool:
    """Whether a function of generated code does with places what Python does with objects."""
    pair = type(function).__name__ == "UserPair"
    return pair or any(function is f or (isinstance(f, str) and function == f) for f in _TAKING)
