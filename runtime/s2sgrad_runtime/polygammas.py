"""The derivatives of the digamma function, by recurrence and an asymptotic series.

SciPy has them for real numbers only, by the Hurwitz zeta function, at half a microsecond an entry.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import _BERNOULLI
from s2sgrad_runtime.scipy_helpers import scipy_digamma, scipy_polygamma, scipy_zeta

__all__ = ["polygamma_at"]

MOST = 10_000  # steps; NaN further to the left
FAR = 9.0  # from this real part, and two more for each order, the series is good to the last digit
LEFT = -30.0  # further to the left there are many steps, and SciPy is faster
FEW = 250  # numbers, for which SciPy is faster
HIGHEST = 20  # orders from which the series would need more terms


def polygamma_at(n: int, z: Any) -> Any:
    """Derivative n of digamma at z (n = 0: digamma itself)."""
    if np.iscomplexobj(z):
        return scipy_digamma(z) if np.ndim(n) == 0 and n == 0 else _by_recurrence(int(n), z)
    if np.ndim(n) != 0 or not 1 <= n <= HIGHEST:
        return scipy_polygamma(n, z)
    if np.size(z) < FEW:  # SciPy's polygamma looks for n = 0 entry by entry
        return math.factorial(n) * (scipy_zeta(n + 1, z) if n % 2 else -scipy_zeta(n + 1, z))
    return _of_reals(int(n), z)


def _of_reals(n: int, x: Any) -> Any:
    """The same for many real numbers."""
    wide = np.asarray(x, np.float64)
    if np.fmin.reduce(np.ravel(wide)) < LEFT:
        return scipy_polygamma(n, x)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = _by_recurrence(n, wide)
    kind = np.asarray(x).dtype
    return found.astype(kind, copy=False) if kind.kind == "f" else found


def _by_recurrence(n: int, z: Any) -> Any:
    """Steps to the right, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.11)."""
    z = np.where(np.real(z) > -MOST, z, np.nan)[()]
    enough = FAR + 2 * n
    steps = max(0, math.ceil(enough - np.fmin.reduce(np.ravel(np.real(z)), initial=enough)))
    total, w = np.zeros_like(z), z
    for _ in range(steps):
        total = total + _power(1.0 / w, n + 1)
        w = w + 1.0
    inverse = 1.0 / w
    square, series = inverse * inverse, 0.0
    for k in range(len(_BERNOULLI), 0, -1):
        rising = math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        series = (series + rising * _BERNOULLI[k - 1]) * square
    tail = math.factorial(n - 1) + 0.5 * math.factorial(n) * inverse + series
    total = math.factorial(n) * total + tail * _power(inverse, n)
    return total if n % 2 else -total


def _power(x: Any, n: int) -> Any:
    """x**n for n >= 1, by products."""
    if n == 1:
        return x
    half = _power(x * x, n // 2)
    return half * x if n % 2 else half
