"""Numba's versions of the transposes of sorting, summing up, norms, turns and diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from s2sgrad_runtime import factors, indexing, matrices, norms, reductions, shapes
from s2sgrad_runtime.numba_layouts import permuted


def known_value(kind: Any, default: Any) -> Any:
    """What an argument is known to be: left out, or written in the code; None otherwise."""
    if isinstance(kind, types.Omitted):
        return kind.value
    if isinstance(kind, types.Literal):
        return kind.literal_value
    if isinstance(kind, types.Array | types.Number | types.Boolean | types.UnicodeType):
        return None
    return default if isinstance(kind, types.NoneType) else kind


@overload(shapes.unreshape, strict=False, prefer_literal=True)
def unreshape(y_bar: Any, a: Any, order: Any = "C") -> Any:
    """In C order."""
    if known_value(order, "C") != "C" or not all(isinstance(k, types.Array) for k in (y_bar, a)):
        return None
    return lambda y_bar, a, order="C": np.ascontiguousarray(y_bar).reshape(a.shape)


@overload(matrices.undiag, strict=False)
def undiag(y_bar: Any, v: Any, k: Any = 0) -> Any:
    if v.ndim == 1:
        return lambda y_bar, v, k=0: np.diag(y_bar, k)
    return lambda y_bar, v, k=0: matrices.undiagonal(y_bar, v, k)


@overload(matrices.undiagonal, strict=False, prefer_literal=True)
def undiagonal(y_bar: Any, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Of a matrix."""
    if a.ndim != 2 or y_bar.ndim != 1 or (known_value(axis1, 0), known_value(axis2, 1)) != (0, 1):
        return None

    def put(y_bar: Any, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
        a_bar = np.zeros(a.shape, y_bar.dtype)
        start, right = max(-offset, 0), max(offset, 0)
        for k in range(max(min(a.shape[0] - start, a.shape[1] - right), 0)):
            a_bar[k + start, k + right] = y_bar[k if len(y_bar) > 1 else 0]
        return a_bar

    return put


@overload(reductions.unsort, strict=False)
def unsort(y_bar: Any, a: Any, axis: Any = -1) -> Any:
    """Of a vector."""
    if a.ndim != 1 or y_bar.ndim != 1:
        return None

    def back(y_bar: Any, a: Any, axis: Any = -1) -> Any:
        a_bar = np.empty(a.shape, y_bar.dtype)
        a_bar[np.argsort(a, kind="mergesort")] = y_bar
        return a_bar

    return back


@overload(reductions.unaccumulate, strict=False)
def unaccumulate(y_bar: Any, a: Any, axis: Any = None) -> Any:
    """Of a vector."""
    if a.ndim != 1:
        return None
    return lambda y_bar, a, axis=None: np.cumsum(y_bar[::-1])[::-1]


@overload(factors.products_of_others, strict=False)
def products_of_others(a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
    """Of all entries."""
    whole = known_value(where, True) is True and isinstance(a, types.Array)
    if not whole or (a.ndim != 1 and not (axis is None or isinstance(_none(axis), types.NoneType))):
        return None

    def products(a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
        out = np.empty(a.shape, a.dtype)
        flat, left = out.reshape(-1), np.ones((), a.dtype)[()] * initial
        entries = np.ascontiguousarray(a).reshape(-1)
        for k in range(len(flat)):
            flat[k] = left
            left *= entries[k]
        right = np.ones((), a.dtype)[()]
        for k in range(len(flat) - 1, -1, -1):
            flat[k] *= right
            right *= entries[k]
        return out

    return products


@overload(factors.others_dot, strict=False)
def others_dot(a_dot: Any, a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
    """Of all entries, in one round from the left and one from the right."""
    whole = known_value(where, True) is True and isinstance(a, types.Array)
    same = isinstance(a_dot, types.Array) and whole and a_dot.ndim == a.ndim
    if not same or (a.ndim != 1 and not (axis is None or isinstance(_none(axis), types.NoneType))):
        return None

    def slopes(a_dot: Any, a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
        out, left = np.empty(a.shape, a.dtype), np.empty(a.size, a.dtype)
        flat, entries = out.reshape(-1), np.ascontiguousarray(a).reshape(-1)
        dots = np.ascontiguousarray(a_dot).reshape(-1)
        product, moved = np.ones((), a.dtype)[()] * initial, np.zeros((), a.dtype)[()]
        for k in range(len(flat)):
            flat[k], left[k] = moved, product
            moved = moved * entries[k] + product * dots[k]
            product *= entries[k]
        product, moved = np.ones((), a.dtype)[()], np.zeros((), a.dtype)[()]
        for k in range(len(flat) - 1, -1, -1):
            flat[k] = flat[k] * product + left[k] * moved
            moved = moved * entries[k] + product * dots[k]
            product *= entries[k]
        return out

    return slopes


@overload(factors.others_bar, strict=False)
def others_bar(y_bar: Any, a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
    """The same, where all entries count."""
    if known_value(where, True) is not True:
        return None

    def pulled(y_bar: Any, a: Any, axis: Any = None, initial: Any = 1, where: Any = True) -> Any:
        if np.any(y_bar):
            return factors.others_dot(y_bar, a, axis, initial)
        return np.zeros(a.shape, a.dtype)  # all were left out

    return pulled


def _none(kind: Any) -> Any:
    return types.none if isinstance(kind, types.Omitted) and kind.value is None else kind


@overload(norms.norm_pullback, strict=False, prefer_literal=True)
def norm_pullback(
    y_bar: Any, y: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False
) -> Any:
    """Of all entries, the root of their squares."""
    absent = all(k is None or isinstance(_none(k), types.NoneType) for k in (ord, axis))
    if not absent or known_value(keepdims, False) is not False or isinstance(y, types.Array):
        return None

    def pulled(
        y_bar: Any, y: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False
    ) -> Any:
        return x * (y_bar / y if y != 0.0 else 0.0)

    return pulled


@overload(shapes.negated, strict=False)
def negated(shift: Any) -> Any:
    return (lambda shift: -shift) if isinstance(shift, types.Number) else None


@overload(np.roll, strict=False, prefer_literal=True)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """With an axis, or None given for it: without, Numba has it."""
    if axis is None or isinstance(axis, types.Omitted) or not isinstance(a, types.Array):
        return None
    if not isinstance(types.unliteral(shift), types.Integer):
        return None
    if isinstance(axis, types.NoneType) or a.ndim == 1:
        return lambda a, shift, axis=None: np.roll(a, shift)
    place = known_value(axis, None)
    if not isinstance(place, int) or not -a.ndim <= place < a.ndim:
        return None
    along = place % a.ndim
    axes = list(range(a.ndim))
    axes[0], axes[along] = along, 0
    order = "".join(map(str, axes))

    def turned(a: Any, shift: Any, axis: Any = None) -> Any:
        out = np.empty(a.shape, a.dtype)
        from_: Any = permuted(a, order)  # type: ignore[call-arg]
        to: Any = permuted(out, order)  # type: ignore[call-arg]
        count = a.shape[along]
        for i in range(count):
            to[(i + shift) % count] = from_[i]
        return out

    return turned


@register_jitable  # type: ignore[untyped-decorator]
def order_of(keys: Any) -> Any:
    """np.argsort of a vector; equal keys, which NumPy has an order of its own for, are refused."""
    order = np.argsort(keys)
    for i in range(1, len(order)):
        if keys[order[i - 1]] == keys[order[i]]:
            raise ValueError("NumPy orders equal keys in its own way: np.argsort(x, kind='stable')")
    return order


@overload(indexing.running_places, strict=False)
def running_places(a: Any, least: Any = False) -> Any:
    def found(a: Any, least: Any = False) -> Any:
        places, best = np.empty(len(a), np.int64), 0
        for k in range(len(a)):
            beyond = (a[k] < a[best]) if least else (a[k] > a[best])
            if beyond or (np.isnan(a[k]) and not np.isnan(a[best])):
                best = k
            places[k] = best
        return places

    return found
