"""Gram-Schmidt orthogonalisation, column by column."""

import numpy as np


def primal(A):
    A = A.copy()
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        norm2 = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(norm2)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(Q) + np.sum(R)


SIZES = {"test": (5, 4), "S": (70, 60), "M": (220, 180)}
argnums = (0,)


def arguments(rng, size="S"):
    return (rng.uniform(size=SIZES[size]),)
