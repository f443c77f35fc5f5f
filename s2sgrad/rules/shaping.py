"""Floor 2: rules of functions that rearrange entries: each transpose rearranges them back."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    cross_like,
    laid_as,
    negated,
    pad_bar,
    pad_dot,
    reshape_like,
    restrided,
    unbroadcast,
    unbroadcast_each,
    uncross,
    unmesh,
    unrepeat,
    unreshape,
    unresize,
    unrollaxis,
    unstrided,
    untile,
    untranspose,
    unwindow,
)


@structural(np.reshape, linear=("a",))
def reshape(y_bar, y, a, shape, order="C", copy=None):
    """Back to the shape of a."""
    return unreshape(y_bar, a, order), None


@structural(np.ravel, linear=("a",))
def ravel(y_bar, y, a, order="C"):
    """Back to the shape of a."""
    return unreshape(y_bar, a, order)


@tangent(np.reshape)
def reshape_dot(y, a, shape, order="C", copy=None, *, a_dot, shape_dot):
    """The same entries, though a_dot may lie otherwise in memory."""
    return np.reshape(laid_as(a_dot, a, order), shape, order=order), None


@tangent(np.ravel)
def ravel_dot(y, a, order="C", *, a_dot):
    """The same entries, though a_dot may lie otherwise in memory."""
    return np.ravel(laid_as(a_dot, a, order), order)


@structural(np.transpose, linear=("a",))
def transpose(y_bar, y, a, axes=None):
    """The inverse permutation of axes."""
    return untranspose(y_bar, axes)


@structural(np.matrix_transpose, linear=("x",))
def matrix_transpose_(y_bar, y, x):
    """Swaps the last two axes back."""
    return np.swapaxes(y_bar, -1, -2)


@structural(np.swapaxes, linear=("a",))
def swapaxes(y_bar, y, a, axis1, axis2):
    """Swaps them back."""
    return np.swapaxes(y_bar, axis1, axis2), None, None


@structural(np.moveaxis, linear=("a",))
def moveaxis(y_bar, y, a, source, destination):
    """Moves them back."""
    return np.moveaxis(y_bar, destination, source), None, None


@structural(np.rollaxis, linear=("a",))
def rollaxis(y_bar, y, a, axis, start=0):
    """Moves the axis back to its place."""
    return unrollaxis(y_bar, a, axis, start), None


@structural(np.squeeze, linear=("a",))
def squeeze(y_bar, y, a, axis=None):
    """Back to the shape of a."""
    return reshape_like(y_bar, a)


@structural(np.expand_dims, linear=("a",))
def expand_dims(y_bar, y, a, axis):
    """Back to the shape of a."""
    return reshape_like(y_bar, a), None


@structural(np.atleast_1d, np.atleast_2d, np.atleast_3d, linear=("ary",))
def atleast(y_bar, y, ary):
    """Back to the shape of ary (one array at a time)."""
    return reshape_like(y_bar, ary)


@structural(np.broadcast_to, linear=("array",))
def broadcast_to(y_bar, y, array, shape, subok=False):
    """Every copy adds."""
    return unbroadcast(y_bar, array), None


@structural(np.lib.stride_tricks.sliding_window_view, linear=("x",))
def sliding_window_view(y_bar, y, x, window_shape, axis=None, subok=False, writeable=False):
    """Entries that several windows show take the sum of their cotangents."""
    return unwindow(y_bar, x, window_shape, axis), None


@structural(np.lib.stride_tricks.as_strided, linear=("x",))
def as_strided(y_bar, y, x, shape=None, strides=None, subok=False, writeable=True):
    """Entries that are shown in several places take the sum of their cotangents."""
    return unstrided(y_bar, x, shape, strides)


@tangent(np.lib.stride_tricks.as_strided)
def as_strided_dot(y, x, shape=None, strides=None, subok=False, writeable=True, *, x_dot):
    """The same entries, though x_dot may lie otherwise in memory."""
    return restrided(x_dot, x, shape, strides)


@structural(np.broadcast_arrays, linear=("args",), sequences=("args",), tuple_output=True)
def broadcast_arrays(y_bar, y, *args, subok=False):
    """Every copy adds, array by array."""
    return unbroadcast_each(y_bar, args)


@structural(np.meshgrid, linear=("xi",), sequences=("xi",), tuple_output=True)
def meshgrid(y_bar, y, *xi, copy=True, sparse=False, indexing="xy"):
    """Each vector is repeated along the axes of the others."""
    return unmesh(y_bar, xi, indexing)


@structural(np.ix_, linear=("args",), sequences=("args",), tuple_output=True)
def ix_(y_bar, y, *args):
    """Each vector lies along an axis of its own; those of whole numbers, and masks, carry none."""
    return uncross(y_bar, args)


@tangent(np.ix_)
def ix_dot(y, *args, args_dot):
    """The same, though a mask's tangent has another length than its places."""
    return cross_like(args_dot, y)


@structural(np.flip, linear=("m",))
def flip(y_bar, y, m, axis=None):
    """Its own inverse."""
    return np.flip(y_bar, axis)


@structural(np.fliplr, linear=("m",))
def fliplr(y_bar, y, m):
    """Its own inverse."""
    return np.fliplr(y_bar)


@structural(np.flipud, linear=("m",))
def flipud(y_bar, y, m):
    """Its own inverse."""
    return np.flipud(y_bar)


@structural(np.rot90, linear=("m",))
def rot90(y_bar, y, m, k=1, axes=(0, 1)):
    """Turns back."""
    return np.rot90(y_bar, -k, axes)


@structural(np.roll, linear=("a",))
def roll(y_bar, y, a, shift, axis=None):
    """Rolls back."""
    return np.roll(y_bar, negated(shift), axis), None


@structural(np.repeat, linear=("a",))
def repeat(y_bar, y, a, repeats, axis=None):
    """Sums the copies of each entry."""
    return unrepeat(y_bar, a, repeats, axis), None


@structural(np.tile, linear=("A",))
def tile(y_bar, y, A, reps):
    """Sums the copies."""
    return untile(y_bar, A, reps), None


@structural(np.resize, linear=("a",))
def resize(y_bar, y, a, new_shape):
    """Sums the copies."""
    return unresize(y_bar, a), None


@structural(np.pad, extra={"not_for": {"mode": ("maximum", "minimum", "median")}})
def pad(
    y_bar, y, array, pad_width, mode="constant", constant_values=0, reflect_type="even",
    stat_length=None, end_values=0,
):  # fmt: skip
    """Every copy of an entry adds. All modes but maximum, minimum and median."""
    return pad_bar(y_bar, array, pad_width, mode, reflect_type, stat_length), None


@tangent(np.pad)
def pad_tangent(
    y, array, pad_width, mode="constant", constant_values=0, reflect_type="even",
    stat_length=None, end_values=0, *, array_dot, pad_width_dot,
):  # fmt: skip
    """The tangent, padded alike."""
    return pad_dot(array_dot, pad_width, mode, reflect_type, stat_length), None


@structural(np.copy, linear=("a",))
def copy(y_bar, y, a, order="K", subok=False):
    """The same entries."""
    return y_bar


@structural(np.asarray, np.asanyarray, linear=("a",))
def asarray(y_bar, y, a, dtype=None, order=None, device=None, copy=None, like=None):
    """The same entries (of an array or a number)."""
    return reshape_like(y_bar, a)


@structural(np.ascontiguousarray, np.asfortranarray, linear=("a",))
def ascontiguousarray(y_bar, y, a, dtype=None, like=None):
    """The same entries in another order of memory."""
    return reshape_like(y_bar, a)


@structural(np.require, linear=("a",))
def require(y_bar, y, a, dtype=None, requirements=None, like=None):
    """The same entries."""
    return reshape_like(y_bar, a)


@structural(np.asarray_chkfinite, linear=("a",))
def asarray_chkfinite(y_bar, y, a, dtype=None, order=None):
    """The same entries."""
    return reshape_like(y_bar, a)


@structural(np.array, linear=("object",))
def array(
    y_bar, y, object, dtype=None, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None
):
    """The same entries (of an array or a number)."""
    return reshape_like(y_bar, object)


@structural(np.astype, linear=("x",))
def astype(y_bar, y, x, dtype, copy=True, device=None):
    """The same entries in another precision."""
    return y_bar, None


@structural(np.float16, np.float32, np.float64, np.longdouble, linear=("value",))
def float_type(y_bar, y, value):
    """The same numbers in the precision that is called."""
    return reshape_like(y_bar, value)
