"""Broadcasting and reducing: each helper stands beside its transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only

__all__ = [
    "broadcast_like",
    "expand_reduced",
    "normalize_axes",
    "reduced_count",
    "unbroadcast",
    "unreduce",
]

Axis = int | tuple[int, ...] | None


@shape_only(1)
def unbroadcast(x_bar: Any, x: Any) -> Any:
    """Sum `x_bar` down to the shape of `x`: the transpose of `broadcast_like`.

    A cotangent smaller than `x` (one that broadcasts) is spread out instead. Complex
    cotangents of real arguments lose their imaginary part.
    """
    shape = np.shape(x)
    bar_shape = np.shape(x_bar)
    if bar_shape != shape:
        extra = len(bar_shape) - len(shape)
        if extra > 0:
            x_bar = np.sum(x_bar, axis=tuple(range(extra)))
            bar_shape = np.shape(x_bar)
        ones = tuple(
            len(shape) - len(bar_shape) + i
            for i, size in enumerate(bar_shape)
            if size != 1 and shape[len(shape) - len(bar_shape) + i] == 1
        )
        if ones:
            shift = len(shape) - len(bar_shape)
            x_bar = np.sum(x_bar, axis=tuple(i - shift for i in ones), keepdims=True)
        if np.shape(x_bar) != shape:
            x_bar = np.broadcast_to(x_bar, shape)
    if np.iscomplexobj(x_bar) and not np.iscomplexobj(x):
        x_bar = np.real(x_bar)
    return x_bar


@shape_only(1)
def broadcast_like(x: Any, y: Any) -> Any:
    """`x` spread to the shape of `y` (a read-only view): the transpose of `unbroadcast`."""
    return x if np.shape(x) == np.shape(y) else np.broadcast_to(x, np.shape(y))


def normalize_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """`axis` as sorted non-negative axes; None stands for all."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return tuple(sorted(a + ndim if a < 0 else a for a in axes))


@shape_only(1)
def expand_reduced(y: Any, a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """A reduction's result with its lost axes back as size 1, so that it broadcasts against a."""
    ndim = np.ndim(a)
    if keepdims or ndim == 0 or (axis is None and np.ndim(y) == 0):
        return y
    return np.expand_dims(y, normalize_axes(axis, ndim))


@shape_only(1)
def unreduce(y_bar: Any, a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Spread the cotangent of `np.sum(a, axis, keepdims)` back over `a` (a read-only view)."""
    return broadcast_like(expand_reduced(y_bar, a, axis, keepdims), a)


@shape_only(0)
def reduced_count(a: Any, axis: Axis = None) -> int:
    """How many entries each entry of a reduction over `axis` combines."""
    shape = np.shape(a)
    count = 1
    for i in normalize_axes(axis, len(shape)):
        count *= shape[i]
    return count
