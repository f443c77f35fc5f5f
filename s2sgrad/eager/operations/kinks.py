"""Array functions of which torch settles ties and edges otherwise than the rules of NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.primitives import inside
from s2sgrad.rules import elementwise


def fmax_array(x1: Any, x2: Any) -> Any:
    """The larger of two numbers; NaN only where both are."""
    return np.fmax(x1, x2)


@elementwise(fmax_array, selects=True)
def _fmax(y_bar, y, x1, x2):  # type: ignore[no-untyped-def]
    """Of equal numbers the first gets all."""
    first = (x1 >= x2) | np.isnan(x2)
    return np.where(first, y_bar, 0.0), np.where(first, 0.0, y_bar)


def fmin_array(x1: Any, x2: Any) -> Any:
    """The smaller of two numbers; NaN only where both are."""
    return np.fmin(x1, x2)


@elementwise(fmin_array, selects=True)
def _fmin(y_bar, y, x1, x2):  # type: ignore[no-untyped-def]
    """Of equal numbers the first gets all."""
    first = (x1 <= x2) | np.isnan(x2)
    return np.where(first, y_bar, 0.0), np.where(first, 0.0, y_bar)


def clamp_bounds(a: Any, low: Any = None, high: Any = None) -> Any:
    """`a` cut to [low, high]; `high` where low is above it."""
    return np.clip(a, low, high)


@elementwise(clamp_bounds, optional=("low", "high"), selects=True)
def _clamp_bounds(y_bar, y, a, low=None, high=None):  # type: ignore[no-untyped-def]
    """`a` inside and at the bounds; else the bound that was taken, which is the upper of two."""
    return (
        np.where(inside(a, constant(low), constant(high)), y_bar, 0.0),
        np.where(is_cut(constant(low), constant(a), constant(high)), y_bar, 0.0),
        np.where(is_above(constant(a), constant(low), constant(high)), y_bar, 0.0),
    )


def constant(value: Any) -> Any:
    """The array of a tensor; anything else as it is."""
    return getattr(value, "_array", value)


def is_cut(low: Any, a: Any, high: Any) -> Any:
    """Whether the lower bound was taken."""
    return a < low if high is None else (a < low) & (low < high)


def is_above(a: Any, low: Any, high: Any) -> Any:
    """Whether the upper bound was taken."""
    return a > high if low is None else (a > high) | (high < low)


def logit_array(x: Any, low: Any = None) -> Any:
    """log(x / (1 - x)), of x cut to [low, 1 - low]."""
    cut = x if low is None else np.minimum(np.maximum(x, low), 1.0 - low)
    return np.log(cut / (1.0 - cut))


@elementwise(logit_array)
def _logit(y_bar, y, x, low=None):  # type: ignore[no-untyped-def]
    """1 / (x (1 - x)); NaN outside of [0, 1], 0 where x was cut."""
    outside = (x < (0.0 if low is None else low)) | (x > (1.0 if low is None else 1.0 - low))
    beside = np.nan if low is None else 0.0
    safe = np.where(outside, 0.5 + 0.0 * x, x)
    return np.where(outside, beside, y_bar / (safe * (1.0 - safe)))
