"""Diagonals, bands and polynomials: each helper is the transpose of the function it names."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only

__all__ = [
    "diagonal_view",
    "polyder_bar",
    "polyint_bar",
    "polyint_dot",
    "polymul_bar_left",
    "polymul_bar_right",
    "polymul_dot",
    "polyval_coefficients",
    "root_slopes",
    "undiag",
    "undiagflat",
    "undiagonal",
    "vander_bar",
    "vander_dot",
]


def diagonal_view(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """`np.diagonal(a, offset, axis1, axis2)`, to be written where `a` may be."""
    view = np.diagonal(a, offset, axis1, axis2)
    view.flags.writeable = a.flags.writeable
    return view


@shape_only(1)
def undiagonal(y_bar: Any, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The transpose of `np.diagonal(a, offset, axis1, axis2)`: y_bar on that diagonal of zeros.

    y_bar may broadcast along its last axis.
    """
    a_bar = np.zeros(np.shape(a), np.asarray(y_bar).dtype)
    planes = np.moveaxis(a_bar, (axis1, axis2), (-2, -1))
    rows, columns = planes.shape[-2:]
    start, right = max(-offset, 0), max(offset, 0)
    steps = np.arange(max(min(rows - start, columns - right), 0))
    planes[..., steps + start, steps + right] = y_bar
    return a_bar


def root_slopes(y: Any, p: Any) -> Any:
    """How the roots y of np.polyval(p, .) move with each coefficient: (roots, coefficients)."""
    powers = y[:, np.newaxis] ** np.arange(len(p) - 1, -1, -1)
    return (-powers / np.polyval(np.polyder(p), y)[:, np.newaxis]).astype(y.dtype)


@shape_only(1)
def undiag(y_bar: Any, v: Any, k: int = 0) -> Any:
    """The transpose of `np.diag(v, k)`, for a vector (takes the diagonal) or a matrix."""
    return np.diagonal(y_bar, k) if np.ndim(v) == 1 else undiagonal(y_bar, v, k)


@shape_only(1)
def undiagflat(y_bar: Any, v: Any, k: int = 0) -> Any:
    """The transpose of `np.diagflat(v, k)`."""
    return np.reshape(np.diagonal(y_bar, k), np.shape(v))


def _vander_slope(x: Any, count: int, increasing: bool) -> Any:
    powers = np.arange(count) if increasing else np.arange(count)[::-1]
    columns = [x ** max(int(n) - 1, 0) * float(n) for n in powers]
    return np.stack(columns, axis=-1) if columns else np.zeros((len(x), 0), x.dtype)


def vander_bar(y_bar: Any, x: Any, increasing: bool = False) -> Any:
    """Cotangent of x in `np.vander(x, n, increasing)`: the column x**n has slope n x**(n-1)."""
    return np.sum(y_bar * _vander_slope(x, np.shape(y_bar)[1], increasing), axis=1)


def vander_dot(x_dot: Any, y: Any, x: Any, increasing: bool = False) -> Any:
    """Tangent of `y = np.vander(x, n, increasing)`: the transpose of `vander_bar`."""
    return x_dot[:, None] * _vander_slope(x, np.shape(y)[1], increasing)


@shape_only(1)
def polyval_coefficients(y_bar: Any, p: Any, x: Any) -> Any:
    """Cotangent of p in `np.polyval(p, x)`: sum y_bar x**(n-1-k) for the coefficient k."""
    if np.ndim(p) != 1:
        raise ValueError("np.polyval has a derivative for one polynomial only, not for a table")
    found = []
    power = y_bar
    for _ in range(len(p)):
        found.append(np.sum(power))
        power = power * x
    return np.stack(found[::-1]) if found else np.zeros(0)


@shape_only(1)
def polyder_bar(y_bar: Any, p: Any, m: int = 1) -> Any:
    """The transpose of `np.polyder(p, m)`; constants get zeros."""
    count = len(p)
    kept = max(count - m, 0)
    factors = np.ones(kept)
    for step in range(m):
        factors = factors * (np.arange(count - 1, m - 1, -1) - step)[:kept]
    if kept == 0:
        return np.zeros(count, np.result_type(y_bar))
    return np.concatenate((y_bar * factors, np.zeros(m, np.result_type(y_bar))))


def _integral_factors(count: int, m: int) -> Any:
    """What each coefficient is divided by when a polynomial is integrated m times."""
    factors = np.ones(count)
    for step in range(1, m + 1):
        factors = factors * (np.arange(count - 1, -1, -1) + step)
    return factors


@shape_only(1)
def polyint_bar(y_bar: Any, p: Any, m: int = 1) -> Any:
    """The transpose of `polyint_dot`."""
    return y_bar[: len(p)] / _integral_factors(len(p), m)


def polyint_dot(p_dot: Any, m: int = 1) -> Any:
    """`np.polyint(p_dot, m)` with integration constants 0."""
    tail = np.zeros(m, np.result_type(p_dot))
    return np.concatenate((p_dot / _integral_factors(len(p_dot), m), tail))


def _full_product(y_bar: Any, a1: Any, a2: Any) -> Any:
    """`y_bar` with zeros for the leading coefficients that np.polymul dropped."""
    missing = np.size(a1) + np.size(a2) - 1 - np.size(y_bar)
    return np.concatenate((np.zeros(missing, np.result_type(y_bar)), y_bar))


@shape_only(1)
def polymul_bar_left(y_bar: Any, a1: Any, a2: Any) -> Any:
    """Cotangent of a1 in `np.polymul(a1, a2)`; an empty one counts as zero."""
    if np.size(a1) == 0 or np.size(a2) == 0:
        return np.zeros(np.shape(a1), np.result_type(y_bar))[()]
    found = np.convolve(_full_product(y_bar, a1, a2), np.flip(np.atleast_1d(a2)), "valid")
    return np.reshape(found, np.shape(a1))[()]


@shape_only(2)
def polymul_bar_right(y_bar: Any, a1: Any, a2: Any) -> Any:
    """Cotangent of a2 in `np.polymul(a1, a2)`; an empty one counts as zero."""
    if np.size(a1) == 0 or np.size(a2) == 0:
        return np.zeros(np.shape(a2), np.result_type(y_bar))[()]
    found = np.convolve(_full_product(y_bar, a1, a2), np.flip(np.atleast_1d(a1)), "valid")
    return np.reshape(found, np.shape(a2))[()]


@shape_only(0)
def polymul_dot(y: Any, a1: Any, a2: Any) -> Any:
    """`np.convolve(a1, a2)` cut to as many coefficients as `y = np.polymul(...)` kept."""
    if np.size(a1) == 0 or np.size(a2) == 0:
        return np.zeros_like(y)
    return np.convolve(a1, a2)[-np.size(y) :]
