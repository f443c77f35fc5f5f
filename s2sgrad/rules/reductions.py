"""Floor 2: rules of functions that reduce axes."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    average_bar_weights,
    average_dot_weights,
    centre,
    expand_reduced,
    products_of_others,
    quantile_bar,
    quantile_dot,
    quantile_rank_bar,
    quantile_rank_dot,
    reduced_count,
    tie_count,
    unaverage,
    unbroadcast,
    unreduce,
)


@structural(np.sum, linear=("a",), affine=("initial",))
def sum_(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    """Each entry of a adds with weight 1."""
    return unreduce(y_bar, a, axis, keepdims, where)


@structural(np.mean, linear=("a",))
def mean(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False, where=True):
    """Each entry of a adds with weight 1 / n."""
    return unreduce(y_bar / reduced_count(a, axis, keepdims, where), a, axis, keepdims, where)


@structural(np.average, optional=("weights",), extra={"not_for": {"returned": (True,)}})
def average(y_bar, y, a, axis=None, weights=None, returned=False, keepdims=False):
    """Each entry of a adds with its weight over the sum of weights."""
    bar = average_bar_weights(y_bar, y, a, axis, weights, keepdims)
    return unaverage(y_bar, a, axis, weights, keepdims), bar


@tangent(np.average)
def average_tangent(
    y, a, axis=None, weights=None, returned=False, keepdims=False, *, a_dot, weights_dot
):
    """Linear in a; a weight's share of the result is (a - y) over the sum of weights."""
    mean_dot = np.average(a_dot, axis=axis, weights=weights, keepdims=keepdims)
    return mean_dot, average_dot_weights(weights_dot, y, a, axis, weights, keepdims)


@structural(np.prod, reduces=True)
def prod(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    """dy/da_i is the product of all other entries: exact where entries are zero."""
    others = products_of_others(a, axis, initial, where)
    return unreduce(y_bar, a, axis, keepdims, where) * others


@tangent(np.prod)
def prod_tangent(
    y, a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True, *, a_dot
):
    """y_dot = sum of a_dot_i times the product of all others."""
    others = products_of_others(a, axis, initial, where)
    return np.sum(others * a_dot, axis=axis, keepdims=keepdims, where=where)


@structural(np.max, np.amax, selects=True)
def max_(y_bar, y, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """The entries that attain the maximum share the cotangent evenly."""
    attained = (a == expand_reduced(y, a, axis, keepdims)) & where
    return attained * (
        expand_reduced(y_bar, a, axis, keepdims) / tie_count(attained, y, axis, initial)
    )


@structural(np.min, np.amin, selects=True)
def min_(y_bar, y, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """The entries that attain the minimum share the cotangent evenly."""
    attained = (a == expand_reduced(y, a, axis, keepdims)) & where
    return attained * (
        expand_reduced(y_bar, a, axis, keepdims) / tie_count(attained, y, axis, initial)
    )


@tangent(np.max, np.amax, np.min, np.amin)
def extremum_dot(y, a, axis=None, out=None, keepdims=False, initial=None, where=True, *, a_dot):
    """The mean tangent of the entries that attain the extremum."""
    attained = (a == expand_reduced(y, a, axis, keepdims)) & where
    chosen = np.where(attained, a_dot, 0.0)
    return np.sum(chosen / tie_count(attained, y, axis, initial), axis=axis, keepdims=keepdims)


@structural(np.ptp)
def ptp(y_bar, y, a, axis=None, out=None, keepdims=False):
    """y = max(a) - min(a)."""
    top = a == np.max(a, axis=axis, keepdims=True)
    low = a == np.min(a, axis=axis, keepdims=True)
    share = top / tie_count(top, y, axis) - low / tie_count(low, y, axis)
    return np.where(share == 0.0, 0.0, unreduce(y_bar, a, axis, keepdims) * share)


@tangent(np.ptp)
def ptp_dot(y, a, axis=None, out=None, keepdims=False, *, a_dot):
    """The tangent at the maximum less that at the minimum."""
    top = a == np.max(a, axis=axis, keepdims=True)
    low = a == np.min(a, axis=axis, keepdims=True)
    share = top / tie_count(top, y, axis) - low / tie_count(low, y, axis)
    return np.sum(share * a_dot, axis=axis, keepdims=keepdims)


@structural(
    np.var, holomorphic=False, optional=("mean",), aliases={"correction": "ddof"}, reduces=True
)
def var(
    y_bar, y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None
):
    """y = sum |a - mean|**2 / (n - ddof); the share of the mean of a itself sums to zero."""
    deviation = a - centre(a, axis, where, mean)
    share = 2.0 * y_bar / (reduced_count(a, axis, keepdims, where) - ddof)
    each = unreduce(share, a, axis, keepdims, where) * deviation
    return each, -unbroadcast(each, mean)


@tangent(np.var)
def var_dot(
    y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None,
    *, a_dot, mean_dot,
):  # fmt: skip
    """y_dot = 2 sum Re(conj(a - mean) (a_dot - mean_dot)) / (n - ddof)."""
    deviation = a - centre(a, axis, where, mean)
    count = reduced_count(a, axis, keepdims, where) - ddof
    products = np.real(np.conjugate(deviation) * a_dot)
    moved = np.real(np.conjugate(deviation) * mean_dot)
    return (
        2.0 * np.sum(products, axis=axis, keepdims=keepdims, where=where) / count,
        -2.0 * np.sum(moved, axis=axis, keepdims=keepdims, where=where) / count,
    )


@structural(
    np.std, holomorphic=False, optional=("mean",), aliases={"correction": "ddof"}, reduces=True
)
def std(
    y_bar, y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None
):
    """y = sqrt(var(a)), dy/da = (a - mean) / ((n - ddof) y); 0 where y is 0."""
    deviation = a - centre(a, axis, where, mean)
    count = reduced_count(a, axis, keepdims, where) - ddof
    share = y_bar / (np.where(y == 0.0, 1.0, y) * count)
    each = unreduce(share, a, axis, keepdims, where) * deviation
    return each, -unbroadcast(each, mean)


@tangent(np.std)
def std_dot(
    y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None,
    *, a_dot, mean_dot,
):  # fmt: skip
    """y_dot = sum Re(conj(a - mean) (a_dot - mean_dot)) / ((n - ddof) y)."""
    deviation = a - centre(a, axis, where, mean)
    count = reduced_count(a, axis, keepdims, where) - ddof
    products = np.real(np.conjugate(deviation) * a_dot)
    moved = np.real(np.conjugate(deviation) * mean_dot)
    scale = np.where(y == 0.0, 1.0, y) * count
    return (
        np.sum(products, axis=axis, keepdims=keepdims, where=where) / scale,
        -np.sum(moved, axis=axis, keepdims=keepdims, where=where) / scale,
    )


@structural(np.median, selects=True)
def median(y_bar, y, a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle entry, or half of each of the two middle entries."""
    return quantile_bar(y_bar, a, 0.5, axis, "linear", keepdims)


@tangent(np.median)
def median_dot(y, a, axis=None, out=None, overwrite_input=False, keepdims=False, *, a_dot):
    """The tangent of the middle entry, or the mean of two."""
    return quantile_dot(a_dot, a, 0.5, axis, "linear", keepdims)


@structural(np.quantile, selects=True)
def quantile(
    y_bar, y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False
):
    """A weighted mean of the two entries around rank q (n - 1)."""
    q_bar = quantile_rank_bar(y_bar, a, a, q, axis, method, keepdims, False)
    return quantile_bar(y_bar, a, q, axis, method, keepdims), q_bar


@tangent(np.quantile)
def quantile_dot_(
    y,
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    a_dot,
    q_dot,
):
    """The same weighted mean of the tangents."""
    moved = quantile_rank_dot(q_dot, a, a, q, axis, method, keepdims, False)
    return quantile_dot(a_dot, a, q, axis, method, keepdims), moved


@structural(np.percentile, selects=True)
def percentile(
    y_bar, y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False
):
    """The quantile at q / 100."""
    part = np.divide(q, 100.0)
    q_bar = quantile_rank_bar(y_bar, a, a, part, axis, method, keepdims, False) / 100.0
    return quantile_bar(y_bar, a, part, axis, method, keepdims), q_bar


@tangent(np.percentile)
def percentile_dot(
    y,
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    a_dot,
    q_dot,
):
    """The quantile's tangent at q / 100."""
    part = np.divide(q, 100.0)
    moved = quantile_rank_dot(q_dot / 100.0, a, a, part, axis, method, keepdims, False)
    return quantile_dot(a_dot, a, part, axis, method, keepdims), moved
