"""Floor 8: interpolation on regular grids, as a class that the compiler can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.standins.through_points import BSpline, beyond, de_boor, fitted, not_a_knot


class RegularGridInterpolator:
    """scipy.interpolate.RegularGridInterpolator, linear, by splines or of the nearest node."""

    def __init__(
        self, points: Any, values: Any, method: str = "linear", bounds_error: bool = True,
        fill_value: Any = np.nan, *, solver: Any = None, solver_args: Any = None,
    ) -> None:  # fmt: skip
        if method == "pchip":
            raise NotImplementedError("RegularGridInterpolator with 'pchip': 'cubic' is a spline")
        self.method, self.bounds_error, self.fill_value = method, bounds_error, fill_value
        self.points = tuple([np.sort(point) for point in points])
        self.values = np.asarray(values)[np.ix_(*[np.argsort(point) for point in points])]

    def __call__(self, xi: Any, method: Any = None) -> Any:
        columns = _columns(xi, len(self.points))
        pairs = [(g, x) for g, x in zip(self.points, columns, strict=True)]
        places = tuple([np.clip(np.searchsorted(g, x) - 1, 0, len(g) - 2) for g, x in pairs])
        found = [(g, x, i) for (g, x), i in zip(pairs, places, strict=True)]
        shares = tuple([(x - g[i]) / (g[i + 1] - g[i]) for g, x, i in found])
        out = np.any(np.stack([beyond(x, g[0], g[-1]) for g, x in pairs]), axis=0)
        if self.bounds_error and np.any(out):
            raise ValueError("a point lies outside of the grid")
        chosen = self.method if method is None else method
        if chosen == "nearest":
            nearest = [i + np.where(t <= 0.5, 0, 1) for i, t in zip(places, shares, strict=True)]
            value = self.values[tuple(nearest)]
        elif chosen in DEGREES:
            value = by_splines(self.points, self.values, columns, DEGREES[chosen])
        else:
            value = blended(self.values, places, shares)
        if self.bounds_error or self.fill_value is None:
            return value
        return np.where(_behind(out, value), self.fill_value, value)


def _columns(xi: Any, count: int) -> Any:
    """The coordinates of points along each axis of a grid."""
    if isinstance(xi, tuple):
        return np.broadcast_arrays(*xi)
    given = np.asarray(xi)
    rows = np.reshape(given, (-1, count)) if np.ndim(given) == 1 else given
    return tuple([rows[..., k] for k in range(count)])


DEGREES = {"slinear": 1, "cubic": 3, "quintic": 5}


def by_splines(points: Any, values: Any, columns: Any, k: int) -> Any:
    """The tensor product of interpolating splines of degree k, at points given by columns.

    SciPy finds the coefficients by an iteration, to six digits unless its `solver` is spsolve.
    """
    weights = []
    for axis in tuple(range(len(points))):
        nodes = points[axis]
        knots = np.concatenate((nodes[:1], nodes, nodes[-1:])) if k == 1 else not_a_knot(nodes, k)
        rows = np.moveaxis(values, axis, 0)
        values = np.moveaxis(fitted(nodes, rows, knots, k), 0, axis)
        weights.append(de_boor(knots, np.eye(len(nodes)), k, columns[axis]))
    rank = np.ndim(columns[0])
    found = np.tensordot(weights[0], values, axes=(rank, 0))
    for weight in weights[1:]:
        behind = np.ndim(found) - rank - 1
        found = np.sum(np.reshape(weight, np.shape(weight) + (1,) * behind) * found, axis=rank)
    return found


def blended(values: Any, places: Any, shares: Any) -> Any:
    """Values between the nodes at `places` and those after them: each corner with its weight."""
    corners = np.reshape(np.arange(2 ** len(places)), (-1,) + (1,) * np.ndim(places[0]))
    sides = [corners // 2**k % 2 for k in range(len(places))]
    nodes = tuple([i + side for i, side in zip(places, sides, strict=True)])
    factors = [np.where(side == 1, t, 1.0 - t) for t, side in zip(shares, sides, strict=True)]
    entries = values[nodes]
    return np.sum(_behind(np.prod(np.stack(factors), axis=0), entries) * entries, axis=0)


def _behind(weight: Any, entries: Any) -> Any:
    """A weight of each point, with axes behind for those of one value."""
    if np.ndim(entries) == np.ndim(weight):
        return weight
    return np.reshape(weight, np.shape(weight) + (1,) * (np.ndim(entries) - np.ndim(weight)))


def interpn(
    points: Any, values: Any, xi: Any, method: str = "linear", bounds_error: bool = True,
    fill_value: Any = np.nan,
) -> Any:  # fmt: skip
    """scipy.interpolate.interpn."""
    if method == "splinef2d":
        raise NotImplementedError("interpn with 'splinef2d': RectBivariateSpline is the same")
    return RegularGridInterpolator(points, values, method, bounds_error, fill_value)(xi)


class RectBivariateSpline:
    """scipy.interpolate.RectBivariateSpline through all values; constant beyond its grid."""

    def __init__(
        self, x: Any, y: Any, z: Any, bbox: Any = (None, None, None, None), kx: int = 3,
        ky: int = 3, s: Any = 0, maxit: int = 20,
    ) -> None:  # fmt: skip
        if s != 0:
            raise NotImplementedError("RectBivariateSpline with smoothing: give s=0")
        if not (bbox[0] is bbox[1] is bbox[2] is bbox[3] is None):
            raise NotImplementedError("RectBivariateSpline with bbox: leave it out")
        self.x, self.y, self.degrees = np.asarray(x), np.asarray(y), (kx, ky)
        self.knots = not_a_knot(self.x, kx), not_a_knot(self.y, ky)
        rows = fitted(self.x, np.asarray(z), self.knots[0], kx)
        self.c = fitted(self.y, rows.T, self.knots[1], ky).T

    def _basis(self, axis: int, nodes: Any) -> BSpline:
        return BSpline(self.knots[axis], np.eye(len(nodes)), self.degrees[axis])

    def __call__(self, x: Any, y: Any, dx: int = 0, dy: int = 0, grid: bool = True) -> Any:
        left = self._basis(0, self.x)(np.clip(x, self.x[0], self.x[-1]), dx)
        right = self._basis(1, self.y)(np.clip(y, self.y[0], self.y[-1]), dy)
        if grid:
            return np.atleast_2d(left) @ self.c @ np.atleast_2d(right).T
        return np.sum((left @ self.c) * right, axis=-1)

    def ev(self, xi: Any, yi: Any, dx: int = 0, dy: int = 0) -> Any:
        return self(xi, yi, dx, dy, False)

    def integral(self, xa: Any, xb: Any, ya: Any, yb: Any) -> Any:
        across = self._basis(0, self.x).integrate(xa, xb, False)
        return across @ self.c @ self._basis(1, self.y).integrate(ya, yb, False)


READ = {
    "RectBivariateSpline": RectBivariateSpline,
    "RegularGridInterpolator": RegularGridInterpolator, "interpn": interpn,
}  # fmt: skip
