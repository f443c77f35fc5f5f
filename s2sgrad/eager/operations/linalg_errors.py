"""What NumPy's linear algebra refuses, in torch's words."""

from __future__ import annotations

from typing import Any

import numpy as np


class _LinAlgError(RuntimeError, np.linalg.LinAlgError):
    """A matrix that is singular, or not positive definite."""


SINGULAR = (
    "linalg.{}: The diagonal element {} is zero, the inversion could not be completed because the "
    "input matrix is singular."
)
INDEFINITE = (
    "linalg.cholesky: The factorization could not be completed because the input is not "
    "positive-definite (the leading minor of order {} is not positive-definite)."
)
UNSOLVED = "torch.linalg.solve: The solver failed because the input matrix is singular."
SQUARE = ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet")


def check_matrix(name: str, array: Any) -> None:
    """The functions of square matrices take nothing else."""
    if name not in SQUARE or not isinstance(array, np.ndarray):
        return
    if array.ndim < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    n, m = array.shape[-2:]
    if n != m:
        raise RuntimeError(
            f"linalg.{name}: A must be batches of square matrices, but they are {n} by {m} matrices"
        )


def worded(name: str, error: Exception, array: Any) -> Exception:
    """torch's error for NumPy's `LinAlgError` about one matrix."""
    one = isinstance(array, np.ndarray) and array.ndim == 2
    if name == "solve":
        return _LinAlgError(UNSOLVED)
    if name == "inv" and one:
        return _LinAlgError(SINGULAR.format(name, first_zero_pivot(array)))
    if name == "cholesky" and one:
        minors = range(1, len(array) + 1)
        bad = next((k for k in minors if np.linalg.eigvalsh(array[:k, :k])[0] <= 0), len(array))
        return _LinAlgError(INDEFINITE.format(bad))
    return _LinAlgError(str(error))


def first_zero_pivot(array: Any) -> int:
    """Where elimination with row exchanges first finds no pivot, counted from 1."""
    a = np.array(array, np.float64 if array.dtype.kind != "c" else np.complex128)
    for k in range(len(a)):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if a[p, k] == 0:
            return k + 1
        a[[k, p]] = a[[p, k]]
        a[k + 1 :] -= np.outer(a[k + 1 :, k] / a[k, k], a[k])
    return len(a)
