"""Floor 2: rules of np.linalg's factorisations, eigenvalues and least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    cholesky_pullback,
    cholesky_pullback_bar,
    cholesky_pullback_dot,
    cholesky_pushforward,
    eig_pullback,
    eig_pushforward,
    eigh_pullback,
    eigh_pushforward,
    eigvals_pullback,
    eigvals_pushforward,
    eigvalsh_pullback,
    eigvalsh_pushforward,
    hermitian_if,
    lstsq_bar_left,
    lstsq_bar_right,
    lstsq_dot_left,
    lstsq_dot_right,
    pinv_pullback,
    pinv_pushforward,
    qr_pullback,
    qr_pushforward,
    reads_lower,
    svd_pullback,
    svd_pushforward,
    svdvals_pullback,
    svdvals_pushforward,
    triangle_weights,
)


@structural(np.linalg.cholesky, holomorphic=False)
def cholesky(y_bar: Any, y: Any, a: Any, upper: Any = False) -> Any:
    """a = y y^H; the cotangent is Hermitian, as a is."""
    return cholesky_pullback(y_bar, y, upper)


@tangent(np.linalg.cholesky)
def cholesky_tangent(y: Any, a: Any, upper: Any = False, *, a_dot: Any) -> Any:
    """y_dot = y half(y^-1 a_dot y^-H), half: lower triangle with half the diagonal."""
    return cholesky_pushforward(a_dot, y, upper)


@structural(cholesky_pullback, holomorphic=False)
def cholesky_pullback_(y_bar: Any, y: Any, z: Any, factor: Any, upper: Any = False) -> Any:
    """The transpose of the tangent, which moves with the factor."""
    return cholesky_pushforward(y_bar, factor, upper), cholesky_pullback_bar(
        y_bar, y, z, factor, upper
    )


@tangent(cholesky_pullback)
def cholesky_pullback_tangent(
    y: Any, z: Any, factor: Any, upper: Any = False, *, z_dot: Any, factor_dot: Any
) -> Any:
    """Linear in z; the factor's change."""
    return cholesky_pullback(z_dot, factor, upper), cholesky_pullback_dot(
        factor_dot, y, z, factor, upper
    )


@structural(np.linalg.pinv, holomorphic=False)
def pinv(
    y_bar: Any, y: Any, a: Any, rcond: Any = None, hermitian: Any = False, rtol: Any = None
) -> Any:
    """Pseudo-inverse; right where the rank stays the same nearby."""
    return hermitian_if(hermitian, pinv_pullback(y_bar, y, a))


@tangent(np.linalg.pinv)
def pinv_tangent(
    y: Any, a: Any, rcond: Any = None, hermitian: Any = False, rtol: Any = None, *, a_dot: Any
) -> Any:
    """-y a_dot y and what the spaces it does not see add."""
    return pinv_pushforward(hermitian_if(hermitian, a_dot), y, a)


@structural(np.linalg.lstsq, holomorphic=False, tuple_output=True)
def lstsq(y_bar: Any, y: Any, a: Any, b: Any, rcond: Any = None) -> Any:
    """x = pinv(a) b; the residuals move with b - a x at fixed x, as x is optimal."""
    return lstsq_bar_left(y_bar, y, a, b), lstsq_bar_right(y_bar, y, a, b)


@tangent(np.linalg.lstsq)
def lstsq_tangent(y: Any, a: Any, b: Any, rcond: Any = None, *, a_dot: Any, b_dot: Any) -> Any:
    """x_dot from that of the pseudo-inverse."""
    return lstsq_dot_left(a_dot, y, a, b), lstsq_dot_right(b_dot, y, a, b)


@structural(np.linalg.eigh, holomorphic=False, tuple_output=True)
def eigh(y_bar: Any, y: Any, a: Any, UPLO: Any = "L") -> Any:
    """a = v diag(w) v^H; v_bar enters with 1 / (w_j - w_i)."""
    lower = reads_lower(UPLO)
    return triangle_weights(a, lower) * eigh_pullback(y_bar, y, lower)


@tangent(np.linalg.eigh)
def eigh_tangent(y: Any, a: Any, UPLO: Any = "L", *, a_dot: Any) -> Any:
    """w_dot is the diagonal of v^H a_dot v, v turns by the rest of it over the gaps."""
    lower = reads_lower(UPLO)
    return eigh_pushforward(triangle_weights(a, lower) * a_dot, y, lower)


@structural(np.linalg.eigvalsh, holomorphic=False)
def eigvalsh(y_bar: Any, y: Any, a: Any, UPLO: Any = "L") -> Any:
    """v diag(y_bar) v^H."""
    lower = reads_lower(UPLO)
    return triangle_weights(a, lower) * eigvalsh_pullback(y_bar, a, lower)


@tangent(np.linalg.eigvalsh)
def eigvalsh_tangent(y: Any, a: Any, UPLO: Any = "L", *, a_dot: Any) -> Any:
    """The diagonal of v^H a_dot v."""
    read = triangle_weights(a, reads_lower(UPLO)) * a_dot
    return eigvalsh_pushforward(read, np.linalg.eigh(a, UPLO)[1])


@structural(np.linalg.eig, holomorphic=False, tuple_output=True)
def eig(y_bar: Any, y: Any, a: Any) -> Any:
    """a v = v diag(w), columns of v of length 1 with a real largest entry."""
    return eig_pullback(y_bar, y, a)


@tangent(np.linalg.eig)
def eig_tangent(y: Any, a: Any, *, a_dot: Any) -> Any:
    """As eigh, with v^-1 for v^H; then v's columns are kept at length 1."""
    return eig_pushforward(a_dot, y)


@structural(np.linalg.eigvals, holomorphic=False)
def eigvals(y_bar: Any, y: Any, a: Any) -> Any:
    """v^-H diag(y_bar) v^H."""
    return eigvals_pullback(y_bar, a)


@tangent(np.linalg.eigvals)
def eigvals_tangent(y: Any, a: Any, *, a_dot: Any) -> Any:
    """The diagonal of v^-1 a_dot v."""
    return eigvals_pushforward(a_dot, a)


@structural(np.linalg.svd, holomorphic=False, tuple_output=True)
def svd(
    y_bar: Any,
    y: Any,
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    hermitian: Any = False,
) -> Any:
    """a = u diag(s) vh; u and vh enter with 1 / (s_j^2 - s_i^2)."""
    return hermitian_if(hermitian, svd_pullback(y_bar, y, a, compute_uv))


@tangent(np.linalg.svd)
def svd_tangent(
    y: Any,
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    hermitian: Any = False,
    *,
    a_dot: Any,
) -> Any:
    """s_dot is the diagonal of u^H a_dot v, u and v turn by the rest over the gaps."""
    return svd_pushforward(hermitian_if(hermitian, a_dot), y, a, compute_uv)


@structural(np.linalg.svdvals, holomorphic=False)
def svdvals(y_bar: Any, y: Any, x: Any) -> Any:
    """u diag(y_bar) v^H."""
    return svdvals_pullback(y_bar, x)


@tangent(np.linalg.svdvals)
def svdvals_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The diagonal of u^H x_dot v."""
    return svdvals_pushforward(x_dot, np.linalg.svd(x, full_matrices=False))


@structural(np.linalg.qr, holomorphic=False, tuple_output=True)
def qr(y_bar: Any, y: Any, a: Any, mode: Any = "reduced") -> Any:
    """a = q r; modes reduced, complete and r."""
    return qr_pullback(y_bar, y, a, mode)


@tangent(np.linalg.qr)
def qr_tangent(y: Any, a: Any, mode: Any = "reduced", *, a_dot: Any) -> Any:
    """q turns by the skew part of q^H a_dot r^-1."""
    return qr_pushforward(a_dot, y, a, mode)
