"""Floor 2: rules of running sums and products, differences and sorting."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    cumprod_bar,
    cumprod_bar_dot,
    cumprod_dot,
    cumulative_bar,
    cumulative_product_bar,
    cumulative_product_dot,
    ediff1d_bar,
    ediff1d_dot,
    group_means,
    group_shares,
    take_rank,
    unaccumulate,
    undiff,
    unpartition,
    unsort,
)


@structural(np.cumsum, linear=("a",))
def cumsum(y_bar, y, a, axis=None, dtype=None, out=None):
    """Entry i adds to every later sum: the transpose is a running sum from the end."""
    return unaccumulate(y_bar, a, axis)


@structural(np.cumulative_sum, linear=("x",))
def cumulative_sum(y_bar, y, x, axis=None, dtype=None, out=None, include_initial=False):
    """np.cumsum, with a leading zero where include_initial."""
    return cumulative_bar(y_bar, x, axis, include_initial)


@structural(np.cumprod)
def cumprod(y_bar, y, a, axis=None, dtype=None, out=None):
    """Exact where entries are zero."""
    return cumprod_bar(y_bar, a, axis)


@tangent(np.cumprod)
def cumprod_dot_(y, a, axis=None, dtype=None, out=None, *, a_dot):
    """y_dot_i = a_i y_dot_{i-1} + a_dot_i y_{i-1}."""
    return cumprod_dot(a_dot, a, axis)


@structural(cumprod_bar, linear=("z",))
def cumprod_bar_(y_bar, y, z, a, axis=None):
    """Linear in z; second derivatives in a are symmetric."""
    return cumprod_dot(y_bar, a, axis), cumprod_bar_dot(y_bar, z, a, axis)


@tangent(cumprod_bar)
def cumprod_bar_tangent(y, z, a, axis=None, *, z_dot, a_dot):
    """The same, along z_dot and a_dot."""
    return cumprod_bar(z_dot, a, axis), cumprod_bar_dot(a_dot, z, a, axis)


@structural(np.cumulative_prod)
def cumulative_prod(y_bar, y, x, axis=None, dtype=None, out=None, include_initial=False):
    """np.cumprod, with a leading one where include_initial."""
    return cumulative_product_bar(y_bar, x, axis, include_initial)


@tangent(np.cumulative_prod)
def cumulative_prod_dot(y, x, axis=None, dtype=None, out=None, include_initial=False, *, x_dot):
    """np.cumprod's tangent, with a leading zero where include_initial."""
    return cumulative_product_dot(x_dot, x, axis, include_initial)


@structural(np.nancumprod)
def nancumprod(y_bar, y, a, axis=None, dtype=None, out=None):
    """A NaN counts as the constant 1."""
    missing = np.isnan(a)
    return np.where(missing, 0.0, cumprod_bar(y_bar, np.where(missing, 1.0, a), axis))


@tangent(np.nancumprod)
def nancumprod_dot(y, a, axis=None, dtype=None, out=None, *, a_dot):
    """A NaN counts as the constant 1."""
    missing = np.isnan(a)
    return cumprod_dot(np.where(missing, 0.0, a_dot), np.where(missing, 1.0, a), axis)


@structural(np.diff, linear=("a",))
def diff(y_bar, y, a, n=1, axis=-1):
    """The transpose of one difference is a difference of the zero-padded cotangent, negated."""
    return undiff(y_bar, a, n, axis)


@structural(np.ediff1d)
def ediff1d(y_bar, y, ary, to_end=None, to_begin=None):
    """np.diff of the flat array, between constants."""
    return ediff1d_bar(y_bar, ary, to_end, to_begin)


@tangent(np.ediff1d)
def ediff1d_dot_(y, ary, to_end=None, to_begin=None, *, ary_dot):
    """Zeros in place of the constants."""
    return ediff1d_dot(ary_dot, to_end, to_begin)


@structural(np.sort)
def sort(y_bar, y, a, axis=-1, kind=None, order=None, stable=None):
    """A permutation: every entry gets the cotangent of the place it went to."""
    return unsort(y_bar, a, axis)


@tangent(np.sort)
def sort_dot(y, a, axis=-1, kind=None, order=None, stable=None, *, a_dot):
    """The tangents in the order of the values."""
    return np.take_along_axis(a_dot, np.argsort(a, axis=axis, stable=True), axis=axis)


@structural(np.partition)
def partition(y_bar, y, a, kth, axis=-1, kind="introselect", order=None):
    """A permutation, as np.sort; kth are ranks."""
    return unpartition(y_bar, a, kth, axis), None


@tangent(np.partition)
def partition_dot(y, a, kth, axis=-1, kind="introselect", order=None, *, a_dot, kth_dot):
    """The tangents in the order of the values."""
    return take_rank(a_dot, a, kth, axis), None


@structural(np.unique, selects=True)
def unique(y_bar, y, ar):
    """The distinct values in order; entries that coincide share evenly."""
    return group_shares(y_bar, ar)


@tangent(np.unique)
def unique_dot(y, ar, *, ar_dot):
    """The mean of the tangents of entries that coincide."""
    return group_means(ar_dot, ar)


@structural(np.unique_values, selects=True)
def unique_values(y_bar, y, x):
    """As np.unique."""
    return group_shares(y_bar, x)


@tangent(np.unique_values)
def unique_values_dot(y, x, *, x_dot):
    """As np.unique."""
    return group_means(x_dot, x)


@structural(group_means, linear=("entries",))
def group_means_(y_bar, y, entries, like):
    """The groups are flat almost everywhere."""
    return group_shares(y_bar, like), np.zeros_like(like)


@tangent(group_means)
def group_means_dot(y, entries, like, *, entries_dot, like_dot):
    """Linear in the entries."""
    return group_means(entries_dot, like), np.zeros_like(y)


@structural(group_shares, linear=("values",))
def group_shares_(y_bar, y, values, like):
    """The groups are flat almost everywhere."""
    return group_means(y_bar, like), np.zeros_like(like)


@tangent(group_shares)
def group_shares_dot(y, values, like, *, values_dot, like_dot):
    """Linear in the values."""
    return group_shares(values_dot, like), np.zeros_like(y)
