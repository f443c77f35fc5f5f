"""Floor 2: rules of the runtime helpers that take a cotangent back through structure.

Each is linear in the cotangent it takes, and its own rule is the primal function again. Helpers
without a rule here (products of others, Vandermonde slopes) are plain array code, differentiated as
a user's function is.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import no_derivative, structural, tangent
from s2sgrad_runtime import (
    angle_unit,
    as_it_lies,
    as_it_stands,
    average_bar_weights,
    block_bars,
    choose_bars,
    column_stack_bars,
    compress_bar,
    cumulative_bar,
    delete_bar,
    dstack_bars,
    ediff1d_bar,
    ediff1d_dot,
    einsum_bar,
    einsum_bar_dot,
    einsum_bar_operands,
    einsum_bars,
    einsum_bars_dot,
    einsum_bars_operands,
    einsum_dot,
    einsum_with,
    extract_bar,
    gather_weights,
    hstack_bars,
    join_blocks,
    linspace_share,
    negated,
    outer_sum_left,
    outer_sum_right,
    polyder_bar,
    polyval_coefficients,
    reduced_last,
    restrided,
    select_bars,
    select_default_bar,
    spread_weights,
    stop_gradient,
    take_rank,
    unaverage,
    unaverage_dot_weights,
    unbroadcast,
    unbroadcast_each,
    undiag,
    undiagflat,
    unpartition,
    unresize,
    unrollaxis,
    unsort,
    unsplit,
    unsplit_h,
    unstrided,
    unwindow,
    vstack_bars,
)

no_derivative(angle_unit, linspace_share, negated, reduced_last, stop_gradient)


@structural(unresize, linear=("z",))
def unresize_(y_bar, y, z, a):
    """The transpose of np.resize."""
    return np.resize(y_bar, z.shape), None


@structural(unrollaxis, linear=("z",))
def unrollaxis_(y_bar, y, z, a, axis, start=0):
    """The transpose of np.rollaxis."""
    return np.rollaxis(y_bar, axis, start), None, None


@structural(unstrided, linear=("z",), flat=("x",))
def unstrided_(y_bar, y, z, x, shape=None, strides=None):
    """The same entries again."""
    return restrided(y_bar, x, shape, strides), None


@structural(restrided, linear=("z",), flat=("x",))
def restrided_(y_bar, y, z, x, shape=None, strides=None):
    """And back."""
    return unstrided(y_bar, x, shape, strides), None


@structural(as_it_lies, linear=("z",), flat=("a",))
def as_it_lies_(y_bar, y, z, a):
    """Back to where the entries stand."""
    return as_it_stands(y_bar, a), None


@structural(as_it_stands, linear=("z",), flat=("a",))
def as_it_stands_(y_bar, y, z, a):
    """In the order of memory again."""
    return as_it_lies(y_bar, a), None


@structural(unwindow, linear=("z",))
def unwindow_(y_bar, y, z, x, window_shape, axis=None):
    """The windows again."""
    windows = np.lib.stride_tricks.sliding_window_view(y_bar, window_shape, axis)
    return windows, None, None


@structural(outer_sum_left, linear=("z",))
def outer_sum_left_(y_bar, y, z, a, b):
    """Spreads over the axes of b."""
    return np.add.outer(y_bar, np.zeros_like(b)), None, None


@structural(outer_sum_right, linear=("z",))
def outer_sum_right_(y_bar, y, z, a, b):
    """Spreads over the axes of a."""
    return np.add.outer(np.zeros_like(a), y_bar), None, None


@structural(unaverage, optional=("weights",))
def unaverage_(y_bar, y, z, a, axis=None, weights=None, keepdims=False):
    """The transpose of np.average: <y_bar, y> = <average(y_bar), z>, also for the weights."""
    found = np.average(y_bar, axis=axis, weights=weights, keepdims=keepdims)
    weights_bar = average_bar_weights(z, found, y_bar, axis, weights, keepdims)
    return found, None, weights_bar


@tangent(unaverage)
def unaverage_tangent(
    y, z, a, axis=None, weights=None, keepdims=False, *, z_dot, a_dot, weights_dot
):
    """Linear in z; a is there for its shape."""
    z_part = unaverage(z_dot, a, axis, weights, keepdims)
    return z_part, None, unaverage_dot_weights(weights_dot, z, a, axis, weights, keepdims)


@structural(spread_weights, linear=("weights",))
def spread_weights_(y_bar, y, weights, a, axis=None):
    """Sums over the axes that the weights do not have."""
    return gather_weights(y_bar, weights, axis), None


@structural(gather_weights, linear=("entries",))
def gather_weights_(y_bar, y, entries, weights, axis=None):
    """Spreads over the axes that the weights do not have."""
    return spread_weights(y_bar, entries, axis), None


@structural(unsort, linear=("z",))
def unsort_(y_bar, y, z, a, axis=-1):
    """The transpose of np.sort; the order is flat almost everywhere."""
    order = np.argsort(a, axis=axis, stable=True)
    return np.take_along_axis(y_bar, order, axis=axis), np.zeros_like(a)


@tangent(unsort)
def unsort_dot(y, z, a, axis=-1, *, z_dot, a_dot):
    """Linear in z; the order is flat almost everywhere."""
    return unsort(z_dot, a, axis), np.zeros_like(y)


@structural(unpartition, linear=("z",))
def unpartition_(y_bar, y, z, a, kth, axis=-1):
    """The transpose of np.partition."""
    return take_rank(y_bar, a, kth, axis), np.zeros_like(a), None


@tangent(unpartition)
def unpartition_dot(y, z, a, kth, axis=-1, *, z_dot, a_dot, kth_dot):
    """Linear in z; the order is flat almost everywhere."""
    return unpartition(z_dot, a, kth, axis), np.zeros_like(y), None


@structural(ediff1d_bar, linear=("z",))
def ediff1d_bar_(y_bar, y, z, ary, to_end=None, to_begin=None):
    """The transpose of np.ediff1d."""
    return ediff1d_dot(y_bar, to_end, to_begin), None


@structural(cumulative_bar, linear=("z",))
def cumulative_bar_(y_bar, y, z, x, axis, include_initial):
    """The transpose of np.cumulative_sum."""
    found = np.cumulative_sum(y_bar, axis=axis, include_initial=include_initial)
    return found, None, None, None


@structural(compress_bar, linear=("z",), flat=("condition",))
def compress_bar_(y_bar, y, z, condition, a, axis=None):
    """The transpose of np.compress."""
    return np.compress(condition, y_bar, axis=axis), None, None


@structural(extract_bar, linear=("z",), flat=("condition",))
def extract_bar_(y_bar, y, z, condition, arr):
    """The transpose of np.extract."""
    return np.extract(condition, y_bar), None, None


@structural(choose_bars, linear=("z",), tuple_output=True)
def choose_bars_(y_bar, y, z, a, choices, mode="raise"):
    """The transpose of np.choose."""
    return unbroadcast(np.choose(a, y_bar, mode=mode), z), None, None


@structural(select_bars, linear=("z",), tuple_output=True)
def select_bars_(y_bar, y, z, conditions, choices):
    """The transpose of np.select, without the default."""
    return unbroadcast(np.select(conditions, y_bar), z), None, None


@structural(select_default_bar, linear=("z",))
def select_default_bar_(y_bar, y, z, conditions, default):
    """The transpose of np.select, in the default."""
    return select_default_bar(unbroadcast(y_bar, z), conditions, z), None, None


@structural(vstack_bars, linear=("z",), tuple_output=True)
def vstack_bars_(y_bar, y, z, arrays):
    """The transpose of np.vstack."""
    return np.vstack(y_bar), None


@structural(hstack_bars, linear=("z",), tuple_output=True)
def hstack_bars_(y_bar, y, z, arrays):
    """The transpose of np.hstack."""
    return np.hstack(y_bar), None


@structural(dstack_bars, linear=("z",), tuple_output=True)
def dstack_bars_(y_bar, y, z, arrays):
    """The transpose of np.dstack."""
    return np.dstack(y_bar), None


@structural(column_stack_bars, linear=("z",), tuple_output=True)
def column_stack_bars_(y_bar, y, z, arrays):
    """The transpose of np.column_stack."""
    return np.column_stack(y_bar), None


@structural(block_bars, linear=("z",), tuple_output=True)
def block_bars_(y_bar, y, z, arrays):
    """The transpose of np.block."""
    return join_blocks(y_bar), None


@structural(delete_bar, linear=("z",))
def delete_bar_(y_bar, y, z, arr, obj, axis=None):
    """The transpose of np.delete."""
    return np.delete(y_bar, obj, axis), None, None


@structural(unsplit_h, linear=("z",), sequence=True)
def unsplit_h_(y_bar, y, z, ary, indices_or_sections):
    """The parts again."""
    return np.hsplit(y_bar, indices_or_sections), None, None


@structural(unsplit, linear=("z",), sequence=True)
def unsplit_(y_bar, y, z, ary, indices_or_sections, axis=0):
    """The parts again."""
    return np.array_split(y_bar, indices_or_sections, axis), None, None


@structural(unbroadcast_each, linear=("z",), sequence=True, tuple_output=True)
def unbroadcast_each_(y_bar, y, z, arrays):
    """The transpose of np.broadcast_arrays."""
    return np.broadcast_arrays(*y_bar), None


@structural(undiag, linear=("z",))
def undiag_(y_bar, y, z, v, k=0):
    """The transpose of np.diag."""
    return np.diag(y_bar, k), None


@structural(undiagflat, linear=("z",))
def undiagflat_(y_bar, y, z, v, k=0):
    """The transpose of np.diagflat."""
    return np.diagflat(y_bar, k), None


@structural(polyder_bar, linear=("z",))
def polyder_bar_(y_bar, y, z, p, m=1):
    """The transpose of np.polyder."""
    return np.polyder(y_bar, m), None


@structural(polyval_coefficients, linear=("z",))
def polyval_coefficients_(y_bar, y, z, p, x):
    """The transpose of np.polyval in its coefficients."""
    slope = z * np.polyval(np.polyder(y_bar), x)
    return unbroadcast(np.polyval(y_bar, x), z), None, unbroadcast(slope, x)


@tangent(polyval_coefficients)
def polyval_coefficients_dot(y, z, p, x, *, z_dot, p_dot, x_dot):
    """Linear in z; in x the powers' slopes."""
    return (
        polyval_coefficients(z_dot, p, x),
        np.zeros_like(y),
        polyder_bar(polyval_coefficients(z * x_dot, p[1:], x), p),
    )


@structural(einsum_bar, sequences=("operands",))
def einsum_bar_(y_bar, y, z, k, subscripts, operands):
    """The einsum with y_bar in place of operand k, times z."""
    return (
        einsum_with(y_bar, k, subscripts, operands),
        None,
        None,
        einsum_bar_operands(y_bar, z, k, subscripts, operands),
    )


@tangent(einsum_bar)
def einsum_bar_dot_(y, z, k, subscripts, operands, *, z_dot, k_dot, subscripts_dot, operands_dot):
    """Linear in z and in each of the other operands."""
    return (
        einsum_bar(z_dot, k, subscripts, operands),
        None,
        None,
        einsum_bar_dot(operands_dot, z, k, subscripts, operands),
    )


@structural(einsum_bars, sequences=("operands",), tuple_output=True)
def einsum_bars_(y_bar, y, z, subscripts, operands):
    """<y_bar_k, bar_k> is z times the einsum with y_bar_k in place of operand k."""
    return (
        einsum_dot(y_bar, subscripts, operands),
        None,
        einsum_bars_operands(y_bar, z, subscripts, operands),
    )


@tangent(einsum_bars)
def einsum_bars_dot_(y, z, subscripts, operands, *, z_dot, subscripts_dot, operands_dot):
    """Linear in z and in each operand."""
    return (
        einsum_bars(z_dot, subscripts, operands),
        None,
        einsum_bars_dot(operands_dot, z, subscripts, operands),
    )
