"""Numba's versions of products and of sorting along one axis, and of their slopes.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from s2sgrad_runtime import factors, reductions, shapes
from s2sgrad_runtime.numba_layouts import helper, raveled
from s2sgrad_runtime.numba_orders import known_value
from s2sgrad_runtime.numba_sequences import axis_known, is_absent, sizes_around


# --- products --------------------------------------------------------------------------------
@helper
def _products(flat: Any, found: Any, sizes: Any) -> None:
    before, count, behind = sizes
    found[:] = 1.0
    for i in range(before):
        for k in range(count):
            for j in range(behind):
                found[i * behind + j] *= flat[(i * count + k) * behind + j]


@helper
def _others(flat: Any, found: Any, sizes: Any, initial: Any) -> None:
    """In one round from the left and one from the right."""
    before, count, behind = sizes
    product = np.empty(behind, found.dtype)
    for i in range(before):
        product[:] = initial
        for k in range(count):
            for j in range(behind):
                at = (i * count + k) * behind + j
                found[at] = product[j]
                product[j] *= flat[at]
        product[:] = 1.0
        for k in range(count - 1, -1, -1):
            for j in range(behind):
                at = (i * count + k) * behind + j
                found[at] *= product[j]
                product[j] *= flat[at]


@overload(np.prod, strict=False, prefer_literal=True)
def prod(a: Any, axis: Any = None) -> Any:
    """Of a matrix or more, along one axis."""
    place = _place(a, axis)
    if place is None:
        return None

    def run(a: Any, axis: Any = None) -> Any:
        sizes = sizes_around(a, place)
        flat = np.empty(sizes[0] * sizes[2], a.dtype)
        _products(raveled(a), flat, sizes)
        shape = a.shape[1:]
        for k in range(place):
            shape = tuple_setitem(shape, k, a.shape[k])  # type: ignore[call-arg]
        return flat.reshape(shape)

    return run


@overload(factors.products_of_others, strict=False, prefer_literal=True)
def products_of_others(a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
    """Along one axis of a matrix or more, where all entries count."""
    place = _place(a, axis)
    if place is None or known_value(where, True) is not True:
        return None

    def run(a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
        out = np.empty(a.shape, a.dtype)
        _others(raveled(a), raveled(out), sizes_around(a, place), initial)
        return out

    return run


@helper
def _others_dot(dots: Any, flat: Any, found: Any, sizes: Any, initial: Any) -> None:
    """As `_others`, each product with its tangent."""
    before, count, behind = sizes
    left, product = np.empty(found.size, found.dtype), np.empty(behind, found.dtype)
    moved = np.empty(behind, found.dtype)
    for i in range(before):
        product[:], moved[:] = initial, 0.0
        for k in range(count):
            for j in range(behind):
                at = (i * count + k) * behind + j
                left[at], found[at] = product[j], moved[j]
                moved[j] = moved[j] * flat[at] + product[j] * dots[at]
                product[j] *= flat[at]
        product[:], moved[:] = 1.0, 0.0
        for k in range(count - 1, -1, -1):
            for j in range(behind):
                at = (i * count + k) * behind + j
                found[at] = found[at] * product[j] + left[at] * moved[j]
                moved[j] = moved[j] * flat[at] + product[j] * dots[at]
                product[j] *= flat[at]


@overload(factors.others_dot, strict=False, prefer_literal=True)
def others_dot(a_dot: Any, a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
    """Along one axis of a matrix or more, where all entries count."""
    place = _place(a, axis)
    alike = isinstance(a_dot, types.Array) and (a_dot.ndim, a_dot.dtype) == (a.ndim, a.dtype)
    if place is None or not alike or known_value(where, True) is not True:
        return None

    def run(a_dot: Any, a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
        out = np.empty(a.shape, a.dtype)
        _others_dot(raveled(a_dot), raveled(a), raveled(out), sizes_around(a, place), initial)
        return out

    return run


# --- sorting ---------------------------------------------------------------------------------
@helper
def _sorted(flat: Any, found: Any, sizes: Any) -> None:
    before, count, behind = sizes
    line = np.empty(count, flat.dtype)
    for start in range(before * behind):
        at = start // behind * count * behind + start % behind
        for k in range(count):
            line[k] = flat[at + k * behind]
        line.sort()
        for k in range(count):
            found[at + k * behind] = line[k]


@helper
def _back(bars: Any, flat: Any, found: Any, sizes: Any) -> None:
    """Each cotangent to the place that its entry came from."""
    before, count, behind = sizes
    line = np.empty(count, flat.dtype)
    for start in range(before * behind):
        at = start // behind * count * behind + start % behind
        for k in range(count):
            line[k] = flat[at + k * behind]
        order = np.argsort(line, kind="mergesort")
        for k in range(count):
            found[at + order[k] * behind] = bars[at + k * behind]


@overload(np.sort, strict=False, prefer_literal=True)
def sort(a: Any, axis: Any = -1) -> Any:
    """Along an axis of a matrix or more; vectors without one are Numba's own."""
    place = _place(a, axis, -1)
    if place is None or a.dtype != types.float64:
        return None

    def run(a: Any, axis: Any = -1) -> Any:
        out = np.empty(a.shape, a.dtype)
        _sorted(raveled(a), raveled(out), sizes_around(a, place))
        return out

    return run


@overload(reductions.unsort, strict=False, prefer_literal=True)
def unsort(y_bar: Any, a: Any, axis: Any = -1) -> Any:
    """Along an axis of a matrix or more."""
    place = _place(a, axis, -1)
    if place is None or a.dtype != types.float64 or getattr(y_bar, "ndim", 0) != a.ndim:
        return None

    def run(y_bar: Any, a: Any, axis: Any = -1) -> Any:
        out = np.empty(a.shape, y_bar.dtype)
        _back(raveled(y_bar), raveled(a), raveled(out), sizes_around(a, place))
        return out

    return run


def _place(a: Any, axis: Any, default: int | None = None) -> int | None:
    """The axis, of an array that has others beside it; None where it is not known."""
    if getattr(a, "ndim", 0) < 2:
        return None
    if isinstance(axis, types.Omitted) or axis == default:
        return None if default is None else default % a.ndim
    return None if is_absent(axis) else axis_known(a, axis)


# --- sums over several axes --------------------------------------------------------------------
@overload(shapes.unreduce, strict=False)
def unreduce(y_bar: Any, a: Any, axis: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """Over a tuple of axes, without a mask; the others are in numba_helpers.py."""
    whole = getattr(where, "literal_value", getattr(where, "value", where)) is True
    arrays = isinstance(y_bar, types.Array) and isinstance(a, types.Array)
    if not whole or not arrays or not isinstance(axis, types.BaseTuple):
        return None
    if y_bar.ndim in (0, a.ndim):
        return None

    def spread(
        y_bar: Any, a: Any, axis: Any = None, keepdims: Any = False, where: Any = True
    ) -> Any:
        shape = a.shape
        for k in axis:
            shape = tuple_setitem(shape, k % a.ndim, 1)  # type: ignore[call-arg]
        return np.broadcast_to(np.ascontiguousarray(y_bar).reshape(shape), a.shape)

    return spread
