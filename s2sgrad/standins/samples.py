"""Floor 8: scipy.integrate's sums of samples by their places, and by the step between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate


def places(x: Any, y: Any, axis: int) -> Any:
    """The last axis of the steps between samples, in the shape of y with that axis last."""
    rows = x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1)
    return np.diff(rows, axis=-1) * np.ones(np.shape(y))[..., 1:]


def pair(h0: Any, h1: Any, y0: Any, y1: Any, y2: Any) -> Any:
    """The area under the parabola through three samples."""
    both = h0 + h1
    ends = y0 * (2.0 - h1 / h0) + y2 * (2.0 - h0 / h1)
    return both / 6.0 * (ends + y1 * both * both / (h0 * h1))


def simpson(y: Any, x: Any = None, *, dx: Any = 1.0, axis: int = -1) -> Any:
    """scipy.integrate.simpson; the last of an odd number of intervals as Cartwright has it."""
    rows = np.moveaxis(np.asarray(y), axis, -1)
    count = np.shape(rows)[-1]
    h = dx * np.ones(np.shape(rows))[..., 1:] if x is None else places(x, rows, axis)
    if count == 2:
        return 0.5 * h[..., 0] * (rows[..., 0] + rows[..., 1])
    odd = count - (count % 2 == 0)
    areas = pair(
        h[..., 0 : odd - 1 : 2], h[..., 1 : odd - 1 : 2],
        rows[..., 0 : odd - 2 : 2], rows[..., 1 : odd - 1 : 2], rows[..., 2:odd:2],
    )  # fmt: skip
    found = np.sum(areas, axis=-1)
    if count % 2 == 0:
        found = found + first(
            h[..., -1], h[..., -2], rows[..., -1], rows[..., -2], rows[..., -3]
        )  # fmt: skip
    return found


def first(h0: Any, h1: Any, y0: Any, y1: Any, y2: Any) -> Any:
    """The area over the first interval, under the parabola through three samples."""
    both = h0 + h1
    bend = h0 * h0 / (both * h1)
    return h0 / 6.0 * ((3.0 - h0 / both) * y0 + (3.0 + bend + h0 / both) * y1 - bend * y2)


def cumulative_simpson(
    y: Any, *, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: Any = None
) -> Any:
    """scipy.integrate.cumulative_simpson."""
    rows = np.moveaxis(np.asarray(y), axis, -1)
    h = dx * np.ones(np.shape(rows))[..., 1:] if x is None else places(x, rows, axis)
    if np.shape(rows)[-1] < 3:
        found = np.cumsum(0.5 * h * (rows[..., 1:] + rows[..., :-1]), axis=-1)
    else:
        found = np.cumsum(parabolas(h, rows), axis=-1)
    if initial is not None:
        start = initial + 0.0 * found[..., :1]
        found = np.concatenate((start, found + start), axis=-1)
    return np.moveaxis(found, -1, axis)


def parabolas(h: Any, rows: Any) -> Any:
    """The area over each interval, three samples or more being given."""
    left, right = h[..., :-1], h[..., 1:]
    y0, y1, y2 = rows[..., :-2], rows[..., 1:-1], rows[..., 2:]
    early, late = first(left, right, y0, y1, y2), first(right, left, y2, y1, y0)
    areas = np.zeros(np.shape(h), rows.dtype)
    areas[..., :-1:2] = early[..., ::2]
    areas[..., 1::2] = late[..., ::2]
    areas[..., -1] = late[..., -1]
    return areas


def cumulative_trapezoid(
    y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: Any = None
) -> Any:
    """scipy.integrate.cumulative_trapezoid."""
    found = integrate.cumulative_trapezoid(y, x, axis=axis, initial=initial)
    return dx * found if x is None else found


FURTHER: dict[str, Any] = {
    "cumulative_simpson": cumulative_simpson, "cumulative_trapezoid": cumulative_trapezoid,
    "simpson": simpson,
}  # fmt: skip
