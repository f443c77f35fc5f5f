"""Floor 8: interpolation between scattered points, as a class that the compiler can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad_runtime import enclosing_simplex, monomial_powers, nearest_place

LEAST = {"multiquadric": 0, "linear": 0, "thin_plate_spline": 1, "cubic": 1, "quintic": 2}
SCALE_FREE = ("linear", "thin_plate_spline", "cubic", "quintic")


def kernel_of(s: Any, kernel: str) -> Any:
    """A radial function of the squared distance s; where that is zero, with all its slopes."""
    if kernel == "gaussian":
        return np.exp(-s)
    if kernel == "inverse_quadratic":
        return 1.0 / (1.0 + s)
    if kernel == "multiquadric":
        return -np.sqrt(1.0 + s)
    if kernel == "inverse_multiquadric":
        return 1.0 / np.sqrt(1.0 + s)
    apart = s > 0.0
    away = np.where(apart, s, 1.0)
    if kernel == "linear":
        return np.where(apart, -np.sqrt(away), 0.0)
    if kernel == "cubic":
        return np.where(apart, away * np.sqrt(away), 0.0)
    if kernel == "quintic":
        return np.where(apart, -away * away * np.sqrt(away), 0.0)
    return np.where(apart, 0.5 * away * np.log(away), 0.0)


class RBFInterpolator:
    """scipy.interpolate.RBFInterpolator of all points (neighbors=None)."""

    def __init__(
        self, y: Any, d: Any, neighbors: Any = None, smoothing: Any = 0.0,
        kernel: str = "thin_plate_spline", epsilon: Any = None, degree: Any = None,
    ) -> None:  # fmt: skip
        if neighbors is not None:
            raise NotImplementedError("RBFInterpolator with neighbors")
        if epsilon is None and kernel not in SCALE_FREE:
            raise ValueError("this kernel needs an epsilon")
        self.y, self.kernel = np.asarray(y), kernel
        self.epsilon = 1.0 if epsilon is None else epsilon
        least = LEAST.get(kernel, -1)
        self.powers = monomial_powers(np.shape(y)[1], (max(least, 0) if degree is None else degree))
        low, high = np.min(stop_gradient(self.y), axis=0), np.max(stop_gradient(self.y), axis=0)
        self.shift = 0.5 * (high + low)  # for the sake of rounding: the result is free of both
        self.scale = np.where(high > low, 0.5 * (high - low), 1.0)
        rows = np.reshape(d, (np.shape(d)[0], -1))
        self.tail = np.shape(d)[1:]
        count, extra = np.shape(y)[0], np.shape(self.powers)[0]
        matrix = self._kernels(self.y) + np.diag(smoothing * np.ones(count))
        border = self._monomials(self.y)
        top = np.concatenate((matrix, border), axis=1)
        bottom = np.concatenate((border.T, np.zeros((extra, extra))), axis=1)
        given = np.concatenate((rows, np.zeros((extra, np.shape(rows)[1]))), axis=0)
        self.weights = np.linalg.solve(np.concatenate((top, bottom), axis=0), given)

    def _kernels(self, x: Any) -> Any:
        steps = (x[:, None, :] - self.y[None, :, :]) * self.epsilon
        return kernel_of(np.sum(steps * steps, axis=2), self.kernel)

    def _monomials(self, x: Any) -> Any:
        scaled = (x - self.shift) / self.scale
        return np.prod(scaled[:, None, :] ** self.powers[None, :, :], axis=2)

    def __call__(self, x: Any) -> Any:
        points = np.asarray(x)
        basis = np.concatenate((self._kernels(points), self._monomials(points)), axis=1)
        return np.reshape(basis @ self.weights, (np.shape(points)[0], *self.tail))


def rows_of(coordinates: Any) -> Any:
    """Points as an array whose last axis holds their coordinates, from a tuple of them or such."""
    if isinstance(coordinates, tuple):
        return np.stack(np.broadcast_arrays(*coordinates), axis=-1)
    return np.asarray(coordinates)


class Scattered:
    """Values at scattered points, and what is common to curves through them."""

    def __init__(self, points: Any, values: Any, fill_value: Any, rescale: bool) -> None:
        self.points, self.values = rows_of(points), np.asarray(values)
        self.fill_value, self.rescale = fill_value, rescale

    def __call__(self, *xi: Any) -> Any:
        places = rows_of(xi[0] if len(xi) == 1 else xi)
        flat = np.reshape(places, (-1, np.shape(self.points)[1]))
        found = self.at(flat)
        return np.reshape(found, (*np.shape(places)[:-1], *np.shape(self.values)[1:]))

    def at(self, flat: Any) -> Any:
        raise NotImplementedError


class LinearNDInterpolator(Scattered):
    """scipy.interpolate.LinearNDInterpolator: linear in each simplex of Delaunay's triangulation,
    which stays while points move a little."""

    def __init__(
        self, points: Any, values: Any, fill_value: Any = np.nan, rescale: bool = False
    ) -> None:
        super().__init__(points, values, fill_value, rescale)

    def at(self, flat: Any) -> Any:
        known = stop_gradient(self.points)
        corners = enclosing_simplex(known, stop_gradient(flat), self.rescale)
        inside = corners[:, 0] >= 0
        base = self.points[corners[:, -1]]
        edges = self.points[corners[:, :-1]] - base[:, None, :]
        edges = np.where(inside[:, None, None], edges, np.eye(np.shape(flat)[1]))
        away = np.where(inside[:, None], flat - base, 0.0)
        shares = np.linalg.solve(np.swapaxes(edges, 1, 2), away[:, :, None])[:, :, 0]
        weights = np.concatenate((shares, 1.0 - np.sum(shares, axis=1, keepdims=True)), axis=1)
        tail = (1,) * (np.ndim(self.values) - 1)
        weights = np.reshape(weights, (*np.shape(weights), *tail))
        found = np.sum(weights * self.values[corners], axis=1)
        return np.where(np.reshape(inside, (-1, *tail)), found, self.fill_value)


class NearestNDInterpolator(Scattered):
    """scipy.interpolate.NearestNDInterpolator."""

    def __init__(self, x: Any, y: Any, rescale: bool = False, tree_options: Any = None) -> None:
        super().__init__(x, y, 0.0, rescale)

    def at(self, flat: Any) -> Any:
        return self.values[
            nearest_place(stop_gradient(self.points), stop_gradient(flat), self.rescale)
        ]


def griddata(
    points: Any, values: Any, xi: Any, method: str = "linear", fill_value: Any = np.nan,
    rescale: bool = False,
) -> Any:  # fmt: skip
    """scipy.interpolate.griddata in two dimensions or more, but for the method 'cubic'."""
    if method == "nearest":
        return NearestNDInterpolator(points, values, rescale)(xi)
    if method != "linear":
        raise NotImplementedError("griddata(method='cubic'): RBFInterpolator is as smooth")
    return LinearNDInterpolator(points, values, fill_value, rescale)(xi)


READ = {
    "LinearNDInterpolator": LinearNDInterpolator, "NearestNDInterpolator": NearestNDInterpolator,
    "RBFInterpolator": RBFInterpolator, "griddata": griddata,
}  # fmt: skip
