"""Floor 2: rules of functions that join arrays and split them: transposes of each other."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    append_dot,
    block_bars,
    column_stack_bars,
    delete_bar,
    dstack_bars,
    hstack_bars,
    insert_bar,
    insert_bar_values,
    insert_dot,
    reshape_like,
    split_like,
    unsplit,
    unsplit_h,
    unstack,
    vstack_bars,
)


@structural(np.concatenate, linear=("arrays",), sequence=True)
def concatenate(y_bar, y, arrays, axis=0, out=None, dtype=None, casting="same_kind"):
    """Each array gets its part."""
    return split_like(y_bar, arrays, axis)


@structural(np.stack, linear=("arrays",), sequence=True)
def stack(y_bar, y, arrays, axis=0, out=None, dtype=None, casting="same_kind"):
    """Each array gets its slice."""
    return unstack(y_bar, axis)


@structural(np.vstack, linear=("tup",), sequence=True)
def vstack(y_bar, y, tup, dtype=None, casting="same_kind"):
    """Each array gets its rows."""
    return vstack_bars(y_bar, tup)


@structural(np.hstack, linear=("tup",), sequence=True)
def hstack(y_bar, y, tup, dtype=None, casting="same_kind"):
    """Each array gets its columns."""
    return hstack_bars(y_bar, tup)


@structural(np.dstack, linear=("tup",), sequence=True)
def dstack(y_bar, y, tup):
    """Each array gets its part of the third axis."""
    return dstack_bars(y_bar, tup)


@structural(np.column_stack, linear=("tup",), sequence=True)
def column_stack(y_bar, y, tup):
    """Each vector gets its column, each matrix its columns."""
    return column_stack_bars(y_bar, tup)


@structural(np.block, linear=("arrays",), sequence=True)
def block(y_bar, y, arrays):
    """Each block, in lists nested as the arrays are, gets its place."""
    return block_bars(y_bar, arrays)


@structural(np.append)
def append(y_bar, y, arr, values, axis=None):
    """np.concatenate of two arrays; flattened without an axis."""
    bars = split_like(y_bar, (arr, values), axis)
    return reshape_like(bars[0], arr), reshape_like(bars[1], values)


@tangent(np.append)
def append_dot_(y, arr, values, axis=None, *, arr_dot, values_dot):
    """Zeros for the other part."""
    return append_dot(arr_dot, values, axis, True), append_dot(values_dot, arr, axis, False)


@structural(np.insert)
def insert(y_bar, y, arr, obj, values, axis=None):
    """arr gets what was there before, values get their places."""
    return (
        insert_bar(y_bar, arr, obj, axis),
        None,
        insert_bar_values(y_bar, arr, obj, values, axis),
    )


@tangent(np.insert)
def insert_dot_(y, arr, obj, values, axis=None, *, arr_dot, obj_dot, values_dot):
    """Zeros for the other part."""
    return (
        insert_dot(arr_dot, obj, np.zeros_like(values), axis),
        None,
        insert_dot(np.zeros_like(arr), obj, values_dot, axis),
    )


@structural(np.delete, linear=("arr",))
def delete(y_bar, y, arr, obj, axis=None):
    """What was deleted gets zeros."""
    return delete_bar(y_bar, arr, obj, axis), None


@structural(np.split, np.array_split, linear=("ary",), tuple_output=True)
def split(y_bar, y, ary, indices_or_sections, axis=0):
    """Joins the parts."""
    return unsplit(y_bar, ary, indices_or_sections, axis), None


@structural(np.hsplit, linear=("ary",), tuple_output=True)
def hsplit(y_bar, y, ary, indices_or_sections):
    """Joins along the second axis (the first of a vector)."""
    return unsplit_h(y_bar, ary, indices_or_sections), None


@structural(np.vsplit, linear=("ary",), tuple_output=True)
def vsplit(y_bar, y, ary, indices_or_sections):
    """Joins along the first axis."""
    return unsplit(y_bar, ary, indices_or_sections, 0), None


@structural(np.dsplit, linear=("ary",), tuple_output=True)
def dsplit(y_bar, y, ary, indices_or_sections):
    """Joins along the third axis."""
    return unsplit(y_bar, ary, indices_or_sections, 2), None


@structural(np.unstack, linear=("x",), tuple_output=True)
def unstack_(y_bar, y, x, axis=0):
    """Stacks the slices."""
    return np.stack(y_bar, axis=axis)
