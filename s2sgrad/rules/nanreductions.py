"""Floor 2: rules of reductions that skip NaN: the plain rule over the entries that are numbers."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    expand_reduced,
    nancentre,
    nanquantile_bar,
    nanquantile_dot,
    products_of_others,
    quantile_rank_bar,
    quantile_rank_dot,
    reduced_count,
    tie_count,
    unaccumulate,
    unbroadcast,
    unreduce,
)


@structural(np.nansum, affine=("initial",), selects=True)
def nansum(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    """Each number adds with weight 1."""
    return unreduce(y_bar, a, axis, keepdims, ~np.isnan(a) & where)


@tangent(np.nansum)
def nansum_dot(
    y, a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True, *, a_dot
):
    """The sum of the tangents of numbers."""
    return np.sum(a_dot, axis=axis, keepdims=keepdims, where=~np.isnan(a) & where)


@structural(np.nanmean, selects=True)
def nanmean(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False, where=True):
    """Each number adds with weight 1 over the count of numbers."""
    numbers = ~np.isnan(a) & where
    return unreduce(y_bar / reduced_count(a, axis, keepdims, numbers), a, axis, keepdims, numbers)


@tangent(np.nanmean)
def nanmean_dot(y, a, axis=None, dtype=None, out=None, keepdims=False, where=True, *, a_dot):
    """The mean tangent of the numbers."""
    return np.mean(a_dot, axis=axis, keepdims=keepdims, where=~np.isnan(a) & where)


@structural(
    np.nanvar, holomorphic=False, selects=True, optional=("mean",),
    aliases={"correction": "ddof"},
)  # fmt: skip
def nanvar(
    y_bar, y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None
):
    """As np.var, over the numbers."""
    numbers = ~np.isnan(a) & where
    deviation = np.where(numbers, a, 0.0) - nancentre(a, axis, where, mean)
    share = 2.0 * y_bar / (reduced_count(a, axis, keepdims, numbers) - ddof)
    each = unreduce(share, a, axis, keepdims, numbers) * deviation
    return each, -unbroadcast(each, mean)


@tangent(np.nanvar)
def nanvar_dot(
    y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None,
    *, a_dot, mean_dot,
):  # fmt: skip
    """As np.var's tangent, over the numbers."""
    numbers = ~np.isnan(a) & where
    deviation = np.where(numbers, a, 0.0) - nancentre(a, axis, where, mean)
    products = np.real(np.conjugate(deviation) * a_dot)
    moved = np.real(np.conjugate(deviation) * mean_dot)
    count = reduced_count(a, axis, keepdims, numbers) - ddof
    return (
        2.0 * np.sum(products, axis=axis, keepdims=keepdims, where=numbers) / count,
        -2.0 * np.sum(moved, axis=axis, keepdims=keepdims, where=numbers) / count,
    )


@structural(
    np.nanstd, holomorphic=False, selects=True, optional=("mean",),
    aliases={"correction": "ddof"},
)  # fmt: skip
def nanstd(
    y_bar, y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None
):
    """As np.std, over the numbers."""
    numbers = ~np.isnan(a) & where
    deviation = np.where(numbers, a, 0.0) - nancentre(a, axis, where, mean)
    count = reduced_count(a, axis, keepdims, numbers) - ddof
    share = y_bar / (np.where(y == 0.0, 1.0, y) * count)
    each = unreduce(share, a, axis, keepdims, numbers) * deviation
    return each, -unbroadcast(each, mean)


@tangent(np.nanstd)
def nanstd_dot(
    y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None,
    *, a_dot, mean_dot,
):  # fmt: skip
    """As np.std's tangent, over the numbers."""
    numbers = ~np.isnan(a) & where
    deviation = np.where(numbers, a, 0.0) - nancentre(a, axis, where, mean)
    products = np.real(np.conjugate(deviation) * a_dot)
    moved = np.real(np.conjugate(deviation) * mean_dot)
    scale = np.where(y == 0.0, 1.0, y) * (reduced_count(a, axis, keepdims, numbers) - ddof)
    return (
        np.sum(products, axis=axis, keepdims=keepdims, where=numbers) / scale,
        -np.sum(moved, axis=axis, keepdims=keepdims, where=numbers) / scale,
    )


@structural(np.nanprod, selects=True)
def nanprod(y_bar, y, a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    """As np.prod, over the numbers."""
    numbers = ~np.isnan(a) & where
    others = products_of_others(a, axis, initial, numbers)
    return unreduce(y_bar, a, axis, keepdims, numbers) * others


@tangent(np.nanprod)
def nanprod_dot(
    y, a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True, *, a_dot
):
    """As np.prod's tangent, over the numbers."""
    numbers = ~np.isnan(a) & where
    others = products_of_others(a, axis, initial, numbers)
    return np.sum(others * a_dot, axis=axis, keepdims=keepdims, where=numbers)


@structural(np.nanmax, np.nanmin, selects=True)
def nanextremum(y_bar, y, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """The numbers that attain the extremum share the cotangent evenly."""
    attained = (a == expand_reduced(y, a, axis, keepdims)) & where
    share = expand_reduced(y_bar, a, axis, keepdims) / tie_count(attained, y, axis, initial)
    return np.where(attained, share, 0.0)


@tangent(np.nanmax, np.nanmin)
def nanextremum_dot(y, a, axis=None, out=None, keepdims=False, initial=None, where=True, *, a_dot):
    """The mean tangent of the numbers that attain the extremum."""
    attained = (a == expand_reduced(y, a, axis, keepdims)) & where
    chosen = np.where(attained, a_dot, 0.0)
    return np.sum(chosen / tie_count(attained, y, axis, initial), axis=axis, keepdims=keepdims)


@structural(np.nancumsum, selects=True)
def nancumsum(y_bar, y, a, axis=None, dtype=None, out=None):
    """A number adds to every later entry."""
    return np.where(np.isnan(a), 0.0, unaccumulate(y_bar, a, axis))


@tangent(np.nancumsum)
def nancumsum_dot(y, a, axis=None, dtype=None, out=None, *, a_dot):
    """The running sum of the tangents of numbers."""
    return np.cumsum(np.where(np.isnan(a), 0.0, a_dot), axis=axis)


@structural(np.nanmedian, selects=True)
def nanmedian(y_bar, y, a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle number, or half of each of the two middle numbers."""
    return nanquantile_bar(y_bar, a, 0.5, axis, "linear", keepdims)


@tangent(np.nanmedian)
def nanmedian_dot(y, a, axis=None, out=None, overwrite_input=False, keepdims=False, *, a_dot):
    """The tangent of the middle number, or the mean of two."""
    return nanquantile_dot(a_dot, a, 0.5, axis, "linear", keepdims)


@structural(np.nanquantile, selects=True)
def nanquantile(
    y_bar, y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False
):
    """np.quantile of the numbers of each slice."""
    q_bar = quantile_rank_bar(y_bar, a, a, q, axis, method, keepdims, True)
    return nanquantile_bar(y_bar, a, q, axis, method, keepdims), q_bar


@tangent(np.nanquantile)
def nanquantile_dot_(
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
    moved = quantile_rank_dot(q_dot, a, a, q, axis, method, keepdims, True)
    return nanquantile_dot(a_dot, a, q, axis, method, keepdims), moved


@structural(np.nanpercentile, selects=True)
def nanpercentile(
    y_bar, y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False
):
    """The quantile at q / 100."""
    part = np.divide(q, 100.0)
    q_bar = quantile_rank_bar(y_bar, a, a, part, axis, method, keepdims, True) / 100.0
    return nanquantile_bar(y_bar, a, part, axis, method, keepdims), q_bar


@tangent(np.nanpercentile)
def nanpercentile_dot(
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
    moved = quantile_rank_dot(q_dot / 100.0, a, a, part, axis, method, keepdims, True)
    return nanquantile_dot(a_dot, a, part, axis, method, keepdims), moved
