"""Triangular scalar loops that overwrite one matrix in place, as a textbook writes them."""

import numpy as np


def primal(a):
    n = a.shape[0]
    L = np.tril(a)
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                L[i, j] -= L[i, k] * L[j, k]
        L[j, j] = np.sqrt(L[j, j])
        for i in range(j + 1, n):
            L[i, j] /= L[j, j]
    return np.sum(L * L * L)


def target(a):
    """a: float64[n, n]. Returns the value and a_bar: float64[n, n].

    Nothing is saved: column j is final once step j is done, and the reverse sweep reads only
    final columns; L[i, j] before the division is L[i, j] * L[j, j].
    """
    n = a.shape[0]
    L = np.tril(a)
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                L[i, j] -= L[i, k] * L[j, k]
        L[j, j] = np.sqrt(L[j, j])
        for i in range(j + 1, n):
            L[i, j] /= L[j, j]
    value = np.sum(L * L * L)

    L_bar = 3.0 * L * L
    for j in reversed(range(n)):
        for i in range(j + 1, n):
            L_bar[i, j] /= L[j, j]
            L_bar[j, j] -= L_bar[i, j] * L[i, j]
        L_bar[j, j] /= 2.0 * L[j, j]
        for k in reversed(range(j)):
            for i in reversed(range(j, n)):
                L_bar[i, k] -= L_bar[i, j] * L[j, k]
                L_bar[j, k] -= L_bar[i, j] * L[i, k]
    return value, np.tril(L_bar)


def arguments(rng):
    m = rng.normal(size=(5, 5))
    return (m @ m.T + 5.0 * np.eye(5),)


wrt = (0,)
