"""What the rules of reductions, running sums and sorting need."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.shapes import Axis, expand_reduced, normalize_axes, unreduce

__all__ = [
    "average_bar_weights",
    "average_dot_weights",
    "centre",
    "cumprod_bar",
    "cumprod_bar_dot",
    "cumprod_dot",
    "cumulative_bar",
    "cumulative_product_bar",
    "cumulative_product_dot",
    "ediff1d_bar",
    "ediff1d_dot",
    "entry_bars",
    "gather_weights",
    "nancentre",
    "reduced_last",
    "running",
    "running_bar",
    "spread_weights",
    "take_rank",
    "tie_count",
    "unaccumulate",
    "unaverage",
    "unaverage_dot_weights",
    "undiff",
    "unpartition",
    "unrunning",
    "unsort",
]

SHORT = 16  # rows that are quicker one by one


@shape_only(1)
def centre(a: Any, axis: Axis = None, where: Any = True, mean: Any = None) -> Any:
    """The mean that deviations are taken from: that of a, unless another is given."""
    return np.mean(a, axis=axis, keepdims=True, where=where) if mean is None else mean


@shape_only(1)
def nancentre(a: Any, axis: Axis = None, where: Any = True, mean: Any = None) -> Any:
    """As `centre`, for the numbers among the entries."""
    return np.nanmean(a, axis=axis, keepdims=True, where=where) if mean is None else mean


def tie_count(attained: Any, like: Any, axis: Axis = None, initial: Any = None) -> Any:
    """How many entries of a mask hold along `axis`, at least 1, with the axis kept.

    There may be none where `initial` is given, which no entry may attain. Counted in the float
    type of `like`, so that dividing by it keeps single precision.
    """
    kind = np.result_type(np.asarray(like).dtype, np.float32)
    return np.maximum(np.sum(attained, axis=axis, dtype=kind, keepdims=True), 1)


@shape_only(1)
def unaverage(
    y_bar: Any, a: Any, axis: Axis = None, weights: Any = None, keepdims: bool = False
) -> Any:
    """The transpose of `np.average(a, axis, weights=weights)`, in the shape of a."""
    spread = unreduce(y_bar, a, axis, keepdims)
    if weights is None:
        weights = np.ones(np.shape(a), np.asarray(y_bar).dtype)
    weights = spread_weights(weights, a, axis)
    return spread * (weights / np.sum(weights, axis=axis, keepdims=True))


@shape_only(1)
def spread_weights(weights: Any, a: Any, axis: Axis = None) -> Any:
    """The weights of `np.average(a, axis)` (perhaps of its axes alone), one for each entry."""
    if np.shape(weights) == np.shape(a):
        return weights
    rest, order = _axes_of_weights(axis, np.ndim(a))
    ordered = np.transpose(weights, np.argsort(order))
    return np.broadcast_to(np.expand_dims(ordered, rest), np.shape(a))


@shape_only(1)
def gather_weights(entries: Any, weights: Any, axis: Axis = None) -> Any:
    """The transpose of `spread_weights`: the sum over the axes that the weights do not have."""
    if np.shape(weights) == np.shape(entries):
        return entries
    rest, order = _axes_of_weights(axis, np.ndim(entries))
    return np.transpose(np.sum(entries, axis=rest), np.argsort(np.argsort(order)))


def _axes_of_weights(axis: Axis, ndim: int) -> tuple[tuple[int, ...], list[int]]:
    """The axes that are not averaged, and those that are in the order in which they were named."""
    order = [i % ndim for i in (axis if isinstance(axis, tuple) else (axis or 0,))]
    return tuple(i for i in range(ndim) if i not in order), order


def average_bar_weights(
    y_bar: Any, y: Any, a: Any, axis: Axis, weights: Any, keepdims: bool = False
) -> Any:
    """Cotangent of the weights in y = np.average(a, axis, weights): (a - y) over their sum."""
    total = np.sum(spread_weights(weights, a, axis), axis=axis, keepdims=True)
    change = expand_reduced(y_bar, a, axis, keepdims) * (a - expand_reduced(y, a, axis, keepdims))
    return gather_weights(change / total, weights, axis)


def average_dot_weights(
    weights_dot: Any, y: Any, a: Any, axis: Axis, weights: Any, keepdims: bool = False
) -> Any:
    """The transpose of `average_bar_weights`."""
    total = np.sum(spread_weights(weights, a, axis), axis=axis, keepdims=keepdims)
    change = spread_weights(weights_dot, a, axis) * (a - expand_reduced(y, a, axis, keepdims))
    return np.sum(change, axis=axis, keepdims=keepdims) / total


def unaverage_dot_weights(
    weights_dot: Any, z: Any, a: Any, axis: Axis, weights: Any, keepdims: bool = False
) -> Any:
    """The tangent of `unaverage(z, a, axis, weights, keepdims)` along weights_dot."""
    full, full_dot = spread_weights(weights, a, axis), spread_weights(weights_dot, a, axis)
    total = np.sum(full, axis=axis, keepdims=True)
    share_dot = full_dot - full * np.sum(full_dot, axis=axis, keepdims=True) / total
    return unreduce(z, a, axis, keepdims) * share_dot / total


def reduced_last(axis: Axis, ndim: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The order of axes with those of `axis` last, the order back, and how many stand before."""
    axes = normalize_axes(axis, ndim)
    rest = tuple(i for i in range(ndim) if i not in axes)
    back = tuple(int(i) for i in np.argsort(rest + axes))
    return rest + axes, back, len(rest)


@shape_only(1)
def entry_bars(y_bar: Any, numbers: Any) -> Any:
    """Cotangents of a sequence of numbers in its sum: a list, or an array for an array."""
    if isinstance(numbers, np.ndarray):
        return np.full(numbers.shape, y_bar)
    return [y_bar] * len(numbers)


@shape_only(1)
def unaccumulate(y_bar: Any, a: Any, axis: int | None = None) -> Any:
    """The transpose of `np.cumsum(a, axis)`: a running sum from the end."""
    if axis is None or np.ndim(a) == 0:
        return np.reshape(np.cumsum(y_bar[::-1])[::-1], np.shape(a))
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


def _without_first(y_bar: Any, axis: int | None) -> Any:
    return y_bar[(slice(None),) * ((0 if axis is None else axis) % y_bar.ndim) + (slice(1, None),)]


@shape_only(1)
def cumulative_bar(y_bar: Any, x: Any, axis: int | None, include_initial: bool) -> Any:
    """The transpose of `np.cumulative_sum(x)`: drops the cotangent of the leading zero."""
    if isinstance(axis, tuple):  # of one, as accumulations take it
        axis = axis[0]
    if include_initial:
        y_bar = _without_first(y_bar, axis)
    return unaccumulate(y_bar, x, axis)


def running(c: Any, a: Any) -> Any:
    """r_i = c_i + a_i r_{i-1} along the first axis, from r_{-1} = 0; c and a have one shape.

    In rounds that double how many steps each entry has behind it; one by one where products of
    many entries overflow.
    """
    total, factor, done = c, a, 1
    if len(c) > SHORT:
        with np.errstate(over="ignore", invalid="ignore"):
            while done < len(c):
                total = np.concatenate((total[:done], total[done:] + factor[done:] * total[:-done]))
                factor = np.concatenate((factor[:done], factor[done:] * factor[:-done]))
                done *= 2
        if np.all(np.isfinite(total)):
            return total
    found = [*c[:1]]
    for i in range(1, len(c)):
        found.append(c[i] + a[i] * found[-1])
    return np.stack(found) if found else c


def running_bar(y_bar: Any, y: Any, a: Any) -> Any:
    """Cotangent of a in `y = running(c, a)`."""
    before = np.concatenate((np.zeros_like(y[:1]), y[:-1]), axis=0)
    return before * unrunning(y_bar, a, 0)


def cumprod_bar(y_bar: Any, a: Any, axis: int | None = None) -> Any:
    """Cotangent of a in `y = np.cumprod(a, axis)`, exact with zeros.

    r_i = y_bar_i + a_{i+1} r_{i+1} from the end, and a_bar_i = y_{i-1} r_i.
    """
    if axis is None or np.ndim(a) == 0:
        return np.reshape(cumprod_bar(y_bar, np.ravel(a), 0), np.shape(a))
    return np.moveaxis(_products_before(a, axis) * unrunning(y_bar, a, axis), 0, axis)


def cumprod_dot(a_dot: Any, a: Any, axis: int | None = None) -> Any:
    """Tangent of `np.cumprod(a, axis)`: the transpose of `cumprod_bar`."""
    if axis is None or np.ndim(a) == 0:
        return cumprod_dot(np.ravel(a_dot), np.ravel(a), 0)
    rows, dots = np.moveaxis(a, axis, 0), np.moveaxis(a_dot, axis, 0)
    return np.moveaxis(running(_products_before(a, axis) * dots, rows), 0, axis)


def cumprod_bar_dot(a_dot: Any, y_bar: Any, a: Any, axis: int | None = None) -> Any:
    """Tangent of `cumprod_bar(y_bar, a, axis)` along a_dot; its own transpose, as all second
    derivatives of a sum are."""
    if axis is None or np.ndim(a) == 0:
        flat = cumprod_bar_dot(np.ravel(a_dot), np.ravel(y_bar), np.ravel(a), 0)
        return np.reshape(flat, np.shape(a))
    rows, dots = np.moveaxis(a, axis, 0), np.moveaxis(a_dot, axis, 0)
    later = unrunning(y_bar, a, axis)
    before_dot = np.concatenate(
        (np.zeros_like(dots[:1]), cumprod_dot(dots[:-1], rows[:-1], 0)), axis=0
    )
    moved = np.concatenate((dots[1:] * later[1:], np.zeros_like(later[:1])), axis=0)
    later_dot = unrunning(moved, rows, 0)
    return np.moveaxis(before_dot * later + _products_before(a, axis) * later_dot, 0, axis)


def _products_before(a: Any, axis: int) -> Any:
    """For every entry the product of those before it, with the axis in front."""
    rows = np.moveaxis(a, axis, 0)
    return np.concatenate((np.ones_like(rows[:1]), np.cumprod(rows[:-1], axis=0)), axis=0)


def unrunning(y_bar: Any, a: Any, axis: int) -> Any:
    """r_i = y_bar_i + a_{i+1} r_{i+1} from the end, with the axis in front."""
    rows, bars = np.moveaxis(a, axis, 0), np.moveaxis(y_bar, axis, 0)
    later = np.concatenate((rows[1:], np.ones_like(rows[:1])), axis=0)
    return np.flip(running(np.flip(bars, 0), np.flip(later, 0)), 0)


def cumulative_product_bar(y_bar: Any, x: Any, axis: int | None, include_initial: bool) -> Any:
    """Cotangent of x in `np.cumulative_prod(x)`; the leading one is a constant."""
    if include_initial:
        y_bar = _without_first(y_bar, axis)
    return cumprod_bar(y_bar, x, axis)


def cumulative_product_dot(x_dot: Any, x: Any, axis: int | None, include_initial: bool) -> Any:
    """Tangent of `np.cumulative_prod(x)`: the transpose of `cumulative_product_bar`."""
    found = cumprod_dot(x_dot, x, axis)
    if not include_initial:
        return found
    along = 0 if axis is None else axis % found.ndim
    shape = (*found.shape[:along], 1, *found.shape[along + 1 :])
    return np.concatenate((np.zeros(shape, found.dtype), found), axis=along)


@shape_only(1)
def undiff(y_bar: Any, a: Any, n: int = 1, axis: int = -1) -> Any:
    """The transpose of `np.diff(a, n, axis)`: differences of the zero-padded cotangent."""
    axis = axis % y_bar.ndim
    if y_bar.shape[axis] == 0:
        return np.zeros(np.shape(a), y_bar.dtype)
    shape = (*y_bar.shape[:axis], 1, *y_bar.shape[axis + 1 :])
    edge = np.zeros(shape, y_bar.dtype)
    for _ in range(n):
        y_bar = -np.diff(np.concatenate((edge, y_bar, edge), axis=axis), axis=axis)
    return y_bar


@shape_only(1, 2, 3)
def ediff1d_bar(y_bar: Any, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The transpose of `np.ediff1d(ary, to_end, to_begin)` in ary."""
    start = 0 if to_begin is None else np.size(to_begin)
    inner = y_bar[start : start + np.size(ary) - 1]
    return (
        np.reshape(undiff(inner, np.ravel(ary)), np.shape(ary))
        if np.size(ary) > 1
        else np.zeros_like(ary)
    )


@shape_only(1, 2)
def ediff1d_dot(ary_dot: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Tangent of `np.ediff1d(ary, to_end, to_begin)`: the transpose of `ediff1d_bar`."""
    kind = np.asarray(ary_dot).dtype
    end = np.zeros(0 if to_end is None else np.size(to_end), kind)
    begin = np.zeros(0 if to_begin is None else np.size(to_begin), kind)
    return np.ediff1d(ary_dot, end, begin)


def unsort(y_bar: Any, a: Any, axis: int | None = -1) -> Any:
    """The transpose of `np.sort(a, axis)`: back to where each entry came from."""
    order = np.argsort(a, axis=axis, stable=True)
    return _permute_back(y_bar, order, np.shape(a), axis)


def unpartition(y_bar: Any, a: Any, kth: Any, axis: int | None = -1) -> Any:
    """The transpose of `np.partition(a, kth, axis)`."""
    return _permute_back(y_bar, np.argpartition(a, kth, axis=axis), np.shape(a), axis)


def take_rank(a_dot: Any, a: Any, kth: Any, axis: int | None = -1) -> Any:
    """`a_dot` in the order of `np.partition(a, kth, axis)`: the transpose of `unpartition`."""
    return np.take_along_axis(a_dot, np.argpartition(a, kth, axis=axis), axis=axis)


def _permute_back(y_bar: Any, order: Any, shape: tuple[int, ...], axis: int | None) -> Any:
    if axis is None:
        return np.reshape(y_bar[np.argsort(order)], shape)
    return np.take_along_axis(y_bar, np.argsort(order, axis=axis), axis=axis)
