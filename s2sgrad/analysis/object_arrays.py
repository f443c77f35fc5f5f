"""Floor 4: arrays of dtype object into which arrays or lists are put.

Numbers, and texts to compare with, are fine in them. An entry that is an array has no place among
the derivatives of the entries, which are numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Store, Var
from s2sgrad.ir.types import Array, Dict, Known, List, Opaque, Scalar, Tuple, Type, carries

REASON = "an array of objects can't be followed"
WHY = "the entries of an array carry their derivatives as numbers, and these may be arrays or lists"
FIX = "use a list: items = [None] * 3, or items = [x, y]; for numbers, leave out dtype=object"
# where the dtype stands among the arguments of what makes arrays of one value
_FILLED: dict[Any, int] = {
    np.empty: 1, np.zeros: 1, np.ones: 1, np.full: 2,
    np.empty_like: 1, np.zeros_like: 1, np.ones_like: 1, np.full_like: 2,
}  # fmt: skip


OBJECTS = Opaque("ndarray")  # the type of an array of what is no number


def refuse_numbers(array: Type, given: Iterable[Expr], span: Any) -> None:
    """Raise where numbers that may vary are put into an array of what is no number."""
    if array == OBJECTS and any(carries(e.type) for e in given):
        raise UnsupportedError(REASON, span, WHY, FIX)


def refuse_filled_objects(body: Block) -> None:
    """Raise where an entry of an array that was made for objects becomes an array or a list."""
    made: dict[str, Call] = {}
    for stmt in nodes.walk_block(body):
        if isinstance(stmt, Assign):
            pairs = zip(stmt.targets, stmt.values, strict=True)
            made |= {t: v for t, v in pairs if isinstance(v, Call) and _makes_objects(v)}
    for stmt in nodes.walk_block(body) if made else ():
        match stmt:
            case Store(base=Var(name=name), index=index, value=value) if name in made:
                if index and all(isinstance(p.type, Scalar) for p in index) and _is_several(value):
                    raise UnsupportedError(REASON, stmt.span, WHY, FIX)


def says_object(dtype: Type) -> bool:
    """Whether a dtype is known to be that of objects."""
    if not isinstance(dtype, Known) or dtype.value is None:
        return False
    try:
        return np.dtype(dtype.value) == np.dtype(object)
    except TypeError:
        return False


def _makes_objects(call: Call) -> bool:
    place = _FILLED.get(call.function) if callable(call.function) else None
    if place is None:
        return False
    given = call.args[place] if place < len(call.args) else dict(call.kwargs).get("dtype")
    return given is not None and says_object(given.type)


def _is_several(value: Expr) -> bool:
    kind = value.type
    if isinstance(kind, List | Tuple | Dict):
        return True
    return isinstance(kind, Array) and kind.shape != ()


__all__ = [
    "FIX", "OBJECTS", "REASON", "WHY", "refuse_filled_objects", "refuse_numbers", "says_object",
]  # fmt: skip
