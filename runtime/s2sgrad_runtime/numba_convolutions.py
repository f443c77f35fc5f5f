"""Numba's versions of convolutions of vectors, and of their transposes.

Numba takes one product of short vectors for each entry, a call of BLAS; here each factor is
multiplied with all entries that it meets, which the processor does several at a time.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from s2sgrad_runtime import calculus


@register_jitable
def _slid(full: Any, before: int, factors: Any, count: int, turned: bool) -> Any:
    """out[i] = sum of full[i + j - before] * factors[j] over all j, where `full` has an entry.

    turned: the factors stand in the opposite order.
    """
    out = np.zeros(count)
    if count < len(factors):
        ordered = factors[::-1].copy() if turned else factors.copy()
        held = np.ascontiguousarray(full)
        for i in range(count):
            first, last = max(0, before - i), min(len(ordered), len(held) + before - i)
            if first < last:
                out[i] = np.dot(held[first + i - before : last + i - before], ordered[first:last])
        return out
    for j in range(len(factors)):
        factor = factors[len(factors) - 1 - j] if turned else factors[j]
        first, last = max(0, before - j), min(count, len(full) + before - j)
        met, found = full[first + j - before :], out[first:]
        for i in range(last - first):
            found[i] += met[i] * factor
    return out


@register_jitable
def _correlated(a: Any, v: Any, mode: str, turned: bool) -> Any:
    """The products of the shorter vector v with the parts of a that it meets."""
    if mode == "full":
        count, before = len(a) + len(v) - 1, len(v) - 1
    elif mode == "same":
        count, before = len(a), len(v) // 2
    elif mode == "valid":
        count, before = len(a) - len(v) + 1, 0
    else:
        raise ValueError("mode must be one of 'full', 'same', or 'valid'")
    return _slid(a, before, v, count, turned)


@overload(np.convolve, strict=False)
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """Of real vectors."""
    if not _are_vectors(mode, a, v):
        return None

    def convolved(a: Any, v: Any, mode: Any = "full") -> Any:
        if len(a) == 0:
            raise ValueError("a cannot be empty")
        if len(v) == 0:
            raise ValueError("v cannot be empty")
        longer, shorter = (v, a) if len(a) < len(v) else (a, v)
        return _correlated(longer, shorter, mode, True)

    return convolved


@overload(np.correlate, strict=False)
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """Of real vectors."""
    if not _are_vectors(mode, a, v):
        return None

    def correlated(a: Any, v: Any, mode: Any = "valid") -> Any:
        if len(a) == 0 or len(v) == 0:
            raise ValueError("first array argument cannot be empty")
        if len(a) < len(v):
            return _correlated(v, a, mode, False)[::-1].copy()
        return _correlated(a, v, mode, False)

    return correlated


@register_jitable
def _ahead(y_bar: Any, a: Any, v: Any, mode: str) -> int:
    """How many entries of the full convolution stand before those of `mode`."""
    short = min(len(a), len(v))
    if mode == "full":
        return 0
    return short - 1 if mode == "valid" else short - 1 - short // 2


@register_jitable
def _ahead_of_correlation(y_bar: Any, a: Any, v: Any, mode: str) -> int:
    """NumPy swaps a longer second operand, and turns the result round."""
    before = _ahead(y_bar, a, v, mode)
    return len(a) + len(v) - 1 - before - len(y_bar) if len(v) > len(a) else before


def _are_vectors(mode: Any, *arrays: Any) -> bool:
    known = all(isinstance(k, types.Array) for k in arrays)
    return (
        known
        and all(k.ndim == 1 and k.dtype == types.float64 for k in arrays)
        and (isinstance(mode, str | types.UnicodeType | types.Omitted | types.StringLiteral))
    )


@overload(calculus.convolve_bar_left, strict=False)
def convolve_bar_left(y_bar: Any, a: Any, v: Any, mode: Any = "full") -> Any:
    """Of real vectors."""
    if not _are_vectors(mode, y_bar, a, v):
        return None
    return lambda y_bar, a, v, mode="full": _slid(
        y_bar, _ahead(y_bar, a, v, mode), v, len(a), False
    )


@overload(calculus.convolve_bar_right, strict=False)
def convolve_bar_right(y_bar: Any, a: Any, v: Any, mode: Any = "full") -> Any:
    """Of real vectors."""
    if not _are_vectors(mode, y_bar, a, v):
        return None
    return lambda y_bar, a, v, mode="full": _slid(
        y_bar, _ahead(y_bar, a, v, mode), a, len(v), False
    )


@overload(calculus.correlate_bar_left, strict=False)
def correlate_bar_left(y_bar: Any, a: Any, v: Any, mode: Any = "valid") -> Any:
    """Of real vectors."""
    if not _are_vectors(mode, y_bar, a, v):
        return None
    return lambda y_bar, a, v, mode="valid": _slid(
        y_bar, _ahead_of_correlation(y_bar, a, v, mode), v, len(a), True
    )


@overload(calculus.correlate_bar_right, strict=False)
def correlate_bar_right(y_bar: Any, a: Any, v: Any, mode: Any = "valid") -> Any:
    """Of real vectors."""
    if not _are_vectors(mode, y_bar, a, v):
        return None
    return lambda y_bar, a, v, mode="valid": _slid(
        y_bar, _ahead_of_correlation(y_bar, a, v, mode), a, len(v), False
    )[::-1].copy()
