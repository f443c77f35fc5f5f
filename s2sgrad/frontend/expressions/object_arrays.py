"""Floor 4: arrays of dtype object: numbers in them are fine, arrays and lists are refused.

np.array([x[0], 2.0], dtype=object)       numbers: as any other array
np.empty(3, dtype=object)                 its entries are None, till something is put there
np.array([x, x[1:]], dtype=object)        its entries are arrays
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import joined
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOTTOM, Array, Known, List, Tuple, Type

# where the dtype stands among the arguments of what makes arrays of one value
_FILLED: dict[Any, int] = {
    np.empty: 1,
    np.zeros: 1,
    np.ones: 1,
    np.full: 2,
    np.empty_like: 1,
    np.zeros_like: 1,
    np.ones_like: 1,
    np.full_like: 2,
}
_STACKED = (np.array, np.asarray, np.asanyarray)


class ObjectArrays(Base):
    """Arrays of objects."""

    def refuse_objects(
        self,
        function: Any,
        args: tuple[nodes.Expr, ...],
        kwargs: tuple[tuple[str, nodes.Expr], ...],
        node: ast.AST | None,
    ) -> None:
        """An entry that is an array has no place among the derivatives of the entries, which are
        numbers; and what an array made for objects will hold is not known where it is made."""
        if function not in _FILLED and function not in _STACKED:
            return
        place, named = _FILLED.get(function, 1), dict(kwargs)
        dtype = args[place] if place < len(args) else named.get("dtype")
        objects = dtype is not None and _says_object(dtype.type)
        refused = objects
        if function in _STACKED:
            kind = args[0].type if args else BOTTOM
            refused = objects and _uneven(kind)
            refused |= (objects or dtype is None) and _is_none(_item(kind))
        if function is np.full and dtype is None:
            value = args[1] if len(args) > 1 else named.get("fill_value")
            refused = value is not None and _is_none(value.type)
        if refused:
            raise self.refuse(
                "an array of objects can't be followed", node or ast.Pass(),
                "the entries of an array carry their derivatives as numbers, and these may be "
                "arrays or lists",
                "use a list: items = [None] * 3, or items = [x, y]; for numbers, leave out "
                "dtype=object",
            )  # fmt: skip


def _says_object(dtype: Type) -> bool:
    if not isinstance(dtype, Known) or dtype.value is None:
        return False
    try:
        return np.dtype(dtype.value) == np.dtype(object)
    except TypeError:
        return False


def _is_none(kind: Type) -> bool:
    return isinstance(kind, Known) and kind.value is None


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
