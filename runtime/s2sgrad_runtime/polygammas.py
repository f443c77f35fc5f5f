"""The derivatives of the digamma function, by recurrence and an asymptotic series.

SciPy has them for real numbers only, by the Hurwitz zeta function, at 0.2 microseconds an entry
and more, where digamma takes 0.01. The first of them, which the second order of the whole gamma
family reads, ends in Gauss's quadrature of an integral in place of the series: few terms, all of
them squared reciprocals, so that a hundred numbers take ten calls of NumPy.
"""

from __future__ import annotations

import importlib
import math
from functools import cache
from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import _BERNOULLI
from s2sgrad_runtime.scipy_helpers import scipy_digamma, scipy_polygamma, scipy_zeta

__all__ = ["polygamma_at"]

MOST = 10_000  # steps; NaN further to the left
FAR = 9.0  # from this real part, and two more for each order, the series is good to the last digit
LEFT = -30.0  # further to the left there are many steps, and SciPy is faster
FEW, FEWER = 75, 55  # numbers, for which SciPy is faster; where n = 1
BLOCK = 2048  # numbers taken at once: their steps stay in the processor's cache
NEAR = 6.5  # from here five nodes of Gauss's rule are good to the last digit
MANY = 20_000  # reciprocals, which are no longer made at once
HIGHEST = 20  # orders from which the series would need more terms

_DOUBLE, _TINY = np.dtype(np.float64), np.full(BLOCK, 1e-10)
_STEPS, _ONES = np.arange(64.0)[:, None], np.ones(64)
# The rule for the weight pi / cosh(pi t)**2 in the variable t**2, whose moments are those of
# Bernoulli's numbers, (1 - 2**(1 - 2k)) |B(2k)|: psi'(u + 1/2) = u * sum of weight / (u**2 + node).
_NODES = np.array([
    0.034514054582165962408, 0.40942436713475114258, 1.6264829219902906899,
    4.5731754467891021551, 11.316929525293163734,
])  # fmt: skip
_WEIGHTS = np.array([
    0.8799621930194882887, 0.11694730726908378527, 0.0030720171294257360099,
    0.000018469915588339264752, 1.2666413850758563612e-8,
])  # fmt: skip


def polygamma_at(n: int, z: Any) -> Any:
    """Derivative n of digamma at z (n = 0: digamma itself)."""
    if type(z) is np.ndarray and z.dtype is _DOUBLE and type(n) is int and n == 1 and z.ndim:
        if z.size < FEWER:
            return _hurwitz()(2.0, z)
        return _of_block(1, z) if z.ndim == 1 and len(z) <= BLOCK else _of_doubles(1, z)
    if np.iscomplexobj(z):
        return scipy_digamma(z) if np.ndim(n) == 0 and n == 0 else _of_complex(int(n), z)
    if np.ndim(n) != 0 or not 1 <= n <= HIGHEST:
        return scipy_polygamma(n, z)
    found = _of_doubles(int(n), np.asarray(z, _DOUBLE))[()]
    kind = np.asarray(z).dtype
    return found.astype(kind, copy=False) if kind.kind == "f" else found


@cache
def _hurwitz() -> Any:
    """scipy.special.zeta itself: ten numbers take less time than one more call around them."""
    return importlib.import_module("scipy.special").zeta


def _of_doubles(n: int, x: Any) -> Any:
    """The same for an array of real numbers."""
    if x.size < (FEW if n > 1 else FEWER):  # SciPy's polygamma looks for n = 0 entry by entry
        return math.factorial(n) * (scipy_zeta(n + 1, x) if n % 2 else -scipy_zeta(n + 1, x))
    flat = x.ravel()
    if len(flat) <= BLOCK:
        return _of_block(n, flat).reshape(x.shape)
    found = np.empty_like(flat)
    for k in range(0, len(flat), BLOCK):
        found[k : k + BLOCK] = _of_block(n, flat[k : k + BLOCK])
    return found.reshape(x.shape)


def _of_block(n: int, x: Any) -> Any:
    """The same for a vector of them."""
    least = np.minimum.reduce(x)
    if least > 0.1:  # no power overflows
        if n == 1 and x.dot(_TINY[: len(x)]) < 1e100:  # nor does a square
            return _trigamma(x, least)
        return _by_recurrence(n, x, least)
    if least < LEFT:
        return scipy_polygamma(n, x)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _by_recurrence(n, x, np.fmin.reduce(x))


def _trigamma(x: Any, least: Any) -> Any:
    """Steps to the right, then Gauss's rule, for positive numbers: all denominators are squares
    of x and a shift, and nodes, which are products of one matrix with the powers of x."""
    steps = max(0, math.ceil(NEAR + 0.5 - least))
    squares, sums = _rows_of_trigamma(steps)
    powers = np.empty((3, len(x)))
    powers[0], powers[1] = 1.0, x
    np.multiply(x, x, out=powers[2])
    rows = squares.dot(powers)
    found, tail = sums.dot(np.reciprocal(rows, out=rows))
    tail *= x + (steps - 0.5)
    found += tail
    return found


@cache
def _rows_of_trigamma(steps: int) -> tuple[Any, Any]:
    """The coefficients of the denominators, and which of their reciprocals make the two sums."""
    shifts = np.append(np.arange(float(steps)), np.full(len(_NODES), steps - 0.5))
    squares = np.stack([shifts * shifts, 2.0 * shifts, np.ones_like(shifts)], axis=1)
    squares[steps:, 0] += _NODES
    sums = np.zeros((2, len(shifts)))
    sums[0, :steps], sums[1, steps:] = 1.0, _WEIGHTS
    return squares, sums


def _of_complex(n: int, z: Any) -> Any:
    """The same for complex numbers."""
    z = np.where(np.real(z) > -MOST, z, np.nan)
    return _by_recurrence(n, z, np.fmin.reduce(np.ravel(z.real), initial=FAR + 2 * n))


def _by_recurrence(n: int, z: Any, least: Any) -> Any:
    """Steps to the right, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.11).
    least: the smallest real part."""
    flat = z.ravel()
    steps = max(0, math.ceil(FAR + 2 * n - least)) if least < math.inf else 0
    total = _of_steps(n, flat, steps)
    inverse = 1.0 / (flat + float(steps))
    powers = np.empty((len(_BERNOULLI) + 1, len(flat)), flat.dtype)
    powers[0] = inverse
    square = np.multiply(inverse, inverse, out=powers[1])
    for k in range(2, len(powers)):
        np.multiply(powers[k - 1], square, out=powers[k])
    tail = math.factorial(n - 1) + _coefficients(n) @ powers
    found = (math.factorial(n) * total + tail * _power(inverse, n)).reshape(z.shape)[()]
    return found if n % 2 else -found


@cache
def _coefficients(n: int) -> Any:
    """Of the series: of 1/w, 1/w**2, 1/w**4, and so on."""
    rising = [math.factorial(2 * k + n - 1) / math.factorial(2 * k) for k in range(1, 9)]
    even = [r * b for r, b in zip(rising, _BERNOULLI, strict=True)]
    return np.array([0.5 * math.factorial(n), *even])


def _of_steps(n: int, z: Any, steps: int) -> Any:
    """The sum of (z + k)**(-n - 1) for k < steps: for few numbers in one array of all steps."""
    if steps <= len(_STEPS) and steps * len(z) < MANY:
        rows = _STEPS[:steps] + z
        return _ONES[:steps] @ _power(np.reciprocal(rows, out=rows), n + 1)
    total = np.zeros_like(z)
    for k in range(steps):
        total += _power(1.0 / (z + float(k)), n + 1)
    return total


def _power(x: Any, n: int) -> Any:
    """x**n for n >= 1, by products."""
    if n == 1:
        return x
    half = _power(x * x, n // 2)
    return half * x if n % 2 else half
