"""Rows, columns and numbers that are joined to matrices and vectors; parts whose lengths a run
knows."""

import numpy as np

from programs.registry import normal, program


@program(normal(5, 3), normal(3), wrt=(0, 1), jit=True)
def rows_and_columns(x, k):
    a = np.vstack((np.zeros(3), x, k))
    b = np.hstack((np.ones((7, 1)), a))
    c = np.column_stack([np.ones(7), a, a[:, 0]])
    d = np.vstack([np.ones(3), np.eye(3)])
    return np.sum(b[:, 1:] ** 2) + np.sum(c[:, 2] * c[:, 4]) + np.sum(d @ k)


@program(normal(5), normal(3), wrt=(0, 1), jit=True)
def grown_at_both_ends(x, k):
    y = x
    for v in k:
        y = np.append(y * v, 0)
        y = np.append(1.5, y)
    return y @ y


@program(normal(5), normal(3), wrt=(0, 1), jit=True)
def beside_what_was_chosen(x, k):
    y = np.concatenate([[k[0]], np.sin(x[x > -5]), [k[1], 2.0], k])
    z = np.append(np.append(k, x[x > -0.5] * 2), [1.0, k[2]])
    w = np.hstack([k[0], x[x < 0.7] ** 2, k[1], 3])
    return np.sum(y**2) + np.sum(z[1:] * z[:-1]) + np.sum(w**3)


@program(normal(5, 3), normal(3), wrt=(0, 1), jit=True)
def around_what_was_chosen(x, k):
    a = np.vstack((k, x[x[:, 0] > -9], np.ones(3), np.ones((2, 3))))
    c = np.column_stack([x[:, 0], x * 2, x[:, :2], x[:, 1]])
    d = np.append(x, k)
    e = np.append(x, k[None], axis=0)
    total = np.sum(a**2 * np.arange(3)) + np.sum(c[:, 0] * c[:, -1])
    return total + d @ d + np.sum(e**3)


@program(normal(5), 3, jit=True)
def padded_more_and_more(x, n):
    total = 0.0
    for k in range(n):
        y = np.pad(x, k)
        z = np.pad(x * y[k], ((k, n - k),))
        total += y @ y * z[k] + np.sum(z[1:] * z[:-1])
    return total
