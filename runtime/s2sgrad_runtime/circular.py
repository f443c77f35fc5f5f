"""The von Mises distribution function's derivatives by its concentration, by Fourier series.

F(z) - 1/2 = z / (2 pi) + sum of r_j sin(j z) / (pi j), with r_j = I_j(kappa) / I_0(kappa), which
falls as exp(-j**2 / (2 kappa)): Abramowitz and Stegun 9.6.34, and 9.6.26 for its derivatives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.scipy_helpers import scipy_ive

__all__ = ["vonmises_bend", "vonmises_slope"]

MOST = 4000  # terms, enough up to a concentration of 200,000


def vonmises_slope(kappa: Any, z: Any) -> Any:
    """The derivative by kappa of the standard distribution function at z; broadcasts."""
    ratios = _ratios(kappa)
    return _series(_first(ratios), z)


def vonmises_bend(kappa: Any, z: Any) -> Any:
    """The second derivative by kappa."""
    ratios = _ratios(kappa)
    first = _first(ratios)
    around = 0.5 * (first[:-2] + first[2:])
    terms = around - first[1:-1] * ratios[1:2] - ratios[1:-2] * first[1:2]
    return _series(np.concatenate([np.zeros_like(terms[:1]), terms]), z)


def _ratios(kappa: Any) -> Any:
    """r_j for j = 0, 1, ... along the first axis."""
    kappa = np.asarray(kappa, float)
    largest = float(np.max(kappa, initial=0.0, where=np.isfinite(kappa)))
    count = min(MOST, int(24.0 + 9.0 * np.sqrt(largest)))
    orders = np.reshape(np.arange(count + 1.0), (-1, *[1] * kappa.ndim))
    return scipy_ive(orders, kappa) / scipy_ive(0.0, kappa)


def _first(ratios: Any) -> Any:
    """The derivatives of r_j by kappa, of all but the last one."""
    below = np.concatenate([ratios[1:2], ratios[:-2]])
    return 0.5 * (below + ratios[1:]) - ratios[:-1] * ratios[1:2]


def _series(terms: Any, z: Any) -> Any:
    """The sum of terms[j] sin(j z) / (pi j) for j >= 1."""
    total = np.zeros(np.broadcast_shapes(np.shape(terms)[1:], np.shape(z)))
    for j in range(1, len(terms)):
        total += terms[j] * np.sin(j * z) / (np.pi * j)
    return total[()]
