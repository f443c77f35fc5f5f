"""Pseudo-inverses and least squares: cotangents and tangents, of stacks of matrices too.

Both leave out small singular values where a cut is named (`rtol`, `rcond`). What is left out turns
into what is kept when the matrix moves, which the formula for a constant rank does not know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import safe_divide
from s2sgrad_runtime.linalg import adjoint, scale_columns

__all__ = [
    "as_columns",
    "cut_for_rank",
    "lstsq_bar_left",
    "lstsq_bar_right",
    "lstsq_dot_left",
    "lstsq_dot_right",
    "lstsq_inverse",
    "lstsq_residuals_pushforward",
    "pinv_pullback",
    "pinv_pushforward",
    "turned_into_kept",
]


def pinv_pullback(y_bar: Any, y: Any, a: Any) -> Any:
    """Cotangent of a in y = pinv(a) (Golub, Pereyra 1973)."""
    y_h, bar_h = adjoint(y), adjoint(y_bar)
    direct = -y_h @ y_bar @ y_h
    rows = bar_h @ y @ y_h
    columns = y_h @ y @ bar_h
    a_bar = direct + rows - a @ (y @ rows) + columns - (columns @ y) @ a
    return a_bar + turned_into_kept(bar_h, y, a) if _leaves_out(y, a) else a_bar


def pinv_pushforward(a_dot: Any, y: Any, a: Any) -> Any:
    """Tangent of y = pinv(a) along a_dot."""
    y_h, dot_h = adjoint(y), adjoint(a_dot)
    rows = y @ y_h @ dot_h
    columns = dot_h @ y_h @ y
    y_dot = -y @ a_dot @ y + rows - (rows @ a) @ y + columns - y @ (a @ columns)
    return y_dot + adjoint(turned_into_kept(a_dot, y, a)) if _leaves_out(y, a) else y_dot


def _rank(y: Any, a: Any) -> Any:
    """How many singular values of a are in y = pinv(a): the trace of a projection."""
    return np.rint(np.real(np.sum(np.swapaxes(y, -1, -2) * a, axis=(-2, -1))))


def _leaves_out(y: Any, a: Any) -> bool:
    return bool(np.any(_rank(y, a) < min(np.shape(a)[-2:])))


def turned_into_kept(m: Any, y: Any, a: Any) -> Any:
    """What y = pinv(a) moves by along m, since vectors of the singular values that it leaves out
    turn into those of the values that it keeps; as an adjoint of y's shape.

    It is its own transpose, and nothing for values that are zero.
    """
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    kept = np.arange(np.shape(s)[-1]) < _rank(y, a)[..., np.newaxis]
    pairs = kept[..., :, np.newaxis] != kept[..., np.newaxis, :]
    left, right = s[..., :, np.newaxis], s[..., np.newaxis, :]
    large, small = np.maximum(left, right), np.minimum(left, right)
    weight = safe_divide(small, np.where(pairs, large**2 * (large**2 - small**2), 0.0))
    inner = adjoint(u) @ m @ adjoint(vh)
    return u @ (weight * (small * inner + large * adjoint(inner))) @ vh


def lstsq_inverse(y: Any, a: Any) -> Any:
    """The matrix that b is multiplied by in y = lstsq(a, b)."""
    return np.linalg.pinv(a, cut_for_rank(a, y[2]))


def cut_for_rank(a: Any, rank: Any) -> float:
    """An `rcond` that leaves that many singular values of a."""
    if rank in (0, min(np.shape(a))):
        return 0.0 if rank else 2.0
    s = np.linalg.svd(a, compute_uv=False)
    return float(0.5 * (s[rank - 1] + s[rank]) / s[0])


def as_columns(b: Any) -> Any:
    """A vector as a matrix of one column; a matrix as it is."""
    return b[:, np.newaxis] if np.ndim(b) == 1 else b


def lstsq_bar_left(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """Cotangent of a in (x, residuals, rank, s) = lstsq(a, b)."""
    x, rhs = as_columns(y[0]), as_columns(b)
    inverse = lstsq_inverse(y, a)
    a_bar = pinv_pullback(as_columns(y_bar[0]) @ adjoint(rhs), inverse, a)
    if np.size(y[1]) and np.ndim(y_bar[1]):
        a_bar = a_bar - 2.0 * scale_columns(rhs - a @ x, y_bar[1]) @ adjoint(x)
    if np.ndim(y_bar[3]):
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        a_bar = a_bar + scale_columns(u, y_bar[3]) @ vh
    return a_bar


def lstsq_bar_right(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """Cotangent of b in (x, residuals, rank, s) = lstsq(a, b)."""
    b_bar = adjoint(lstsq_inverse(y, a)) @ as_columns(y_bar[0])
    if np.size(y[1]) and np.ndim(y_bar[1]):
        b_bar = b_bar + 2.0 * scale_columns(as_columns(b) - a @ as_columns(y[0]), y_bar[1])
    return np.reshape(b_bar, np.shape(b))


def lstsq_dot_left(a_dot: Any, y: Any, a: Any, b: Any) -> Any:
    """Tangent of lstsq along a_dot: (x_dot, residuals_dot, 0, s_dot)."""
    x_dot = pinv_pushforward(a_dot, lstsq_inverse(y, a), a) @ b
    residuals_dot = lstsq_residuals_pushforward(-a_dot @ as_columns(y[0]), y, a, b)
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    s_dot = np.real(np.sum(np.conj(u) * (a_dot @ adjoint(vh)), axis=-2))
    return x_dot, residuals_dot, 0, s_dot


def lstsq_dot_right(b_dot: Any, y: Any, a: Any, b: Any) -> Any:
    """Tangent of lstsq along b_dot: (x_dot, residuals_dot, 0, 0)."""
    residuals_dot = lstsq_residuals_pushforward(as_columns(b_dot), y, a, b)
    return lstsq_inverse(y, a) @ b_dot, residuals_dot, 0, np.zeros_like(y[3])


def lstsq_residuals_pushforward(moved: Any, y: Any, a: Any, b: Any) -> Any:
    """Tangent of the squared residuals when b - a x moves by `moved` at fixed x."""
    if not np.size(y[1]):
        return np.zeros_like(y[1])
    residual = as_columns(b) - a @ as_columns(y[0])
    return 2.0 * np.real(np.sum(np.conj(residual) * moved, axis=0))
