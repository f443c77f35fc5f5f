"""Numba's versions of what is done to lists: put in order, searched, joined to arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.cpython.unsafe import tuple as tuples
from numba.extending import overload, overload_method, register_jitable

from s2sgrad_runtime import numba_layouts, trees

tuple_setitem: Any = tuples.tuple_setitem
permuted: Any = numba_layouts.permuted


@register_jitable  # type: ignore[untyped-decorator]
def _merged(keys: Any, order: Any, other: Any, start: int, width: int, reverse: bool) -> None:
    """Two ordered runs of `order` as one in `other`; of equal keys the left one comes first."""
    middle, stop = min(start + width, len(order)), min(start + 2 * width, len(order))
    left, right = start, middle
    for k in range(start, stop):
        take_right = left >= middle
        if not take_right and right < stop:
            one, two = keys[order[left]], keys[order[right]]
            take_right = (one < two) if reverse else (two < one)
        if take_right:
            other[k] = order[right]
            right += 1
        else:
            other[k] = order[left]
            left += 1


@overload(trees.refuse_rounding, strict=False)
def refuse_rounding(values: Any) -> Any:
    """A list has entries of one dtype here."""
    return lambda values: None


@overload(trees.sort_order, strict=False)
def sort_order(keys: Any, reverse: Any = False) -> Any:
    """By merging, from single entries up."""

    def found(keys: Any, reverse: Any = False) -> Any:
        count = len(keys)
        order, other, width = np.arange(count), np.empty(count, np.int64), 1
        while width < count:
            for start in range(0, count, 2 * width):
                _merged(keys, order, other, start, width, reverse)
            order, other = other, order
            width *= 2
        return list(order)

    return found


@overload(trees.place_of_max, strict=False)
def place_of_max(keys: Any) -> Any:
    def found(keys: Any) -> Any:
        if len(keys) == 0:
            raise ValueError("max() iterable argument is empty")
        best = 0
        for k in range(1, len(keys)):
            if keys[k] > keys[best]:
                best = k
        return best

    return found


@overload(trees.place_of_min, strict=False)
def place_of_min(keys: Any) -> Any:
    def found(keys: Any) -> Any:
        if len(keys) == 0:
            raise ValueError("min() iterable argument is empty")
        best = 0
        for k in range(1, len(keys)):
            if keys[k] < keys[best]:
                best = k
        return best

    return found


@overload(trees.stop_gradient, strict=False)
def stop_gradient(x: Any) -> Any:
    if not isinstance(x, types.Array | types.Number | types.Boolean | types.List | types.BaseTuple):
        return None
    return lambda x: trees.copy_tree(x)


@register_jitable  # type: ignore[untyped-decorator]
def _stacked(items: Any) -> Any:
    """`np.array(items)` of a list of arrays of one shape."""
    if len(items) == 0:
        raise ValueError("need at least one array to stack")
    first = items[0]
    out = np.empty((len(items), *first.shape), first.dtype)
    for k in range(len(items)):
        if items[k].shape != first.shape:
            raise ValueError("all input arrays must have the same shape")
        out[k] = items[k]
    return out


@register_jitable  # type: ignore[untyped-decorator]
def _room(items: Any, axis: int) -> Any:
    """An array for what a list of arrays makes when joined along an axis."""
    if len(items) == 0:
        raise ValueError("need at least one array to concatenate")
    total = 0
    for item in items:
        if tuple_setitem(item.shape, axis, 0) != tuple_setitem(items[0].shape, axis, 0):
            raise ValueError("all the input array dimensions must match, but along the joined axis")
        total += item.shape[axis]
    return np.empty(tuple_setitem(items[0].shape, axis, total), items[0].dtype)


@register_jitable  # type: ignore[untyped-decorator]
def _fill(out: Any, items: Any) -> None:
    """Arrays below each other."""
    start = 0
    for item in items:
        out[start : start + len(item)] = item
        start += len(item)


def _exchanged(axis: int, rank: int) -> str:
    """The order of the axes, as `permuted` takes it, where one has changed places with the first:
    Numba's own `swapaxes` takes most of a second to compile."""
    places = list(range(rank))
    places[0], places[axis] = axis, 0
    return "".join(map(str, places))


def _of_arrays(kind: Any) -> bool:
    """Whether a type is a list of arrays: Numba's own versions take tuples."""
    return isinstance(kind, types.List) and isinstance(kind.dtype, types.Array)


def _omitted(kind: Any, default: Any) -> bool:
    """Whether an argument is left out, or what it is if it is."""
    value = getattr(kind, "literal_value", getattr(kind, "value", kind))
    return value is default or value == default or isinstance(kind, types.NoneType)


@overload_method(types.Array, "tolist")
def tolist(a: Any) -> Any:
    """Of a vector."""
    return (lambda a: list(a)) if a.ndim == 1 else None


@overload(np.array, strict=False)
def array(object: Any, dtype: Any = None) -> Any:
    if _of_arrays(object) and object.dtype.ndim > 0 and _omitted(dtype, None):
        return lambda object, dtype=None: _stacked(object)
    return None


@overload(np.asarray, strict=False)
def asarray(a: Any, dtype: Any = None) -> Any:
    if _of_arrays(a) and a.dtype.ndim > 0 and _omitted(dtype, None):
        return lambda a, dtype=None: _stacked(a)
    return None


def _axis(kind: Any, rank: int) -> int | None:
    """The axis that the text names, of so many; None where a run decides."""
    axis = getattr(kind, "literal_value", getattr(kind, "value", kind))
    return axis % rank if isinstance(axis, int) and -rank <= axis < rank else None


@overload(np.stack, strict=False, prefer_literal=True)
def stack(arrays: Any, axis: Any = 0) -> Any:
    rank = arrays.dtype.ndim + 1 if _of_arrays(arrays) else 0
    place = _axis(axis, rank) if rank else None
    if place is None:
        return None
    if place == 0:
        return lambda arrays, axis=0: _stacked(arrays)
    order = "".join(map(str, (*range(1, place + 1), 0, *range(place + 1, rank))))
    return lambda arrays, axis=0: np.ascontiguousarray(permuted(_stacked(arrays), order))


@overload(np.vstack, strict=False)
def vstack(tup: Any) -> Any:
    if not _of_arrays(tup) or tup.dtype.ndim == 0:
        return None
    if tup.dtype.ndim == 1:
        return lambda tup: _stacked(tup)
    return lambda tup: np.concatenate(tup, 0)


@overload(np.concatenate, strict=False, prefer_literal=True)
def concatenate(arrays: Any, axis: Any = 0) -> Any:
    rank = arrays.dtype.ndim if _of_arrays(arrays) else 0
    place = _axis(axis, rank) if rank else None
    if place is None:
        return None
    order = _exchanged(place, rank)

    def joined(arrays: Any, axis: Any = 0) -> Any:
        out = _room(arrays, place)
        _fill(permuted(out, order), [permuted(item, order) for item in arrays])
        return out

    return joined


@overload(np.hstack, strict=False)
def hstack(tup: Any) -> Any:
    if _of_arrays(tup) and tup.dtype.ndim > 0:
        place = min(tup.dtype.ndim - 1, 1)
        return lambda tup: np.concatenate(tup, place)
    return None
