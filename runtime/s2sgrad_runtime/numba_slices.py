"""Bounds of slices, for loops over parts of arrays; slices as what compiled code hands out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import box

__all__ = ["joint_length", "slice_bound", "spread_length"]


@njit(inline="always")  # type: ignore[untyped-decorator]
def slice_bound(value: int, count: int) -> int:
    """A slice's bound as a place on an axis: from the end if negative, never beyond an end."""
    if np.uint64(value) <= np.uint64(count):  # as nearly always: one comparison
        return value
    if value < 0:
        value += count
    return min(max(value, 0), count)


@njit(inline="always")  # type: ignore[untyped-decorator]
def joint_length(one: int, other: int) -> int:
    """How many entries two arrays of places name together: one of a single place goes along."""
    if one != other and one != 1 and other != 1:
        raise IndexError("indexing arrays could not be broadcast together")
    return other if one == 1 else one


@njit(inline="always")  # type: ignore[untyped-decorator]
def spread_length(count: int, given: int) -> int:
    """How many entries are written, where so many values are given for them."""
    if given != count and given != 1:
        raise ValueError("cannot assign slice from input of different size")
    return count


@box(types.SliceType)  # type: ignore[untyped-decorator]
def _boxed(kind: Any, value: Any, c: Any) -> Any:
    """A slice for Python, which Numba takes from there but does not give back."""
    held = cgutils.create_struct_proxy(kind)(c.context, c.builder, value=value)
    bounds = [c.pyapi.long_from_ssize_t(b) for b in (held.start, held.stop, held.step)]
    made = c.pyapi.unserialize(c.pyapi.serialize_object(slice))
    result = c.pyapi.call_function_objargs(made, bounds)
    for used in (*bounds, made):
        c.pyapi.decref(used)
    return result
