"""Views that NumPy makes by strides: `unfold` and `as_strided`."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.recording.node import LEAF
from s2sgrad.eager.recording.record import op_of
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.eager.tensors.views import view
from s2sgrad.rules import structural
from s2sgrad_runtime import scatter


def windows(a: Any, axis: int, size: int, step: int) -> Any:
    """Windows of `size` entries along an axis, one every `step` entries, along a last axis."""
    every = np.lib.stride_tricks.sliding_window_view(a, size, axis, writeable=a.flags.writeable)
    return every[(slice(None),) * axis + (slice(None, None, step),)]


def window_places(axis: int, count: int, size: int, step: int) -> Any:
    """The index that picks the windows, their entries along the axis after `axis`."""
    places = np.arange(count)[:, None] * step + np.arange(size)
    return (slice(None),) * axis + (places,)


@structural(windows, linear=("a",))
def _windows(y_bar, y, a, axis, size, step):  # type: ignore[no-untyped-def]
    """Entries that lie in several windows add up."""
    places = window_places(axis, y_bar.shape[axis], size, step)
    return scatter(np.moveaxis(y_bar, -1, axis + 1), a, places), None, None, None


def strided(a: Any, shape: Any, steps: Any, offset: int) -> Any:
    """A view of the memory of `a`, which lies in C order; steps and offset count entries."""
    strides = tuple(s * a.itemsize for s in steps)
    return np.ndarray(shape, a.dtype, a.reshape(-1)[offset:], 0, strides)


def strided_places(whole: Any, shape: Any, steps: Any, offset: int) -> Any:
    """The index into an array of shape `whole` that picks the same entries."""
    flat = np.full(shape, offset)
    for grid, step in zip(np.ogrid[tuple(slice(n) for n in shape)], steps, strict=True):
        flat = flat + grid * step
    return np.unravel_index(flat, whole)


@structural(strided, linear=("a",))
def _strided(y_bar, y, a, shape, steps, offset):  # type: ignore[no-untyped-def]
    """Entries that are seen several times add up."""
    return scatter(y_bar, a, strided_places(np.shape(a), shape, steps, offset)), None, None, None


UNFOLD, STRIDED = op_of(windows, "UnfoldBackward0"), op_of(strided, "AsStridedBackward0")


def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """All windows of `size` along a dim, `step` apart, as a last axis; a view."""
    axis = axis_of(dimension, input._array.ndim)
    n = input._array.shape[axis] if input._array.ndim else 1
    if size > n:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {n} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return view(UNFOLD, input, axis, size, step)


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: Any = None) -> Tensor:
    """A view of the memory under a tensor; strides and offset count entries."""
    own = input._view is None or input._node is LEAF  # a leaf has no history in its base
    base = input if own else input._view.base
    array = base._array
    if not array.flags.c_contiguous:
        raise RuntimeError("as_strided needs memory in C order: make a clone() first")
    offset = input.storage_offset() if storage_offset is None else storage_offset
    offset -= base.storage_offset()
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) + 1
    if (last > array.size or offset < 0) and 0 not in size:
        k = array.itemsize
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and "
            f"itemsize {k} requiring a storage size of {last * k} are out of bounds for storage "
            f"of size {array.size * k}"
        )
    return view(STRIDED, base, tuple(size), tuple(stride), int(offset))


FUNCTIONS: dict[str, Any] = {"as_strided": as_strided}
_T: Any = Tensor
_T.unfold, _T.as_strided = unfold, as_strided
