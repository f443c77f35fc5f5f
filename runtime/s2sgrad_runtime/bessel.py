"""Bessel functions of order one over their argument, which their slopes are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise

__all__ = ["bessel_ratio", "scaled_bessel_ratio"]


@entrywise
def bessel_ratio(y: Any, x: Any, sign: float) -> Any:
    """y / x for y = J1(x) (sign -1) or I1(x) (sign 1): by their series near 0, where all orders of
    its derivatives are finite."""
    near = np.abs(x) < 0.1
    s = sign * 0.25 * np.where(near, x * x, 0.0)
    series = 0.5 + s * (1 / 4 + s * (1 / 24 + s * (1 / 288 + s / 5760)))
    return np.where(near, series, y / np.where(near, 1.0, x))


@entrywise
def scaled_bessel_ratio(y: Any, x: Any) -> Any:
    """y / x for y = exp(-|x|) I1(x), in the same way."""
    near = np.abs(x) < 0.1
    s = 0.25 * np.where(near, x * x, 0.0)
    series = 0.5 + s * (1 / 4 + s * (1 / 24 + s * (1 / 288 + s / 5760)))
    return np.where(near, np.exp(-np.abs(x)) * series, y / np.where(near, 1.0, x))
