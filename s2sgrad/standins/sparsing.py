"""Floor 8: functions that make sparse matrices of scipy.sparse, and solvers for them.

Solves take
steps that leave the value as it is: x = x + solve(A, b - A @ x), with a factorised copy of A that
is held fixed; each makes one more order of derivative exact.
"""

from __future__ import annotations

import functools
import importlib
import sys
from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad.standins.sparse_matrices import Assembled, AssembledArray, Matrix, full
from s2sgrad_runtime import (
    fixed_matrix,
    iterated_solution,
    scipy_spsolve,
)


def coordinates(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.coo_array((data, (rows, columns)), shape), or of a dense matrix."""
    if isinstance(arg1, Matrix):
        return arg1
    if not isinstance(arg1, tuple):
        return full(as_dtype(arg1, dtype))
    data, places = as_dtype(arg1[0], dtype), arg1[1]
    if shape is None:
        shape = (int(np.max(places[0])) + 1, int(np.max(places[1])) + 1)
    return Matrix(data, np.asarray(places[0]), np.asarray(places[1]), shape, False, "coo")


def as_dtype(data: Any, dtype: Any) -> Any:
    """Entries of a dtype, where one is given."""
    return data if dtype is None else np.asarray(data).astype(dtype)


def compressed_rows(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.csr_array((data, indices, indptr), shape), and of what coo_array takes."""
    if not isinstance(arg1, tuple) or len(arg1) == 2:
        made = coordinates(arg1, shape, dtype)._in("csr")
        return Matrix(made.entries, made.rows, made.columns, made.shape, False, made.format)
    data, indices, starts = arg1
    data = as_dtype(data, dtype)
    count = len(starts) - 1
    rows = np.repeat(np.arange(count), np.diff(starts))
    if shape is None:
        shape = (count, int(np.max(indices)) + 1)
    return Matrix(data, rows, np.asarray(indices), shape, False, "csr")


def compressed_columns(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.csc_array."""
    if not isinstance(arg1, tuple | Matrix):
        return full(as_dtype(np.transpose(arg1), dtype)).T
    if not isinstance(arg1, tuple) or len(arg1) == 2:
        return coordinates(arg1, shape, dtype)._in("csc")
    turned = None if shape is None else (shape[1], shape[0])
    return compressed_rows(arg1, turned, dtype).T


def as_old(matrix: Any) -> Any:
    """The same as one of SciPy's matrices."""
    return Matrix(
        matrix.entries, matrix.rows, matrix.columns, matrix.shape, True, matrix.format
    )  # fmt: skip


def coo_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.coo_matrix."""
    return as_old(coordinates(arg1, shape, dtype))


def csr_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.csr_matrix."""
    return as_old(compressed_rows(arg1, shape, dtype))


def csc_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.csc_matrix."""
    return as_old(compressed_columns(arg1, shape, dtype))


def diags(
    diagonals: Any, offsets: Any = 0, shape: Any = None, format: Any = None, dtype: Any = None
) -> Any:
    """scipy.sparse.diags."""
    return as_old(diags_array(diagonals, offsets=offsets, shape=shape, dtype=dtype))


def diags_array(
    diagonals: Any, *, offsets: Any = 0, shape: Any = None, format: Any = None, dtype: Any = None
) -> Any:
    """scipy.sparse.diags_array of arrays at known offsets."""
    if isinstance(offsets, int):
        diagonals = [diagonals] if np.ndim(diagonals[0]) == 0 else diagonals
        offsets = [offsets]
    if shape is None:
        size = len(diagonals[0]) + abs(offsets[0])
        shape = (size, size)
    data, rows, columns = [], [], []
    for diagonal, offset in zip(diagonals, offsets, strict=True):
        count = min(shape[0] + min(offset, 0), shape[1] - max(offset, 0))
        steps = np.arange(count)
        data.append(as_dtype(np.zeros(count) + diagonal, dtype))
        rows.append(steps + max(-offset, 0))
        columns.append(steps + max(offset, 0))
    return Matrix(np.concatenate(data), np.concatenate(rows), np.concatenate(columns), shape)


def dia_array(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.dia_array of (values, offsets), known ones: values[k, j] is in column j."""
    values, offsets = arg1
    values = np.atleast_2d(values)
    offsets = [offsets] if isinstance(offsets, int) else offsets
    if shape is None:
        raise NotImplementedError("a matrix of diagonals without its shape")
    data, rows, columns = [], [], []
    for k, offset in enumerate(offsets):
        first = max(offset, 0)
        places = np.arange(first, max(min(shape[1], shape[0] + offset, np.shape(values)[1]), first))
        data.append(as_dtype(values[k, first : first + len(places)], dtype))
        rows.append(places - offset)
        columns.append(places)
    return Matrix(np.concatenate(data), np.concatenate(rows), np.concatenate(columns), shape)


def dia_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.dia_matrix."""
    return as_old(dia_array(arg1, shape, dtype))


def spdiags(data: Any, diags: Any, m: Any = None, n: Any = None, format: Any = None) -> Any:
    """scipy.sparse.spdiags."""
    if m is None:
        m = n = np.shape(data)[-1]
    shape = m if n is None else (m, n)
    return as_old(dia_array((data, diags), shape))


def spsolve(A: Any, b: Any, permc_spec: Any = None, use_umfpack: bool = True) -> Any:
    """scipy.sparse.linalg.spsolve."""
    if not isinstance(A, Matrix):
        return scipy_spsolve(A, b)
    fixed = fixed_matrix(stop_gradient(A.entries), A.rows, A.columns, A.shape)
    x = scipy_spsolve(fixed, stop_gradient(b))
    for _ in range(3):
        x = x + scipy_spsolve(fixed, b - A @ x)
    return x


class Factorized:
    """What scipy.sparse.linalg.splu and factorized give."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def solve(self, b: Any, trans: str = "N") -> Any:
        if trans == "N":
            return spsolve(self.matrix, b)
        turned = self.matrix.T.tocsc()
        return spsolve(turned if trans == "T" else turned.conj(), b)

    def __call__(self, b: Any) -> Any:
        return spsolve(self.matrix, b)


def splu(A: Any) -> Any:
    """scipy.sparse.linalg.splu, for its `solve`."""
    return Factorized(A)


def factorized(A: Any) -> Any:
    """scipy.sparse.linalg.factorized."""
    return Factorized(A)


def iterated(solver: str, A: Any, b: Any, x0: Any = None, **options: Any) -> Any:
    """scipy.sparse.linalg.cg, gmres...: what the solver found, moving as the solution does."""
    if not isinstance(A, Matrix):
        fixed = stop_gradient(A)
    else:
        fixed = fixed_matrix(stop_gradient(A.entries), A.rows, A.columns, A.shape)
    start = None if x0 is None else stop_gradient(x0)
    found = iterated_solution(solver, fixed, stop_gradient(b), start, **options)
    x, info = found[:-1], found[-1]
    if info != 0:
        raise RuntimeError("the solver stopped before it found the solution: give it more steps")
    rest = stop_gradient(b - A @ x)
    for _ in range(3):
        x = x + scipy_spsolve(fixed, b - A @ x - rest)
    return x, 0


READ = {
    "coo_array": coordinates, "coo_matrix": coo_matrix, "csr_array": compressed_rows,
    "csr_matrix": csr_matrix, "csc_array": compressed_columns, "csc_matrix": csc_matrix,
    "dia_array": dia_array, "dia_matrix": dia_matrix, "diags": diags, "diags_array": diags_array,
    "spdiags": spdiags, "lil_matrix": Assembled, "lil_array": AssembledArray,
    "dok_matrix": Assembled, "dok_array": AssembledArray,
}  # fmt: skip
READ_OF_LINALG = {
    "spsolve": spsolve, "splu": splu, "factorized": factorized,
    **{
        name: functools.partial(iterated, name)
        for name in (
            "bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr",
        )
    },
}  # fmt: skip


def table() -> dict[Any, Any]:
    """SciPy's function or class -> what is read in its place."""
    sparse, linalg = sys.modules["scipy.sparse"], sys.modules.get("scipy.sparse.linalg")
    found = {getattr(sparse, name): read for name, read in READ.items()}
    if linalg is not None:
        further = importlib.import_module("s2sgrad.standins.eigenpairs").READ
        read_too = {**READ_OF_LINALG, **further}
        found |= {getattr(linalg, name): read for name, read in read_too.items()}
    return found


def further() -> dict[Any, Any]:
    """The same where a matrix with active entries is among the arguments."""
    sparse, linalg = sys.modules["scipy.sparse"], sys.modules.get("scipy.sparse.linalg")
    joining = importlib.import_module("s2sgrad.standins.sparse_joining")
    found = {getattr(sparse, name): read for name, read in joining.FURTHER.items()}
    if linalg is not None:
        found |= {getattr(linalg, n): read for n, read in joining.FURTHER_OF_LINALG.items()}
    return found
