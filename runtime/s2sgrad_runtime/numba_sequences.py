"""Numba's versions of running sums and products, and of their transposes.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from s2sgrad_runtime import reductions
from s2sgrad_runtime.numba_layouts import helper, raveled
from s2sgrad_runtime.numba_orders import known_value

_FLOATS = (types.float64, types.complex128)


def axis_known(a: Any, axis: Any) -> int | None:
    """The axis that is known, counted from the front, of an array of wide floats."""
    place = known_value(axis, None)
    if not isinstance(a, types.Array) or a.dtype not in _FLOATS or a.ndim == 0:
        return None
    if isinstance(place, bool) or not isinstance(place, int) or not -a.ndim <= place < a.ndim:
        return None
    return place % a.ndim


def is_absent(kind: Any) -> bool:
    return kind is None or isinstance(kind, types.NoneType | types.Omitted)


@register_jitable
def sizes_around(a: Any, axis: int) -> Any:
    """How many entries lie ahead of an axis, along it, and behind it."""
    before, behind = 1, 1
    for k in range(a.ndim):
        if k < axis:
            before *= a.shape[k]
        elif k > axis:
            behind *= a.shape[k]
    return before, a.shape[axis], behind


# --- running sums and products ---------------------------------------------------------------
@helper
def _sums(flat: Any, found: Any, sizes: Any) -> None:
    before, count, behind = sizes
    for start in range(0, before * count * behind, max(count * behind, 1)):
        for k in range(start, start + behind):
            found[k] = flat[k]
        for k in range(start + behind, start + count * behind):
            found[k] = found[k - behind] + flat[k]


@helper
def _sums_from_the_end(flat: Any, found: Any, sizes: Any) -> None:
    before, count, behind = sizes
    for start in range(0, before * count * behind, max(count * behind, 1)):
        last = start + (count - 1) * behind
        for k in range(last, last + behind):
            found[k] = flat[k]
        for k in range(last - 1, start - 1, -1):
            found[k] = found[k + behind] + flat[k]


@helper
def _products(flat: Any, found: Any, sizes: Any) -> None:
    before, count, behind = sizes
    for start in range(0, before * count * behind, max(count * behind, 1)):
        for k in range(start, start + behind):
            found[k] = flat[k]
        for k in range(start + behind, start + count * behind):
            found[k] = found[k - behind] * flat[k]


@helper
def _products_bar(bars: Any, flat: Any, found: Any, sizes: Any) -> None:
    """r_i = bars_i + flat_{i+1} r_{i+1} from the end, times the product of what stands before i."""
    before, count, behind = sizes
    later = np.empty(behind, found.dtype)
    for start in range(0, before * count * behind, max(count * behind, 1)):
        for k in range(start, start + behind):
            found[k] = 1.0
        for k in range(start + behind, start + count * behind):
            found[k] = found[k - behind] * flat[k - behind]
        later[:] = 0.0
        for i in range(count - 1, -1, -1):
            for j in range(behind):
                k = start + i * behind + j
                if i < count - 1:
                    later[j] = bars[k] + flat[k + behind] * later[j]
                else:
                    later[j] = bars[k]
                found[k] *= later[j]


@helper
def _products_dot(dots: Any, flat: Any, found: Any, sizes: Any) -> None:
    """y_dot_i = flat_i y_dot_{i-1} + dots_i y_{i-1}."""
    before, count, behind = sizes
    product = np.empty(behind, found.dtype)
    for start in range(0, before * count * behind, max(count * behind, 1)):
        product[:] = 1.0
        for i in range(count):
            for j in range(behind):
                k = start + i * behind + j
                found[k] = product[j] * dots[k]
                if i > 0:
                    found[k] += flat[k] * found[k - behind]
                product[j] *= flat[k]


@helper
def _products_bar_dot(dots: Any, bars: Any, flat: Any, found: Any, sizes: Any) -> None:
    """Both factors of `_products_bar` and their tangents, from the front and from the end."""
    before, count, behind = sizes
    product, ahead = np.empty(found.size, found.dtype), np.empty(behind, found.dtype)
    later, later_dot = np.empty(behind, found.dtype), np.empty(behind, found.dtype)
    for start in range(0, before * count * behind, max(count * behind, 1)):
        ahead[:], later[:], later_dot[:] = 1.0, 0.0, 0.0
        for i in range(count):
            for j in range(behind):
                k = start + i * behind + j
                product[k] = ahead[j]
                found[k] = 0.0
                if i > 0:
                    found[k] = found[k - behind] * flat[k - behind]
                    found[k] += product[k - behind] * dots[k - behind]
                ahead[j] *= flat[k]
        for i in range(count - 1, -1, -1):
            for j in range(behind):
                k = start + i * behind + j
                if i < count - 1:
                    later_dot[j] = flat[k + behind] * later_dot[j] + dots[k + behind] * later[j]
                    later[j] = bars[k] + flat[k + behind] * later[j]
                else:
                    later[j] = bars[k]
                found[k] = found[k] * later[j] + product[k] * later_dot[j]


def _one_by_one(kernel: Any, place: int) -> Any:
    """What runs a kernel of (entries, results, sizes) along an axis."""

    def run(a: Any) -> Any:
        out = np.empty(a.shape, a.dtype)
        kernel(raveled(a), raveled(out), sizes_around(a, place))
        return out

    return register_jitable(run)


@overload(np.cumsum, strict=False, prefer_literal=True)
def cumsum(a: Any, axis: Any = None) -> Any:
    """With an axis: without, Numba has it."""
    place = None if is_absent(axis) else axis_known(a, axis)
    if place is None:
        return None
    run = _one_by_one(_sums, place)
    return lambda a, axis=None: run(a)


@overload(reductions.unaccumulate, strict=False, prefer_literal=True)
def unaccumulate(y_bar: Any, a: Any, axis: Any = None) -> Any:
    """Along one axis."""
    place = axis_known(a, axis)
    if place is None or a.ndim == 1 or getattr(y_bar, "ndim", 0) != a.ndim:
        return None
    run = _one_by_one(_sums_from_the_end, place)
    return lambda y_bar, a, axis=None: run(y_bar)


@overload(np.cumprod, strict=False, prefer_literal=True)
def cumprod(a: Any, axis: Any = None) -> Any:
    """With an axis: without, Numba has it."""
    place = None if is_absent(axis) else axis_known(a, axis)
    if place is None:
        return None
    run = _one_by_one(_products, place)
    return lambda a, axis=None: run(a)


def _around(axis: Any, a: Any, alike: Any, result: Any) -> Any:
    """What finds the sizes around the axis that products run along: one line without an axis.

    None where that is not known, or where arrays like a, or like the products, are not.
    """
    flat = is_absent(axis)
    place = axis_known(a, 0 if flat else axis)
    rank = 1 if flat else getattr(a, "ndim", 0)
    ranks = [(alike, getattr(a, "ndim", 0)), (result, rank)]
    if place is None or any(k is not None and not _is_like(k, a, n) for k, n in ranks):
        return None
    return _as_one_line if flat else register_jitable(lambda a: sizes_around(a, place))


def _is_like(kind: Any, a: Any, ndim: int) -> bool:
    return isinstance(kind, types.Array) and kind.dtype == a.dtype and kind.ndim == ndim


@register_jitable
def _as_one_line(a: Any) -> Any:
    return 1, a.size, 1


@overload(reductions.cumprod_bar, strict=False, prefer_literal=True)
def cumprod_bar(y_bar: Any, a: Any, axis: Any = None) -> Any:
    """Of all entries, or along one axis."""
    around = _around(axis, a, None, y_bar)
    if around is None:
        return None

    def back(y_bar: Any, a: Any, axis: Any = None) -> Any:
        out = np.empty(a.shape, a.dtype)
        _products_bar(raveled(y_bar), raveled(a), raveled(out), around(a))
        return out

    return back


@overload(reductions.cumprod_dot, strict=False, prefer_literal=True)
def cumprod_dot(a_dot: Any, a: Any, axis: Any = None) -> Any:
    """Of all entries, or along one axis."""
    around, flat = _around(axis, a, a_dot, None), is_absent(axis)
    if around is None:
        return None

    def forward(a_dot: Any, a: Any, axis: Any = None) -> Any:
        out = np.empty(a.shape, a.dtype)
        _products_dot(raveled(a_dot), raveled(a), raveled(out), around(a))
        return raveled(out) if flat else out

    return forward


@overload(reductions.cumprod_bar_dot, strict=False, prefer_literal=True)
def cumprod_bar_dot(a_dot: Any, y_bar: Any, a: Any, axis: Any = None) -> Any:
    """Of all entries, or along one axis."""
    around = _around(axis, a, a_dot, y_bar)
    if around is None:
        return None

    def forward(a_dot: Any, y_bar: Any, a: Any, axis: Any = None) -> Any:
        out = np.empty(a.shape, a.dtype)
        bars = raveled(y_bar)
        _products_bar_dot(raveled(a_dot), bars, raveled(a), raveled(out), around(a))
        return out

    return forward
