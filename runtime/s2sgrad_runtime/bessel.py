"""Bessel functions of order one over their argument, which their slopes are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise
from s2sgrad_runtime.scipy_helpers import scipy_i0, scipy_j0

__all__ = ["bessel_ratio", "bessel_ratio_slope", "scaled_bessel_ratio"]


@entrywise
def bessel_ratio(known: Any, x: Any, sign: float) -> Any:
    """known / x for known = J1(x) (sign -1) or I1(x) (sign 1); its derivatives go by x."""
    at_zero = x == 0
    return np.where(at_zero, 0.5, known / np.where(at_zero, 1.0, x))


@entrywise
def bessel_ratio_slope(ratio: Any, x: Any, sign: float) -> Any:
    """The derivative of J1(x) / x or I1(x) / x, by its series near 0."""
    near = np.abs(x) < 0.3
    s = sign * 0.25 * np.where(near, x * x, 0.0)
    series = sign * x * (1 / 8 + s * (1 / 24 + s * (1 / 192 + s * (1 / 2880 + s / 69120))))
    own = scipy_j0(x) if sign < 0.0 else scipy_i0(x)
    return np.where(near, series, (own - 2.0 * ratio) / np.where(near, 1.0, x))


@entrywise
def scaled_bessel_ratio(y: Any, x: Any) -> Any:
    """y / x for y = exp(-|x|) I1(x), in the same way."""
    near = np.abs(x) < 0.1
    s = 0.25 * np.where(near, x * x, 0.0)
    series = 0.5 + s * (1 / 4 + s * (1 / 24 + s * (1 / 288 + s / 5760)))
    return np.where(near, np.exp(-np.abs(x)) * series, y / np.where(near, 1.0, x))
