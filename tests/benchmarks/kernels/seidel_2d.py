"""Gauss-Seidel sweeps over one grid: row slices, then a recurrence along the row."""

import numpy as np


def primal(TSTEPS, N, A):
    A = A.copy()
    for _ in range(TSTEPS - 1):
        for i in range(1, N - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2]
                + A[i - 1, 1:-1]
                + A[i - 1, 2:]
                + A[i, 2:]
                + A[i + 1, :-2]
                + A[i + 1, 1:-1]
                + A[i + 1, 2:]
            )
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0
    return np.sum(A)


SIZES = {"test": (3, 6), "S": (8, 50), "M": (15, 100)}
argnums = (2,)


def arguments(rng, size="S"):
    steps, n = SIZES[size]
    return steps, n, rng.uniform(size=(n, n))
