"""Cotangents and tangents of matrix factorisations; stacks of matrices too.

Every `_bar` helper here deals with conjugates itself. A factorisation of a symmetric (Hermitian)
matrix has a symmetric cotangent. Equal eigenvalues (singular values) have no derivative of the
single vectors; their differences count as infinite, so that functions of the spanned space are
right. Formulas: M. Giles (2008); M. Seeger et al., "Auto-differentiating linear algebra" (2017).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import safe_divide
from s2sgrad_runtime.fft import fit_kind
from s2sgrad_runtime.gaps import above_rounding, inverse_gaps, inverse_sums
from s2sgrad_runtime.linalg import adjoint, hermitian_part, only_if, scale_columns
from s2sgrad_runtime.norms import inverse_outside

__all__ = [
    "add_to_row",
    "cholesky_pullback",
    "cholesky_pullback_bar",
    "cholesky_pullback_dot",
    "cholesky_pushforward",
    "complement_pushforward",
    "eig_pullback",
    "eig_pushforward",
    "eigh_pullback",
    "eigh_pushforward",
    "eigh_real_row",
    "eigvals_pullback",
    "eigvals_pushforward",
    "eigvalsh_pullback",
    "eigvalsh_pushforward",
    "fold_complement",
    "lower_half",
    "phase_pullback",
    "phase_pushforward",
    "qr_pullback",
    "qr_pushforward",
    "svd_phase_pullback",
    "svd_phase_pushforward",
    "svd_pullback",
    "svd_pushforward",
    "svdvals_pullback",
    "svdvals_pushforward",
    "tall_qr_pullback",
]


def lower_half(a: Any) -> Any:
    """The lower triangle of each matrix with half of its diagonal."""
    return np.tril(a) - 0.5 * a * np.eye(a.shape[-1], dtype=a.dtype)


def cholesky_pullback(y_bar: Any, y: Any, upper: bool = False) -> Any:
    """Cotangent of a in a = y y^H (y lower) or a = y^H y (upper); Hermitian."""
    low = adjoint(y) if upper else y
    low_bar = adjoint(y_bar) if upper else y_bar
    return _pulled(low, lower_half(adjoint(low) @ low_bar))


def _pulled(low: Any, inner: Any) -> Any:
    """The Hermitian part of low^-H inner low^-1."""
    half = np.linalg.solve(adjoint(low), inner)
    return hermitian_part(adjoint(np.linalg.solve(adjoint(low), adjoint(half))))


def cholesky_pullback_dot(y_dot: Any, found: Any, y_bar: Any, y: Any, upper: bool = False) -> Any:
    """Tangent of `found = cholesky_pullback(y_bar, y, upper)` along y_dot."""
    low, low_dot = (adjoint(y), adjoint(y_dot)) if upper else (y, y_dot)
    low_bar = adjoint(y_bar) if upper else y_bar
    inner = lower_half(adjoint(low_dot) @ low_bar) - 2.0 * (adjoint(low) @ (found @ low_dot))
    return _pulled(low, inner)


def cholesky_pullback_bar(z: Any, found: Any, y_bar: Any, y: Any, upper: bool = False) -> Any:
    """Cotangent of y in `found = cholesky_pullback(y_bar, y, upper)`, whose cotangent is z."""
    low, low_bar = (adjoint(y), adjoint(y_bar)) if upper else (y, y_bar)
    right = adjoint(np.linalg.solve(low, hermitian_part(z)))
    inner = lower_half(np.linalg.solve(low, right))
    bar = low_bar @ adjoint(inner) - 2.0 * (found @ right)
    return adjoint(bar) if upper else bar


def cholesky_pushforward(a_dot: Any, y: Any, upper: bool = False) -> Any:
    """Tangent of the Cholesky factor: y half(y^-1 a_dot y^-H)."""
    low = adjoint(y) if upper else y
    left = np.linalg.solve(low, hermitian_part(a_dot))
    low_dot = low @ lower_half(adjoint(np.linalg.solve(low, adjoint(left))))
    return adjoint(low_dot) if upper else low_dot


def phase_pullback(v_bar: Any, v: Any, row: Any) -> Any:
    """Add to v_bar what makes entry `row` (..., n) of each column of v stay real.

    LAPACK scales complex vectors so; the formulas without this let the phase drift instead.
    """
    turn = np.sum(np.conj(v_bar) * v, axis=-2, keepdims=True)
    here = np.arange(np.shape(v)[-2])[:, np.newaxis] == row[..., np.newaxis, :]
    return v_bar + np.where(here, 1j * safe_divide(np.imag(turn), np.real(v)), 0.0)


def phase_pushforward(v_dot: Any, v: Any, row: Any) -> Any:
    """Turn each column of v_dot so that entry `row` of v stays real."""
    here = np.arange(np.shape(v)[-2])[:, np.newaxis] == row[..., np.newaxis, :]
    moved = np.sum(np.where(here, safe_divide(np.imag(v_dot), np.real(v)), 0.0), -2, keepdims=True)
    return v_dot - 1j * moved * v


def eigh_real_row(v: Any, lower: bool) -> Any:
    """The row that LAPACK's Hermitian eigenvectors keep real: the first (lower) or the last."""
    n = np.shape(v)[-1]
    return np.full((*np.shape(v)[:-2], n), 0 if lower else n - 1)


def eigh_pullback(y_bar: Any, y: Any, lower: bool = True) -> Any:
    """Cotangent of a in (w, v) = eigh(a); Hermitian."""
    w, v = y
    w_bar, v_bar = y_bar
    n = np.shape(w)[-1]
    if np.iscomplexobj(v):
        v_bar = phase_pullback(v_bar, v, eigh_real_row(v, lower))
    inner = inverse_gaps(w) * (adjoint(v) @ v_bar) + w_bar[..., np.newaxis, :] * np.eye(
        n, dtype=w.dtype
    )
    return hermitian_part(v @ inner @ adjoint(v))


def eigh_pushforward(a_dot: Any, y: Any, lower: bool = True) -> Any:
    """Tangent of (w, v) = eigh(a) along a_dot."""
    w, v = y
    inner = adjoint(v) @ hermitian_part(a_dot) @ v
    v_dot = v @ (inverse_gaps(w) * inner)
    if np.iscomplexobj(v):
        v_dot = phase_pushforward(v_dot, v, eigh_real_row(v, lower))
    return np.copy(np.real(np.diagonal(inner, axis1=-2, axis2=-1))), v_dot


def eigvalsh_pullback(y_bar: Any, a: Any, lower: bool = True) -> Any:
    """Cotangent of a in y = eigvalsh(a): v diag(y_bar) v^H."""
    v = np.linalg.eigh(a, "L" if lower else "U")[1]
    return scale_columns(v, y_bar) @ adjoint(v)


def eigvalsh_pushforward(a_dot: Any, v: Any) -> Any:
    """Tangent of the eigenvalues, with the eigenvectors v: the diagonal of v^H a_dot v."""
    return np.real(np.sum(np.conj(v) * (hermitian_part(a_dot) @ v), axis=-2))


def eig_pullback(y_bar: Any, y: Any, a: Any) -> Any:
    """Cotangent of a in (w, v) = eig(a), columns of v of length 1, largest entry real."""
    w, v = y
    w_bar, v_bar = y_bar
    n = np.shape(w)[-1]
    if np.iscomplexobj(v):
        v_bar = phase_pullback(v_bar, v, np.argmax(np.abs(v), axis=-2))
    inner = adjoint(v) @ v_bar
    along = np.real(np.sum(np.conj(v) * v_bar, axis=-2))
    inner = inner - scale_columns(adjoint(v) @ v, along)
    inner = np.conj(inverse_gaps(w)) * inner + w_bar[..., np.newaxis, :] * np.eye(n, dtype=w.dtype)
    return fit_kind(np.linalg.solve(adjoint(v), inner @ adjoint(v)), a)


def eig_pushforward(a_dot: Any, y: Any) -> Any:
    """Tangent of (w, v) = eig(a) along a_dot."""
    w, v = y
    inner = np.linalg.solve(v, a_dot @ v)
    v_dot = v @ (inverse_gaps(w) * inner)
    v_dot = v_dot - scale_columns(v, np.real(np.sum(np.conj(v) * v_dot, axis=-2)))
    if np.iscomplexobj(v):
        v_dot = phase_pushforward(v_dot, v, np.argmax(np.abs(v), axis=-2))
    else:
        v_dot = np.real(v_dot)
    return np.copy(np.diagonal(inner, axis1=-2, axis2=-1)), v_dot


def eigvals_pullback(y_bar: Any, a: Any) -> Any:
    """Cotangent of a in y = eigvals(a): v^-H diag(y_bar) v^H."""
    v = np.linalg.eig(a)[1]
    a_bar = np.linalg.solve(adjoint(v), y_bar[..., :, np.newaxis] * adjoint(v))
    return fit_kind(a_bar, a)


def eigvals_pushforward(a_dot: Any, a: Any) -> Any:
    """Tangent of y = eigvals(a): the diagonal of v^-1 a_dot v."""
    v = np.linalg.eig(a)[1]
    return np.copy(np.diagonal(np.linalg.solve(v, a_dot @ v), axis1=-2, axis2=-1))


def svdvals_pullback(y_bar: Any, a: Any) -> Any:
    """Cotangent of a in its singular values: u diag(y_bar) v^H."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return scale_columns(u, y_bar) @ vh


def svdvals_pushforward(a_dot: Any, y: Any) -> Any:
    """Tangent of the singular values in y = (u, s, vh): the diagonal of u^H a_dot v."""
    u, _, vh = y
    return np.real(np.sum(np.conj(u) * (a_dot @ adjoint(vh)), axis=-2))


def fold_complement(q_bar: Any, q: Any, k: int) -> Any:
    """Cotangent of the first k columns of a unitary q that also answers for its other columns.

    The others only have to stay orthogonal to the first: q2_dot = -q1 (q2^H q1_dot)^H.
    """
    if np.shape(q)[-1] == k:
        return q_bar
    q1, q2, q2_bar = q[..., :k], q[..., k:], q_bar[..., k:]
    if np.shape(q2)[-1] > 1 and isinstance(q2_bar, np.ndarray):
        why = "of single columns that only complete others (svd(full_matrices=True), qr)"
        q2_bar = only_if(_is_of_the_span(q2_bar, q2), q2_bar, why)
    return q_bar[..., :k] - q2 @ (adjoint(q2_bar) @ q1)


def _is_of_the_span(q_bar: Any, q: Any) -> bool:
    """Whether a function with cotangents q_bar of columns stays as they turn into each other."""
    turns = adjoint(q) @ q_bar
    size = np.max(np.abs(q_bar)) if np.size(q_bar) else 0.0
    moved = np.max(np.abs(turns - adjoint(turns))) if np.size(turns) else 0.0
    return not moved > size * np.sqrt(np.finfo(np.abs(q).dtype).eps)


def svd_pullback(y_bar: Any, y: Any, a: Any, compute_uv: bool = True) -> Any:
    """Cotangent of a in (u, s, vh) = svd(a), or in the singular values alone."""
    if not compute_uv:
        return svdvals_pullback(y_bar, a)
    u, s, vh = y
    k = np.shape(s)[-1]
    v = adjoint(vh)
    u_bar = fold_complement(y_bar[0], u, k)
    v_bar = fold_complement(adjoint(y_bar[2]), v, k)
    u, v = u[..., :k], v[..., :k]
    if np.iscomplexobj(u):
        u_bar, v_bar = svd_phase_pullback(u_bar, v_bar, u, v)
    left, right = adjoint(u) @ u_bar, adjoint(v) @ v_bar
    turn_u, turn_v = left - adjoint(left), right - adjoint(right)
    inner = inverse_gaps(s) * above_rounding(turn_u + turn_v, turn_u - turn_v, s)
    inner = 0.5 * (inner + inverse_sums(s) * (turn_u - turn_v))
    diagonal = y_bar[1] + 0j if np.iscomplexobj(u) else y_bar[1]
    if np.iscomplexobj(u):
        turn = np.imag(np.diagonal(left, axis1=-2, axis2=-1))
        diagonal = diagonal + 1j * safe_divide(turn, s)
    inner = inner + diagonal[..., np.newaxis, :] * np.eye(k, dtype=s.dtype)
    outside_u = scale_columns(u_bar - u @ left, inverse_outside(s, u))
    outside_v = scale_columns(v_bar - v @ right, inverse_outside(s, v))
    return (u @ inner + outside_u) @ adjoint(v) + u @ adjoint(outside_v)


def svd_phase_pullback(u_bar: Any, v_bar: Any, u: Any, v: Any) -> Any:
    """Make the first row of v (of u, for wide matrices) stay real, as LAPACK does."""
    turn = np.sum(np.conj(u_bar) * u + 0j, -2) + np.sum(np.conj(v_bar) * v, -2)
    if np.shape(u)[-2] >= np.shape(v)[-2]:
        return u_bar, add_to_row(v_bar, 1j * safe_divide(np.imag(turn), np.real(v[..., 0, :])))
    return add_to_row(u_bar, 1j * safe_divide(np.imag(turn), np.real(u[..., 0, :]))), v_bar


def add_to_row(a: Any, row: Any) -> Any:
    """a with `row` added to the first row of each matrix."""
    first = np.arange(np.shape(a)[-2])[:, np.newaxis] == 0
    return a + np.where(first, row[..., np.newaxis, :], 0.0)


def svd_pushforward(a_dot: Any, y: Any, a: Any, compute_uv: bool = True) -> Any:
    """Tangent of (u, s, vh) = svd(a) along a_dot, or of the singular values alone."""
    if not compute_uv:
        return svdvals_pushforward(a_dot, np.linalg.svd(a, full_matrices=False))
    u, s, vh = y
    k = np.shape(s)[-1]
    u1, v1 = u[..., :k], adjoint(vh)[..., :k]
    inner = adjoint(u1) @ a_dot @ v1
    inverse = safe_divide(np.ones_like(s), s)
    together = 0.5 * inverse_gaps(s) * (inner + adjoint(inner))
    apart = 0.5 * inverse_sums(s) * (inner - adjoint(inner))
    turn_u, turn_v = together + apart, together - apart
    if np.iscomplexobj(inner):
        phase = 1j * np.imag(np.diagonal(inner, axis1=-2, axis2=-1)) * inverse
        turn_u = turn_u + phase[..., np.newaxis, :] * np.eye(k, dtype=s.dtype)
    u_dot, v_dot = u1 @ turn_u, v1 @ turn_v
    if np.shape(u1)[-2] > k:  # else nothing lies outside of its columns' range
        u_dot = u_dot + scale_columns(a_dot @ v1 - u1 @ inner, inverse)
    if np.shape(v1)[-2] > k:
        v_dot = v_dot + scale_columns(adjoint(a_dot) @ u1 - v1 @ adjoint(inner), inverse)
    if np.iscomplexobj(inner):
        u_dot, v_dot = svd_phase_pushforward(u_dot, v_dot, u1, v1)
    u_dot, v_dot = (
        complement_pushforward(u_dot, u, k),
        complement_pushforward(v_dot, adjoint(vh), k),
    )
    return u_dot, np.copy(np.real(np.diagonal(inner, axis1=-2, axis2=-1))), adjoint(v_dot)


def svd_phase_pushforward(u_dot: Any, v_dot: Any, u: Any, v: Any) -> Any:
    """Turn both so that the first row of v (of u, for wide matrices) stays real."""
    moved, fixed = (v_dot, v) if np.shape(u)[-2] >= np.shape(v)[-2] else (u_dot, u)
    turn = 1j * safe_divide(np.imag(moved[..., :1, :]), np.real(fixed[..., :1, :]))
    return u_dot - turn * u, v_dot - turn * v


def complement_pushforward(q1_dot: Any, q: Any, k: int) -> Any:
    """Tangent of all columns of a unitary q from that of its first k."""
    if np.shape(q)[-1] == k:
        return q1_dot
    q1, q2 = q[..., :k], q[..., k:]
    return np.concatenate([q1_dot, -q1 @ (adjoint(q1_dot) @ q2)], axis=-1)


def qr_pullback(y_bar: Any, y: Any, a: Any, mode: str = "reduced") -> Any:
    """Cotangent of a in (q, r) = qr(a), or in r alone (mode "r")."""
    y_bar = only_if(mode in ("reduced", "complete", "r"), y_bar, f"qr(mode={mode!r})")
    m, n = np.shape(a)[-2:]
    k = min(m, n)
    if mode == "r":
        q, r = np.linalg.qr(a)
        q_bar, r_bar = np.zeros_like(q), y_bar
    else:
        q, r = y[0][..., :k], y[1][..., :k, :]
        q_bar, r_bar = fold_complement(y_bar[0], y[0], k), y_bar[1][..., :k, :]
    if m >= n:
        return tall_qr_pullback(q_bar, r_bar, q, r)
    right, right_bar = a[..., m:], r_bar[..., m:]
    left_bar = tall_qr_pullback(q_bar + right @ adjoint(right_bar), r_bar[..., :m], q, r[..., :m])
    return np.concatenate([left_bar, q @ right_bar], axis=-1)


def tall_qr_pullback(q_bar: Any, r_bar: Any, q: Any, r: Any) -> Any:
    """Cotangent of a = q r with at least as many rows as columns."""
    inner = r @ adjoint(np.triu(r_bar)) - adjoint(q_bar) @ q
    low = np.tril(inner, -1)
    diagonal = np.real(inner * np.eye(np.shape(r)[-1], dtype=r.dtype))
    right = q_bar + q @ (low + adjoint(low) + diagonal)
    return adjoint(np.linalg.solve(r, adjoint(right)))


def qr_pushforward(a_dot: Any, y: Any, a: Any, mode: str = "reduced") -> Any:
    """Tangent of (q, r) = qr(a), or of r alone (mode "r")."""
    a_dot = only_if(mode in ("reduced", "complete", "r"), a_dot, f"qr(mode={mode!r})")
    k = min(np.shape(a)[-2:])
    whole_q, whole_r = np.linalg.qr(a) if mode == "r" else y
    q, r = whole_q[..., :k], whole_r[..., :k, :]
    square_dot = adjoint(np.linalg.solve(adjoint(r[..., :k]), adjoint(a_dot[..., :k])))
    inner = adjoint(q) @ square_dot
    turn = np.tril(inner, -1) - adjoint(np.tril(inner, -1))
    if np.iscomplexobj(inner):
        turn = turn + 1j * np.imag(inner) * np.eye(k)
    q_dot = square_dot - q @ inner + q @ turn
    r_dot = adjoint(q) @ a_dot - turn @ r
    if mode == "r":
        return r_dot
    below = np.zeros_like(whole_r[..., : np.shape(whole_r)[-2] - k, :])
    r_dot = np.concatenate([r_dot, below], axis=-2)
    return complement_pushforward(q_dot, whole_q, k), r_dot
