"""Correlations of planes, as scipy.signal's correlate2d computes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.filters import convolve2d_bar_left, convolve2d_bar_right

__all__ = ["correlate2d_bar_left", "correlate2d_bar_right"]


@shape_only(1)
def correlate2d_bar_left(y_bar: Any, a: Any, b: Any, mode: str, boundary: str) -> Any:
    """Cotangent of a in scipy.signal.correlate2d(a, b, mode, boundary)."""
    y_bar = as_given(y_bar, a, b, mode)
    return convolve2d_bar_left(y_bar, a, np.conj(np.flip(b)), mode, boundary, True)


def correlate2d_bar_right(
    y_bar: Any, a: Any, b: Any, mode: str, boundary: str, fillvalue: float
) -> Any:
    """Cotangent of b in scipy.signal.correlate2d(a, b, mode, boundary, fillvalue)."""
    y_bar = as_given(y_bar, a, b, mode)
    found = convolve2d_bar_right(y_bar, a, b, mode, boundary, fillvalue, True)
    return np.conj(np.flip(found))


def as_given(y_bar: Any, a: Any, b: Any, mode: str) -> Any:
    """SciPy exchanges the operands of mode "valid" where the second is the larger one, and then
    gives the conjugate of the correlation."""
    smaller = np.shape(a)[0] < np.shape(b)[0] or np.shape(a)[1] < np.shape(b)[1]
    return np.conj(y_bar) if smaller and mode == "valid" else y_bar
