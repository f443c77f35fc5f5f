"""Floor 8: interpolation between scattered points, as a class that the compiler can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad_runtime import monomial_powers

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


READ = {"RBFInterpolator": RBFInterpolator}
