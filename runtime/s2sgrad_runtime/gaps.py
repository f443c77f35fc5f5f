"""Reciprocals of differences and sums of eigenvalues or singular values."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import safe_divide

__all__ = ["above_rounding", "inverse_gaps", "inverse_sums"]


def inverse_gaps(w: Any) -> Any:
    """f[i, j] = 1 / (w[j] - w[i]), 0 on the diagonal and for values equal up to rounding."""
    gaps = w[..., np.newaxis, :] - w[..., :, np.newaxis]
    sizes = np.abs(w[..., np.newaxis, :]) + np.abs(w[..., :, np.newaxis])
    equal = np.abs(gaps) <= 32.0 * np.finfo(sizes.dtype).eps * sizes
    return safe_divide(np.ones_like(gaps), np.where(equal, 0.0, gaps))


def inverse_sums(s: Any) -> Any:
    """f[i, j] = 1 / (s[i] + s[j]), 0 on the diagonal and for two zeros."""
    sums = s[..., np.newaxis, :] + s[..., :, np.newaxis]
    off = 1.0 - np.eye(np.shape(s)[-1], dtype=s.dtype)
    return safe_divide(off * np.ones_like(sums), sums)


def above_rounding(total: Any, difference: Any, values: Any) -> Any:
    """`total`, 0 where it is what rounding leaves of two terms with that difference.

    A function of the space that vectors span has no part along their turns into each other; what
    rounding leaves of it would be divided by the gaps. values: the singular values.
    """
    size = np.max(np.abs(total) + np.abs(difference)) if np.size(total) else 0.0
    real = np.abs(total) >= 64.0 * np.finfo(values.dtype).eps * size
    return np.where(real, total, 0.0)
