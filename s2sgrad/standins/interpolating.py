"""Floor 8: interpolators of scipy.interpolate as classes that the compiler can read.

Each is a piecewise cubic (or line) given by its values and slopes at the nodes, so the
derivative goes by nodes, values and the points of evaluation. Values may have more axes: those
of the nodes come first inside.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from s2sgrad.standins import grids, pieces, scattered
from s2sgrad.standins import through_points as splines
from s2sgrad.standins.through_points import along, beyond, make_interp_spline, with_axis


def hermite(x: Any, y: Any, slopes: Any, points: Any) -> Any:
    """The cubic through values and slopes at the nodes x; beyond them the last piece goes on."""
    place = np.clip(np.searchsorted(x, points, side="right") - 1, 0, len(x) - 2)
    h = along(x[place + 1] - x[place], y, points)
    t = along(points - x[place], y, points) / h
    u = 1.0 - t
    ends = y[place] * u * u * (1.0 + 2.0 * t) + y[place + 1] * t * t * (1.0 + 2.0 * u)
    return ends + h * t * u * (u * slopes[place] - t * slopes[place + 1])


def bent(x: Any, y: Any, slopes: Any, points: Any, nu: int) -> Any:
    """The derivative of order nu of `hermite` by the points; -1: the integral from the first."""
    step = along(x[1:] - x[:-1], y, x[1:])
    rise = (y[1:] - y[:-1]) / step
    second = (3.0 * rise - 2.0 * slopes[:-1] - slopes[1:]) / step
    third = (slopes[:-1] + slopes[1:] - 2.0 * rise) / step**2
    place = np.clip(np.searchsorted(x, points, side="right") - 1, 0, len(x) - 2)
    t = along(points - x[place], y, points)
    if nu == -1:
        pieces = (y[:-1] + y[1:]) * step / 2.0 + (slopes[:-1] - slopes[1:]) * step**2 / 12.0
        before = np.concatenate((0.0 * pieces[:1], np.cumsum(pieces, axis=0)))[place]
        cubic = slopes[:-1][place] / 2.0 + t * (second[place] / 3.0 + t * third[place] / 4.0)
        return before + t * (y[:-1][place] + t * cubic)
    if nu == 1:
        return slopes[:-1][place] + t * (2.0 * second[place] + 3.0 * t * third[place])
    if nu == 2:
        return 2.0 * second[place] + 6.0 * t * third[place]
    return (6.0 if nu == 3 else 0.0) * third[place] + 0.0 * t


def end_row(kind: Any, h: Any, d: Any, low: Any) -> Any:
    """(weight of the slope at an end, of the next one, right-hand side); d and h from that end.

    kind: 'not-a-knot', 'natural', 'clamped', or the order and value of a derivative there.
    """
    if isinstance(kind, str):
        if kind == "not-a-knot":
            right = ((h[0] + 2.0 * low) * h[1] * d[0] + h[0] ** 2 * d[1]) / low
            return h[1], low, right
        if kind not in ("natural", "clamped"):
            raise NotImplementedError("CubicSpline with a bc_type that SciPy does not name")
        order, value = 1 if kind == "clamped" else 2, 0.0
    else:
        order, value = kind
    if order == 1:
        return 1.0, 0.0, value + 0.0 * d[0]
    return 2.0, 1.0, 3.0 * d[0] - 0.5 * h[0] * value


def reversed_end(kind: Any) -> Any:
    """The condition at the last node, seen from there: the second derivative changes its sign."""
    if isinstance(kind, str) or kind[0] == 1:
        return kind
    return (2, -kind[1])


def spline_slopes(x: Any, y: Any, ends: Any) -> Any:
    """Slopes of the cubic spline with continuous curvature (de Boor, chapter 4).

    ends: what scipy.interpolate.CubicSpline takes as bc_type.
    """
    h = x[1:] - x[:-1]
    d = (y[1:] - y[:-1]) / along(h, y, h)
    if isinstance(ends, str) and ends == "periodic":
        return periodic_slopes(h, d)
    first_kind, last_kind = (ends, ends) if isinstance(ends, str) else ends
    if len(x) == 2 and first_kind == "not-a-knot" and last_kind == "not-a-knot":
        return np.concatenate((d, d))
    if len(x) == 3 and first_kind == "not-a-knot" and last_kind == "not-a-knot":
        bend = (d[1] - d[0]) / (x[2] - x[0])
        return np.stack([d[0] - bend * h[0], d[0] + bend * h[0], d[1] + bend * h[1]])
    first = end_row(first_kind, h, d, x[2] - x[0])
    last = end_row(reversed_end(last_kind), h[::-1], d[::-1], x[-1] - x[-3])
    spread = along(h, y, h)
    middle = 3.0 * (spread[1:] * d[:-1] + spread[:-1] * d[1:])
    diagonal = np.hstack([first[0], 2.0 * (h[1:] + h[:-1]), last[0]])
    above, below = np.hstack([first[1], h[:-1]]), np.hstack([h[1:], last[1]])
    matrix = np.diag(diagonal) + np.diag(above, 1) + np.diag(below, -1)
    if np.ndim(y) == 1:
        return np.linalg.solve(matrix, np.hstack([first[2], middle, last[2]]))
    rows = np.concatenate((first[2][None], middle, last[2][None]))
    found = np.linalg.solve(matrix, np.reshape(rows, (np.shape(rows)[0], -1)))
    return np.reshape(found, np.shape(rows))


def periodic_slopes(h: Any, d: Any) -> Any:
    """Slopes of the cubic spline whose ends meet: the system goes round."""
    before = np.roll(h, 1)
    matrix = np.diag(2.0 * (before + h))
    matrix = matrix + np.roll(np.diag(h), -1, axis=1) + np.roll(np.diag(before), 1, axis=1)
    rows = 3.0 * (along(h, d, h) * np.roll(d, 1, axis=0) + along(before, d, h) * d)
    found = np.linalg.solve(matrix, np.reshape(rows, (np.shape(rows)[0], -1)))
    found = np.reshape(found, np.shape(rows))
    return np.concatenate((found, found[:1]))


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
    if len(x) == 2:
        return np.concatenate((d, d))
    left, right = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    same = d[1:] * d[:-1] > 0.0
    mean = (left / d[:-1] + right / d[1:]) / (left + right)
    slopes = np.zeros(len(x))
    slopes[1:-1] = np.where(same, 1.0 / mean, 0.0)
    slopes[0] = monotone_end(h[0], h[1], d[0], d[1])
    slopes[-1] = monotone_end(h[-1], h[-2], d[-1], d[-2])
    return slopes


def monotone_columns(x: Any, y: Any) -> Any:
    """The same for each column of values."""
    if np.ndim(y) == 1:
        return monotone_slopes(x, y)
    columns = np.reshape(y, (np.shape(y)[0], -1))
    found = [monotone_slopes(x, columns[:, k]) for k in range(np.shape(columns)[1])]
    return np.reshape(np.stack(found, axis=1), np.shape(y))


def akima_slopes(x: Any, y: Any, method: str) -> Any:
    """Slopes of Akima (1970), or those of 'makima', which overshoots less."""
    inner = (y[1:] - y[:-1]) / along(x[1:] - x[:-1], y, x[1:])
    if len(x) == 2:
        return np.concatenate((inner, inner))
    second = 2.0 * inner[:1] - inner[1:2]
    last = 2.0 * inner[-1:] - inner[-2:-1]
    m = np.concatenate((2.0 * second - inner[:1], second, inner, last, 2.0 * last - inner[-1:]))
    change = np.abs(m[1:] - m[:-1])
    f1, f2 = change[2:], change[:-2]
    if method == "makima":
        mean = np.abs(m[1:] + m[:-1])
        f1, f2 = f1 + 0.5 * mean[2:], f2 + 0.5 * mean[:-2]
    weight = f1 + f2
    bends = weight > 1e-9 * np.max(weight)
    share = f2 / np.where(bends, weight, 1.0)
    return np.where(bends, m[1:-2] + share * (m[2:-1] - m[1:-2]), 0.5 * (m[3:] + m[:-3]))


class Cubic:
    """A piecewise cubic by values and slopes at its nodes, as SciPy's classes are read."""

    slopes: Any

    def settle(self, x: Any, y: Any, axis: int, extrapolate: Any) -> None:
        """Keep nodes, and values with the nodes' axis first."""
        self.x, self.axis, self.extrapolate = np.asarray(x), axis, extrapolate
        self.y = np.moveaxis(np.asarray(y), axis, 0) if axis != 0 else np.asarray(y)

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        goes_on = self.extrapolate if extrapolate is None else extrapolate
        points = np.asarray(x) if np.ndim(self.y) > 1 or nu != 0 else x
        if goes_on == "periodic" and nu < 0:  # an integral is no periodic curve
            goes_on = False
        if goes_on == "periodic":
            points = self.x[0] + (points - self.x[0]) % (self.x[-1] - self.x[0])
        if nu == 0:
            found = hermite(self.x, self.y, self.slopes, points)
        else:
            found = bent(self.x, self.y, self.slopes, points, nu)
        if goes_on is False:
            out = beyond(points, self.x[0], self.x[-1])
            found = np.where(along(out, self.y, points), np.nan, found)
        return with_axis(found, points, self.axis)

    @property
    def c(self) -> Any:
        """The coefficients of the cubics, the highest power first."""
        h = np.diff(self.x)
        step = along(h, self.y, h)
        rise = np.diff(self.y, axis=0) / step
        bend = (self.slopes[:-1] + self.slopes[1:] - 2.0 * rise) / step
        square = (rise - self.slopes[:-1]) / step - bend
        return np.stack((bend / step, square, self.slopes[:-1], self.y[:-1]))

    def derivative(self, nu: int = 1) -> Any:
        return Derived(self, nu)

    def antiderivative(self, nu: int = 1) -> Any:
        if nu != 1:
            raise NotImplementedError("an antiderivative of higher order")
        return Derived(self, -1)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        goes_on = self.extrapolate if extrapolate is None else extrapolate
        if goes_on == "periodic":
            raise NotImplementedError("the integral of a periodic curve: add those of its periods")
        if goes_on is False and np.any(beyond(np.stack([a, b]), self.x[0], self.x[-1])):
            return np.full(np.shape(self.y)[1:], np.nan)
        high = bent(self.x, self.y, self.slopes, np.asarray(b), -1)
        return high - bent(self.x, self.y, self.slopes, np.asarray(a), -1)


class Derived:
    """A derivative of a piecewise cubic, or its integral (order -1)."""

    def __init__(self, curve: Any, nu: int) -> None:
        self.curve, self.nu = curve, nu

    def __call__(self, x: Any, nu: int = 0) -> Any:
        return self.curve(x, self.nu + nu)


class CubicSpline(Cubic):
    """scipy.interpolate.CubicSpline."""

    def __init__(
        self, x: Any, y: Any, axis: int = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None
    ) -> None:
        goes_on = extrapolate
        if extrapolate is None:
            goes_on = "periodic" if isinstance(bc_type, str) and bc_type == "periodic" else True
        self.settle(x, y, axis, goes_on)
        self.slopes = spline_slopes(self.x, self.y, bc_type)


class PchipInterpolator(Cubic):
    """scipy.interpolate.PchipInterpolator."""

    def __init__(self, x: Any, y: Any, axis: int = 0, extrapolate: Any = None) -> None:
        self.settle(x, y, axis, extrapolate)
        self.slopes = monotone_columns(self.x, self.y)


class Akima1DInterpolator(Cubic):
    """scipy.interpolate.Akima1DInterpolator: NaN beyond its nodes."""

    def __init__(
        self, x: Any, y: Any, axis: int = 0, method: str = "akima", extrapolate: Any = None
    ) -> None:
        self.settle(x, y, axis, False if extrapolate is None else extrapolate)
        self.slopes = akima_slopes(self.x, self.y, method)


class CubicHermiteSpline(Cubic):
    """scipy.interpolate.CubicHermiteSpline."""

    def __init__(self, x: Any, y: Any, dydx: Any, axis: int = 0, extrapolate: Any = None) -> None:
        self.settle(x, y, axis, extrapolate)
        self.slopes = np.moveaxis(np.asarray(dydx), axis, 0) if axis != 0 else np.asarray(dydx)


class Line:
    """The polygon through values at nodes."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = np.asarray(x), np.asarray(y)

    def __call__(self, x: Any) -> Any:
        place = np.clip(np.searchsorted(self.x, x, side="right") - 1, 0, len(self.x) - 2)
        t = along((x - self.x[place]) / (self.x[place + 1] - self.x[place]), self.y, x)
        return (1.0 - t) * self.y[place] + t * self.y[place + 1]


class Steps:
    """Values that stay between nodes: that of the nearest, of the one before or the next."""

    def __init__(self, x: Any, y: Any, kind: str) -> None:
        self.x, self.y, self.kind = x, y, kind

    def __call__(self, x: Any) -> Any:
        if self.kind in ("nearest", "nearest-up"):
            middles = self.x[:-1] / 2.0 + self.x[1:] / 2.0
            if self.kind == "nearest":
                return self.y[np.searchsorted(middles, x, side="left")]
            return self.y[np.searchsorted(middles, x, side="right")]
        points = np.asarray(x)
        if self.kind == "next":
            place, unknown = np.searchsorted(self.x, x, side="left"), points > self.x[-1]
        else:
            place, unknown = np.searchsorted(self.x, x, side="right") - 1, points < self.x[0]
        found = self.y[np.clip(place, 0, len(self.x) - 1)]
        if self.kind == "zero":  # a spline of degree zero: its first piece goes on
            return found
        return np.where(along(unknown, self.y, points), np.nan, found)


class Bounded:
    """A curve that is not to be read beyond its nodes, or has other values there."""

    def __init__(self, curve: Any, axis: int, strict: bool, below: Any, above: Any) -> None:
        self.curve, self.axis, self.strict = curve, axis, strict
        self.below, self.above = below, above

    def __call__(self, x: Any) -> Any:
        curve = self.curve
        if self.strict and (np.min(x) < curve.x[0] or np.max(x) > curve.x[-1]):
            raise ValueError("a value in x is outside of the interpolation range")
        found = curve(x)
        points = np.asarray(x)
        if self.below is not None:
            found = np.where(along(points < curve.x[0], curve.y, points), self.below, found)
            found = np.where(along(points > curve.x[-1], curve.y, points), self.above, found)
        return with_axis(found, x, self.axis)


def curve_of(nodes: Any, values: Any, kind: Any) -> Any:
    """The curve of a kind of interp1d."""
    if kind in ("linear", "slinear"):
        return Line(nodes, values)
    if kind == "cubic":
        return CubicSpline(nodes, values)
    if kind in ("nearest", "nearest-up", "previous", "next", "zero"):
        return Steps(nodes, values, kind)
    degree = {"quadratic": 2}.get(kind, kind)
    if isinstance(degree, str):
        raise NotImplementedError("interp1d of a kind that SciPy does not name")
    return SplineCurve(nodes, values, degree)


class SplineCurve:
    """The interpolating spline of a degree, with its nodes and values."""

    def __init__(self, x: Any, y: Any, k: int) -> None:
        self.x, self.y = x, y
        self.spline = make_interp_spline(x, y, k)

    def __call__(self, x: Any) -> Any:
        return self.spline(x)


def interp1d(
    x: Any, y: Any, kind: Any = "linear", axis: int = -1, copy: bool = True,
    bounds_error: Any = None, fill_value: Any = None, assume_sorted: bool = False,
) -> Any:  # fmt: skip
    """scipy.interpolate.interp1d."""
    order = np.argsort(x)
    first = axis % np.ndim(y)
    rows = np.moveaxis(np.asarray(y), first, 0) if first != 0 else np.asarray(y)
    curve = curve_of(np.asarray(x)[order], rows[order], kind)
    if isinstance(fill_value, str):
        return Bounded(curve, first, False, None, None)
    strict = True if bounds_error is None else bounds_error
    if isinstance(fill_value, tuple):
        return Bounded(curve, first, strict, fill_value[0], fill_value[1])
    if strict:
        return Bounded(curve, first, True, None, None)
    fill = np.nan if fill_value is None else fill_value
    return Bounded(curve, first, False, fill, fill)


def pchip_interpolate(xi: Any, yi: Any, x: Any, der: int = 0, axis: int = 0) -> Any:
    """scipy.interpolate.pchip_interpolate."""
    return PchipInterpolator(xi, yi, axis)(x, der)


READ = (
    "Akima1DInterpolator", "CubicHermiteSpline", "CubicSpline", "PchipInterpolator", "interp1d",
    "pchip_interpolate",
)  # fmt: skip


def table() -> dict[Any, Any]:
    """SciPy's function or class -> what is read in its place."""
    interpolate = sys.modules["scipy.interpolate"]
    found = {
        **{name: globals()[name] for name in READ},
        **splines.READ,
        **pieces.READ,
        **grids.READ,
        **scattered.READ,
    }
    return {getattr(interpolate, name): standin for name, standin in found.items()}
