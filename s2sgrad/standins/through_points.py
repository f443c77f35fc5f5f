"""Floor 8: B-splines and polynomials through points, as classes that the compiler can read.

A spline is evaluated by de Boor's recurrence. The one through given values has the coefficients
that solve the linear system of the B-splines at the nodes, so its derivative goes by nodes,
values and the points of evaluation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import smoothing_spline


def along(weights: Any, values: Any, points: Any) -> Any:
    """Weights of points, with axes behind for those of one value."""
    if np.ndim(values) == 1:
        return weights
    return np.reshape(weights, np.shape(points) + (1,) * (np.ndim(values) - 1))


def beyond(x: Any, low: Any, high: Any) -> Any:
    """Which points lie outside of an interval."""
    return (x < low) | (x > high)


def with_axis(found: Any, points: Any, axis: int) -> Any:
    """The axes of the points moved to where the values had theirs."""
    if axis == 0:
        return found
    axis = axis % (np.ndim(found) - np.ndim(points) + 1)
    places = [axis + k for k in range(np.ndim(points))]
    return np.moveaxis(found, list(range(np.ndim(points))), places)


def de_boor(t: Any, c: Any, k: int, x: Any) -> Any:
    """The spline of degree k with knots t and coefficients c (in rows) at the points x."""
    place = np.clip(np.searchsorted(t, x, side="right") - 1, k, len(t) - k - 2)
    rows = [c[place - k + j] for j in range(k + 1)]
    for r in range(1, k + 1):
        for j in range(k, r - 1, -1):
            low, high = t[place + j - k], t[place + j + 1 - r]
            share = along((x - low) / (high - low), c, x)
            rows[j] = (1.0 - share) * rows[j - 1] + share * rows[j]
    return rows[k]


def not_a_knot(x: Any, k: int) -> Any:
    """Knots of the interpolating spline of degree k (de Boor, chapter 13)."""
    if k % 2 == 1:
        inner = x[(k + 1) // 2 : -(k + 1) // 2]
    else:
        inner = 0.5 * (x[1:] + x[:-1])[k // 2 : -k // 2]
    return np.concatenate((np.repeat(x[:1], k + 1), inner, np.repeat(x[-1:], k + 1)))


def fitted(x: Any, y: Any, t: Any, k: int, w: Any = None) -> Any:
    """Coefficients of the spline with knots t through the rows of y, or nearest to them."""
    count = len(t) - k - 1
    matrix = de_boor(t, np.eye(count), k, x)
    rows = y if np.ndim(y) == 1 else np.reshape(y, (np.shape(y)[0], -1))
    if w is not None:
        heavy = matrix.T * (w * w)
        matrix, rows = heavy @ matrix, heavy @ rows
    found = np.linalg.solve(matrix, rows)
    return found if np.ndim(y) == 1 else np.reshape(found, (count, *np.shape(y)[1:]))


class BSpline:
    """scipy.interpolate.BSpline."""

    def __init__(self, t: Any, c: Any, k: int, extrapolate: Any = True, axis: int = 0) -> None:
        self.t, self.k, self.axis = np.asarray(t), k, axis
        self.c = np.moveaxis(np.asarray(c), axis, 0) if axis != 0 else np.asarray(c)
        self.extrapolate = extrapolate

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        goes_on = self.extrapolate if extrapolate is None else extrapolate
        points = np.asarray(x)
        if goes_on == "periodic":
            points = in_period(points, self.t[self.k], self.t[-self.k - 1])
        curve = self if nu == 0 else self.derivative(nu)
        found = de_boor(curve.t, curve.c, curve.k, points)
        if not goes_on:
            out = beyond(points, self.t[self.k], self.t[-self.k - 1])
            found = np.where(along(out, curve.c, points), np.nan, found)
        return with_axis(found, points, self.axis)

    def derivative(self, nu: int = 1) -> Any:
        t, c, k = self.t, self.c[: len(self.t) - self.k - 1], self.k
        for _ in range(nu):
            if k == 0:
                return BSpline(t, 0.0 * c, 0, self.extrapolate)
            width = along(t[k + 1 : -1] - t[1 : -k - 1], c, t[k + 1 : -1])
            c = k * (c[1:] - c[:-1]) / width
            t, k = t[1:-1], k - 1
        return BSpline(t, c, k, self.extrapolate)

    def antiderivative(self, nu: int = 1) -> Any:
        t, c, k = self.t, self.c[: len(self.t) - self.k - 1], self.k
        for _ in range(nu):
            width = along((t[k + 1 :] - t[: -k - 1]) / (k + 1), c, t[k + 1 :])
            c = np.concatenate((0.0 * c[:1], np.cumsum(c * width, axis=0)))
            t, k = np.concatenate((t[:1], t, t[-1:])), k + 1
        return BSpline(t, c, k, False if self.extrapolate == "periodic" else self.extrapolate)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        goes_on = self.extrapolate if extrapolate is None else extrapolate
        if goes_on == "periodic":
            raise NotImplementedError("BSpline with extrapolate='periodic'")
        area = BSpline(self.t, self.c, self.k).antiderivative()
        if not goes_on:  # it counts as zero beyond its interval
            low, high = self.t[self.k], self.t[-self.k - 1]
            a, b = np.clip(a, low, high), np.clip(b, low, high)
        return area(b) - area(a)


def in_period(points: Any, low: Any, high: Any) -> Any:
    """Points brought into the interval in which a periodic curve is given."""
    return low + (points - low) % (high - low)


def at_end(given: Any, like: Any) -> Any:
    """Orders and values of derivatives at an end of a spline."""
    if isinstance(given, str):
        return [(2 if given == "natural" else 1, 0.0 * like)]
    return [] if given is None else list(given)


def with_slopes(nodes: Any, rows: Any, k: int, left: Any, right: Any) -> Any:
    """Knots and coefficients of the spline of odd degree k with derivatives given at its ends."""
    knots = np.concatenate((np.repeat(nodes[:1], k), nodes, np.repeat(nodes[-1:], k)))
    basis = BSpline(knots, np.eye(len(nodes) + k - 1), k)
    first, last = nodes[0], nodes[len(nodes) - 1]
    matrix = [
        *[basis(first, order) for order, _ in left], *list(basis(nodes)),
        *[basis(last, order) for order, _ in right],
    ]  # fmt: skip
    values = [
        *[value + 0.0 * rows[0] for _, value in left], *list(rows),
        *[value + 0.0 * rows[0] for _, value in right],
    ]  # fmt: skip
    given = np.stack(values)
    flat = given if np.ndim(given) == 1 else np.reshape(given, (len(values), -1))
    return knots, np.reshape(np.linalg.solve(np.stack(matrix), flat), np.shape(given))


def make_interp_spline(
    x: Any, y: Any, k: int = 3, t: Any = None, bc_type: Any = None, axis: int = 0
) -> Any:
    """scipy.interpolate.make_interp_spline, not of periodic curves."""
    nodes, rows = np.asarray(x), np.moveaxis(np.asarray(y), axis, 0)
    named = bc_type if isinstance(bc_type, str) else ""
    if bc_type is not None and named != "not-a-knot":
        if named == "periodic" or t is not None or k % 2 == 0:
            raise NotImplementedError(
                "make_interp_spline with bc_type and t, periodic or of even k"
            )
        left, right = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
        ends = at_end(left, rows[0]), at_end(right, rows[0])
        knots, coefficients = with_slopes(nodes, rows, k, *ends)
        return BSpline(knots, np.moveaxis(coefficients, 0, axis), k, True, axis)
    if t is not None:
        knots = np.asarray(t)
    elif k == 1:
        knots = np.concatenate((nodes[:1], nodes, nodes[-1:]))
    elif k == 0:
        knots = np.concatenate((nodes, nodes[-1:]))
    else:
        knots = not_a_knot(nodes, k)
    coefficients = rows if k < 2 and t is None else fitted(nodes, rows, knots, k)
    return BSpline(knots, np.moveaxis(coefficients, 0, axis), k, True, axis)


def make_lsq_spline(x: Any, y: Any, t: Any, k: int = 3, w: Any = None, axis: int = 0) -> Any:
    """scipy.interpolate.make_lsq_spline."""
    nodes, rows = np.asarray(x), np.moveaxis(np.asarray(y), axis, 0)
    weights = np.ones(len(nodes)) if w is None else w
    coefficients = fitted(nodes, rows, np.asarray(t), k, weights)
    return BSpline(t, np.moveaxis(coefficients, 0, axis), k, True, axis)


def splrep(
    x: Any, y: Any, w: Any = None, xb: Any = None, xe: Any = None, k: int = 3, task: int = 0,
    s: Any = None, t: Any = None,
) -> Any:  # fmt: skip
    """scipy.interpolate.splrep of an interpolating spline."""
    if xb is not None or xe is not None or task != 0 or smooths(s, w):
        raise NotImplementedError("splrep with smoothing (s > 0), xb, xe or task")
    nodes, values = np.asarray(x), np.asarray(y)
    if t is not None:
        ends = [np.repeat(nodes[:1], k + 1), np.asarray(t), np.repeat(nodes[-1:], k + 1)]
        knots = np.concatenate(ends)
        weights = np.ones(len(nodes)) if w is None else w
        found = fitted(nodes, values, knots, k, weights)
    else:
        knots = np.concatenate((nodes[:1], nodes, nodes[-1:])) if k == 1 else not_a_knot(nodes, k)
        found = values if k == 1 else fitted(nodes, values, knots, k)
    return knots, np.concatenate((found, np.zeros(k + 1))), k


def smooths(s: Any, w: Any) -> bool:
    """Whether FITPACK would smooth: with s, or with weights and no s."""
    return w is not None if s is None else s != 0


def splev(x: Any, tck: Any, der: int = 0, ext: int = 0) -> Any:
    """scipy.interpolate.splev of a curve y(x)."""
    if isinstance(tck, BSpline):
        return tck(x, der)
    t, c, k = tck
    points = np.asarray(x)
    low, high = t[k], t[-k - 1]
    if ext == 3 and der == 0:  # derivatives go on
        points = np.clip(points, low, high)
    found = BSpline(t, c, k)(points, der)
    if ext == 1:
        return np.where(beyond(points, low, high), 0.0, found)
    if ext == 2 and np.any(beyond(points, low, high)):
        raise ValueError("a point lies outside of the spline's interval")
    return found


def splint(a: Any, b: Any, tck: Any) -> Any:
    """scipy.interpolate.splint: zero beyond the spline's interval."""
    t, c, k = tck
    low, high = t[k], t[-k - 1]
    return BSpline(t, c, k).integrate(np.clip(a, low, high), np.clip(b, low, high))


def again(tck: Any, n: int) -> Any:
    """The n-th derivative of a spline; the antiderivative for a negative n."""
    if isinstance(tck, BSpline):
        return tck.derivative(n) if n >= 0 else tck.antiderivative(-n)
    t, c, k = tck
    found = BSpline(t, c, k).derivative(n) if n >= 0 else BSpline(t, c, k).antiderivative(-n)
    return found.t, np.concatenate((found.c, np.zeros(found.k + 1))), found.k


def splder(tck: Any, n: int = 1) -> Any:
    """scipy.interpolate.splder."""
    return again(tck, n)


def splantider(tck: Any, n: int = 1) -> Any:
    """scipy.interpolate.splantider."""
    return again(tck, -n)


BEYOND = {"extrapolate": 0, "zeros": 1, "raise": 2, "const": 3}


class Curve:
    """The splines of scipy.interpolate with methods, as UnivariateSpline."""

    def __init__(self, tck: Any, ext: Any) -> None:
        self.tck, self.ext = tck, BEYOND.get(ext, ext)

    def __call__(self, x: Any, nu: int = 0, ext: Any = None) -> Any:
        return splev(x, self.tck, nu, self.ext if ext is None else BEYOND.get(ext, ext))

    def integral(self, a: Any, b: Any) -> Any:
        return splint(a, b, self.tck)

    def derivative(self, n: int = 1) -> Any:
        return Curve(again(self.tck, n), 1 if self.ext == 3 else self.ext)

    def antiderivative(self, n: int = 1) -> Any:
        return Curve(again(self.tck, -n), self.ext)


def interpolated(
    x: Any, y: Any, w: Any = None, bbox: Any = (None, None), k: int = 3, ext: int = 0
) -> Any:
    """scipy.interpolate.InterpolatedUnivariateSpline, through all points."""
    return Curve(splrep(x, y, None, bbox[0], bbox[1], k), ext)


def least_squares(
    x: Any, y: Any, t: Any, w: Any = None, bbox: Any = (None, None), k: int = 3, ext: int = 0
) -> Any:
    """scipy.interpolate.LSQUnivariateSpline with inner knots t."""
    return Curve(splrep(x, y, w, bbox[0], bbox[1], k, 0, 0, t), ext)


def univariate_spline(
    x: Any, y: Any, w: Any = None, bbox: Any = (None, None), k: int = 3, s: Any = None,
    ext: int = 0,
) -> Any:  # fmt: skip
    """scipy.interpolate.UnivariateSpline without smoothing."""
    if w is not None or s is None or s != 0:
        raise NotImplementedError("UnivariateSpline with smoothing: give s=0")
    return interpolated(x, y, None, bbox, k, ext)


def make_smoothing_spline(x: Any, y: Any, w: Any = None, lam: Any = None, *, axis: int = 0) -> Any:
    """scipy.interpolate.make_smoothing_spline by the values y, with a given penalty."""
    if lam is None:
        raise NotImplementedError("make_smoothing_spline chooses lam by y: give it as a number")
    knots, matrix = smoothing_spline(x, w, lam)
    rows = np.moveaxis(np.asarray(y), axis, 0)
    return BSpline(knots, np.moveaxis(np.tensordot(matrix, rows, axes=1), 0, axis), 3, True, axis)


# --- polynomials -------------------------------------------------------------------------------
class Newton:
    """The polynomial through points, by divided differences."""

    def __init__(self, xi: Any, yi: Any, axis: int = 0) -> None:
        self.x, self.axis = np.asarray(xi), axis
        rows = np.moveaxis(np.asarray(yi), axis, 0) + 0.0
        for k in range(1, len(self.x)):
            step = self.x[k:] - self.x[:-k]
            rise = (rows[k:] - rows[k - 1 : -1]) / along(step, rows, step)
            rows = np.concatenate((rows[:k], rise))
        self.c = rows

    def __call__(self, x: Any) -> Any:
        points = np.asarray(x)
        found = self.c[-1] + along(0.0 * points, self.c, points)
        for k in range(len(self.x) - 2, -1, -1):
            found = found * along(points - self.x[k], self.c, points) + self.c[k]
        return with_axis(found, points, self.axis)

    def derivative(self, x: Any, der: int = 1) -> Any:
        """The first derivative."""
        if der != 1:
            raise NotImplementedError("derivatives of KroghInterpolator beyond the first")
        points = np.asarray(x)
        found = self.c[-1] + along(0.0 * points, self.c, points)
        rise = 0.0 * found
        for k in range(len(self.x) - 2, -1, -1):
            step = along(points - self.x[k], self.c, points)
            rise = rise * step + found
            found = found * step + self.c[k]
        return with_axis(rise, points, self.axis)


def barycentric_interpolate(xi: Any, yi: Any, x: Any, axis: int = 0) -> Any:
    """scipy.interpolate.barycentric_interpolate."""
    return Newton(xi, yi, axis)(x)


def krogh_interpolate(xi: Any, yi: Any, x: Any, der: int = 0, axis: int = 0) -> Any:
    """scipy.interpolate.krogh_interpolate through distinct points."""
    if der != 0:
        raise NotImplementedError("krogh_interpolate with der")
    return Newton(xi, yi, axis)(x)


READ = {
    "BSpline": BSpline, "BarycentricInterpolator": Newton,
    "KroghInterpolator": Newton, "InterpolatedUnivariateSpline": interpolated,
    "LSQUnivariateSpline": least_squares, "UnivariateSpline": univariate_spline,
    "barycentric_interpolate": barycentric_interpolate,
    "krogh_interpolate": krogh_interpolate, "make_smoothing_spline": make_smoothing_spline,
    "make_interp_spline": make_interp_spline,
    "make_lsq_spline": make_lsq_spline, "splantider": splantider, "splder": splder,
    "splev": splev, "splint": splint, "splrep": splrep,
}  # fmt: skip
