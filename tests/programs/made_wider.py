"""Arrays of one column or row that become matrices under the same name, and entries of which one
of many is replaced."""

import numpy as np

from programs.registry import positive, program


@program(positive(5), positive(5), wrt=(0, 1))
def a_column(x, q):
    c, r, t = x[:, None] * 0.5, q[None, :] * 0.7, 0.0
    for _ in range(2):
        t = t + 0.1 * np.sum(r + r + r)
    c = np.sin(q[0] * (x.T - c))
    return t + np.sum(c * r)


@program(positive(5), positive(5), wrt=(0, 1))
def a_column_times_itself(x, q):
    c, r = x[:, None] * 0.5, q[None, :] * 0.7
    c = np.sin(c * c + (x[:, None] * x - c))
    return np.sum(c * r)


@program(positive(5, 3), positive(3), -1, wrt=(0, 1))
def one_of_each_row(A, q, k):
    H, D = np.cos(q[:, None, None] * A), np.outer(q, A[:, 0])
    H[:, :, k] = np.sin(np.tanh(D[:, ::-1]) + D)
    return np.sum(H**3)
