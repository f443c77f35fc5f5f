"""Floor 8: a sparse matrix that is made in a function, as a class that the compiler can read.

A matrix is its entries and their places, so the derivative goes by the entries. Parts of it are
products with matrices of ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import matching_entries


class Matrix:
    """Entries at rows and columns; entries of one place add up.

    old: one of SciPy's matrices, not arrays: `*` of it and an array is the matrix product.
    format: 'coo', 'csr' or 'csc' where the entries lie as SciPy has them; '' where SciPy would
    have put them in order and added those of one place; 'sum' for a sum of matrices; 'full' where
    all entries of a dense matrix are kept, row by row, for the derivatives of those that are zero,
    which SciPy leaves out; 'full columns' where they lie column by column.
    """

    INSTEAD = "A.toarray() is an array"
    __array_priority__ = 10.1  # as SciPy's: NumPy leaves `x @ A` to it

    def __init__(
        self, data: Any, rows: Any, columns: Any, shape: Any, old: bool = False, format: str = ""
    ) -> None:  # fmt: skip
        self.entries, self.rows, self.columns, self.shape = data, rows, columns, shape
        self.old, self.format = old, format

    @property
    def T(self) -> Any:
        """The transpose."""
        turned = (self.shape[1], self.shape[0])
        pairs = {"csr": "csc", "csc": "csr", "full": "full columns", "full columns": "full"}
        format = pairs.get(self.format, self.format)
        return Matrix(self.entries, self.columns, self.rows, turned, self.old, format)

    @property
    def data(self) -> Any:
        """The entries in the order in which SciPy has them."""
        if self.format in ("", "sum"):
            raise NotImplementedError(
                "`data` of a sparse matrix after a change of its format: take the entries that the "
                "matrix is made of"
            )
        return self.entries[self.entries != 0.0] if self.full else self.entries

    @property
    def full(self) -> Any:
        """Whether all entries are there, also those that are zero."""
        return self.format in ("full", "full columns")

    def _in(self, format: str) -> Any:
        """The matrix in another format: its entries would be put in order."""
        lying = {"full": ("coo", "csr"), "full columns": ("csc",)}.get(self.format, (self.format,))
        if format in lying:
            return self
        kept = "sum" if self.format == "sum" or self.full else ""
        return Matrix(self.entries, self.rows, self.columns, self.shape, self.old, kept)

    @property
    def nnz(self) -> Any:
        """The number of entries."""
        if self.full:
            return np.count_nonzero(self.entries)
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
            first, second = matching_entries(self.columns, x.rows)
            data = self.entries[first] * x.entries[second]
            shape = (self.shape[0], x.shape[1])
            old = self.old or x.old
            return Matrix(data, self.rows[first], x.columns[second], shape, old, "sum")
        if self.full:
            return self.toarray() @ x
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
            factor = factor.toarray()
        if np.ndim(factor) == 0:
            return self._with(self.entries * factor)
        whole = np.broadcast_to(factor, self.shape)
        return self._with(self.entries * whole[self.rows, self.columns])

    def __mul__(self, factor: Any) -> Any:
        if isinstance(factor, Matrix):
            return self @ factor if self.old or factor.old else self.multiply(factor)
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
        if self.format == "full":
            return np.reshape(self.entries, self.shape)
        if self.format == "full columns":
            return self.T.toarray().T
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

    def __getitem__(self, key: Any) -> Any:
        """A number, or rows and columns: by numbers, slices, lists, masks, and `np.ix_` of them."""
        if self.format == "coo":
            raise NotImplementedError("a part of a coo matrix: SciPy takes parts of A.tocsr()")
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, int | np.integer) and isinstance(columns, int | np.integer):
            there = (self.rows == rows % self.shape[0]) & (self.columns == columns % self.shape[1])
            return np.sum(self.entries[there])
        sides = [part for part in (rows, columns) if not isinstance(part, slice | int | np.integer)]
        if len(sides) == 2 and np.ndim(rows) < 2:
            raise NotImplementedError(
                "entries of a sparse matrix by two lists: A.toarray()[rows, columns]"
            )
        return self._rows(rows)._columns(columns)

    def _rows(self, key: Any) -> Any:
        """Some of the rows: a product with a matrix of ones."""
        whole = isinstance(key, slice) and key.start is None and key.stop is None
        if whole and key.step is None:
            return self._in("")
        if isinstance(key, int | np.integer) and not self.old:
            raise NotImplementedError("a row of a sparse array: A[[i]]")
        places = np.ravel(np.arange(self.shape[0])[key])
        count = len(places)
        ones = np.ones(count, self.entries.dtype)
        return Matrix(ones, np.arange(count), places, (count, self.shape[0]), self.old) @ self

    def _columns(self, key: Any) -> Any:
        return self.T._rows(key).T

    def getrow(self, i: Any) -> Any:
        return self._rows([i])

    def getcol(self, i: Any) -> Any:
        return self._columns([i])

    def power(self, n: Any) -> Any:
        """The power of each entry."""
        single = self._once()
        return single._with(single.entries**n)

    def __pow__(self, n: Any) -> Any:
        """The power of each entry; of a matrix, not an array, products with itself."""
        if not self.old:
            return self.power(n)
        if n == 0:
            places = np.arange(self.shape[0])
            ones = np.ones(self.shape[0], self.entries.dtype)
            return Matrix(ones, places, places, self.shape, self.old, "csr")
        found = self
        for _ in range(n - 1):
            found = found @ self
        return found

    def __abs__(self) -> Any:
        single = self._once()
        return single._with(np.abs(single.entries))

    def _once(self) -> Any:
        """The same with one entry in each place: functions of entries are none of their parts."""
        if self.full:
            return self
        places, entry = np.unique(self.rows * self.shape[1] + self.columns, return_inverse=True)
        data = np.zeros(len(places), self.entries.dtype)
        np.add.at(data, entry, self.entries)
        rows, columns = places // self.shape[1], places % self.shape[1]
        return Matrix(data, rows, columns, self.shape, self.old)

    def trace(self, offset: int = 0) -> Any:
        return np.sum(self.entries[self.columns - self.rows == offset])

    def mean(self, axis: Any = None) -> Any:
        return self.sum(axis) / (
            self.shape[0] * self.shape[1] if axis is None else self.shape[axis]
        )


def full(dense: Any, old: bool = False) -> Any:
    """All entries of a dense matrix."""
    count, length = np.shape(dense)
    rows, columns = np.repeat(np.arange(count), length), np.tile(np.arange(length), count)
    return Matrix(np.ravel(dense), rows, columns, (count, length), old, "full")


class Assembled:
    """scipy.sparse.lil_matrix and dok_matrix: a matrix that is filled entry by entry."""

    INSTEAD = "A.tocsr() has them, and A.toarray() is an array"

    def __init__(self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> None:
        if not isinstance(arg1, tuple):
            dense = arg1.toarray() if isinstance(arg1, Matrix) else arg1
            self.dense = np.array(dense, dtype=dtype)
        else:
            self.dense = np.zeros(arg1, dtype=float if dtype is None else dtype)
        self.shape, self.old = np.shape(self.dense), True

    def __getitem__(self, key: Any) -> Any:
        found = self.dense[key]
        if np.ndim(found) == 0:
            return found
        return self.tocsr()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.dense[key] = value.toarray() if isinstance(value, Matrix) else value

    def tocsr(self) -> Any:
        return full(self.dense.copy(), self.old)

    def tocsc(self) -> Any:
        return full(self.dense.T.copy(), self.old).T

    def tocoo(self) -> Any:
        return self.tocsr()

    def toarray(self) -> Any:
        return self.dense.copy()

    def __matmul__(self, x: Any) -> Any:
        return self.tocsr() @ x


class AssembledArray(Assembled):
    """scipy.sparse.lil_array and dok_array."""

    def __init__(self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> None:
        super().__init__(arg1, shape, dtype, copy)
        self.old = False
