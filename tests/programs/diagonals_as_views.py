"""Diagonals that are views: what is written into one shows in the other."""

import numpy as np

from programs.registry import normal, program


@program(normal(4), second=True)
def diagonal_replaced_by_einsum(x):
    a = np.outer(x, x)
    np.einsum("ii->i", a)[...] = x**3
    return np.sum(a * np.sin(a.T)) + a[1, 1]


@program(normal(4))
def diagonal_by_einsum_changed_step_by_step(x):
    a = np.outer(x, np.cos(x))
    d = np.einsum("ii->i", a)
    for k in range(len(d)):
        d += x[k] * d
        d[k] *= 2.0
    return np.sum(a**2)


@program(normal(3, 3), normal(3))
def diagonal_read_after_a_change(A, v):
    a = A * 2.0
    d = np.diagonal(a)
    e = np.diag(a, 1)
    a[1, 1] = v[0] ** 2
    a[0] *= v
    return np.sum(d**2 * v) + np.prod(e)


@program(normal(2, 3, 3))
def diagonals_of_a_stack_of_matrices(A):
    a = np.tanh(A)
    d = np.linalg.diagonal(a, offset=-1)
    e = a.diagonal(0, 1, 2)
    a[:, 1] = a[:, 1] * a[:, 2]
    np.einsum("kij->kji", a)[0] += e[0, 1] * a[1]
    return np.sum(d**3) + np.sum(np.exp(e))


@program(normal(3), normal(3, 3))
def ridge_added_where_it_is_too_small(x, K):
    a = K @ K.T
    d = np.einsum("jj->j", a)
    while np.min(d) < 20.0:
        d += 1.0 + x**2
    return x @ np.linalg.solve(a, x)


@program(normal(3, 3), normal(3), 1)
def one_of_two_diagonals_of_a_conditional_expression(A, v, n):
    a = A * 2.0
    d = np.diagonal(a) if n > 0 else a[0]
    e = np.diag(a, 1) if v[0] > 0 else np.diag(a, -1)
    a[1, 1] = v[0] ** 2
    a[0] *= v
    return np.sum(d**2 * v) + np.prod(e) + a.sum()
