"""Floor 8: functions of scipy.sparse.linalg that find some eigenvalues, or least squares.

What SciPy found is held fixed and moves by Newton's steps for the equations that it solves, with
their derivative there: each leaves the value as it is and makes one more order of derivative exact.
Of an eigenvalue these are (A - w M) x = 0 and x^H M x = 1, whose derivative has an inverse where
the eigenvalue is simple: A. Andrew, K.-W. Chu, P. Lancaster, SIAM J. Matrix Anal. Appl. 14 (1993).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad.standins.sparsing import Matrix, spsolve
from s2sgrad_runtime import (
    as_paired,
    bordered_matrix,
    doubled_matrix,
    fixed_matrix,
    found_by_scipy,
    normal_matrix,
    scipy_spsolve,
    sparse_adjoint,
)

STEPS = 3


def held(A: Any) -> Any:
    """A matrix as a constant, or None."""
    if isinstance(A, Matrix):
        return fixed_matrix(stop_gradient(A.entries), A.rows, A.columns, A.shape)
    return None if A is None else stop_gradient(A)


def turned(A: Any) -> Any:
    """The adjoint of a matrix."""
    if isinstance(A, Matrix):
        return A.conj().T
    return np.conj(A.T) if isinstance(A, np.ndarray) else sparse_adjoint(A)


def weighed(M: Any, x: Any) -> Any:
    return x if M is None else M @ x


def symmetric_pairs(A: Any, M: Any, w: Any, v: Any) -> Any:
    """Eigenvalues and vectors, with v^H M v = 1, of a Hermitian A."""
    values, vectors = np.zeros_like(w), np.zeros_like(v)
    for j in range(len(w)):
        number, x = w[j], v[:, j]
        border = weighed(held(M), x)
        fixed = bordered_matrix(held(A), held(M), number, border, border)
        for _ in range(STEPS):
            image = weighed(M, x)
            length = 0.5 * np.real(np.sum(np.conj(x) * image)) - 0.5
            rest = np.append(number * image - A @ x, length)
            step = scipy_spsolve(fixed, rest)
            x, number = x + step[:-1], number + np.real(step[-1])
        values[j] = number
        vectors[:, j] = x
    return values, vectors


def eigsh(
    A: Any, k: int = 6, M: Any = None, sigma: Any = None, which: str = "LM",
    v0: Any = None, ncv: Any = None, maxiter: Any = None, tol: float = 0.0,
    return_eigenvectors: bool = True, **options: Any,
) -> Any:  # fmt: skip
    """scipy.sparse.linalg.eigsh."""
    start = None if v0 is None else stop_gradient(v0)
    w, v = found_by_scipy(
        "scipy.sparse.linalg", "eigsh", held(A), k, held(M), sigma, which, start, ncv, maxiter,
        tol, **options,
    )  # fmt: skip
    if return_eigenvectors:
        return symmetric_pairs(A, M, w, v)
    order = found_by_scipy(
        "scipy.sparse.linalg", "eigsh", held(A), k, held(M), sigma, which, start, ncv, maxiter,
        tol, False, **options,
    )  # fmt: skip
    return symmetric_pairs(A, M, w, v)[0][as_paired(w, order)]


def eigs(
    A: Any, k: int = 6, M: Any = None, sigma: Any = None, which: str = "LM",
    v0: Any = None, ncv: Any = None, maxiter: Any = None, tol: float = 0.0,
    return_eigenvectors: bool = True, **options: Any,
) -> Any:  # fmt: skip
    """scipy.sparse.linalg.eigs; vectors of length 1 whose phases stay."""
    start = None if v0 is None else stop_gradient(v0)
    w, v = found_by_scipy(
        "scipy.sparse.linalg", "eigs", held(A), k, held(M), sigma, which, start, ncv, maxiter,
        tol, **options,
    )  # fmt: skip
    values, vectors = np.zeros_like(w), np.zeros_like(v)
    for j in range(len(w)):
        number, known = w[j], v[:, j]
        fixed = bordered_matrix(held(A), held(M), number, weighed(held(M), known), known)
        x = known
        for _ in range(STEPS):
            rest = number * weighed(M, x) - A @ x
            step = scipy_spsolve(fixed, np.append(rest, np.sum(np.conj(known) * x) - 1.0))
            x, number = x + step[:-1], number + step[-1]
        values[j] = number
        vectors[:, j] = x / np.sqrt(np.sum(np.abs(x) ** 2))
    return (values, vectors) if return_eigenvectors else values


class Doubled:
    """The Hermitian matrix [[0, A], [A^H, 0]], whose eigenvalues are A's singular values."""

    def __init__(self, A: Any, count: int) -> None:
        self.A, self.count = A, count

    def __matmul__(self, x: Any) -> Any:
        return np.concatenate((self.A @ x[self.count :], turned(self.A) @ x[: self.count]))


def svds(
    A: Any, k: int = 6, ncv: Any = None, tol: float = 0, which: str = "LM", v0: Any = None,
    maxiter: Any = None, return_singular_vectors: Any = True, solver: str = "arpack",
    **options: Any,
) -> Any:  # fmt: skip
    """scipy.sparse.linalg.svds."""
    start = None if v0 is None else stop_gradient(v0)
    u, s, vh = found_by_scipy(
        "scipy.sparse.linalg", "svds", held(A), k, ncv, tol, which, start, maxiter, True, solver,
        **options,
    )  # fmt: skip
    both = Doubled(A, len(u))
    whole = doubled_matrix(held(A))
    values, vectors = np.zeros_like(s), np.zeros_like(np.concatenate((u, np.conj(vh.T))))
    for j in range(len(s)):
        number, x = s[j], np.append(u[:, j], np.conj(vh[j]))
        fixed = bordered_matrix(whole, None, number, x, x)
        for _ in range(STEPS):
            length = 0.5 * np.real(np.sum(np.conj(x) * x)) - 1.0
            step = scipy_spsolve(fixed, np.append(number * x - both @ x, length))
            x, number = x + step[:-1], number + np.real(step[-1])
        values[j] = number
        vectors[:, j] = x
    if return_singular_vectors is True:
        return vectors[: len(u)], values, np.conj(vectors[len(u) :].T)
    if return_singular_vectors is False:
        return values
    raise NotImplementedError("svds with one kind of singular vectors: take both")


def least_squares(A: Any, b: Any, damp: float, found: Any) -> Any:
    """What a solver found, moving as the shortest solution of the normal equations does."""
    back, wide = turned(A), A.shape[0] < A.shape[1]
    fixed = normal_matrix(held(A), damp)
    if wide:  # x = A^H z with (A A^H + damp^2) z = b
        z = scipy_spsolve(fixed, stop_gradient(b))
        for _ in range(STEPS):
            z = z + scipy_spsolve(fixed, b - A @ (back @ z) - damp**2 * z)
        x = back @ z
        return found + (x - stop_gradient(x))
    x = found
    rest = stop_gradient(back @ (b - A @ x) - damp**2 * x)
    for _ in range(STEPS):
        x = x + scipy_spsolve(fixed, back @ (b - A @ x) - damp**2 * x - rest)
    return x


def lsqr(A: Any, b: Any, damp: float = 0.0, *rest: Any, **options: Any) -> Any:
    """scipy.sparse.linalg.lsqr; its norms but those of x and of what is left are estimates."""
    found = found_by_scipy(
        "scipy.sparse.linalg", "lsqr", held(A), stop_gradient(b), damp, *rest, **options
    )
    x = least_squares(A, b, damp, found[0])
    left = np.sum(np.abs(b - A @ x) ** 2)
    size = np.sum(np.abs(x) ** 2)
    norms = (np.sqrt(left), np.sqrt(left + damp**2 * size))
    return x, found[1], found[2], *norms, found[5], found[6], found[7], np.sqrt(size), found[9]


def lsmr(A: Any, b: Any, damp: float = 0.0, *rest: Any, **options: Any) -> Any:
    """scipy.sparse.linalg.lsmr; its norms but those of x and of what is left are estimates."""
    found = found_by_scipy(
        "scipy.sparse.linalg", "lsmr", held(A), stop_gradient(b), damp, *rest, **options
    )
    x = least_squares(A, b, damp, found[0])
    norms = (np.sqrt(np.sum(np.abs(b - A @ x) ** 2)), found[4], found[5], found[6])
    return x, found[1], found[2], *norms, np.sqrt(np.sum(np.abs(x) ** 2))


def norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """scipy.sparse.linalg.norm."""
    return np.linalg.norm(x.toarray(), ord, axis)


def spsolve_triangular(
    A: Any, b: Any, lower: bool = True, overwrite_A: bool = False, overwrite_b: bool = False,
    unit_diagonal: bool = False,
) -> Any:  # fmt: skip
    """scipy.sparse.linalg.spsolve_triangular of a triangular matrix that is made in a function."""
    if not isinstance(A, Matrix):
        raise NotImplementedError("spsolve_triangular of a constant matrix: spsolve")
    inside = A.rows > A.columns if lower else A.rows < A.columns
    diagonal = A.rows == A.columns
    entries = np.where(inside, A.entries, 0.0)
    if unit_diagonal:
        entries = entries + np.where(diagonal, 1.0, 0.0)
    else:
        entries = entries + np.where(diagonal, A.entries, 0.0)
    return spsolve(Matrix(entries, A.rows, A.columns, A.shape, A.old, A.format), b)


READ = {
    "eigs": eigs, "eigsh": eigsh, "lsmr": lsmr, "lsqr": lsqr, "norm": norm,
    "spsolve_triangular": spsolve_triangular, "svds": svds,
}  # fmt: skip
