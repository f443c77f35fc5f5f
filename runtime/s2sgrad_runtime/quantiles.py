"""Quantiles as weighted sums: each `_bar` is the transpose of its `_dot`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad_runtime.shapes import Axis, normalize_axes, unreduce

__all__ = [
    "nanquantile_bar",
    "nanquantile_dot",
    "quantile_bar",
    "quantile_dot",
    "quantile_rank_bar",
    "quantile_rank_dot",
    "quantile_rise_bar",
    "quantile_weights",
    "weighted_places",
]

# Virtual rank of quantile q among n entries: n q + alpha + q (1 - alpha - beta) - 1
# (Hyndman and Fan, 1996).
_PLOTTING = {
    "linear": (1.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1.0 / 3.0, 1.0 / 3.0),
    "normal_unbiased": (3.0 / 8.0, 3.0 / 8.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
}
# Methods without a line between entries: how far the rank of the inverse goes up from n q - 1.
_STEPPING: dict[str, Callable[[Any], Any]] = {
    "inverted_cdf": np.ceil,
    "averaged_inverted_cdf": lambda rank: np.where(rank % 1 == 0.0, rank + 0.5, np.ceil(rank)),
    "closest_observation": lambda rank: (
        np.floor(rank + 0.5) - np.where((rank % 1 == 0.5) & (np.floor(rank) % 2 == 1), 1.0, 0.0)
    ),
}
_SNAPPING: dict[str, Callable[[float], Any]] = {
    "lower": np.floor,
    "higher": np.ceil,
    "nearest": np.rint,
    "midpoint": lambda rank: 0.5 * (np.floor(rank) + np.ceil(rank)),
}


def _rank(n: Any, q: float, method: str) -> Any:
    most = np.maximum(np.subtract(n, 1.0), 0.0)
    if method in _STEPPING:
        return np.clip(_STEPPING[method](n * q - 1.0), 0.0, most)
    if method not in _PLOTTING and method not in _SNAPPING:
        raise ValueError(f"no derivative for the quantile method '{method}'")
    alpha, beta = _PLOTTING.get(method, (1.0, 1.0))
    rank = n * q + (alpha + q * (1.0 - alpha - beta)) - 1.0
    rank = np.clip(rank, 0.0, most)
    return _SNAPPING[method](rank) if method in _SNAPPING else rank


def _rank_slope(n: Any, q: float, method: str) -> Any:
    """How fast the rank moves with q: not at all where it snaps to entries, or is cut off."""
    if method in _SNAPPING or method in _STEPPING:
        return np.zeros(np.shape(n))
    alpha, beta = _PLOTTING[method]
    slope = n + (1.0 - alpha - beta)
    rank = n * q + (alpha + q * (1.0 - alpha - beta)) - 1.0
    inside = (rank >= 0.0) & (rank <= np.maximum(np.subtract(n, 1.0), 0.0))
    return np.where(inside, slope, 0.0)


def quantile_weights(
    a: Any, q: float, axis: Axis = None, method: str = "linear", skip_nan: bool = False,
    rising: bool = False,
) -> Any:  # fmt: skip
    """How much each entry of a adds to `np.quantile(a, q, axis, method=method)`.

    The shape of a; at most two entries of each slice are not zero. `skip_nan`: the weights of
    `np.nanquantile`, where each slice has its own count. `rising`: the derivatives of the weights
    with respect to q.
    """
    axes = normalize_axes(axis, np.ndim(a))
    rest = tuple(i for i in range(np.ndim(a)) if i not in axes)
    moved = np.transpose(a, rest + axes)
    lead = moved.shape[: len(rest)]
    flat = np.reshape(moved, (*lead, math.prod(moved.shape[len(rest) :])))
    if flat.size == 0:
        return np.zeros_like(a)
    last = flat.shape[-1] - (np.sum(np.isnan(flat), axis=-1) if skip_nan else 0)
    rank = np.broadcast_to(_rank(last, float(q), method), flat.shape[:-1])[..., None]
    low = np.floor(rank).astype(np.intp)
    order = np.argsort(flat, axis=-1, stable=True)  # NaN comes last
    above = np.take_along_axis(order, np.minimum(low + 1, flat.shape[-1] - 1), axis=-1)
    below = np.take_along_axis(order, low, axis=-1)
    weights = np.zeros_like(flat)
    if rising:
        slope = np.broadcast_to(_rank_slope(last, float(q), method), flat.shape[:-1])[..., None]
        np.put_along_axis(weights, above, slope, axis=-1)
        np.put_along_axis(weights, below, np.where(above == below, 0.0, -slope), axis=-1)
    else:
        np.put_along_axis(weights, above, rank - low, axis=-1)
        np.put_along_axis(weights, below, 1.0 - (rank - low), axis=-1)
    return np.transpose(np.reshape(weights, moved.shape), np.argsort(rest + axes))


def quantile_bar(
    y_bar: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool = False
) -> Any:
    """Cotangent of a in `np.quantile(a, q, axis, ...)`: the transpose of `quantile_dot`."""
    return _weighted_bar(y_bar, a, q, axis, method, keepdims, False)


def quantile_dot(
    a_dot: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool = False
) -> Any:
    """Tangent of `np.quantile(a, q, axis, ...)`: the transpose of `quantile_bar`."""
    return _weighted_dot(a_dot, a, q, axis, method, keepdims, False)


def nanquantile_bar(
    y_bar: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool = False
) -> Any:
    """Cotangent of a in `np.nanquantile(a, q, axis, ...)`: the transpose of `nanquantile_dot`."""
    return _weighted_bar(y_bar, a, q, axis, method, keepdims, True)


def nanquantile_dot(
    a_dot: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool = False
) -> Any:
    """Tangent of `np.nanquantile(a, q, axis, ...)`: the transpose of `nanquantile_bar`."""
    return _weighted_dot(a_dot, a, q, axis, method, keepdims, True)


# --- by q: <y_bar, rate times the sum of the weights' slopes times z> in each of its three -----
def quantile_rank_dot(
    rate: Any, z: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool, skip_nan: bool
) -> Any:
    """How a quantile of z, with the order of a, changes with q."""
    rise = _weighted_dot(z, a, q, axis, method, keepdims, skip_nan, True)
    return rise * np.reshape(rate, np.shape(q) + (1,) * (np.ndim(rise) - np.ndim(q)))


def quantile_rank_bar(
    y_bar: Any, z: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool, skip_nan: bool
) -> Any:
    """Cotangent of q in a quantile of z, with the order of a."""
    rise = _weighted_dot(z, a, q, axis, method, keepdims, skip_nan, True)
    return np.sum(y_bar * rise, axis=tuple(range(np.ndim(q), np.ndim(rise))))


def quantile_rise_bar(
    y_bar: Any, rate: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool, skip_nan: bool
) -> Any:
    """Cotangent of z in `quantile_rank_dot`."""
    bars = y_bar * np.reshape(rate, np.shape(q) + (1,) * (np.ndim(y_bar) - np.ndim(q)))
    return _weighted_bar(bars, a, q, axis, method, keepdims, skip_nan, True)


def _weighted_bar(
    y_bar: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool, skip_nan: bool,
    rising: bool = False,
) -> Any:  # fmt: skip
    if np.ndim(q) == 0:
        weights = quantile_weights(a, q, axis, method, skip_nan, rising)
        return np.where(weights == 0.0, 0.0, unreduce(y_bar, a, axis, keepdims) * weights)
    bars = np.reshape(y_bar, (np.size(q), *np.shape(y_bar)[np.ndim(q) :]))
    total = np.zeros(np.shape(a), np.asarray(y_bar).dtype)
    for one_bar, one in zip(bars, np.ravel(q), strict=True):
        total = total + _weighted_bar(one_bar, a, one, axis, method, keepdims, skip_nan, rising)
    return total


def _weighted_dot(
    a_dot: Any, a: Any, q: Any, axis: Axis, method: str, keepdims: bool, skip_nan: bool,
    rising: bool = False,
) -> Any:  # fmt: skip
    if np.ndim(q) == 0:
        weights = quantile_weights(a, q, axis, method, skip_nan, rising)
        return np.sum(np.where(weights == 0.0, 0.0, weights * a_dot), axis=axis, keepdims=keepdims)
    rows = [
        _weighted_dot(a_dot, a, one, axis, method, keepdims, skip_nan, rising)
        for one in np.ravel(q)
    ]
    return np.reshape(np.stack(rows), (*np.shape(q), *np.shape(rows[0])))


def weighted_places(
    a: Any, q: Any, axis: Axis, method: str, keepdims: bool, weights: Any, skip_nan: bool
) -> Any:
    """Which entry of np.ravel(a) each of `np.quantile(a, q, axis, weights=weights)` is."""
    a, weights = np.asarray(a), np.asarray(weights)
    if weights.shape != a.shape:
        along = normalize_axes(axis, a.ndim)
        sizes = [n if i in along else 1 for i, n in enumerate(a.shape)]
        weights = np.broadcast_to(np.reshape(weights, sizes), a.shape)
    order, ranks = np.argsort(a, axis=None, stable=True), np.empty(a.size)
    ranks[order] = np.arange(a.size)
    ranks = np.where(np.isnan(a), np.nan, np.reshape(ranks, a.shape))
    quantile: Any = np.nanquantile if skip_nan else np.quantile
    found = quantile(ranks, q, axis=axis, method=method, keepdims=keepdims, weights=weights)
    places = order[np.nan_to_num(found).astype(np.intp)]
    return np.where(np.isnan(found), order[-1], places)  # NaN comes last
