"""Slopes of Legendre's functions and of spherical harmonics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad_runtime.scipy_helpers import (
    scipy_eval_gegenbauer,
    scipy_gammaln,
    scipy_sph_harm_y,
    scipy_sph_legendre_p,
)

__all__ = [
    "assoc_legendre_orders",
    "legendre_end",
    "legendre_orders",
    "sph_harm_slope",
    "sph_harm_step",
    "sph_legendre_orders",
]


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


def legendre_orders(n: Any, z: Any, start: int, count: int) -> Any:
    """So many derivatives of legendre_p(n, z) by z, the first one of order start, as a stack."""
    orders = [_by_z(n, z, k) * _double_factorial(k) for k in range(start, start + count)]
    return np.stack(np.broadcast_arrays(*orders))


def _by_z(n: Any, z: Any, k: Any) -> Any:
    """The derivative of order k of the Legendre polynomial, over 1 * 3 * ... (2 k - 1)."""
    below = np.maximum(np.subtract(n, k), 0)
    return np.where(np.less(n, k), 0.0, scipy_eval_gegenbauer(below, k + 0.5, z))


def _double_factorial(k: int) -> float:
    return float(math.prod(range(1, 2 * k, 2)))


def assoc_legendre_orders(
    n: Any, m: Any, z: Any, branch_cut: Any, norm: bool, start: int, count: int
) -> Any:
    """The same of assoc_legendre_p(n, m, z): (1 - z)^(m/2) (1 + z)^(m/2) times the derivative of
    order m of the Legendre polynomial, by the product rule."""
    n, m = np.asarray(n), np.asarray(m)
    size = np.abs(m)
    left = np.where(np.equal(branch_cut, 2), 1.0 - z, z - 1.0)
    turn = np.where(np.equal(branch_cut, 2), -1.0, 1.0)
    found = []
    for order in range(start, start + count):
        total: Any = 0.0
        for i in range(order + 1):
            for j in range(order + 1 - i):
                rest = order - i - j
                ways = math.factorial(order) // math.prod(map(math.factorial, (i, j, rest)))
                # At an end the steepest term is infinite, or 0; lesser ones would make it NaN.
                edge = _power_slope(left, size, i, order) * _power_slope(1.0 + z, size, j, order)
                term = edge * _by_z(n, z, size + rest) * _scale(n, m, size + rest, norm)
                total = total + np.where(n < size + rest, 0.0, ways * turn**i * term)
        found.append(np.where(np.equal(branch_cut, 2) & (m > 0) & (size % 2 == 1), -total, total))
    return np.stack(np.broadcast_arrays(*found))


def _power_slope(base: Any, size: Any, i: int, steepest: int) -> Any:
    """The derivative of order i of base^(size / 2)."""
    exponent = np.asarray(0.5 * size - i)
    factor = _falling(0.5 * size, i)
    idle = (factor == 0.0) | ((base == 0.0) & (exponent < 0.0) & (i < steepest))
    return np.where(idle, 0.0, factor * np.where(idle, 1.0, base) ** np.where(idle, 1.0, exponent))


def _scale(n: Any, m: Any, k: Any, norm: bool) -> Any:
    """1 * 3 * ... (2 k - 1) times what assoc_legendre_p(n, m) has beside the derivative."""
    up, down = scipy_gammaln(n + np.abs(m) + 1.0), scipy_gammaln(n - np.abs(m) + 1.0)
    ratio = 0.5 * (np.log(n + 0.5) + down - up) if norm else np.where(m < 0, down - up, 0.0)
    odd = k * math.log(2.0) + scipy_gammaln(k + 0.5) - 0.5 * math.log(math.pi)
    return np.where(n < k, 0.0, np.exp(odd + ratio))


def sph_legendre_orders(n: Any, m: Any, theta: Any, start: int, count: int) -> Any:
    """The same of sph_legendre_p(n, m, theta), by theta."""
    known: dict[tuple[int, int], Any] = {}

    def at(order: int, shift: int) -> Any:
        if (order, shift) not in known:
            here = m + shift
            if order == 0:
                value = scipy_sph_legendre_p(n, here, theta)[0]
            else:
                above = sph_harm_step(n, here, theta) * at(order - 1, shift + 1)
                value = 0.5 * (above - sph_harm_step(n, -here, theta) * at(order - 1, shift - 1))
            known[order, shift] = value
        return known[order, shift]

    return np.stack([at(order, 0) for order in range(start, start + count)])
