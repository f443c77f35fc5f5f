"""Bounds of slices, for loops over parts of arrays."""

from __future__ import annotations

from numba import njit

__all__ = ["slice_bound"]


@njit(inline="always")  # type: ignore[untyped-decorator]
def slice_bound(value: int, count: int) -> int:
    """A slice's bound as a place on an axis: from the end if negative, never beyond an end."""
    if value < 0:
        value += count
    return min(max(value, 0), count)
