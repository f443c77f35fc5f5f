"""Floor 4: functions of NumPy that are read where their rules don't serve: by spacings, by weights,
with modes that pick entries, along other axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """np.gradient by the spacings."""
    values = np.asarray(f)
    axes = tuple(range(np.ndim(values))) if axis is None else axis
    axes = axes if isinstance(axes, tuple | list) else (axes,)
    spacings = varargs if len(varargs) == len(axes) else varargs * len(axes)
    found = [_slope(values, h, a, edge_order) for h, a in zip(spacings, axes)]  # noqa: B905
    return found[0] if len(axes) == 1 else tuple(found)


def _slope(values: Any, spacing: Any, axis: int, edge_order: int) -> Any:
    """Weighted differences along an axis, of second order inside."""
    rows = np.moveaxis(values, axis, 0)
    steps = np.diff(spacing) if np.ndim(spacing) == 1 else spacing * np.ones(len(rows) - 1)
    steps = np.reshape(steps, (-1,) + (1,) * (np.ndim(rows) - 1))
    left, right = steps[:-1], steps[1:]
    both = left + right
    inside = -right / (left * both) * rows[:-2] + left / (right * both) * rows[2:]
    inside = inside + (right - left) / (left * right) * rows[1:-1]
    first, last = (rows[1:2] - rows[:1]) / steps[:1], (rows[-1:] - rows[-2:-1]) / steps[-1:]
    if edge_order == 2:
        second, before = (
            (rows[2:3] - rows[1:2]) / steps[1:2],
            (rows[-2:-1] - rows[-3:-2]) / (steps[-2:-1]),
        )
        first = first - steps[:1] / both[:1] * (second - first)
        last = last + steps[-1:] / both[-1:] * (last - before)
    return np.moveaxis(np.concatenate((first, inside, last)), 0, axis)


def cov(
    m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None,
    fweights: Any = None, aweights: Any = None, *, dtype: Any = None,
) -> Any:  # fmt: skip
    """np.cov by the weights."""
    rows = _variables(m, rowvar)
    if y is not None:
        rows = np.concatenate((rows, _variables(y, rowvar)))
    less = (0 if bias else 1) if ddof is None else ddof
    counts = np.ones(np.shape(rows)[1]) if fweights is None else fweights
    weights = counts if aweights is None else counts * aweights
    total = np.sum(weights)
    share = np.sum(weights * aweights) / total if aweights is not None else 1.0
    centred = rows - np.reshape(rows @ weights / total, (-1, 1))
    return np.squeeze((centred * weights) @ np.conj(centred.T) / (total - less * share))


def _variables(m: Any, rowvar: Any) -> Any:
    rows = np.atleast_2d(m)
    return rows.T if not rowvar and np.ndim(m) != 1 else rows


def pad(
    array: Any, pad_width: Any, mode: Any = "constant", *, constant_values: Any = 0,
    stat_length: Any = None, end_values: Any = 0,
) -> Any:  # fmt: skip
    """np.pad with modes that pick entries, and by the values at the ends."""
    found = np.asarray(array)
    rank = np.ndim(found)
    widths = np.broadcast_to(pad_width, (rank, 2))
    ends = np.broadcast_to(constant_values if mode == "constant" else end_values, (rank, 2))
    for axis in tuple(range(rank)):
        rows = np.moveaxis(found, axis, 0)
        before, after = widths[axis, 0], widths[axis, 1]
        if mode == "constant":
            head = ends[axis, 0] + np.zeros((before, *np.shape(rows)[1:]))
            foot = ends[axis, 1] + np.zeros((after, *np.shape(rows)[1:]))
        elif mode == "linear_ramp":
            head = _ramp(ends[axis, 0], rows[:1], before)
            foot = _ramp(ends[axis, 1], rows[-1:], after)[::-1]
        else:
            count = len(rows)
            near = far = count
            if stat_length is not None:
                near, far = np.minimum(np.broadcast_to(stat_length, (rank, 2))[axis], count)
            head = np.repeat(_picked(rows[:near], mode), before, axis=0)
            foot = np.repeat(_picked(rows[count - far :], mode), after, axis=0)
        found = np.moveaxis(np.concatenate((head, rows, foot)), 0, axis)
    return found


def _ramp(end: Any, edge: Any, width: int) -> Any:
    """From a value at the end towards the edge, without it."""
    share = np.reshape(np.arange(width) / max(width, 1), (-1,) + (1,) * (np.ndim(edge) - 1))
    return end + (edge - end) * share


def _picked(rows: Any, mode: str) -> Any:
    if mode == "maximum":
        return np.max(rows, axis=0, keepdims=True)
    if mode == "minimum":
        return np.min(rows, axis=0, keepdims=True)
    if mode == "median":
        return np.median(rows, axis=0, keepdims=True)
    return np.mean(rows, axis=0, keepdims=True)


def _along(product: Any, x1: Any, x2: Any, axes: Any) -> Any:
    """A product of the last axes, along others: the axes of each operand and of the result."""
    places = [axis if isinstance(axis, tuple) else (axis,) for axis in axes]
    y = product(_to_the_end(x1, places[0]), _to_the_end(x2, places[1]))
    out = places[2] if len(places) > 2 else ()
    return np.moveaxis(y, tuple(range(-len(out), 0)), out) if len(out) > 0 else y


def _to_the_end(x: Any, axes: Any) -> Any:
    return np.moveaxis(x, axes, tuple(range(-len(axes), 0)))


def matmul(x1: Any, x2: Any, *, axes: Any) -> Any:
    """np.matmul along other axes."""
    return _along(np.matmul, x1, x2, axes)


def matvec(x1: Any, x2: Any, *, axes: Any) -> Any:
    """np.matvec along other axes."""
    return _along(np.matvec, x1, x2, axes)


def vecmat(x1: Any, x2: Any, *, axes: Any) -> Any:
    """np.vecmat along other axes."""
    return _along(np.vecmat, x1, x2, axes)


def vecdot(x1: Any, x2: Any, *, axis: int = -1, axes: Any = None, keepdims: bool = False) -> Any:
    """np.vecdot along other axes; the axis that is kept comes at the place of the first's."""
    places = (axis, axis) if axes is None else axes
    y = _along(np.vecdot, x1, x2, places[:2])
    return np.expand_dims(y, places[-1]) if keepdims else y


def atleast_1d(*arys: Any) -> Any:
    """np.atleast_1d of several arrays, and so on."""
    return tuple([np.atleast_1d(a) for a in arys])


def atleast_2d(*arys: Any) -> Any:
    return tuple([np.atleast_2d(a) for a in arys])


def atleast_3d(*arys: Any) -> Any:
    return tuple([np.atleast_3d(a) for a in arys])


FURTHER = {
    np.atleast_1d: atleast_1d, np.atleast_2d: atleast_2d,
    np.atleast_3d: atleast_3d, np.cov: cov, np.gradient: gradient, np.matmul: matmul,
    np.matvec: matvec, np.pad: pad, np.vecdot: vecdot, np.vecmat: vecmat,
}  # fmt: skip
