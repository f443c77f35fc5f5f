"""Floor 8: scipy.sparse.hstack, bmat, kron and their kin of matrices with active entries; what
scipy.sparse.linalg makes of such."""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np

from s2sgrad.standins.sparse_matrices import Matrix, full
from s2sgrad_runtime import scipy_expm, scipy_expm_multiply


def entries_of(part: Any) -> Any:
    """A matrix as its entries and their places: SciPy's own and dense ones too; or None."""
    if isinstance(part, Matrix) or isinstance(part, NoneType):  # noqa: SIM101
        return part
    if isinstance(part, np.ndarray):
        return full(np.atleast_2d(part), True)
    return part.multiply(1.0)


def _format(parts: Any) -> str:
    """Whether SciPy may leave out entries of what parts make, as of a sum."""
    formats = [part.format for part in parts]
    return "sum" if "sum" in formats or "full" in formats or "full columns" in formats else ""


def _assembled(blocks: Any, dtype: Any) -> Any:
    """Rows of blocks, None where all is zero."""
    table = [[entries_of(block) for block in row] for row in blocks]
    widths = [
        max(b.shape[1] for b in column if b is not None) for column in zip(*table, strict=True)
    ]
    data, rows, columns, parts = [], [], [], []
    top = 0
    for row in table:
        left = 0
        for block, width in zip(row, widths, strict=True):
            if block is not None:
                data.append(block.entries)
                rows.append(block.rows + top)
                columns.append(block.columns + left)
                parts.append(block)
            left += width
        heights = [block.shape[0] for block in row if block is not None]
        top += heights[0]
    joined = np.concatenate(data)
    joined = joined if dtype is None else joined.astype(dtype)
    old = all(part.old for part in parts)
    places = np.concatenate(rows), np.concatenate(columns)
    return Matrix(joined, *places, (top, sum(widths)), old, _format(parts))


def block_array(blocks: Any, *, format: Any = None, dtype: Any = None) -> Any:
    """scipy.sparse.block_array."""
    made = _assembled(blocks, dtype)
    return Matrix(made.entries, made.rows, made.columns, made.shape, False, made.format)


def bmat(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """scipy.sparse.bmat."""
    return _assembled(blocks, dtype)


def hstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """scipy.sparse.hstack."""
    return _assembled([blocks], dtype)


def vstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """scipy.sparse.vstack."""
    return _assembled([[block] for block in blocks], dtype)


def block_diag(mats: Any, format: Any = None, dtype: Any = None) -> Any:
    """scipy.sparse.block_diag."""
    last = len(mats) - 1
    rows = [[*([None] * k), block, *([None] * (last - k))] for k, block in enumerate(mats)]
    return _assembled(rows, dtype)


def kron(A: Any, B: Any, format: Any = None) -> Any:
    """scipy.sparse.kron."""
    a, b = entries_of(A), entries_of(B)
    data = np.ravel(a.entries[:, None] * b.entries)
    rows = np.ravel(a.rows[:, None] * b.shape[0] + b.rows)
    columns = np.ravel(a.columns[:, None] * b.shape[1] + b.columns)
    shape = (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])
    return Matrix(data, rows, columns, shape, a.old and b.old, _format((a, b)))


def _kept(a: Any, kept: Any) -> Any:
    return Matrix(a.entries[kept], a.rows[kept], a.columns[kept], a.shape, a.old, _format((a,)))


def tril(A: Any, k: int = 0, format: Any = None) -> Any:
    """scipy.sparse.tril."""
    a = entries_of(A)
    return _kept(a, a.columns - a.rows <= k)


def triu(A: Any, k: int = 0, format: Any = None) -> Any:
    """scipy.sparse.triu."""
    a = entries_of(A)
    return _kept(a, a.columns - a.rows >= k)


def find(A: Any) -> Any:
    """scipy.sparse.find."""
    a = entries_of(A)
    places, which = np.unique(a.rows * a.shape[1] + a.columns, return_inverse=True)
    data = np.zeros(len(places), a.entries.dtype)
    np.add.at(data, which, a.entries)
    there = data != 0
    return (places // a.shape[1])[there], (places % a.shape[1])[there], data[there]


def inv(A: Any) -> Any:
    """scipy.sparse.linalg.inv."""
    return full(np.linalg.inv(A.toarray()), A.old)


def expm(A: Any) -> Any:
    """scipy.sparse.linalg.expm."""
    if isinstance(A, np.ndarray):
        return scipy_expm(A)
    return full(scipy_expm(A.toarray()), A.old)


def matrix_power(A: Any, power: int) -> Any:
    """scipy.sparse.linalg.matrix_power."""
    return full(np.linalg.matrix_power(A.toarray(), power), A.old)


def expm_multiply(
    A: Any, B: Any, start: Any = None, stop: Any = None, num: Any = None, endpoint: Any = None,
    traceA: Any = None,
) -> Any:  # fmt: skip
    """scipy.sparse.linalg.expm_multiply, of the dense matrix, and at several times."""
    a = A if isinstance(A, np.ndarray) else A.toarray()
    if start is None:
        return scipy_expm_multiply(a, B)
    ends = True if endpoint is None else endpoint
    times, step = np.linspace(start, stop, 50 if num is None else num, ends, retstep=True)
    found = [scipy_expm_multiply(a * times[0], B)]
    for _ in range(len(times) - 1):
        found.append(scipy_expm_multiply(a * step, found[-1]))
    return np.stack(found)


FURTHER_OF_LINALG = {
    "expm": expm, "expm_multiply": expm_multiply, "inv": inv, "matrix_power": matrix_power,
}  # fmt: skip
FURTHER = {
    "find": find,
    "block_array": block_array, "bmat": bmat, "hstack": hstack, "vstack": vstack,
    "block_diag": block_diag, "kron": kron, "tril": tril, "triu": triu,
}  # fmt: skip
