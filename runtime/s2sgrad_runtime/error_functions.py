"""Slopes of the error functions where their textbook forms lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise
from s2sgrad_runtime.scipy_helpers import scipy_wofz

__all__ = ["erfcx_slope", "voigt_slope"]


@entrywise
def erfcx_slope(x: Any, y: Any) -> Any:
    """2 x y - 2 / sqrt(pi), where y = erfcx(x): far to the right, where these cancel, by the series
    in 1 / x^2 (DLMF 7.12.1)."""
    far = np.real(x) > 40.0
    u = 1.0 / np.where(far, x, 40.0) ** 2
    series = u * (0.5 - u * (0.75 - u * (1.875 - u * (6.5625 - 29.53125 * u))))
    return np.where(far, -1.1283791670955126 * series, 2.0 * x * y - 1.1283791670955126)


@entrywise
def voigt_slope(x: Any, sigma: Any, gamma: Any) -> Any:
    """w'(z) / (2 sqrt(pi) sigma^2) at z = (x + i gamma) / (sigma sqrt 2)."""
    z = (x + 1j * gamma) / (sigma * np.sqrt(2.0))
    slope = 2j / np.sqrt(np.pi) - 2.0 * z * scipy_wofz(z)
    return slope / (2.0 * np.sqrt(np.pi) * sigma * sigma)
