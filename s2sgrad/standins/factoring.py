"""Floor 8: functions of scipy.linalg about spaces, rotations and pairs of matrices.

What is fixed only up to signs or rotations is turned to what SciPy gives; the derivative is right
for functions of the space that vectors span, and for each of them where values differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad_runtime import (
    as_paired,
    found_by_scipy,
    scipy_eigh,
    scipy_pinv,
    scipy_pinvh,
    scipy_polar,
    scipy_sqrtm,
)


def turned(v: Any, known: Any) -> Any:
    """Vectors v in columns, with the signs or phases of the known ones."""
    turn = np.sum(np.conj(stop_gradient(v)) * known, axis=0)
    return v * (turn / np.abs(turn))


def orth(A: Any, rcond: Any = None) -> Any:
    """scipy.linalg.orth: the left singular vectors of singular values that are not zero."""
    known = found_by_scipy("scipy.linalg", "orth", stop_gradient(A), rcond)
    vectors = np.linalg.svd(A, full_matrices=False)[0]
    return turned(vectors[:, : np.shape(known)[1]], known)


def null_space(
    A: Any, rcond: Any = None, *, overwrite_a: bool = False, check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:  # fmt: skip
    """scipy.linalg.null_space: what the rows of A leave of the known vectors, made orthonormal.

    The projector's derivative: G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973).
    """
    vectors = found_by_scipy("scipy.linalg", "null_space", stop_gradient(A), rcond)
    vectors = vectors - np.linalg.pinv(A) @ (A @ vectors)
    eye = np.eye(np.shape(vectors)[1])
    for _ in range(2):  # Newton's steps to the nearest orthonormal ones
        vectors = vectors @ (1.5 * eye - 0.5 * (np.conj(vectors.T) @ vectors))
    return vectors


def subspace_angles(A: Any, B: Any) -> Any:
    """scipy.linalg.subspace_angles: the larger ones by their sine, as SciPy does.

    A. Knyazev, M. Argentati, SIAM J. Sci. Comput. 23 (2002).
    """
    first, second = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    if np.shape(first)[1] < np.shape(second)[1]:
        first, second = second, first
    shared = np.conj(first.T) @ second
    cosines = np.linalg.svdvals(shared)
    sines = np.linalg.svdvals(second - first @ shared)
    near = cosines[::-1] ** 2 >= 0.5
    by_sine = np.arcsin(np.clip(sines, -1.0, 1.0))
    return np.where(near, by_sine, np.arccos(np.clip(cosines[::-1], -1.0, 1.0)))


def orthogonal_procrustes(A: Any, B: Any, check_finite: bool = True) -> Any:
    """scipy.linalg.orthogonal_procrustes: the rotation is a polar factor.

    Nicholas Higham, Matrix Procrustes Problems (1993); P. Schönemann, Psychometrika 31 (1966).
    """
    product = np.conj(A.T) @ B
    rotation, rest = scipy_polar(product)
    return rotation, np.real(np.trace(rest))


def signm(A: Any, disp: bool = True) -> Any:
    """scipy.linalg.signm: A (A^2)^(-1/2). N. Higham, Functions of Matrices (2008), 5.1."""
    return np.linalg.solve(scipy_sqrtm(A @ A), A)


def funm(A: Any, func: Any, disp: bool = True) -> Any:
    """scipy.linalg.funm by the eigenvectors, which must be a basis.

    Ju. Daleckii, S. Krein (1965); N. Higham, Functions of Matrices (2008), 3.2.
    """
    w, v = np.linalg.eig(A + 0j)
    found = (v * func(w)) @ np.linalg.inv(v)
    if np.linalg.cond(stop_gradient(v)) > 1e8:
        raise ValueError("no derivative: funm of a matrix whose eigenvectors are no basis")
    if not disp:
        raise NotImplementedError("no derivative: funm(disp=False)")
    if np.iscomplexobj(A):
        return found
    if not np.allclose(np.imag(stop_gradient(found)), 0.0, atol=1e-9):
        raise ValueError("no derivative: a function of a real matrix with complex values: A + 0j")
    return np.real(found)


def ldl(
    A: Any, lower: bool = True, hermitian: bool = True, overwrite_a: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.ldl, by steps that leave the value as it is, with what SciPy found held fixed.

    The step is that of a Cholesky factor by blocks (I. Murray, arXiv:1602.07527); the pivots stay.
    """
    outer, d, order = found_by_scipy("scipy.linalg", "ldl", stop_gradient(A), lower, hermitian)
    back = np.argsort(order)
    factor = outer[order]
    blocks = (d != 0) | np.eye(len(d), dtype=bool)
    beside = (np.tril(np.ones(np.shape(d)), -1) if lower else np.triu(np.ones(np.shape(d)), 1)) > 0
    inverse, middle = np.linalg.inv(factor), np.linalg.inv(d)
    read, rest = (np.tril(A), np.tril(A, -1)) if lower else (np.triu(A), np.triu(A, 1))
    if hermitian:
        read = read - 1j * np.diag(np.imag(np.diag(A))) if np.iscomplexobj(A) else read
        rest = np.conj(rest)
    whole = (read + rest.T)[order][:, order]
    across = np.conj(inverse.T) if hermitian else inverse.T
    start = factor
    for _ in range(3):
        turned_factor = np.conj(factor.T) if hermitian else factor.T
        rest = inverse @ (whole - factor @ d @ turned_factor) @ across
        factor = factor + start @ (np.where(beside & ~blocks, rest, 0.0) @ middle)
        d = d + np.where(blocks, rest, 0.0)
    return factor[back], d, order


def rq(
    a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full",
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.rq: the QR factorisation of the matrix mirrored."""
    rows, columns = np.shape(a)
    if rows > columns or (mode == "full" and rows < columns):
        raise ValueError("no derivative: rq of more rows than columns, or with a full q")
    q, r = np.linalg.qr(np.conj(a.T)[:, ::-1])
    known = found_by_scipy("scipy.linalg", "rq", stop_gradient(a), False, None, "economic")[1]
    vectors = np.conj(known.T)[:, ::-1]
    turn = np.sum(np.conj(stop_gradient(q)) * vectors, axis=0)
    turn = turn / np.abs(turn)
    r = np.conj((np.conj(turn)[:, None] * r).T)[::-1, ::-1]
    if mode == "r":  # as wide as the matrix, unlike the one that comes with q
        return np.concatenate((np.zeros((rows, columns - rows)), r), axis=1)
    return r, np.conj((q * turn).T)[::-1]


def eig(
    a: Any, b: Any = None, left: bool = False, right: bool = True, overwrite_a: bool = False,
    overwrite_b: bool = False, check_finite: bool = True, homogeneous_eigvals: bool = False,
) -> Any:  # fmt: skip
    """scipy.linalg.eig of two matrices, the second of which has an inverse; left vectors too."""
    if homogeneous_eigvals:
        raise NotImplementedError("scipy.linalg.eig with homogeneous_eigvals=True")
    fixed = None if b is None else stop_gradient(b)
    known = found_by_scipy("scipy.linalg", "eig", stop_gradient(a), fixed, True, True)
    w, v = np.linalg.eig(a if b is None else np.linalg.solve(b, a))
    order = as_paired(stop_gradient(w), known[0])
    w, v = w[order] * (1.0 + 0.0j), v[:, order]
    rows = np.conj(np.linalg.inv(v).T)
    if b is not None:
        rows = np.linalg.solve(np.conj(b.T), rows)
    lengths = np.sqrt(np.sum(np.abs(rows) ** 2, axis=0))
    if left and right:
        return w, turned(rows / lengths, known[1]), turned(v, known[2])
    if left:
        return w, turned(rows / lengths, known[1])
    return (w, turned(v, known[2])) if right else w


def eigvals(
    a: Any, b: Any = None, overwrite_a: bool = False, check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> Any:  # fmt: skip
    """scipy.linalg.eigvals of two matrices."""
    return eig(a, b, False, False, False, False, check_finite, homogeneous_eigvals)


def whole(b: Any, lower: bool) -> Any:
    """A Hermitian matrix of which one triangle may be given."""
    if np.array_equal(b, np.conj(b.T)):
        return 0.5 * (b + np.conj(b.T))
    read, rest = (np.tril(b), np.tril(b, -1)) if lower else (np.triu(b), np.triu(b, 1))
    return read + np.conj(rest.T)


def eigh(
    a: Any, b: Any = None, *, lower: bool = True, eigvals_only: bool = False,
    overwrite_a: bool = False, overwrite_b: bool = False, type: int = 1, check_finite: bool = True,
    subset_by_index: Any = None, subset_by_value: Any = None, driver: Any = None,
) -> Any:  # fmt: skip
    """scipy.linalg.eigh of a b v = w v (type 2) and b a v = w v (type 3).

    With u = b v, or u = v, both are a u = w b^-1 u, scaled to u^H b^-1 u = 1.
    """
    known = found_by_scipy(
        "scipy.linalg", "eigh", stop_gradient(a), stop_gradient(b), lower=lower, type=type,
        subset_by_index=subset_by_index, subset_by_value=subset_by_value, driver=driver,
    )  # fmt: skip
    other = whole(b, lower)
    w, v = scipy_eigh(whole(a, lower), np.linalg.inv(other))
    start = np.argmin(np.abs(stop_gradient(w) - known[0][0])) if len(known[0]) else 0
    here = slice(start, start + len(known[0]))
    if eigvals_only:
        return w[here]
    v = v[:, here] if type == 3 else np.linalg.solve(other, v[:, here])
    return w[here], turned(v, known[1])


def eigvalsh(
    a: Any, b: Any = None, *, lower: bool = True, overwrite_a: bool = False,
    overwrite_b: bool = False, type: int = 1, check_finite: bool = True,
    subset_by_index: Any = None, subset_by_value: Any = None, driver: Any = None,
) -> Any:  # fmt: skip
    """scipy.linalg.eigvalsh of type 2 and 3."""
    return eigh(
        a, b, lower=lower, eigvals_only=True, type=type, subset_by_index=subset_by_index,
        subset_by_value=subset_by_value, driver=driver,
    )  # fmt: skip


def pinv(
    a: Any, *, atol: Any = None, rtol: Any = None, return_rank: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.pinv with the rank, which is constant."""
    known = found_by_scipy(
        "scipy.linalg", "pinv", stop_gradient(a), atol=atol, rtol=rtol, return_rank=True
    )
    return scipy_pinv(a, atol=atol, rtol=rtol), known[1]


def pinvh(
    a: Any, atol: Any = None, rtol: Any = None, lower: bool = True, return_rank: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.pinvh with the rank, which is constant."""
    known = found_by_scipy("scipy.linalg", "pinvh", stop_gradient(a), atol, rtol, lower, True)
    return scipy_pinvh(a, atol, rtol, lower), known[1]


def diagsvd(s: Any, M: int, N: int) -> Any:
    """scipy.linalg.diagsvd."""
    return np.eye(M, len(s)) @ np.diag(s) @ np.eye(len(s), N)


def fiedler_companion(a: Any) -> Any:
    """scipy.linalg.fiedler_companion of one polynomial of degree 2 or more."""
    a = np.atleast_1d(a)
    n = len(a) - 1
    a = a / a[0]
    found = np.zeros((n, n), a.dtype)
    for k in range(1, n - 2, 2):
        found[k + 2, k] = 1.0
    for k in range(1, n - 1, 2):
        found[k + 1, k] = -a[k + 2]
    for k in range(0, n - 2, 2):
        found[k, k + 2] = 1.0
    for k in range(0, n - 1, 2):
        found[k, k + 1] = -a[k + 2]
    found[0, 0], found[1, 0] = -a[1], 1.0
    return found


READ = (
    "diagsvd", "fiedler_companion", "funm", "ldl", "null_space", "orth", "orthogonal_procrustes",
    "rq", "signm", "subspace_angles",
)  # fmt: skip
FURTHER = {
    "eig": eig, "eigh": eigh, "eigvals": eigvals, "eigvalsh": eigvalsh, "pinv": pinv,
    "pinvh": pinvh,
}  # fmt: skip
