"""The derivatives of the digamma function, by recurrence and an asymptotic series.

SciPy has them for real numbers only, by the Hurwitz zeta function, at 0.2 microseconds an entry
and more, where digamma takes 0.01. The first of them, which the second order of the whole gamma
family reads, ends in Gauss's quadrature of Binet's integral in place of the series: fewer steps
and fewer terms.
"""

from __future__ import annotations

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
FEW = 75  # numbers, for which SciPy is faster
BLOCK = 2048  # numbers taken at once: their steps stay in the processor's cache
NEAR = 6.0  # from here five nodes of Gauss's rule are good to the last digit
MANY = 20_000  # reciprocals, which are no longer made at once
HIGHEST = 20  # orders from which the series would need more terms

_STEPS, _ONES = np.arange(64.0)[:, None], np.ones(64)
# The rule for the weight 2t / (exp(2 pi t) - 1) in the variable t**2, whose moments are Bernoulli's
# numbers |B(2k + 2)| / (2k + 2): psi(w) = log w - 1/(2w) - sum of weight / (w**2 + node).
_NODES = np.array([
    0.037955171271281072816, 0.51918907432044287151, 1.9712231431834588107,
    5.3005262575317001422, 12.682835533428185585,
])[:, None]  # fmt: skip
_WEIGHTS = np.array([
    0.073586220305867998129, 0.0094224494260891810598, 0.00032216372860822655261,
    2.4977455092100855374e-6, 2.1272587175063689646e-9,
])  # fmt: skip


def polygamma_at(n: int, z: Any) -> Any:
    """Derivative n of digamma at z (n = 0: digamma itself)."""
    if np.iscomplexobj(z):
        return scipy_digamma(z) if np.ndim(n) == 0 and n == 0 else _of_complex(int(n), z)
    if np.ndim(n) != 0 or not 1 <= n <= HIGHEST:
        return scipy_polygamma(n, z)
    if np.size(z) < FEW:  # SciPy's polygamma looks for n = 0 entry by entry
        return math.factorial(n) * (scipy_zeta(n + 1, z) if n % 2 else -scipy_zeta(n + 1, z))
    return _of_reals(int(n), z)


def _of_reals(n: int, x: Any) -> Any:
    """The same for many real numbers."""
    wide = np.asarray(x, np.float64)
    flat = wide.ravel()
    if len(flat) <= BLOCK:
        found = _of_block(n, flat)
    else:
        found = np.empty_like(flat)
        for k in range(0, len(flat), BLOCK):
            found[k : k + BLOCK] = _of_block(n, flat[k : k + BLOCK])
    kind = np.asarray(x).dtype
    return found.reshape(wide.shape).astype(kind if kind.kind == "f" else wide.dtype, copy=False)


def _of_block(n: int, x: Any) -> Any:
    """The same for a vector of them."""
    way = _trigamma if n == 1 else _by_recurrence
    least = x.min()
    if least > 0.1:  # no power overflows
        return way(n, x, least)
    if least < LEFT:
        return scipy_polygamma(n, x)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return way(n, x, np.fmin.reduce(x))


def _trigamma(_: int, x: Any, least: Any) -> Any:
    """Steps to the right, then Gauss's rule; all squared reciprocals at once."""
    steps = max(0, math.ceil(NEAR - least)) if least < math.inf else 0
    inverse = 1.0 / (x + float(steps))
    square = inverse * inverse
    rows = np.empty((steps + len(_NODES), len(x)))
    np.add(_STEPS[:steps], x, out=rows[:steps])
    ends = np.multiply(_NODES, square, out=rows[steps:])
    ends += 1.0
    np.reciprocal(rows, out=rows)
    np.multiply(rows, rows, out=rows)
    tail = (2.0 * square) * (_WEIGHTS @ ends)
    return _ONES[:steps] @ rows[:steps] + inverse * (tail + (1.0 + 0.5 * inverse))


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
