"""Slopes of the error functions where their textbook forms lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise
from s2sgrad_runtime.scipy_helpers import scipy_wofz

__all__ = ["erfcx_slope", "voigt_slope", "voigt_widening"]


@entrywise
def erfcx_slope(x: Any, y: Any) -> Any:
    """2 x y - 2 / sqrt(pi), where y = erfcx(x): far to the right, where these cancel, by the series
    in 1 / x^2 (DLMF 7.12.1)."""
    far = np.real(x) > 40.0
    u = 1.0 / np.where(far, x, 40.0) ** 2
    series = u * (0.5 - u * (0.75 - u * (1.875 - u * (6.5625 - 29.53125 * u))))
    return np.where(far, -1.1283791670955126 * series, 2.0 * x * y - 1.1283791670955126)


def _is_far(point: Any, sigma: Any, gamma: Any) -> Any:
    """Where the series of w has all digits, and exp(-z^2), which it leaves out, is none of them."""
    distance = np.abs(point)
    seen = (distance > 10.0 * np.abs(sigma)) & (gamma > 1e-3 * np.abs(sigma))
    return seen | (distance > 50.0 * np.abs(sigma))


@entrywise
def voigt_slope(x: Any, sigma: Any, gamma: Any) -> Any:
    """w'(z) / (2 sqrt(pi) sigma^2) at z = (x + i gamma) / (sigma sqrt 2).

    Far out, where its two terms cancel, by the series of w in 1 / z^2 (DLMF 7.12.1); at sigma = 0
    that is the Lorentz line.
    """
    point = x + 1j * gamma
    far = _is_far(point, sigma, gamma)
    width = np.where(far, 1.0, sigma)
    z = np.where(far, 1.0, point) / (width * np.sqrt(2.0))
    near = (2j / np.sqrt(np.pi) - 2.0 * z * scipy_wofz(z)) / (2.0 * np.sqrt(np.pi) * width * width)
    u = np.where(far, sigma, 0.0) ** 2 / np.where(far, point, 1.0) ** 2
    series = 1.0 + 41.0 * u
    for k in range(19, 0, -1):
        series = 1.0 + (2 * k + 1) * u * series
    return np.where(far, -1j * series / (np.pi * np.where(far, point, 1.0) ** 2), near)


@entrywise
def voigt_widening(y: Any, x: Any, sigma: Any, gamma: Any) -> Any:
    """The derivative of y, the profile, by sigma: sigma times its second derivative by x."""
    point = x + 1j * gamma
    far = _is_far(point, sigma, gamma)
    near = -(y + np.real(voigt_slope(x, sigma, gamma) * point)) / np.where(far, 1.0, sigma)
    away = np.where(far, point, 1.0)
    u = np.where(far, sigma, 0.0) ** 2 / away**2
    series = 1.0 + 43.05 * u
    for k in range(19, 0, -1):
        series = 1.0 + (2 * k + 1) * (1.0 + 1.0 / k) * u * series
    return np.where(far, sigma * np.real(2j * series / (np.pi * away**3)), near)
