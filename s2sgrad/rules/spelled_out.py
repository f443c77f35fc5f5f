"""Floor 2: the methods of ufuncs (`np.add.reduce`), in terms of functions that have rules.

Where NumPy has a function for it, that is what is called; else one of the plain functions below:
with tensors, or inlined by the compiler as a function of the user's would be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad_runtime import running_places

NAMED: dict[tuple[np.ufunc, str], Callable[..., Any]] = {
    (np.add, "reduce"): np.sum,
    (np.multiply, "reduce"): np.prod,
    (np.maximum, "reduce"): np.max,
    (np.minimum, "reduce"): np.min,
    (np.logical_and, "reduce"): np.all,
    (np.logical_or, "reduce"): np.any,
    (np.add, "accumulate"): np.cumsum,
    (np.multiply, "accumulate"): np.cumprod,
}


TRUTHS = (np.logical_and, np.logical_or, np.logical_xor)  # of numbers, as of what is true of them
INTEGERS = (np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.gcd)  # take no floats


def reduce(
    ufunc: Any, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None,
    keepdims: Any = False, initial: Any = None, where: Any = True,
) -> Any:  # fmt: skip
    """`ufunc.reduce(array, axis)` for any ufunc of two arguments; axis: one, a tuple, or None."""
    if out is not None:
        raise NotImplementedError("ufunc.reduce with out=: bind its result to the name")
    if dtype is not None:
        array = np.asarray(array).astype(dtype)
    if np.ndim(array) == 0:  # whose one entry NumPy takes along axis 0, too
        axis = None
    if where is not True:
        return reduce_where(ufunc, array, axis, keepdims, initial, where)
    if axis is None or isinstance(axis, tuple):
        axes = tuple(range(np.ndim(array))) if axis is None else axis
        moved = np.moveaxis(array, axes, tuple(range(len(axes))))
        rows = np.reshape(moved, (-1, *np.shape(moved)[len(axes) :]))
    else:
        axes = (axis,)
        rows = array if axis == 0 else np.moveaxis(array, axis, 0)
    if initial is None and ufunc.identity is None:
        total, rows = rows[0], rows[1:]
    else:
        zeros = (
            np.zeros(np.shape(rows)[1:], int) if ufunc in INTEGERS else np.zeros(np.shape(rows)[1:])
        )
        total = zeros + (ufunc.identity if initial is None else initial)
    for row in rows:
        total = ufunc(total, row)
    return np.expand_dims(total, axes) if keepdims else total


def reduce_where(ufunc: Any, array: Any, axis: Any, keepdims: Any, initial: Any, where: Any) -> Any:
    """The same over the entries where a condition holds."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(range(np.ndim(array))) if axis is None else axes
    front = tuple(range(len(axes)))
    rows = np.moveaxis(array, axes, front)
    rest = np.shape(rows)[len(axes) :]
    kept = np.moveaxis(np.broadcast_to(where, np.shape(array)), axes, front)
    rows, kept = np.reshape(rows, (-1, *rest)), np.reshape(kept, (-1, *rest))
    total = np.zeros(rest) + (ufunc.identity if initial is None else initial)
    for k in range(len(rows)):
        total = np.where(kept[k], ufunc(total, rows[k]), total)
    return np.expand_dims(total, axes) if keepdims else total


def accumulate(ufunc: Any, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """`ufunc.accumulate(array, axis)` for any ufunc of two arguments."""
    if ufunc in TRUTHS:
        array = np.asarray(array).astype(bool)
    if dtype is not None:
        array = np.asarray(array).astype(dtype)
    if out is not None:
        out[...] = accumulate(ufunc, array, axis)
        return out
    numbers = isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype == np.float64
    if numbers and ufunc is np.maximum:
        return array[running_places(array)]
    if numbers and ufunc is np.minimum:
        return array[running_places(array, least=True)]
    if np.size(array) == 0:
        return array * 1.0
    if numbers:
        return accumulate_numbers(ufunc, array)
    rows = array if axis == 0 else np.moveaxis(array, axis, 0)
    total = rows[0]
    found = np.empty_like(array, dtype=ufunc(total, total).dtype)  # in the array's own order
    totals = found if axis == 0 else np.moveaxis(found, axis, 0)
    totals[0] = total
    for k in range(1, len(rows)):
        total = ufunc(total, rows[k])
        totals[k] = total
    return found


def accumulate_numbers(ufunc: Any, array: Any) -> Any:
    """The same of a vector."""
    totals = np.empty(len(array))
    total = array[0]
    totals[0] = total
    for k in range(1, len(array)):
        total = ufunc(total, array[k])
        totals[k] = total
    return totals


def reduceat(ufunc: Any, array: Any, indices: Any, axis: Any = 0) -> Any:
    """`ufunc.reduceat(array, indices, axis)`: from each index to the next one."""
    if ufunc in TRUTHS:
        array = np.asarray(array).astype(bool)
    if isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype == np.float64:
        return reduceat_numbers(ufunc, array, indices)
    rows = array if axis == 0 else np.moveaxis(array, axis, 0)
    parts = []
    for k in range(len(indices)):
        start = indices[k]
        stop = indices[k + 1] if k + 1 < len(indices) else len(rows)
        parts.append(ufunc.reduce(rows[start:stop], axis=0) if start < stop else rows[start])
    return np.stack(parts, axis=axis)


def reduceat_numbers(ufunc: Any, array: Any, indices: Any) -> Any:
    """The same of a vector, without a list."""
    parts = np.empty(len(indices))
    for k in range(len(indices)):
        start = indices[k]
        stop = indices[k + 1] if k + 1 < len(indices) else len(array)
        parts[k] = ufunc.reduce(array[start:stop], axis=0) if start < stop else array[start]
    return parts


def outer(ufunc: Any, left: Any, right: Any) -> Any:
    """`ufunc.outer(left, right)`: every entry of one with every entry of the other."""
    if isinstance(left, np.ndarray) and left.ndim == 1 and np.ndim(right) == 1:
        return ufunc(left[:, None], right)
    return ufunc(np.reshape(left, np.shape(left) + (1,) * np.ndim(right)), right)


def at(ufunc: Any, a: Any, indices: Any, *b: Any) -> None:
    """`ufunc.at(a, indices, b)`: entry after entry, since the same one may come again."""
    places = np.ravel(np.reshape(np.arange(np.size(a)), np.shape(a))[indices])
    if len(b) == 0:
        for place in places:
            a.flat[place] = ufunc(a.flat[place])
    else:
        values = np.ravel(np.broadcast_to(b[0], np.shape(np.empty(np.shape(a))[indices])))
        for place, value in zip(places, values, strict=True):
            a.flat[place] = ufunc(a.flat[place], value)


SPELLED_OUT: dict[str, Callable[..., Any]] = {
    "reduce": reduce, "accumulate": accumulate, "reduceat": reduceat, "outer": outer, "at": at,
}  # fmt: skip
