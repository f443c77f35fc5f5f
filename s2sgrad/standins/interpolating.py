"""Floor 8: interpolators of scipy.interpolate as classes that the compiler can read.

Each is a piecewise cubic (or line) given by its values and slopes at the nodes, so the
derivative goes by nodes, values and the points of evaluation.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def hermite(x: Any, y: Any, slopes: Any, points: Any) -> Any:
    """The cubic through values and slopes at the nodes x; beyond them the last piece goes on."""
    place = np.clip(np.searchsorted(x, points, side="right") - 1, 0, len(x) - 2)
    h = x[place + 1] - x[place]
    t = (points - x[place]) / h
    u = 1.0 - t
    ends = y[place] * u * u * (1.0 + 2.0 * t) + y[place + 1] * t * t * (1.0 + 2.0 * u)
    return ends + h * t * u * (u * slopes[place] - t * slopes[place + 1])


def spline_slopes(x: Any, y: Any, ends: str) -> Any:
    """Slopes of the cubic spline with continuous curvature (de Boor, chapter 4).

    ends: 'not-a-knot', 'natural' or 'clamped', as scipy.interpolate.CubicSpline takes them.
    """
    h = x[1:] - x[:-1]
    d = (y[1:] - y[:-1]) / h
    low, high = x[2] - x[0], x[-1] - x[-3]
    if ends == "clamped":
        first, last = (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    elif ends == "natural":
        first, last = (2.0, 1.0, 3.0 * d[0]), (2.0, 1.0, 3.0 * d[-1])
    elif ends != "not-a-knot":
        raise NotImplementedError(
            "CubicSpline with these ends: 'not-a-knot', 'natural' or 'clamped'"
        )
    else:
        right = ((h[0] + 2.0 * low) * h[1] * d[0] + h[0] ** 2 * d[1]) / low
        first = (h[1], low, right)
        right = (h[-1] ** 2 * d[-2] + (2.0 * high + h[-1]) * h[-2] * d[-1]) / high
        last = (h[-2], high, right)
    middle = 3.0 * (h[1:] * d[:-1] + h[:-1] * d[1:])
    diagonal = np.hstack([first[0], 2.0 * (h[1:] + h[:-1]), last[0]])
    above, below = np.hstack([first[1], h[:-1]]), np.hstack([h[1:], last[1]])
    matrix = np.diag(diagonal) + np.diag(above, 1) + np.diag(below, -1)
    return np.linalg.solve(matrix, np.hstack([first[2], middle, last[2]]))


def monotone_end(h0: Any, h1: Any, d0: Any, d1: Any) -> Any:
    """The slope at an end of a monotone cubic: three points, kept within the data's shape."""
    slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0.0:
        return 0.0 * slope
    if d0 * d1 <= 0.0 and abs(slope) > 3.0 * abs(d0):
        return 3.0 * d0
    return slope


def monotone_slopes(x: Any, y: Any) -> Any:
    """Slopes of the monotone cubic of Fritsch and Butland (1984)."""
    h = x[1:] - x[:-1]
    d = (y[1:] - y[:-1]) / h
    left, right = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    same = d[1:] * d[:-1] > 0.0
    mean = (left / d[:-1] + right / d[1:]) / (left + right)
    slopes = np.zeros(len(x))
    slopes[1:-1] = np.where(same, 1.0 / mean, 0.0)
    slopes[0] = monotone_end(h[0], h[1], d[0], d[1])
    slopes[-1] = monotone_end(h[-1], h[-2], d[-1], d[-2])
    return slopes


class CubicSpline:
    """scipy.interpolate.CubicSpline of values of one axis."""

    def __init__(self, x: Any, y: Any, bc_type: str = "not-a-knot") -> None:
        self.x, self.y = np.asarray(x), np.asarray(y)
        self.slopes = spline_slopes(self.x, self.y, bc_type)

    def __call__(self, x: Any) -> Any:
        return hermite(self.x, self.y, self.slopes, x)


class PchipInterpolator:
    """scipy.interpolate.PchipInterpolator of values of one axis."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = np.asarray(x), np.asarray(y)
        self.slopes = monotone_slopes(self.x, self.y)

    def __call__(self, x: Any) -> Any:
        return hermite(self.x, self.y, self.slopes, x)


class CubicHermiteSpline:
    """scipy.interpolate.CubicHermiteSpline of values of one axis."""

    def __init__(self, x: Any, y: Any, dydx: Any) -> None:
        self.x, self.y, self.slopes = np.asarray(x), np.asarray(y), np.asarray(dydx)

    def __call__(self, x: Any) -> Any:
        return hermite(self.x, self.y, self.slopes, x)


class Line:
    """The polygon through values at nodes."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = np.asarray(x), np.asarray(y)

    def __call__(self, x: Any) -> Any:
        place = np.clip(np.searchsorted(self.x, x, side="right") - 1, 0, len(self.x) - 2)
        t = (x - self.x[place]) / (self.x[place + 1] - self.x[place])
        return (1.0 - t) * self.y[place] + t * self.y[place + 1]


class Bounded:
    """A curve that is not to be read beyond its nodes."""

    def __init__(self, curve: Any) -> None:
        self.curve = curve

    def __call__(self, x: Any) -> Any:
        if np.min(x) < self.curve.x[0] or np.max(x) > self.curve.x[-1]:
            raise ValueError("a value in x is outside of the interpolation range")
        return self.curve(x)


def interp1d(x: Any, y: Any, kind: str = "linear") -> Any:
    """scipy.interpolate.interp1d, linear or cubic, between its nodes."""
    order = np.argsort(x)
    nodes, values = np.asarray(x)[order], np.asarray(y)[order]
    if kind == "cubic":
        return Bounded(CubicSpline(nodes, values))
    if kind != "linear":
        raise NotImplementedError("interp1d of this kind")
    return Bounded(Line(nodes, values))


def make_interp_spline(x: Any, y: Any, k: int = 3) -> Any:
    """scipy.interpolate.make_interp_spline, of degree 1 or 3."""
    if k == 3:
        return CubicSpline(x, y)
    if k != 1:
        raise NotImplementedError("make_interp_spline of this degree")
    return Line(x, y)


def pchip_interpolate(xi: Any, yi: Any, x: Any) -> Any:
    """scipy.interpolate.pchip_interpolate."""
    return hermite(np.asarray(xi), np.asarray(yi), monotone_slopes(xi, yi), x)


READ = (
    "CubicHermiteSpline", "CubicSpline", "PchipInterpolator", "interp1d", "make_interp_spline",
    "pchip_interpolate",
)  # fmt: skip


def table() -> dict[Any, Any]:
    """SciPy's function or class -> what is read in its place."""
    interpolate = sys.modules["scipy.interpolate"]
    return {getattr(interpolate, name): globals()[name] for name in READ}
