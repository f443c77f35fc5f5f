"""Cholesky factorisation in place, row by row."""

import numpy as np


def primal(A):
    A = A.copy()
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])
    return np.sum(A)


SIZES = {"test": 5, "S": 100, "M": 300}
argnums = (0,)


def arguments(rng, size="S"):
    n = SIZES[size]
    a = rng.uniform(size=(n, n))
    return (a @ a.T + n * np.eye(n),)
