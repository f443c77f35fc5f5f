"""Numba's versions of medians and quantiles, of insertions and deletions, and of their slopes.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from s2sgrad_runtime import joining, quantiles
from s2sgrad_runtime.numba_layouts import helper, raveled
from s2sgrad_runtime.numba_orders import known_value
from s2sgrad_runtime.numba_sequences import axis_known, is_absent, sizes_around

FEW = 24  # entries that are ranked by counting those ahead of each


# --- ranks -----------------------------------------------------------------------------------
@helper
def _ahead(left: Any, right: Any) -> bool:
    """Whether one number comes before another: NaN comes last."""
    return left < right or (right != right and left == left)


@helper
def _place_of(line: Any, rank: int) -> int:
    """Where the entry of a rank stands; of equal ones, the first is ahead."""
    for k in range(len(line)):
        count = 0
        for j in range(len(line)):
            if _ahead(line[j], line[k]) or (j < k and not _ahead(line[k], line[j])):
                count += 1
        if count == rank:
            return k
    return 0


@helper
def _selected(line: Any, rank: int) -> float:
    """The entry of a rank, of numbers without NaN; those behind it are not smaller then."""
    first, last = 0, len(line) - 1
    while first < last:
        middle = line[(first + last) // 2]
        i, j = first, last
        while i <= j:
            while line[i] < middle:
                i += 1
            while line[j] > middle:
                j -= 1
            if i <= j:
                line[i], line[j] = line[j], line[i]
                i += 1
                j -= 1
        if rank <= j:
            last = j
        elif rank >= i:
            first = i
        else:
            break
    return line[rank]  # type: ignore[no-any-return]


@helper
def _next(line: Any, rank: int) -> float:
    """The entry of the next rank, after a selection."""
    least = line[min(rank + 1, len(line) - 1)]
    for k in range(rank + 2, len(line)):
        least = min(least, line[k])
    return least  # type: ignore[no-any-return]


@helper
def _place_of_value(flat: Any, at: int, step: int, count: int, value: float, rank: int) -> int:
    """Where the entry of a rank stands, of which the value is known."""
    left = rank
    for k in range(count):
        left -= flat[at + k * step] < value
    for k in range(count):
        if flat[at + k * step] == value:
            if left == 0:
                return k
            left -= 1
    return 0


@helper
def _quantiles(flat: Any, found: Any, sizes: Any, q: float) -> None:
    before, count, behind = sizes
    line = np.empty(count, flat.dtype)
    rank = (count - 1) * q
    low = int(np.floor(rank))
    part = rank - low
    for start in range(before * behind):
        at = start // behind * count * behind + start % behind
        missing = count == 0
        for k in range(count):
            line[k] = flat[at + k * behind]
            missing = missing or line[k] != line[k]
        if missing:
            found[start] = np.nan
            continue
        below = _selected(line, low)
        above = _next(line, low)
        found[start] = below + (above - below) * part
        if part >= 0.5:
            found[start] = above - (above - below) * (1.0 - part)


@helper
def _quantiles_bar(bars: Any, flat: Any, found: Any, sizes: Any, q: float) -> None:
    """To the entry below the rank, and to the one above it."""
    before, count, behind = sizes
    found[:] = 0.0
    if count == 0:
        return
    line = np.empty(count, flat.dtype)
    rank = min(max(count * q + (1.0 - q) - 1.0, 0.0), count - 1.0)
    low = int(np.floor(rank))
    high, part = min(low + 1, count - 1), rank - low
    for start in range(before * behind):
        at = start // behind * count * behind + start % behind
        missing = False
        for k in range(count):
            line[k] = flat[at + k * behind]
            missing = missing or line[k] != line[k]
        if count <= FEW or missing:
            below, above = _place_of(line, low), _place_of(line, high)
        else:
            lower = _selected(line, low)
            upper = _next(line, low)
            below = _place_of_value(flat, at, behind, count, lower, low)
            above = _place_of_value(flat, at, behind, count, upper, high)
        if part != 0.0:
            found[at + above * behind] = bars[start] * part
        found[at + below * behind] = bars[start] * (1.0 - part)


def _along(a: Any, axis: Any, place: int) -> Any:
    """What runs `_quantiles` along one axis of an array that has others."""

    def run(a: Any, q: float) -> Any:
        sizes = sizes_around(a, place)
        flat = np.empty(sizes[0] * sizes[2], a.dtype)
        _quantiles(raveled(a), flat, sizes, q)
        shape = a.shape[1:]
        for k in range(place):
            shape = tuple_setitem(shape, k, a.shape[k])  # type: ignore[call-arg]
        return flat.reshape(shape)

    return helper(run)


def _place(a: Any, axis: Any) -> int | None:
    """The axis, of an array of doubles that has others beside it."""
    known = None if is_absent(axis) else axis_known(a, axis)
    return known if known is not None and a.ndim > 1 and a.dtype == types.float64 else None


@overload(np.median, strict=False, prefer_literal=True)
def median(a: Any, axis: Any = None) -> Any:
    """Along an axis of a matrix or more: over all entries it is Numba's own."""
    place = _place(a, axis)
    if place is None:
        return None
    run = _along(a, axis, place)
    return lambda a, axis=None: run(a, 0.5)


@overload(np.quantile, strict=False, prefer_literal=True)
def quantile(a: Any, q: Any, axis: Any = None) -> Any:
    """One of them, along an axis."""
    place = _place(a, axis)
    if place is None or not isinstance(q, types.Number):
        return None
    run = _along(a, axis, place)
    return lambda a, q, axis=None: run(a, q)


@overload(np.percentile, strict=False, prefer_literal=True)
def percentile(a: Any, q: Any, axis: Any = None) -> Any:
    """One of them, along an axis."""
    place = _place(a, axis)
    if place is None or not isinstance(q, types.Number):
        return None
    run = _along(a, axis, place)
    return lambda a, q, axis=None: run(a, q / 100.0)


@overload(quantiles.quantile_bar, strict=False, prefer_literal=True)
def quantile_bar(y_bar: Any, a: Any, q: Any, axis: Any, method: Any, keepdims: Any = False) -> Any:
    """Of one quantile, between entries in a straight line."""
    plain = known_value(method, "") == "linear" and known_value(keepdims, False) is False
    if not plain or not isinstance(q, types.Number) or getattr(a, "dtype", None) != types.float64:
        return None
    place = _place(a, axis)
    if place is not None and getattr(y_bar, "ndim", 0) == a.ndim - 1:

        def back(y_bar: Any, a: Any, q: Any, axis: Any, method: Any, keepdims: Any = False) -> Any:
            out = np.empty(a.shape, a.dtype)
            _quantiles_bar(raveled(y_bar), raveled(a), raveled(out), sizes_around(a, place), q)
            return out

        return back
    whole = is_absent(axis) or (a.ndim == 1 and axis_known(a, axis) is not None)
    if not whole or not isinstance(y_bar, types.Number):
        return None

    def back_to_all(
        y_bar: Any, a: Any, q: Any, axis: Any, method: Any, keepdims: Any = False
    ) -> Any:
        out = np.empty(a.shape, a.dtype)
        _quantiles_bar(np.full(1, y_bar), raveled(a), raveled(out), (1, a.size, 1), q)
        return out

    return back_to_all


# --- insertions and deletions ----------------------------------------------------------------
def _in_vector(y_bar: Any, arr: Any, obj: Any, axis: Any) -> bool:
    """Whether it is about one place of a vector."""
    vectors = all(isinstance(k, types.Array) and k.ndim == 1 for k in (y_bar, arr))
    plain = is_absent(axis) or known_value(axis, None) in (0, -1)
    return vectors and plain and isinstance(obj, types.Integer)


@overload(joining.insert_bar, strict=False, prefer_literal=True)
def insert_bar(y_bar: Any, arr: Any, obj: Any, axis: Any = None) -> Any:
    """At one place of a vector."""
    if not _in_vector(y_bar, arr, obj, axis):
        return None

    def back(y_bar: Any, arr: Any, obj: Any, axis: Any = None) -> Any:
        at, new = obj if obj >= 0 else obj + len(arr), len(y_bar) - len(arr)
        arr_bar = np.empty(len(arr), y_bar.dtype)
        arr_bar[:at] = y_bar[:at]
        arr_bar[at:] = y_bar[at + new :]
        return arr_bar

    return back


@overload(joining.insert_bar_values, strict=False, prefer_literal=True)
def insert_bar_values(y_bar: Any, arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """Of a number, or of a vector, at one place of a vector."""
    if not _in_vector(y_bar, arr, obj, axis):
        return None
    if isinstance(values, types.Number):
        return lambda y_bar, arr, obj, values, axis=None: y_bar[obj if obj >= 0 else obj + len(arr)]
    if not isinstance(values, types.Array) or values.ndim != 1:
        return None

    def back(y_bar: Any, arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
        at = obj if obj >= 0 else obj + len(arr)
        return y_bar[at : at + len(values)].copy()

    return back


@overload(joining.delete_bar, strict=False, prefer_literal=True)
def delete_bar(y_bar: Any, arr: Any, obj: Any, axis: Any = None) -> Any:
    """Of one entry of a vector."""
    if not _in_vector(y_bar, arr, obj, axis):
        return None

    def back(y_bar: Any, arr: Any, obj: Any, axis: Any = None) -> Any:
        at = obj if obj >= 0 else obj + len(arr)
        arr_bar = np.empty(len(arr), y_bar.dtype)
        arr_bar[:at] = y_bar[:at]
        arr_bar[at] = 0.0
        arr_bar[at + 1 :] = y_bar[at:]
        return arr_bar

    return back
