"""Transposes of difference quotients, interpolation, integrals and convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.shapes import normalize_axes, unbroadcast

__all__ = [
    "convolve_bar_left",
    "convolve_bar_right",
    "correlate_bar_left",
    "correlate_bar_right",
    "gradient_bar",
    "interp_points",
    "interp_points_bar",
    "interp_slope",
    "interp_slope_bar",
    "linspace_share",
    "trapezoid_dx_bar",
    "trapezoid_dx_dot",
    "trapezoid_weights",
    "trapezoid_x_bar",
]


@shape_only(1)
def gradient_bar(
    y_bar: Any, f: Any, spacings: tuple[Any, ...], axis: Any = None, edge_order: int = 1
) -> Any:
    """The transpose of `np.gradient(f, *spacings, axis, edge_order)`."""
    axes = normalize_axes(None, np.ndim(f)) if axis is None else axis
    axes = tuple(a % np.ndim(f) for a in (axes if isinstance(axes, tuple) else (axes,)))
    bars = (y_bar,) if len(axes) == 1 else y_bar
    if len(spacings) == 0:
        spacings = (1.0,)
    if len(spacings) == 1:
        spacings = spacings * len(axes)
    total: Any = 0.0
    for bar, along, spacing in zip(bars, axes, spacings, strict=True):
        total = total + _gradient_bar_along(bar, along, spacing, edge_order)
    return total


def _gradient_bar_along(y_bar: Any, axis: int, spacing: Any, edge_order: int) -> Any:
    """One axis: entry i of the gradient reads three neighbours, with the weights of each."""
    rows = np.moveaxis(y_bar, axis, 0)
    count = len(rows)
    first, weights = _difference_weights(count, spacing, edge_order)
    shape = (count,) + (1,) * (rows.ndim - 1)
    f_bar = np.zeros_like(rows)
    for k in range(weights.shape[1]):
        column = weights[:, k].astype(rows.real.dtype, copy=False)
        np.add.at(f_bar, first + k, rows * np.reshape(column, shape))
    return np.moveaxis(f_bar, 0, axis)


def _difference_weights(count: int, spacing: Any, edge_order: int) -> tuple[Any, Any]:
    """First entry read by each row of the difference matrix, and its weights (count, width)."""
    width = min(3, count)
    first = np.clip(np.arange(count) - 1, 0, count - width)
    if np.ndim(spacing) == 0:
        steps = np.full(count - 1, float(spacing))
    else:
        steps = np.diff(np.asarray(spacing, float))
    if count <= 2 * width:
        matrix = _difference_matrix(steps, edge_order)
        columns = first[:, None] + np.arange(width)
        return first, np.take_along_axis(matrix, columns, axis=1)
    left, right = steps[:-1], steps[1:]
    weights = np.zeros((count, 3))
    weights[1:-1, 0] = -right / (left * (left + right))
    weights[1:-1, 1] = (right - left) / (left * right)
    weights[1:-1, 2] = left / (right * (left + right))
    weights[0] = _difference_matrix(steps[:2], edge_order)[0]
    weights[-1] = _difference_matrix(steps[-2:], edge_order)[-1]
    return first, weights


def _difference_matrix(steps: Any, edge_order: int) -> Any:
    """The matrix of `np.gradient` for points that lie `steps` apart."""
    points: Any = np.concatenate(([0.0], np.cumsum(steps)))
    order: Any = edge_order
    return np.gradient(np.eye(len(points)), points, axis=0, edge_order=order)


@shape_only(0)
def trapezoid_weights(f: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The weight of each entry of f in `np.trapezoid(f, x, dx, axis)`; broadcasts against f."""
    count, ndim = np.shape(f)[axis], np.ndim(f)
    along = axis % ndim
    before = (slice(None),) * along
    if x is None or np.ndim(x) <= 1:
        shape = [1] * ndim
        shape[along] = max(count - 1, 0)
        steps = np.full(shape, 1.0) * dx if x is None else np.reshape(np.diff(x), shape)
    else:
        steps = np.diff(x, axis=axis)
        steps = np.broadcast_to(steps, (*np.shape(f)[:along], count - 1, *np.shape(f)[along + 1 :]))
    edge = np.zeros_like(steps[(*before, slice(0, 1))])
    if count == 0:
        return np.zeros(np.shape(f))
    if count == 1:
        return np.zeros(np.shape(f), steps.dtype)
    return 0.5 * (
        np.concatenate((steps, edge), axis=along) + np.concatenate((edge, steps), axis=along)
    )


@shape_only(2, 3)
def trapezoid_dx_bar(y_bar: Any, f: Any, x: Any, dx: Any, axis: int = -1) -> Any:
    """Cotangent of dx in `np.trapezoid(f, x, dx, axis)`: 0 where x is given instead."""
    if x is not None:
        return np.zeros(np.shape(dx), np.asarray(y_bar).dtype)
    return unbroadcast(y_bar * np.trapezoid(f, axis=axis), dx)


@shape_only(2)
def trapezoid_dx_dot(dx_dot: Any, f: Any, x: Any, axis: int = -1) -> Any:
    """Tangent of `np.trapezoid(f, x, dx, axis)` in dx: the transpose of `trapezoid_dx_bar`."""
    return np.trapezoid(f, axis=axis) * (0.0 if x is not None else dx_dot)


@shape_only(2)
def trapezoid_x_bar(y_bar: Any, f: Any, x: Any, axis: int = -1) -> Any:
    """Cotangent of the sample points x of `np.trapezoid(f, x, axis=axis)`."""
    along = axis % np.ndim(f)
    before = (slice(None),) * along
    means = 0.5 * (f[(*before, slice(1, None))] + f[(*before, slice(None, -1))])
    steps_bar = np.expand_dims(y_bar, along) * means
    edge = np.zeros_like(f[(*before, slice(0, 1))])
    x_bar = np.concatenate((edge, steps_bar), axis=along) - np.concatenate(
        (steps_bar, edge), axis=along
    )
    if np.ndim(x) == 1:
        x_bar = np.moveaxis(x_bar, along, -1)
    return unbroadcast(x_bar, x)


def _bracket(x: Any, xp: Any) -> tuple[Any, Any]:
    """Index i of the interval around each x, and t in [0, 1] along it."""
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, max(len(xp) - 2, 0))
    low, high = np.take(xp, i), np.take(xp, np.minimum(i + 1, len(xp) - 1))
    width = np.where(high > low, high - low, 1.0)
    return i, np.clip((x - low) / width, 0.0, 1.0)


def interp_slope(x: Any, xp: Any, fp: Any) -> Any:
    """The derivative of `np.interp(x, xp, fp)` in x; to the right at a sample, 0 outside."""
    i, _ = _bracket(x, xp)
    j = np.minimum(i + 1, len(xp) - 1)
    rise, run = np.take(fp, j) - np.take(fp, i), np.take(xp, j) - np.take(xp, i)
    inside = (x >= xp[0]) & (x <= xp[-1]) & (run > 0)
    return np.where(inside, rise, 0.0) / np.where(inside, run, 1.0)


def interp_slope_bar(y_bar: Any, x: Any, xp: Any) -> Any:
    """The transpose of `interp_slope` in fp."""
    i, _ = _bracket(x, xp)
    j = np.minimum(i + 1, len(xp) - 1)
    run = np.take(xp, j) - np.take(xp, i)
    inside = (x >= xp[0]) & (x <= xp[-1]) & (run > 0)
    share = np.where(inside, y_bar, 0.0) / np.where(inside, run, 1.0)
    fp_bar = np.zeros(np.shape(xp), np.result_type(np.asarray(y_bar).dtype, np.float16))
    np.add.at(fp_bar, i, -share)
    np.add.at(fp_bar, j, share)
    return fp_bar


def interp_points(fp: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    """`np.interp(x, xp, fp)`, and 0 outside where `left`, `right` are set: linear in fp."""
    return np.interp(x, xp, fp, None if left is None else 0.0, None if right is None else 0.0)


def interp_points_bar(y_bar: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    """The transpose of `interp_points` in fp: shares y_bar between the two samples around x."""
    i, t = _bracket(x, xp)
    if left is not None:
        y_bar = np.where(x < xp[0], 0.0, y_bar)
    if right is not None:
        y_bar = np.where(x > xp[-1], 0.0, y_bar)
    fp_bar = np.zeros(np.shape(xp), np.result_type(np.asarray(y_bar).dtype, np.float16))
    np.add.at(fp_bar, i, y_bar * (1.0 - t))
    np.add.at(fp_bar, np.minimum(i + 1, len(xp) - 1), y_bar * t)
    return fp_bar


@shape_only(0)
def linspace_share(y: Any, endpoint: bool = True, axis: int = 0) -> Any:
    """How far along each entry of `y = np.linspace(...)` is, from 0 to 1; broadcasts against y."""
    shape = [1] * np.ndim(y)
    shape[axis] = np.shape(y)[axis]
    share = np.linspace(0.0, 1.0, shape[axis], endpoint)
    return np.reshape(share.astype(y.real.dtype, copy=False), shape)


def _full_cotangent(y_bar: Any, a: Any, v: Any, mode: str, reverse: bool = False) -> Any:
    """`y_bar` of a convolution in `mode` as the cotangent of the full one: zeros elsewhere.

    reverse: NumPy swaps the operands of a correlation and turns the result round.
    """
    if mode == "full":
        return y_bar
    full, short = np.size(a) + np.size(v) - 1, min(np.size(a), np.size(v))
    start = short - 1 if mode == "valid" else short - 1 - short // 2
    behind = full - start - np.size(y_bar)
    before, after = (behind, start) if reverse else (start, behind)
    kind = np.asarray(y_bar).dtype
    return np.concatenate((np.zeros(before, kind), y_bar, np.zeros(after, kind)))


@shape_only(1)
def convolve_bar_left(y_bar: Any, a: Any, v: Any, mode: str = "full") -> Any:
    """Cotangent of a in `np.convolve(a, v, mode)`: y_bar correlated with v."""
    full = _full_cotangent(y_bar, a, v, mode)
    return np.reshape(np.convolve(full, np.flip(np.ravel(v)), "valid"), np.shape(a))


@shape_only(2)
def convolve_bar_right(y_bar: Any, a: Any, v: Any, mode: str = "full") -> Any:
    """Cotangent of v in `np.convolve(a, v, mode)`: y_bar correlated with a."""
    full = _full_cotangent(y_bar, a, v, mode)
    return np.reshape(np.convolve(full, np.flip(np.ravel(a)), "valid"), np.shape(v))


@shape_only(1)
def correlate_bar_left(y_bar: Any, a: Any, v: Any, mode: str = "valid") -> Any:
    """Cotangent of a in `np.correlate(a, v, mode)`, conjugate convention."""
    full = _full_cotangent(y_bar, a, v, mode, np.size(v) > np.size(a))
    return np.reshape(np.convolve(full, np.ravel(v), "valid"), np.shape(a))


@shape_only(2)
def correlate_bar_right(y_bar: Any, a: Any, v: Any, mode: str = "valid") -> Any:
    """Cotangent of v in `np.correlate(a, v, mode)`, conjugate convention."""
    full = np.conjugate(_full_cotangent(y_bar, a, v, mode, np.size(v) > np.size(a)))
    found = np.flip(np.convolve(full, np.flip(np.ravel(a)), "valid"))
    return np.reshape(found, np.shape(v))
