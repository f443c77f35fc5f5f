"""Sparse matrix times vector, rows compressed."""

import numpy as np


def primal(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i] : A_row[i + 1]]
        vals = A_val[A_row[i] : A_row[i + 1]]
        y[i] = vals @ x[cols]
    return np.sum(y)


SIZES = {"test": (5, 6, 12), "S": (4096, 4096, 8192), "M": (32768, 32768, 65536)}
argnums = (2, 3)


def arguments(rng, size="S"):
    m, n, nnz = SIZES[size]
    counts = np.bincount(rng.integers(0, m, nnz), minlength=m)
    rows = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return rows, rng.integers(0, n, nnz), rng.uniform(size=nnz), rng.uniform(size=n)
