"""Cotangents for scipy.integrate's sums of samples and scipy.fft's real transforms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.fft import fft_axes, fit_axes
from s2sgrad_runtime.scipy_helpers import (
    scipy_cumulative_trapezoid,
    scipy_dct,
    scipy_decimate,
    scipy_dst,
    scipy_filtfilt,
    scipy_idct,
    scipy_idst,
    scipy_resample,
    scipy_resample_poly,
    scipy_savgol_filter,
    scipy_sosfilt,
    scipy_sosfiltfilt,
)
from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "cosine_n_pullback",
    "cosine_pullback",
    "cumulative_trapezoid_bar_points",
    "cumulative_trapezoid_dot_points",
    "cumulative_trapezoid_pullback",
    "decimate_rows",
    "filtfilt_rows",
    "first_left_out",
    "first_put_in",
    "linear_map_pullback",
    "linear_sum_pullback",
    "mean_ends",
    "plain_cosine_pullback",
    "resample_poly_rows",
    "resample_rows",
    "savgol_rows",
    "scaled_rows",
    "segment_pullback",
    "segment_steps",
    "shaped_along",
    "sosfilt_rows",
    "sosfiltfilt_rows",
    "spread_ends",
    "unit_map_pullback",
]


def shaped_along(v: Any, ndim: int, axis: int) -> Any:
    """A vector as an array that broadcasts along `axis`; anything else as it is."""
    if np.ndim(v) != 1 or ndim == 1:
        return v
    return np.reshape(v, [-1 if k == axis % ndim else 1 for k in range(ndim)])


@shape_only(1)
def linear_sum_pullback(
    y_bar: Any, f: Any, rule: Callable[..., Any], axis: int, **steps: Any
) -> Any:
    """Cotangent of f in a weighted sum along `axis`, whose weights are read off the unit vectors.

    Sample points may have the axes of f.
    """
    weights = applied_to_units(f, rule, axis, steps)
    if np.ndim(weights) > 1:
        return np.expand_dims(y_bar, axis) * np.moveaxis(weights, -1, axis)
    return np.expand_dims(y_bar, axis) * shaped_along(weights, np.ndim(f), axis)


@shape_only(1)
def linear_map_pullback(
    y_bar: Any, f: Any, rule: Callable[..., Any], axis: int, **steps: Any
) -> Any:
    """Cotangent of f in a linear map along `axis`, whose matrix is read off the unit vectors."""
    matrix = applied_to_units(f, rule, axis, steps)
    rows = np.moveaxis(y_bar, axis, -1)
    if np.ndim(matrix) > 2:
        return np.moveaxis(np.squeeze(matrix @ rows[..., None], -1), -1, axis)
    return np.moveaxis(rows @ np.transpose(matrix), -1, axis)


def applied_to_units(f: Any, rule: Any, axis: int, steps: Any) -> Any:
    """What a rule for samples along `axis` makes of each unit vector, in the first axis (behind the
    other axes of f, where the sample points have those)."""
    units, points = np.eye(np.shape(f)[axis]), steps.get("x", 0.0)
    if np.ndim(points) > 1:
        rows = np.moveaxis(points, axis, -1)[..., None, :]
        units = np.broadcast_to(units, (*np.shape(rows)[:-2], *units.shape))
        steps = {**steps, "x": np.broadcast_to(rows, units.shape)}
    return rule(units, axis=-1, **steps)


def first_left_out(y_bar: Any, axis: int, initial: Any) -> Any:
    """The cotangent of what follows an initial value along `axis`, if there is one."""
    return y_bar if initial is None else np.moveaxis(np.moveaxis(y_bar, axis, 0)[1:], 0, axis)


def first_put_in(found: Any, axis: int, initial: Any) -> Any:
    """A tangent behind that of a constant initial value, if there is one: the transpose."""
    if initial is None:
        return found
    rows = np.moveaxis(found, axis, 0)
    return np.moveaxis(np.concatenate([np.zeros_like(rows[:1]), rows]), 0, axis)


@shape_only(1)
def unit_map_pullback(
    y_bar: Any, f: Any, map_last: Callable[..., Any], axis: int, *settings: Any
) -> Any:
    """Cotangent of f in a linear filter along `axis`; map_last(rows, *settings) filters rows."""
    matrix = map_last(np.eye(np.shape(f)[axis]), *settings)
    rows = np.moveaxis(y_bar, axis, -1)
    return np.moveaxis(rows @ np.transpose(matrix), -1, axis)


def savgol_rows(a: Any, *settings: Any) -> Any:
    """scipy.signal.savgol_filter over the last axis, `cval` being 0."""
    window, order, deriv, delta, mode = settings
    return scipy_savgol_filter(a, window, order, deriv, delta, -1, mode, 0.0)


def filtfilt_rows(a: Any, *settings: Any) -> Any:
    """scipy.signal.filtfilt over the last axis."""
    b, denominator, padtype, padlen, method, irlen = settings
    return scipy_filtfilt(b, denominator, a, -1, padtype, padlen, method, irlen)


def sosfilt_rows(a: Any, sos: Any) -> Any:
    """scipy.signal.sosfilt over the last axis."""
    return scipy_sosfilt(sos, a, -1)


def sosfiltfilt_rows(a: Any, sos: Any, padtype: Any, padlen: Any) -> Any:
    """scipy.signal.sosfiltfilt over the last axis."""
    return scipy_sosfiltfilt(sos, a, -1, padtype, padlen)


def resample_rows(a: Any, num: int, window: Any, domain: str) -> Any:
    """scipy.signal.resample over the last axis."""
    return scipy_resample(a, num, axis=-1, window=window, domain=domain)


def resample_poly_rows(a: Any, up: int, down: int, window: Any, padtype: str) -> Any:
    """scipy.signal.resample_poly over the last axis."""
    return scipy_resample_poly(a, up, down, -1, window, padtype)


def decimate_rows(a: Any, q: int, n: Any, ftype: Any, zero_phase: bool) -> Any:
    """scipy.signal.decimate over the last axis."""
    return scipy_decimate(a, q, n, ftype, -1, zero_phase)


def segment_pullback(y_bar: Any, axis: int, initial: Any) -> Any:
    """Cotangent of each segment's area in a cumulative sum: the sums of y_bar from there on."""
    rows = np.moveaxis(y_bar, axis, 0)
    rows = rows if initial is None else rows[1:]
    return np.moveaxis(np.flip(np.cumsum(np.flip(rows, 0), axis=0), 0), 0, axis)


def segment_steps(x: Any, dx: Any, ndim: int, axis: int) -> Any:
    """The length of each segment, so that it broadcasts against the samples."""
    if x is None:
        return dx
    return shaped_along(np.diff(x), ndim, axis) if np.ndim(x) == 1 else np.diff(x, axis=axis)


def spread_ends(s_bar: Any, axis: int, sign: float) -> Any:
    """Each segment's cotangent to its right end, and `sign` times it to its left end."""
    rows = np.moveaxis(s_bar, axis, 0)
    none = np.zeros_like(rows[:1])
    both = np.concatenate([none, rows]) + sign * np.concatenate([rows, none])
    return np.moveaxis(both, 0, axis)


@shape_only(1)
def cumulative_trapezoid_pullback(
    y_bar: Any, f: Any, x: Any, dx: Any, axis: int, initial: Any
) -> Any:
    """Cotangent of the samples f in scipy.integrate.cumulative_trapezoid."""
    areas = 0.5 * segment_pullback(y_bar, axis, initial) * segment_steps(x, dx, np.ndim(f), axis)
    return spread_ends(areas, axis, 1.0)


def mean_ends(f: Any, axis: int) -> Any:
    """The mean of the samples at both ends of each segment."""
    rows = np.moveaxis(f, axis, 0)
    return np.moveaxis(0.5 * (rows[1:] + rows[:-1]), 0, axis)


def cumulative_trapezoid_bar_points(y_bar: Any, f: Any, x: Any, axis: int, initial: Any) -> Any:
    """Cotangent of the sample points x in scipy.integrate.cumulative_trapezoid."""
    s_bar = segment_pullback(y_bar, axis, initial) * mean_ends(f, axis)
    x_bar = spread_ends(s_bar, axis, -1.0)
    if np.ndim(x) == np.ndim(f):
        return unbroadcast(x_bar, x)
    return np.sum(np.moveaxis(x_bar, axis, -1), axis=tuple(range(np.ndim(f) - 1)))


def cumulative_trapezoid_dot_points(x_dot: Any, f: Any, axis: int, initial: Any) -> Any:
    """Tangent of scipy.integrate.cumulative_trapezoid along x_dot."""
    return scipy_cumulative_trapezoid(f, x_dot, axis=axis, initial=initial)


def scaled_rows(a: Any, axis: int, first: float = 1.0, last: float = 1.0) -> Any:
    """a with its first and last entries along `axis` multiplied."""
    weights = np.ones(np.shape(a)[axis], a.dtype)
    weights[0] *= first
    weights[-1] *= last
    return a * shaped_along(weights, np.ndim(a), axis)


@shape_only(1)
def cosine_pullback(
    y_bar: Any,
    x: Any,
    type: int,
    axis: int,
    norm: Any,
    inverse: bool,
    sine: bool,
    whole: Any = None,
) -> Any:
    """Cotangent of x in scipy.fft.dct, dst (or their inverses). whole: SciPy's `orthogonalize`.

    The orthonormal transforms of type 2, 3 and 4 are inverted by their transposes. The plain
    ones of types 2 and 3 are transposes of each other but for one end, which counts twice.
    """
    kind = {2: 3, 3: 2}.get(type, type) if inverse else type
    forward, backward = (scipy_dst, scipy_idst) if sine else (scipy_dct, scipy_idct)
    whole = norm == "ortho" if whole is None else bool(whole)
    if norm == "ortho" and whole:
        return fit_axes(backward(y_bar, kind, axis=axis, norm="ortho"), x, (axis,))
    n = np.shape(y_bar)[axis]
    period = 2 * (n + (1 if sine else -1)) if kind == 1 else 2 * n
    size = y_bar / np.sqrt(period) if norm == "ortho" else y_bar
    scaled = norm != "ortho" and (norm == "forward") != inverse
    size = size / period if scaled else size
    before, after = end_factors(kind, sine) if whole else ({}, {})
    found = plain_cosine_pullback(scaled_rows(size, axis, **after), kind, axis, forward, sine)
    return fit_axes(scaled_rows(found, axis, **before), x, (axis,))


def end_factors(kind: int, sine: bool) -> tuple[dict[str, float], dict[str, float]]:
    """What `orthogonalize` multiplies the ends of a transform's input and output by."""
    root, end = math.sqrt(2.0), "last" if sine else "first"
    if kind == 1 and not sine:
        return {"first": root, "last": root}, {"first": 1.0 / root, "last": 1.0 / root}
    return ({end: root} if kind == 3 else {}), ({end: 1.0 / root} if kind == 2 else {})


def plain_cosine_pullback(
    y_bar: Any, kind: int, axis: int, forward: Callable[..., Any], sine: bool
) -> Any:
    """The transpose of the unscaled transform of that kind."""
    if kind == 4 or (kind == 1 and sine):
        return forward(y_bar, kind, axis=axis)
    if kind == 1:
        ends = forward(scaled_rows(y_bar, axis, 2.0, 2.0), 1, axis=axis)
        return scaled_rows(ends, axis, 0.5, 0.5)
    end = {"first": 1.0, "last": 2.0} if sine else {"first": 2.0, "last": 1.0}
    if kind == 2:
        return forward(scaled_rows(y_bar, axis, **end), 3, axis=axis)
    back = {key: 1.0 / value for key, value in end.items()}
    return scaled_rows(forward(y_bar, 2, axis=axis), axis, **back)


@shape_only(1)
def cosine_n_pullback(
    y_bar: Any, x: Any, type: int, s: Any, axes: Any, norm: Any, inverse: bool, sine: bool,
    whole: Any = None,
) -> Any:  # fmt: skip
    """Cotangent of x in scipy.fft.dctn, dstn (or their inverses)."""
    over = fft_axes(x, s, axes)
    for axis in over:
        y_bar = cosine_pullback(y_bar, x, type, axis, norm, inverse, sine, whole)
    return y_bar
