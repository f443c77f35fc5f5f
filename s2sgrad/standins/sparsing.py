"""Floor 8: sparse matrices of scipy.sparse that are made in a function, as a class that the
compiler can read.

A matrix is its entries and their places, so the derivative goes by the entries. Solves take
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
from s2sgrad_runtime import (
    fixed_matrix,
    iterated_solution,
    places_of_entries,
    scipy_spsolve,
)


class Matrix:
    """Entries at rows and columns; entries of one place add up.

    old: one of SciPy's matrices, not arrays: `*` of it and an array is the matrix product.
    format: 'coo', 'csr' or 'csc' where the entries lie as SciPy has them; '' where SciPy would
    have put them in order and added those of one place; 'sum' for a sum of matrices.
    """

    def __init__(
        self, data: Any, rows: Any, columns: Any, shape: Any, old: bool = False, format: str = ""
    ) -> None:  # fmt: skip
        self.entries, self.rows, self.columns, self.shape = data, rows, columns, shape
        self.old, self.format = old, format

    @property
    def T(self) -> Any:
        """The transpose."""
        turned = (self.shape[1], self.shape[0])
        format = {"csr": "csc", "csc": "csr"}.get(self.format, self.format)
        return Matrix(self.entries, self.columns, self.rows, turned, self.old, format)

    @property
    def data(self) -> Any:
        """The entries in the order in which SciPy has them."""
        if self.format in ("", "sum"):
            raise NotImplementedError(
                "`data` of a sparse matrix after a change of its format: take the entries that the "
                "matrix is made of"
            )
        return self.entries

    def _in(self, format: str) -> Any:
        """The matrix in another format: its entries would be put in order."""
        if format == self.format:
            return self
        kept = "sum" if self.format == "sum" else ""
        return Matrix(self.entries, self.rows, self.columns, self.shape, self.old, kept)

    @property
    def nnz(self) -> Any:
        """The number of entries."""
        if self.format == "sum":
            raise NotImplementedError("nnz of a sum of sparse matrices: SciPy leaves out zeros")
        if self.format == "":
            return len(np.unique(self.rows * self.shape[1] + self.columns))
        return len(self.rows)

    def transpose(self) -> Any:
        return self.T

    def _with(self, data: Any) -> Any:
        """Other entries at the same places."""
        return Matrix(data, self.rows, self.columns, self.shape, self.old, self.format)

    def conj(self) -> Any:
        return self._with(np.conjugate(self.entries))

    def conjugate(self) -> Any:
        return self.conj()

    def copy(self) -> Any:
        return self

    def __matmul__(self, x: Any) -> Any:
        if isinstance(x, Matrix):
            raise NotImplementedError("the product of two sparse matrices with active entries")
        terms = np.transpose(self.entries * np.transpose(x[self.columns]))
        y = np.zeros((self.shape[0], *np.shape(x)[1:]), terms.dtype)
        np.add.at(y, self.rows, terms)
        return y

    def __rmatmul__(self, x: Any) -> Any:
        return np.transpose(self.T @ np.transpose(x))

    def dot(self, x: Any) -> Any:
        return self @ x

    def multiply(self, factor: Any) -> Any:
        """Entry by entry."""
        if isinstance(factor, Matrix):
            raise NotImplementedError("products entry by entry of two sparse matrices")
        if np.ndim(factor) == 0:
            return self._with(self.entries * factor)
        whole = np.broadcast_to(factor, self.shape)
        return self._with(self.entries * whole[self.rows, self.columns])

    def __mul__(self, factor: Any) -> Any:
        if isinstance(factor, Matrix):
            raise NotImplementedError("the product of two sparse matrices with active entries")
        if self.old and np.ndim(factor) > 0:
            return self @ factor
        return self.multiply(factor)

    def __rmul__(self, factor: Any) -> Any:
        if self.old and np.ndim(factor) > 0:
            return factor @ self
        return self.multiply(factor)

    def __truediv__(self, number: Any) -> Any:
        return self.multiply(1.0 / number)

    def __neg__(self) -> Any:
        return self._with(-self.entries)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Matrix):
            return self.toarray() + other
        rows = np.concatenate((self.rows, other.rows))
        columns = np.concatenate((self.columns, other.columns))
        data = np.concatenate((self.entries, other.entries))
        return Matrix(data, rows, columns, self.shape, self.old and other.old, "sum")

    def __radd__(self, other: Any) -> Any:
        return other + self.toarray()

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return other - self.toarray()

    def toarray(self) -> Any:
        """The matrix with its zeros."""
        full = np.zeros(self.shape, np.asarray(self.entries).dtype)
        np.add.at(full, (self.rows, self.columns), self.entries)
        return full

    def todense(self) -> Any:
        if self.old:
            raise NotImplementedError(
                "todense() gives np.matrix, whose `*` is no array's: toarray()"
            )
        return self.toarray()

    def tocsr(self) -> Any:
        return self._in("csr")

    def tocsc(self) -> Any:
        return self._in("csc")

    def tocoo(self) -> Any:
        return self._in("coo")

    def diagonal(self) -> Any:
        return np.diagonal(self.toarray())

    def sum(self, axis: Any = None) -> Any:
        return np.sum(self.toarray(), axis=axis, keepdims=self.old and axis is not None)


def coordinates(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.coo_array((data, (rows, columns)), shape), or of a dense matrix."""
    if isinstance(arg1, Matrix):
        return arg1
    if not isinstance(arg1, tuple):
        rows, columns = places_of_entries(arg1)
        data = as_dtype(arg1[rows, columns], dtype)
        return Matrix(data, rows, columns, np.shape(arg1), False, "coo")
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
        dense = not isinstance(arg1, tuple | Matrix)
        made = coordinates(arg1, shape, dtype)
        kept = "csr" if dense else made._in("csr").format
        return Matrix(made.entries, made.rows, made.columns, made.shape, False, kept)
    data, indices, starts = arg1
    data = as_dtype(data, dtype)
    count = len(starts) - 1
    rows = np.repeat(np.arange(count), np.diff(starts))
    if shape is None:
        shape = (count, int(np.max(indices)) + 1)
    return Matrix(data, rows, np.asarray(indices), shape, False, "csr")


def compressed_columns(arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> Any:
    """scipy.sparse.csc_array."""
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

    def solve(self, b: Any) -> Any:
        return spsolve(self.matrix, b)

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
    "spdiags": spdiags,
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
