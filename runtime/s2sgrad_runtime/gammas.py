"""Slopes of quotients of gamma functions, where both have poles too."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise
from s2sgrad_runtime.scipy_helpers import scipy_digamma, scipy_gamma, scipy_rgamma
from s2sgrad_runtime.special import rgamma_slope

__all__ = ["poch_slope"]


@entrywise
def poch_slope(y: Any, z: Any, m: Any) -> Any:
    """The derivative of y = gamma(z + m) / gamma(z) by z, also at whole numbers z up to 0.

    There gamma(z) has a pole, and 1 / gamma(z) a slope; where gamma(z + m) has one too, m being
    whole, reflection gives the quotient as one of gamma(1 - z) and gamma(1 - z - m).
    """
    pole = (np.real(z) <= 0.0) & (z == np.floor(np.real(z)))
    both = pole & (np.real(z + m) <= 0.0) & (m == np.floor(np.real(m)))
    low, high = np.where(pole, 1.0, z), np.where(pole, 1.0, z + m)
    away = y * (scipy_digamma(high) - scipy_digamma(low))
    turned = np.where(both, 1.0 - z, 1.0)
    mirrored = y * (scipy_digamma(np.where(both, turned - m, 1.0)) - scipy_digamma(turned))
    z = np.where(pole, z, 1.0)
    end = np.where(both, 1.0, z + m)
    crossing = scipy_gamma(end) * (scipy_digamma(end) * scipy_rgamma(z) + rgamma_slope(z))
    return np.where(pole, np.where(both, mirrored, crossing), away)
