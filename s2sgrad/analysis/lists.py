"""Floor 3: lists and tuples of numbers where NumPy takes them for arrays."""

from __future__ import annotations

import numpy as np

from s2sgrad.analysis.indexing import listed_shape
from s2sgrad.ir.types import Array, List, Scalar, Tuple, Type


def as_array(kind: List | Tuple) -> Type:
    """The array that NumPy makes of a list or tuple of numbers, where its rank is known."""
    shape = listed_shape(kind)
    numbers = _numbers_in(kind)
    if shape is None or not all(isinstance(n, Scalar) for n in numbers):
        return kind
    made = [np.asarray(0, dtype=n.dtype).dtype for n in numbers if isinstance(n, Scalar)]
    return Array(str(np.result_type(*made)) if made else None, shape)


def _numbers_in(kind: Type) -> set[Type]:
    if isinstance(kind, List):
        return _numbers_in(kind.item)
    if isinstance(kind, Tuple):
        return {number for item in kind.items for number in _numbers_in(item)}
    return {kind}


__all__ = ["as_array"]
