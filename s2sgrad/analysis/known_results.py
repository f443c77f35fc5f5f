"""Floor 3: result types of calls that fail on samples, since their sizes do not fit each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.ir import sizes
from s2sgrad.ir.types import UNKNOWN, Array, Number, Scalar, Tuple, Type


def product_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of a product of vectors and matrices whose inner lengths are not known equal."""
    if function not in (np.dot, np.matmul) or len(args) != 2:
        return None
    left, right = args
    if not isinstance(left, Array) or not isinstance(right, Array):
        return None
    if left.shape is None or right.shape is None or None in (left.dtype, right.dtype):
        return None
    if not (0 < len(left.shape) <= 2 and 0 < len(right.shape) <= 2):
        return None
    dtype = str(np.result_type(str(left.dtype), str(right.dtype)))
    shape = (*left.shape[:-1], *right.shape[1:])
    return Array(dtype, shape) if shape else Scalar(dtype)


def reshaped_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of an array in a shape of which only the rank is known."""
    if function is not np.reshape or len(args) != 2 or not isinstance(args[0], Array):
        return None
    items = args[1].items if isinstance(args[1], Tuple) else (args[1],)
    if not items or not all(isinstance(i, Scalar) and i.dtype.startswith("int") for i in items):
        return None
    return Array(args[0].dtype, tuple(_wanted_length(i) for i in items))  # type: ignore[arg-type]


def _wanted_length(kind: Scalar) -> sizes.Size | None:
    """A length that is asked for; -1 stands for what is left."""
    if kind.value is not UNKNOWN:
        return sizes.of(kind.value) if kind.value >= 0 else None
    letters = kind.size.letters() if kind.size is not None else ()
    return kind.size if all(map(sizes.at_least_two, letters)) else None


def residuals_unknown(kind: Tuple) -> Tuple:
    """What lstsq gives: residuals are a number, an array or empty, by which size is larger."""
    dtype = getattr(kind.items[1], "dtype", None)
    return Tuple((kind.items[0], Number(dtype), *kind.items[2:]), kind.made_by)


__all__ = ["product_type", "reshaped_type", "residuals_unknown"]
