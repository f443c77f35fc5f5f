"""Floor 3: whether the type that a function's result was given holds for samples of other sizes.

Two samples show a size that is the smaller of two lengths, a common divisor or a count of what is
found there as well as one that follows. More of them are tried: short, equal and even lengths,
other numbers. What a type says that is not so in one of them is left out of it.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.samples import LENGTHS, RUNS, Samples, run
from s2sgrad.ir import sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.dtypes import joined_dtype
from s2sgrad.ir.types import Array, Known, List, Number, Opaque, Scalar, Tuple, Type, join


def confirmed(
    kind: Type, function: Any, args: tuple[Type, ...], kwargs: dict[str, Type], samples: Samples
) -> Type:
    """What a type says of a function's results that all the further samples agree with.

    A run that fails says nothing, but the first where a size was put together from letters.
    """
    if isinstance(kind, Number | Opaque):
        return kind
    for which in range(len(LENGTHS) - 1, RUNS):
        try:
            value = run(function, args, kwargs, samples, which)
        except Exception:
            if which < len(LENGTHS) and samples.guessed:
                kind = without_sizes(kind)
            continue
        kind = _Run(samples, which).confirmed(kind, value)
    return kind


class _Run:
    """One of the further runs."""

    def __init__(self, samples: Samples, which: int) -> None:
        self.samples, self.which = samples, which

    def confirmed(self, kind: Type, value: Any) -> Type:
        """The type without what this result disproves."""
        if isinstance(kind, Tuple) and isinstance(value, tuple | list):
            if len(kind.items) == len(value):
                parts = zip(kind.items, value, strict=True)
                return replace(kind, items=tuple(self.confirmed(k, v) for k, v in parts))
        elif isinstance(kind, List) and isinstance(value, tuple | list):
            return replace(kind, item=functools.reduce(self.confirmed, value, kind.item))
        elif isinstance(kind, Array) and isinstance(value, np.ndarray):
            return self._array(kind, value)
        elif isinstance(kind, Scalar) and _is_number(value):
            return self._scalar(kind, value)
        elif isinstance(kind, Number | Opaque) or self._is_constant(kind, value):
            return kind
        if self.samples.empty[self.which]:
            return without_sizes(kind)  # no numbers: they may be summed to one of another dtype
        return join(without_sizes(kind), _plain_type(value))

    @staticmethod
    def _is_constant(kind: Type, value: Any) -> bool:
        return isinstance(kind, Known) and (value is kind.value or isinstance(value, np.dtype))

    def _array(self, kind: Array, value: np.ndarray) -> Type:
        dtype = kind.dtype
        if str(value.dtype) != dtype and not self.samples.empty[self.which]:
            dtype = joined_dtype(dtype, str(value.dtype)) if value.dtype.kind in "biufc" else None
        if kind.shape is None:
            return replace(kind, dtype=dtype)
        if value.ndim != len(kind.shape):
            # An array of no rows has one axis, whatever the rows would be: there is nothing in it.
            unfilled = value.shape == (0,) and self.samples.empty[self.which]
            return without_sizes(replace(kind, dtype=dtype)) if unfilled else Array(dtype, None)
        dims = zip(kind.shape, value.shape, strict=True)
        return Array(dtype, tuple(self._length(size, n) for size, n in dims))

    def _length(self, size: sizes.Size | None, length: int) -> sizes.Size | None:
        """The size of an axis; where it would be negative there are no entries."""
        if size is None or self.samples.agrees(size, length, self.which):
            return size
        if length or not self.samples.agrees(size, length, self.which, at_least=0):
            return None
        if not_negative(size):
            return size
        rest = size - sizes.of(dict(size.terms).get((), 0))
        free = rest.letter is not None and sizes.changes(rest.letter)
        return sizes.shortened(rest, -dict(size.terms).get((), 0)) if free else None

    def _scalar(self, kind: Scalar, value: Any) -> Type:
        size = kind.size
        if size is not None and not self.samples.agrees(size, value, self.which):
            size = None
        dtype = str(value.dtype) if isinstance(value, np.generic) else type(value).__name__
        if dtype == kind.dtype or self.samples.empty[self.which]:
            return kind if size is kind.size else replace(kind, size=size)
        return join(replace(kind, size=None), Scalar(dtype))


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex | np.number | np.bool)


def _plain_type(value: Any) -> Type:
    """The type of a value of which only the kind is of interest."""
    if isinstance(value, np.ndarray):
        numbers = value.dtype.kind in "biufc"
        return Array(str(value.dtype), None) if numbers else Opaque("ndarray")
    if _is_number(value):
        return Scalar(str(value.dtype) if isinstance(value, np.generic) else type(value).__name__)
    if isinstance(value, tuple | list):
        return Tuple(tuple(map(_plain_type, value)))
    return Known(None) if value is None else Opaque()


def without_sizes(kind: Type) -> Type:
    """The type with nothing said of sizes."""
    if isinstance(kind, Array) and kind.shape is not None:
        return Array(kind.dtype, (None,) * len(kind.shape))
    if isinstance(kind, Scalar):
        return replace(kind, size=None)
    if isinstance(kind, Tuple):
        return Tuple(tuple(without_sizes(item) for item in kind.items))
    return kind


__all__ = ["confirmed", "without_sizes"]
