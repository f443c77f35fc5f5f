"""Numba's reshapes, views wherever NumPy's are: what is written through one shows in the other.

Numba decides by type whether an array lies in one piece; NumPy looks at its strides. Where memory
that may be shared is written in place, compiled code has to look, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

from s2sgrad_runtime.numba_compiler import Compiler

__all__ = ["helper", "listed_rows", "permuted", "raveled", "reshaped"]


def helper(function: Any) -> Any:
    """Only ever a part of what calls it."""
    function.s2sgrad_helper = True
    return njit(pipeline_class=Compiler)(function)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def permuted(context: Any, a: Any, order: Any) -> Any:
    """`np.transpose(a, (1, 0, 2))` for the order "102": Numba's compares the axes as sets."""
    if not isinstance(a, types.Array) or not isinstance(order, types.StringLiteral):
        return None
    axes = [int(letter) for letter in order.literal_value]
    if sorted(axes) != list(range(a.ndim)):
        return None
    result = a.copy(layout="C" if axes == sorted(axes) and a.layout == "C" else "A")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = make_array(signature.args[0])(context, builder, args[0])
        made = make_array(signature.return_type)(context, builder)
        shape, strides = (cgutils.unpack_tuple(builder, v) for v in (given.shape, given.strides))
        populate_array(
            made,
            data=given.data,
            shape=cgutils.pack_array(builder, [shape[k] for k in axes]),
            strides=cgutils.pack_array(builder, [strides[k] for k in axes]),
            itemsize=given.itemsize,
            meminfo=given.meminfo,
            parent=given.parent,
        )
        value = made._getvalue()
        return impl_ret_borrowed(context, builder, signature.return_type, value)

    return result(a, order), generate


@helper
def listed_rows(a: Any) -> Any:
    """`list(a)` of an array of several axes: rows that are taken by their places lie as it does."""
    return [a[k] for k in range(len(a))]


def reshaped(a: Any, shape: Any) -> Any:
    """`np.reshape(a, shape)`."""
    return np.reshape(a, shape)


def raveled(a: Any) -> Any:
    """`np.ravel(a)`; with `np.ascontiguousarray` for vectors, the same."""
    return np.ravel(a)


@helper  # type: ignore[untyped-decorator]
def full_shape(size: int, shape: Any) -> Any:
    """The shape with the length that stands as -1."""
    known, free = 1, -1
    for k in range(len(shape)):
        if shape[k] < 0:
            free = k
        else:
            known *= shape[k]
    if free >= 0:
        shape = tuple_setitem(shape, free, size // max(known, 1))  # type: ignore[call-arg]
        known *= shape[free]
    if known != size:
        raise ValueError("cannot reshape array: its size must stay")
    return shape


@helper  # type: ignore[untyped-decorator]
def strides_without_copy(a: Any, shape: Any) -> Any:
    """(whether the entries can be had in this shape where they are, the strides of that).

    Axes are taken from the back in groups of equal product; each group must lie evenly.
    """
    strides = shape
    old, new = a.ndim - 1, len(shape) - 1
    while new >= 0:
        while old >= 0 and a.shape[old] == 1:
            old -= 1
        if shape[new] == 1 or old < 0:
            strides = tuple_setitem(strides, new, a.itemsize)  # type: ignore[call-arg]
            new -= 1
            continue
        step, have, want = a.strides[old], a.shape[old], shape[new]
        strides = tuple_setitem(strides, new, step)  # type: ignore[call-arg]
        while have != want:
            if have < want:
                old -= 1
                while a.shape[old] == 1:
                    old -= 1
                if a.strides[old] != have * step:
                    return False, strides
                have *= a.shape[old]
            else:
                new -= 1
                strides = tuple_setitem(strides, new, want * step)  # type: ignore[call-arg]
                want *= shape[new]
        old, new = old - 1, new - 1
    return True, strides


@overload(reshaped, strict=False)
def _reshaped(a: Any, shape: Any) -> Any:
    if not isinstance(a, types.Array):
        return None
    if isinstance(shape, types.Integer):
        return lambda a, shape: reshaped(a, (shape,))
    if a.layout == "C":
        return lambda a, shape: a.reshape(shape)

    def look(a: Any, shape: Any) -> Any:
        whole = full_shape(a.size, shape)
        if a.size > 0:
            shared, strides = strides_without_copy(a, whole)
            if shared:
                return np.lib.stride_tricks.as_strided(a, whole, strides)
        copied = np.ascontiguousarray(a).reshape(whole)
        return np.lib.stride_tricks.as_strided(copied, whole, copied.strides)

    return look


@overload(raveled, strict=False)
def _raveled(a: Any) -> Any:
    if not isinstance(a, types.Array):
        return None
    if a.layout == "C":
        return lambda a: a.reshape((a.size,))

    def look(a: Any) -> Any:
        step = a.itemsize
        shared = True
        for k in range(a.ndim - 1, -1, -1):
            if a.shape[k] != 1:
                shared = shared and a.strides[k] == step
                step *= a.shape[k]
        if shared:
            return np.lib.stride_tricks.as_strided(a, (a.size,), (a.itemsize,))
        copied = np.ascontiguousarray(a).reshape((a.size,))
        return np.lib.stride_tricks.as_strided(copied, (a.size,), (a.itemsize,))

    return look
