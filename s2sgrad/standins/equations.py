"""Floor 8: functions of scipy.linalg about banded and Toeplitz matrices."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import linalg

from s2sgrad.api import stop_gradient
from s2sgrad.rules.declare import lookup
from s2sgrad.rules.unserved import STACKED
from s2sgrad.standins import factoring, stacking, triangles
from s2sgrad_runtime import (
    adjoint,
    banded_transpose,
    eigenvectors_of,
    scipy_expm,
    scipy_solve_banded,
    toeplitz_solution,
)


def column_and_row(c_or_cr: Any) -> tuple[Any, Any]:
    """The first column and the first row of a Toeplitz matrix."""
    if isinstance(c_or_cr, tuple):
        return np.ravel(c_or_cr[0]), np.ravel(c_or_cr[1])
    return np.ravel(c_or_cr), np.conj(np.ravel(c_or_cr))


def solve_toeplitz(c_or_cr: Any, b: Any, check_finite: bool = True) -> Any:
    """scipy.linalg.solve_toeplitz of one matrix."""
    c, r = column_and_row(c_or_cr)
    if np.ndim(b) == 1:
        return toeplitz_solution(c, r, b)
    columns = np.reshape(b, (len(c), -1)).T
    return np.reshape(np.stack([toeplitz_solution(c, r, v) for v in columns], 1), np.shape(b))


def matmul_toeplitz(c_or_cr: Any, x: Any, check_finite: bool = False, workers: Any = None) -> Any:
    """scipy.linalg.matmul_toeplitz: the product with a circulant matrix that holds this one."""
    c, r = column_and_row(c_or_cr)
    rows, count = len(c), len(c) + len(r) - 1
    ring = np.reshape(np.concatenate((c, r[:0:-1])), (-1, 1))
    columns = np.reshape(x, (len(r), -1))
    if np.iscomplexobj(ring) or np.iscomplexobj(columns):
        spectrum = np.fft.fft(ring, axis=0) * np.fft.fft(columns, n=count, axis=0)
        found = np.fft.ifft(spectrum, axis=0)[:rows]
    else:
        spectrum = np.fft.rfft(ring, axis=0) * np.fft.rfft(columns, n=count, axis=0)
        return np.reshape(np.fft.irfft(spectrum, n=count, axis=0)[:rows], (rows, *np.shape(x)[1:]))
    return np.reshape(found, (rows, *np.shape(x)[1:]))


def tridiagonal(d: Any, e: Any) -> Any:
    """The symmetric matrix with these diagonals."""
    return np.diag(d) + np.diag(e, 1) + np.diag(e, -1)


def eigvalsh_tridiagonal(
    d: Any, e: Any, select: str = "a", select_range: Any = None, check_finite: bool = True,
    tol: Any = 0.0, lapack_driver: str = "auto",
) -> Any:  # fmt: skip
    """scipy.linalg.eigvalsh_tridiagonal, all eigenvalues or those of an interval of indices."""
    return chosen(np.linalg.eigvalsh(tridiagonal(d, e)), select, select_range)


def chosen(w: Any, select: str, select_range: Any) -> Any:
    """Eigenvalues by index."""
    if select == "v":
        raise NotImplementedError("eigenvalues by value: take them all and choose")
    return w if select == "a" else w[select_range[0] : select_range[1] + 1]


def from_bands(a_band: Any, lower: bool) -> Any:
    """The Hermitian matrix with these bands."""
    count = len(a_band) - 1
    found = np.diag(a_band[0 if lower else count])
    for k in range(1, count + 1):
        if lower:
            found = found + np.diag(a_band[k, :-k], -k) + np.diag(np.conj(a_band[k, :-k]), k)
        else:
            row = a_band[count - k, k:]
            found = found + np.diag(row, k) + np.diag(np.conj(row), -k)
    return found


def eigvals_banded(
    a_band: Any, lower: bool = False, overwrite_a_band: bool = False, select: str = "a",
    select_range: Any = None, check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.eigvals_banded."""
    w = np.linalg.eigvalsh(from_bands(np.asarray(a_band), lower))
    return chosen(w, select, select_range)


def like(v: Any, known: Any) -> Any:
    """Eigenvectors v turned to those that SciPy gives, which are the same but for their phases."""
    turn = np.sum(np.conj(stop_gradient(v)) * known, axis=0)
    return v * (turn / np.abs(turn))


def eigh_tridiagonal(
    d: Any, e: Any, eigvals_only: bool = False, select: str = "a", select_range: Any = None,
    check_finite: bool = True, tol: Any = 0.0, lapack_driver: str = "auto",
) -> Any:  # fmt: skip
    """scipy.linalg.eigh_tridiagonal, of all eigenvalues or those of an interval of indices."""
    if eigvals_only:
        return eigvalsh_tridiagonal(d, e, select, select_range)
    w, v = np.linalg.eigh(tridiagonal(d, e))
    w, v = chosen(w, select, select_range), chosen(v.T, select, select_range).T
    given = (stop_gradient(d), stop_gradient(e), False, select, select_range)
    return w, like(v, eigenvectors_of("eigh_tridiagonal", *given))


def eig_banded(
    a_band: Any, lower: bool = False, eigvals_only: bool = False, overwrite_a_band: bool = False,
    select: str = "a", select_range: Any = None, max_ev: Any = 0, check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.eig_banded, of all eigenvalues or those of an interval of indices."""
    if eigvals_only:
        return eigvals_banded(a_band, lower, False, select, select_range)
    w, v = np.linalg.eigh(from_bands(np.asarray(a_band), lower))
    w, v = chosen(w, select, select_range), chosen(v.T, select, select_range).T
    given = (stop_gradient(a_band), lower, False, False, select, select_range)
    return w, like(v, eigenvectors_of("eig_banded", *given))


def cholesky_banded(
    ab: Any, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True
) -> Any:
    """scipy.linalg.cholesky_banded: the bands of the factor; beside them stays what was there."""
    ab = np.asarray(ab)
    root = np.linalg.cholesky(from_bands(ab, lower))
    rows = []
    for k in range(len(ab)):
        if lower:
            rows.append(np.concatenate((np.diagonal(root, -k), ab[k, len(root) - k :])))
        else:
            band = np.conj(np.diagonal(root, -k))
            rows.append(np.concatenate((ab[len(ab) - 1 - k, :k], band)))
    return np.stack(rows if lower else rows[::-1])


def cho_solve_banded(
    cb_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """scipy.linalg.cho_solve_banded: two banded solves."""
    cb, lower = cb_and_lower
    reach = len(cb) - 1
    bands = (reach, 0) if lower else (0, reach)
    turned = banded_transpose(np.conj(cb), bands)
    first, second = (cb, turned) if lower else (turned, cb)
    middle = scipy_solve_banded((reach, 0), first, b)
    return scipy_solve_banded((0, reach), second, middle)


def expm_frechet(
    A: Any, E: Any, method: Any = None, compute_expm: bool = True, check_finite: bool = True
) -> Any:
    """scipy.linalg.expm_frechet: the exponential of a block matrix."""
    n = len(A)
    found = scipy_expm(np.block([[A, E], [np.zeros((n, n)), A]]))
    return (found[:n, :n], found[:n, n:]) if compute_expm else found[:n, n:]


READ = (
    "cho_solve_banded", "cholesky_banded", "eig_banded", "eigh_tridiagonal", "eigvals_banded",
    "eigvalsh_tridiagonal", "expm_frechet", "matmul_toeplitz", "solve_toeplitz",
)  # fmt: skip


def reduced(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
    """a, q of the Riccati equation that has no e and no s, and the same solution.

    E^H X A becomes X (A E^-1) once e is divided out on both sides; s goes by completing the square.
    """
    if e is not None:
        a, q = over(a, e), adjoint(over(adjoint(over(q, e)), e))
        s = None if s is None else adjoint(over(adjoint(s), e))
    if s is not None:
        turned = np.linalg.solve(r, adjoint(s))
        a, q = a - b @ turned, q - s @ turned
    return a, 0.5 * (q + adjoint(q))


def over(a: Any, e: Any) -> Any:
    """a times the inverse of e."""
    return adjoint(np.linalg.solve(adjoint(e), adjoint(a)))


def solve_continuous_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True
) -> Any:
    """scipy.linalg.solve_continuous_are of the generalised equation. (Balancing is for SciPy's
    pencils of three matrices, and is not needed here.)"""
    a, q = reduced(a, b, q, r, e, s)
    return linalg.solve_continuous_are(a, b, q, r)


def solve_discrete_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True
) -> Any:
    """scipy.linalg.solve_discrete_are of the generalised equation."""
    a, q = reduced(a, b, q, r, e, s)
    return linalg.solve_discrete_are(a, b, q, r)


def read_in_place(name: str, model: Any) -> Any:
    """What is read in the place of a function, also where it takes stacks of matrices."""
    if name in ("matmul_toeplitz", "solve_toeplitz"):
        return stacking.of_toeplitz(model)
    if name == "cho_solve_banded":
        return stacking.cho_solve_banded_of(model)
    return stacking.with_stacks(model, STACKED[name]) if name in STACKED else model


@functools.cache
def table() -> dict[Any, Any]:
    """SciPy's function -> what is read in its place."""
    found: dict[str, Any] = {name: globals()[name] for name in READ}
    found |= {name: getattr(factoring, name) for name in factoring.READ} | triangles.READ
    return {getattr(linalg, name): read_in_place(name, model) for name, model in found.items()}


@functools.cache
def further() -> dict[Any, Any]:
    """SciPy's function -> what is read where its rule does not serve."""
    riccati = (solve_continuous_are, solve_discrete_are)
    found = factoring.FURTHER | {read.__name__: read for read in riccati}
    return {getattr(linalg, name): read_in_place(name, model) for name, model in found.items()}


@functools.cache
def stacked() -> dict[Any, Any]:
    """SciPy's function -> what is read where it has a rule, and gets stacks of matrices."""
    of_one = {getattr(linalg, name): kinds for name, kinds in STACKED.items()}
    ruled = {f: stacking.of_stacks(f, kinds) for f, kinds in of_one.items() if lookup(f)}
    return ruled | {linalg.solve_banded: stacking.solve_banded}
