"""LU factorisation in place, row by row, without pivots."""

import numpy as np


def primal(A):
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[:j, j])
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= np.dot(A[i, :i], A[:i, j])
    return np.sum(A)


SIZES = {"test": 5, "S": 100, "M": 300}
argnums = (0,)


def arguments(rng, size="S"):
    n = SIZES[size]
    a = rng.uniform(size=(n, n))
    return (a @ a.T + n * np.eye(n),)
