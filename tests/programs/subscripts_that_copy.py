"""Subscripts that give copies, read and written."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def mask_that_is_true(x):
    A = x * x + 1
    flag = True
    A[flag] = A[flag][...] * x[0]
    return np.sum(A * A)


@program(X, second=True)
def copies_by_masks(x):
    A = x * x + 1
    flag = True
    B = A[flag]
    B *= 2
    A[[1, 2]][...]
    C = A[[1, 2]][:]
    C *= x[0]
    D = A[x > 0][1:]
    D *= x[0]
    return np.sum(A * A) + B.sum() + C.sum() + D.sum()


@program(X, second=True)
def rows_exchanged(x):
    A = x * x + 1
    A[[0, 1]] = A[[1, 0]][...] * x[0]
    A[[0, 1]] = A[[1, 0]][::-1] * x[0]
    A[x > 0] = A[x > 0][::-1] * x[0]
    return np.sum(A * A)


@program(X, second=True)
def rows_copied(x):
    A = x * x + 1
    c = A[[1, 0]]
    A[0] = 5 * x[0]
    d = A[[1, 0]][...]
    A[1] = x[2]
    return np.sum(A * A) + c.sum() * d.sum()
