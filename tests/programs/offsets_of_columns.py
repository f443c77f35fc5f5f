"""Loops over columns that are counted from a number the caller gives: from the end where it is
negative, so that the first column of the loop is the last one too."""

import numpy as np

from programs.registry import positive, program


@program(positive(3, 5), -1, second=True)
def read_and_written(A, k):
    C = np.zeros(A.shape[1]) + 0.5
    B = np.zeros(A.shape)
    for j in range(A.shape[1] - k):
        B[:, j + k] = A[:, j + k] * C[j + k]
        C[j + k] = C[j + k] + 2.0
    return np.sum(C * C) + np.sum(B * B)


@program(positive(3, 5), -2, second=True)
def summed_and_written(A, k):
    C = np.zeros(A.shape[1]) + 0.5
    for j in range(A.shape[1] - k):
        t = np.sum(A[:, j + k]) * C[j + k]
        C[j + k] = t
    return np.sum(C * C)


@program(positive(3, 5), -1, second=True)
def added_up_in_rows(A, k):
    B, s = np.zeros(A.shape), 0.0
    for j in range(A.shape[1] - k):
        B[0, j + k] = np.sum(A[:, j + k] * A[:, j + k]) + 1.5 * B[0, j + k]
        s = s + 2.0 * np.sum(B[:, j + k])
    return s + np.sum(B * B)


@program(positive(3, 5), -2, second=True)
def begun_below_zero(A, k):
    s, C = 0.0, np.zeros(A.shape[1])
    for j in range(k, A.shape[1] + k):
        t = np.sum(A[:, j] * A[:, j])
        s += 2.0 * t
        C[j] += t
    return s + np.sum(C * C)
