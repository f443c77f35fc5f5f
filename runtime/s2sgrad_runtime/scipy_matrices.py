"""Cotangents and tangents of scipy.linalg's matrix equations and structured matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.decompositions import (
    eigh_pullback,
    eigh_pushforward,
    eigvalsh_pullback,
    eigvalsh_pushforward,
    qr_pullback,
    qr_pushforward,
)
from s2sgrad_runtime.gaps import inverse_gaps
from s2sgrad_runtime.linalg import (
    adjoint,
    hermitian_part,
    only_if,
    scale_columns,
    triangle_weights,
)
from s2sgrad_runtime.scipy_helpers import (
    scipy_eigh,
    scipy_hankel,
    scipy_solve_continuous_lyapunov,
    scipy_solve_discrete_lyapunov,
    scipy_toeplitz,
)

Function = Callable[..., Any]

__all__ = [
    "care_parts",
    "care_pullback",
    "care_pushforward",
    "companion_pullback",
    "companion_pushforward",
    "completed_pairs",
    "counting",
    "dare_parts",
    "dare_pullback",
    "dare_pushforward",
    "discrete_lyapunov_bar_left",
    "eigh_pairs_pullback",
    "eigh_pairs_pushforward",
    "eigh_part_pullback",
    "eigh_part_pushforward",
    "gather_pullback",
    "hankel_parts",
    "hankel_pushforward",
    "is_subset",
    "khatri_rao_pullback",
    "lyapunov_bar_left",
    "pair_vectors",
    "polar_pullback",
    "polar_pushforward",
    "qr_mode",
    "riccati_change",
    "scipy_qr_pullback",
    "scipy_qr_pushforward",
    "sylvester_is_solved",
    "toeplitz_index",
    "toeplitz_parts",
    "toeplitz_pullback",
    "toeplitz_pushforward",
    "widened_columns",
]


def sylvester_is_solved(a: Any, b: Any) -> bool:
    """Whether scipy.linalg.solve_sylvester solves a y + y b = q: not where one matrix is complex
    and the other a real one with complex eigenvalues (it takes their pairs for single ones)."""
    if np.iscomplexobj(a) == np.iscomplexobj(b):
        return True
    return not np.iscomplexobj(np.linalg.eigvals(b if np.iscomplexobj(a) else a))


def lyapunov_bar_left(q_bar: Any, y: Any) -> Any:
    """Cotangent of a in a y + y a^H = q, given that of q."""
    return -q_bar @ adjoint(y) - adjoint(q_bar) @ y


def discrete_lyapunov_bar_left(q_bar: Any, y: Any, a: Any) -> Any:
    """Cotangent of a in a y a^H - y + q = 0, given that of q."""
    return q_bar @ a @ adjoint(y) + adjoint(q_bar) @ a @ y


def care_parts(y: Any, a: Any, b: Any, r: Any) -> tuple[Any, Any]:
    """The gain k = r^-1 b^H y and the closed loop a - b k of a continuous Riccati equation."""
    gain = np.linalg.solve(r, adjoint(b) @ y)
    return gain, a - b @ gain


def dare_parts(y: Any, a: Any, b: Any, r: Any) -> tuple[Any, Any]:
    """The gain and the closed loop of a discrete Riccati equation."""
    gain = np.linalg.solve(r + adjoint(b) @ y @ b, adjoint(b) @ y @ a)
    return gain, a - b @ gain


def care_pullback(y_bar: Any, y: Any, a: Any, b: Any, r: Any, which: str) -> Any:
    """Cotangent of a, b, q or r in a^H y + y a - y b r^-1 b^H y + q = 0."""
    gain, closed = care_parts(y, a, b, r)
    q_bar = scipy_solve_continuous_lyapunov(closed, -hermitian_part(y_bar))
    if which == "q":
        return q_bar
    if which == "r":
        return gain @ q_bar @ adjoint(gain)
    a_bar = 2.0 * y @ q_bar
    return a_bar if which == "a" else -a_bar @ adjoint(gain)


def dare_pullback(y_bar: Any, y: Any, a: Any, b: Any, r: Any, which: str) -> Any:
    """Cotangent of a, b, q or r in the discrete Riccati equation."""
    gain, closed = dare_parts(y, a, b, r)
    q_bar = scipy_solve_discrete_lyapunov(closed, hermitian_part(y_bar))
    if which == "q":
        return q_bar
    if which == "r":
        return gain @ q_bar @ adjoint(gain)
    a_bar = 2.0 * y @ closed @ q_bar
    return a_bar if which == "a" else -a_bar @ adjoint(gain)


def care_pushforward(q_dot: Any, y: Any, a: Any, b: Any, r: Any) -> Any:
    """Tangent of y when the equation's constant part moves by q_dot."""
    _, closed = care_parts(y, a, b, r)
    return scipy_solve_continuous_lyapunov(adjoint(closed), -hermitian_part(q_dot))


def dare_pushforward(q_dot: Any, y: Any, a: Any, b: Any, r: Any) -> Any:
    """Tangent of y when the discrete equation's constant part moves by q_dot."""
    _, closed = dare_parts(y, a, b, r)
    return scipy_solve_discrete_lyapunov(adjoint(closed), hermitian_part(q_dot))


def riccati_change(y: Any, parts: tuple[Any, Any], dot: Any, which: str, discrete: bool) -> Any:
    """How the equation's constant part moves with a (which="a"), b or r."""
    gain, closed = parts
    if which == "r":
        return adjoint(gain) @ dot @ gain
    moved = dot if which == "a" else -dot @ gain
    return 2.0 * hermitian_part(adjoint(moved) @ y @ (closed if discrete else np.eye(len(y))))


def gather_pullback(y_bar: Any, index: Any, size: int) -> Any:
    """Cotangent of v in y = v[index - 1], where index 0 stands for a constant 0."""
    total = np.zeros_like(y_bar, shape=(size + 1,))
    np.add.at(total, np.asarray(index, dtype=np.intp), y_bar)
    return total[1:]


@shape_only(1)
def counting(v: Any, start: int = 1) -> Any:
    """The numbers start, start + 1, ... in the shape of v."""
    return np.reshape(np.arange(start, start + np.size(v)), np.shape(v))


def toeplitz_pullback(y_bar: Any, index: Any, c: Any, r: Any, which: str) -> Any:
    """Cotangent of c or r in toeplitz(c, r) or hankel(c, r), entries numbered c first, then r."""
    both = gather_pullback(y_bar, index, np.size(c) + np.size(r))
    part = both[: np.size(c)] if which == "c" else both[np.size(c) :]
    return np.reshape(part, np.shape(c if which == "c" else r))


def companion_pullback(y_bar: Any, a: Any) -> Any:
    """Cotangent of a in companion(a), whose first row is -a[1:] / a[0]."""
    row, first = y_bar[..., 0, :], a[..., :1]
    total = np.sum(row * a[..., 1:], axis=-1, keepdims=True)
    return np.concatenate([total / (first * first), -row / first], axis=-1)


def companion_pushforward(a_dot: Any, a: Any) -> Any:
    """Tangent of companion(a) along a_dot."""
    first, count = a[..., :1], np.shape(a)[-1]
    row = (a[..., 1:] * a_dot[..., :1] / first - a_dot[..., 1:]) / first
    rest = np.zeros((*np.shape(a)[:-1], count - 2, count - 1))
    return np.concatenate([row[..., np.newaxis, :], rest], axis=-2)


def khatri_rao_pullback(y_bar: Any, a: Any, b: Any, left: bool) -> Any:
    """Cotangent of a (left) or b in khatri_rao(a, b), the column-wise Kronecker product."""
    outer = (np.shape(a)[-2], np.shape(b)[-2], np.shape(a)[-1])
    cube = np.reshape(y_bar, (*np.shape(y_bar)[:-2], *outer))
    if left:
        return np.einsum("...ijk,...jk->...ik", cube, b)
    return np.einsum("...ijk,...ik->...jk", cube, a)


def is_subset(y: Any, a: Any, values_only: bool) -> bool:
    """Whether eigh gave some of the eigenvalues only."""
    return bool(np.shape(y if values_only else y[0])[-1] != np.shape(a)[-1])


def completed_pairs(y: Any, a: Any, b: Any, lower: bool, values_only: bool) -> tuple[Any, int]:
    """All that eigh gives without a subset, in which y stands as it is, and where y begins."""
    w, v = scipy_eigh(a, b, lower=lower)
    part = y if values_only else y[0]
    count = np.shape(part)[-1]
    start = int(np.argmin(np.abs(w - part[0]))) if count else 0
    if values_only:
        return w, start
    return (w, np.concatenate((v[:, :start], y[1], v[:, start + count :]), axis=1)), start


def widened_columns(part: Any, size: int, start: int) -> Any:
    """Zeros along the last axis around a part that begins at `start`."""
    rest = size - start - np.shape(part)[-1]
    return np.pad(part, [(0, 0)] * (np.ndim(part) - 1) + [(start, rest)])


def pair_vectors(y: Any, a: Any, b: Any, lower: bool, values_only: bool) -> tuple[Any, Any]:
    """All eigenvalues and vectors of a v = b v w."""
    return scipy_eigh(a, b, lower=lower) if values_only else y


def eigh_part_pullback(
    y_bar: Any, y: Any, a: Any, b: Any, lower: bool, values_only: bool, kind: int, of_b: bool
) -> Any:
    """Cotangent of a or b in scipy.linalg.eigh(a, b, lower=lower, eigvals_only=values_only)."""
    y_bar = only_if(kind == 1, y_bar, "eigh of type 2 or 3")
    if not is_subset(y, a, values_only):
        return eigh_pairs_pullback(y_bar, y, a, b, lower, values_only, of_b)
    every, start = completed_pairs(y, a, b, lower, values_only)
    size = np.shape(a)[-1]
    if values_only:
        bars: Any = widened_columns(y_bar, size, start)
    else:
        bars = (widened_columns(y_bar[0], size, start), widened_columns(y_bar[1], size, start))
    return eigh_pairs_pullback(bars, every, a, b, lower, values_only, of_b)


def eigh_pairs_pullback(
    y_bar: Any, y: Any, a: Any, b: Any, lower: bool, values_only: bool, of_b: bool
) -> Any:
    """The same where y holds every eigenvalue."""
    if b is None:
        found = (
            eigvalsh_pullback(y_bar, a, lower) if values_only else eigh_pullback(y_bar, y, lower)
        )
        return triangle_weights(a, lower) * found
    w, v = pair_vectors(y, a, b, lower, values_only)
    w_bar = y_bar if values_only else y_bar[0]
    turn = np.zeros_like(v) if values_only else adjoint(v) @ y_bar[1]
    inner = inverse_gaps(w) * turn + w_bar[..., np.newaxis, :] * np.eye(np.shape(w)[-1])
    if of_b:
        inner = -scale_columns(inner, w) - 0.5 * turn * np.eye(np.shape(w)[-1])
    return hermitian_part(v @ inner @ adjoint(v))


def eigh_part_pushforward(
    dot: Any, y: Any, a: Any, b: Any, lower: bool, values_only: bool, kind: int, of_b: bool
) -> Any:
    """Tangent of scipy.linalg.eigh(a, b) along that of a or b."""
    dot = only_if(kind == 1, dot, "eigh of type 2 or 3")
    if not is_subset(y, a, values_only):
        return eigh_pairs_pushforward(dot, y, a, b, lower, values_only, of_b)
    every, start = completed_pairs(y, a, b, lower, values_only)
    found = eigh_pairs_pushforward(dot, every, a, b, lower, values_only, of_b)
    stop = start + np.shape(y if values_only else y[0])[-1]
    if values_only:
        return found[start:stop]
    return found[0][start:stop], found[1][:, start:stop]


def eigh_pairs_pushforward(
    dot: Any, y: Any, a: Any, b: Any, lower: bool, values_only: bool, of_b: bool
) -> Any:
    """The same where y holds every eigenvalue."""
    if b is None:
        dot = triangle_weights(a, lower) * dot
        if values_only:
            return eigvalsh_pushforward(dot, np.linalg.eigh(a, "L" if lower else "U")[1])
        return eigh_pushforward(dot, y, lower)
    w, v = pair_vectors(y, a, b, lower, values_only)
    inner = adjoint(v) @ hermitian_part(dot) @ v
    own = np.eye(np.shape(w)[-1]) * inner
    moved = -scale_columns(inner, w) if of_b else inner
    w_dot = np.copy(np.real(np.diagonal(moved, axis1=-2, axis2=-1)))
    if values_only:
        return w_dot
    turn = inverse_gaps(w) * moved
    return w_dot, v @ (turn - 0.5 * own if of_b else turn)


def qr_mode(mode: str) -> str:
    """NumPy's name of SciPy's QR mode."""
    return {"full": "complete", "economic": "reduced", "r": "r"}[mode]


def scipy_qr_pullback(y_bar: Any, y: Any, a: Any, mode: str, pivoting: bool) -> Any:
    """Cotangent of a in scipy.linalg.qr(a, mode=mode, pivoting=pivoting)."""
    y_bar = only_if(mode != "raw", y_bar, "qr(mode='raw')")
    if pivoting:
        order = y[-1]
        back = scipy_qr_pullback(y_bar[:-1], y[:-1], a[:, order], mode, False)
        return back[:, np.argsort(order)]
    if mode == "r":
        rows = min(np.shape(a))
        return qr_pullback(y_bar[0][:rows], None, a, "r")
    return qr_pullback(y_bar, y, a, qr_mode(mode))


def scipy_qr_pushforward(a_dot: Any, y: Any, a: Any, mode: str, pivoting: bool) -> Any:
    """Tangent of scipy.linalg.qr(a, mode=mode, pivoting=pivoting)."""
    if pivoting:
        order = y[-1]
        moved = scipy_qr_pushforward(a_dot[:, order], y[:-1], a[:, order], mode, False)
        return (*moved, np.zeros(np.shape(order)))
    if mode == "r":
        r_dot = qr_pushforward(a_dot, None, a, "r")
        below = np.zeros((np.shape(y[0])[0] - np.shape(r_dot)[0], np.shape(r_dot)[1]))
        return (np.concatenate([r_dot, below], axis=0),)
    return qr_pushforward(a_dot, y, a, qr_mode(mode))


def polar_pullback(y_bar: Any, y: Any, a: Any, left: bool) -> Any:
    """Cotangent of a in (u, p) = polar(a): a = u p, or p u for left=True; p has an inverse."""
    flip = adjoint if left else (lambda x: x)
    u, p, u_bar, p_bar = flip(y[0]), y[1], flip(y_bar[0]), hermitian_part(y_bar[1])
    inside = adjoint(u) @ u_bar
    turn = inside - p_bar @ p
    skew = turn_of_polar(turn - adjoint(turn), p)
    return flip(u @ (skew + p_bar) + outside_polar(u_bar - u @ inside, p))


def polar_pushforward(a_dot: Any, y: Any, left: bool) -> Any:
    """Tangent of (u, p) = polar(a) along a_dot."""
    flip = adjoint if left else (lambda x: x)
    u, p, dot = flip(y[0]), y[1], flip(a_dot)
    moved = adjoint(u) @ dot
    skew = turn_of_polar(moved - adjoint(moved), p)
    return flip(u @ skew + outside_polar(dot - u @ moved, p)), hermitian_part(moved - skew @ p)


def turn_of_polar(difference: Any, p: Any) -> Any:
    """The s with s p + p s = difference."""
    w, v = np.linalg.eigh(p)
    sums = w[:, np.newaxis] + w[np.newaxis, :]
    return v @ ((adjoint(v) @ difference @ v) / sums) @ adjoint(v)


def outside_polar(rest: Any, p: Any) -> Any:
    """rest p^-1, of what is orthogonal to u's columns: nothing, where u is square."""
    rows, columns = np.shape(rest)
    if rows == columns:
        return rest * 0.0
    kept = only_if(rows > columns, rest, "polar(side=...) whose second factor has no inverse")
    return adjoint(np.linalg.solve(p, adjoint(kept)))


def toeplitz_index(c: Any, r: Any) -> Any:
    """Which entry of c (from 1) or then of r each entry of toeplitz(c, r) is."""
    first = counting(c)
    return scipy_toeplitz(first, first if r is None else counting(r, np.size(c) + 1))


def toeplitz_parts(y_bar: Any, y: Any, c: Any, r: Any, which: str) -> Any:
    """Cotangent of c or r in y = toeplitz(c, r); without r, it is conj(c)."""
    if r is not None:
        return toeplitz_pullback(y_bar, toeplitz_index(c, r), c, r, which)
    index = toeplitz_index(c, None)
    low = gather_pullback(np.tril(y_bar), np.tril(index), np.size(c))
    up = gather_pullback(np.triu(y_bar, 1), np.triu(index, 1), np.size(c))
    return np.reshape(low + np.conj(up), np.shape(c))


def toeplitz_pushforward(dot: Any, c: Any, r: Any, which: str) -> Any:
    """Tangent of toeplitz(c, r) along that of c or r."""
    if which == "c":
        return scipy_toeplitz(dot) if r is None else scipy_toeplitz(dot, np.zeros_like(r))
    return scipy_toeplitz(np.zeros_like(c), dot)


def hankel_parts(y_bar: Any, c: Any, r: Any, which: str) -> Any:
    """Cotangent of c or r in y = hankel(c, r); without r, it is 0."""
    last = np.zeros(np.size(c), int) if r is None else counting(r, np.size(c) + 1)
    index = scipy_hankel(counting(c), last)
    if r is None:
        return np.reshape(gather_pullback(y_bar, index, np.size(c)), np.shape(c))
    return toeplitz_pullback(y_bar, index, c, r, which)


def hankel_pushforward(dot: Any, c: Any, r: Any, which: str) -> Any:
    """Tangent of hankel(c, r) along that of c or r."""
    if which == "c":
        return scipy_hankel(dot, None if r is None else np.zeros_like(r))
    return scipy_hankel(np.zeros_like(c), dot)
