"""Floor 2: rules of ufunc methods: np.add.reduce, np.multiply.accumulate, np.subtract.outer."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import not_yet, structural, tangent
from s2sgrad_runtime import (
    cumprod_bar,
    cumprod_dot,
    expand_reduced,
    gap,
    outer_sum_left,
    outer_sum_right,
    products_of_others,
    tensordot_bar_left,
    tensordot_bar_right,
    tie_count,
    unaccumulate,
    unreduce,
)

not_yet(
    np.add.at,
    np.subtract.at,
    np.multiply.at,
    why="it writes into its argument and is a statement, not a function of values; "
    "write it on a line of its own: np.add.at(a, i, b)",
)
not_yet(
    np.add.reduceat, why="its groups overlap or lie apart; sum slices, or use np.add.at on zeros"
)


@structural(np.add.reduce, linear=("array",), affine=("initial",))
def add_reduce(
    y_bar, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=0, where=True
):
    """np.sum along the first axis."""
    return unreduce(y_bar, array, axis, keepdims, where)


@structural(np.multiply.reduce, reduces=True)
def multiply_reduce(
    y_bar, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=1, where=True
):
    """np.prod along the first axis."""
    others = products_of_others(array, axis, initial, where)
    return unreduce(y_bar, array, axis, keepdims, where) * others


@tangent(np.multiply.reduce)
def multiply_reduce_dot(
    y, array, axis=0, dtype=None, out=None, keepdims=False, initial=1, where=True, *, array_dot
):
    """As np.prod's."""
    others = products_of_others(array, axis, initial, where)
    return np.sum(others * array_dot, axis=axis, keepdims=keepdims, where=where)


@structural(np.maximum.reduce, np.minimum.reduce, selects=True)
def extremum_reduce(
    y_bar, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    """np.max and np.min along the first axis."""
    attained = (array == expand_reduced(y, array, axis, keepdims)) & where
    u = expand_reduced(y_bar, array, axis, keepdims)
    return np.where(attained, u / tie_count(attained, y, axis, initial), 0.0)


@tangent(np.maximum.reduce, np.minimum.reduce)
def extremum_reduce_dot(
    y, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True, *, array_dot
):
    """As np.max's."""
    attained = (array == expand_reduced(y, array, axis, keepdims)) & where
    share = np.where(attained, array_dot, 0.0) / tie_count(attained, y, axis, initial)
    return np.sum(share, axis=axis, keepdims=keepdims)


@structural(np.logaddexp.reduce, reduces=True)
def logaddexp_reduce(y_bar, y, array, axis=0, keepdims=False):
    """y = ln(sum of e**x_i), dy/dx_i = e**(x_i - y)."""
    share = np.exp(gap(array, expand_reduced(y, array, axis, keepdims)))
    return unreduce(y_bar, array, axis, keepdims) * share


@tangent(np.logaddexp.reduce)
def logaddexp_reduce_dot(y, array, axis=0, keepdims=False, *, array_dot):
    """The tangents by their shares of the sum."""
    share = np.exp(gap(array, expand_reduced(y, array, axis, keepdims)))
    return np.sum(share * array_dot, axis=axis, keepdims=keepdims)


@structural(np.add.accumulate, linear=("array",))
def add_accumulate(y_bar, y, array, axis=0, dtype=None, out=None):
    """np.cumsum along the first axis."""
    return unaccumulate(y_bar, array, axis)


@structural(np.multiply.accumulate)
def multiply_accumulate(y_bar, y, array, axis=0, dtype=None, out=None):
    """np.cumprod along the first axis."""
    return cumprod_bar(y_bar, array, axis)


@tangent(np.multiply.accumulate)
def multiply_accumulate_dot(y, array, axis=0, dtype=None, out=None, *, array_dot):
    """As np.cumprod's."""
    return cumprod_dot(array_dot, array, axis)


@structural(np.add.outer)
def add_outer(y_bar, y, A, B):
    """y = A + B, with the axes of A before those of B."""
    return outer_sum_left(y_bar, A, B), outer_sum_right(y_bar, A, B)


@tangent(np.add.outer)
def add_outer_dot(y, A, B, *, A_dot, B_dot):
    """y_dot = A_dot + B_dot."""
    return np.add.outer(A_dot, np.zeros_like(B)), np.add.outer(np.zeros_like(A), B_dot)


@structural(np.subtract.outer)
def subtract_outer(y_bar, y, A, B):
    """y = A - B, with the axes of A before those of B."""
    return outer_sum_left(y_bar, A, B), -outer_sum_right(y_bar, A, B)


@tangent(np.subtract.outer)
def subtract_outer_dot(y, A, B, *, A_dot, B_dot):
    """y_dot = A_dot - B_dot."""
    return np.subtract.outer(A_dot, np.zeros_like(B)), np.subtract.outer(np.zeros_like(A), B_dot)


@structural(np.multiply.outer, linear=("A", "B"))
def multiply_outer(y_bar, y, A, B):
    """y = A B, with the axes of A before those of B."""
    return tensordot_bar_left(y_bar, A, B, 0), tensordot_bar_right(y_bar, A, B, 0)
