"""Slopes of Legendre's functions and of spherical harmonics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad_runtime.scipy_helpers import scipy_sph_harm_y

__all__ = ["legendre_end", "sph_harm_slope", "sph_harm_step"]


def sph_harm_slope(n: Any, m: Any, theta: Any, phi: Any) -> Any:
    """The derivative of the spherical harmonic sph_harm_y(n, m, theta, phi) by theta."""
    return scipy_sph_harm_y(n, m, theta, phi, diff_n=1)[1][..., 0]


def sph_harm_step(n: Any, m: Any, theta: Any) -> Any:
    """The factor with which sph_harm_y(n, m) becomes that of m + 1; 0 where there is none.

    Beside 0 <= theta <= pi SciPy's harmonics are even in sin(theta): slopes go the other way.
    """
    size = np.sqrt(np.maximum((n - m) * (n + m + 1.0), 0.0))
    return np.where(np.sin(theta) < 0.0, -size, size)[()]


def legendre_end(m: Any, v: Any, x: Any, order: int = 1) -> Any:
    """A derivative of lpmv(m, v, x) by x at the ends, x = 1 and -1, from inside.

    With h = 1 - x the function is (h (2 - h))**(m / 2) times the derivative of order m of the
    Legendre function, a power series. At -1 it is finite for whole degrees: even or odd.
    """
    size = np.abs(m)
    total = np.where(
        (size % 2 == 1) & (size < 2 * order),
        (-1.0) ** order * _falling(0.5 * size, order) * _at_one(size, v, 0.0) * np.inf,
        _of_series(size, v, order),
    )
    total = total * np.where(m < 0, 1.0 / _rising(v - size + 1.0, 2 * size), (-1.0) ** size)
    whole = v == np.floor(v)
    mirrored = np.where(whole, np.where((v + m + order) % 2 == 0, 1.0, -1.0), np.nan)
    return np.where(x > 0.0, total, total * mirrored)[()]


def _of_series(size: Any, v: Any, order: int) -> Any:
    """The derivative where m is even: the coefficient of h**order, times (-1)**order order!."""
    total: Any = 0.0
    for i in range(order + 1):
        n = np.asarray(order - 0.5 * size - i)
        binomial = _falling(0.5 * size, i) / math.factorial(i) * 2.0 ** (0.5 * size - i)
        terms = (-1.0) ** i * binomial * _at_one(size, v, np.maximum(np.floor(n), 0.0))
        total = total + np.where(
            (n >= 0.0) & (n == np.floor(n)), (-1.0) ** np.floor(n) * terms, 0.0
        )
    return total * (math.factorial(order) * (-1.0) ** order)


def _at_one(size: Any, v: Any, n: Any) -> Any:
    """The derivative of order size + n of the Legendre function at 1, over n!."""
    count = size + n
    scale = 2.0**count * _rising(1.0, count) * _rising(1.0, n)
    return _rising(v - count + 1.0, 2 * count) / scale


def _rising(start: Any, count: Any) -> Any:
    """start (start + 1) ... of so many factors."""
    total: Any = 1.0
    for i in range(int(np.max(count, initial=0))):
        total = total * np.where(i < count, start + i, 1.0)
    return total


def _falling(start: Any, count: int) -> Any:
    """start (start - 1) ... of so many factors."""
    total: Any = 1.0
    for i in range(count):
        total = total * (start - i)
    return total
