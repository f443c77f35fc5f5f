"""The derivatives of the digamma function; SciPy has them for real numbers only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import _BERNOULLI
from s2sgrad_runtime.scipy_helpers import scipy_digamma, scipy_polygamma

__all__ = ["polygamma_at"]

MOST = 10_000  # steps; NaN further to the left
FAR = 15.0  # a real part from which the asymptotic series is good to the last digit


def polygamma_at(n: int, z: Any) -> Any:
    """Derivative n of digamma at z (n = 0: digamma itself)."""
    if not np.iscomplexobj(z):
        return scipy_polygamma(n, z)
    return scipy_digamma(z) if n == 0 else _by_recurrence(int(n), z)


def _by_recurrence(n: int, z: Any) -> Any:
    """Steps to the right, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.11)."""
    z = np.where(np.real(z) > -MOST, z, np.nan)[()]
    steps = max(0, math.ceil(FAR + n - np.fmin.reduce(np.ravel(np.real(z)), initial=FAR + n)))
    total, w = 0.0 * z, z
    for _ in range(steps):
        total = total + w ** -(n + 1)
        w = w + 1.0
    total = math.factorial(n) * (total + 0.5 * w ** -(n + 1)) + math.factorial(n - 1) * w**-n
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b * math.factorial(2 * k + n - 1) / math.factorial(2 * k) * w ** -(
            2 * k + n
        )
    return total if n % 2 else -total
