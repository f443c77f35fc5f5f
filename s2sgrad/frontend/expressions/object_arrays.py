"""Floor 4: arrays of dtype object: numbers in them are fine, arrays and lists are refused.

np.array([x[0], 2.0], dtype=object)       numbers: as any other array
np.full(3, None)                          its entries are None, till something is put there
np.array([x, x[1:]], dtype=object)        its entries are arrays
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from s2sgrad.analysis.object_arrays import FIX, OBJECTS, REASON, WHY, says_object
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import joined
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOTTOM, Array, Known, List, Tuple, Type

_STACKED = (np.array, np.asarray, np.asanyarray)


class ObjectArrays(Base):
    """Arrays of objects."""

    def objects_type(
        self,
        function: Any,
        args: tuple[nodes.Expr, ...],
        kwargs: tuple[tuple[str, nodes.Expr], ...],
        node: ast.AST | None,
    ) -> Type | None:
        """The type of a new array of objects that are not all numbers; None of others.

        What is put into one later is refused there: numbers in an array of None, and see
        `refuse_filled_objects`."""
        if function is not np.full and function not in _STACKED:
            return None
        place, named = 2 if function is np.full else 1, dict(kwargs)
        dtype = args[place] if place < len(args) else named.get("dtype")
        objects, empty = dtype is not None and says_object(dtype.type), False
        if function in _STACKED:
            kind = args[0].type if args else BOTTOM
            if objects and _uneven(kind):
                raise self.refuse(REASON, node or ast.Pass(), WHY, FIX)
            empty = _is_none(_item(kind))
        if function is np.full:
            value = args[1] if len(args) > 1 else named.get("fill_value")
            empty = value is not None and _is_none(value.type)
        if empty and (objects or dtype is None):
            return OBJECTS
        return OBJECTS if objects and any(map(_has_no_number, args)) else None


def _is_none(kind: Type) -> bool:
    return isinstance(kind, Known) and kind.value is None


def _has_no_number(value: nodes.Expr) -> bool:
    """Whether a value, or something in a display, is a text or None."""
    if isinstance(value, nodes.Sequence):
        return any(map(_has_no_number, value.items))
    kind = value.type
    return isinstance(kind, Known) and isinstance(kind.value, str | None)


def _item(kind: Type) -> Type:
    """What all entries are, at any depth."""
    while isinstance(kind, List | Tuple):
        kind = kind.item if isinstance(kind, List) else joined(kind.items)
    return kind


def _uneven(kind: Type) -> bool:
    """Whether entries may be arrays of several lengths, which NumPy keeps as they are."""
    item = _item(kind)
    if not isinstance(kind, List | Tuple) or not isinstance(item, Array):
        return False
    return item.shape is None or None in item.shape


__all__ = ["ObjectArrays"]
