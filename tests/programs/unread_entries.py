"""Entries with infinite slopes that nobody reads: they contribute nothing."""

from itertools import combinations

import numpy as np

from programs.registry import program

P = np.array([[0.3, -0.8, 0.4], [1.1, 0.6, -0.5], [-0.7, 0.2, 1.3], [0.1, 1.4, 0.9]])
X = np.array([0.0, -1.0, 2.0, 0.5])


def distances(p):
    return np.sqrt(((p[:, None] - p[None]) ** 2).sum(axis=-1))


@program(P, second=True)
def pairs_above_the_diagonal(p):
    return np.sum(np.log(distances(p)[np.triu_indices(len(p), 1)]))


@program(P, second=True)
def pairs_in_loops(p):
    r = distances(p)
    energy = 0.0
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            energy += 1.0 / r[i, j] ** 2 - 0.3 * r[i, j]
    return energy


@program(P, second=True)
def pairs_by_combinations(p):
    inverse = 1.0 / distances(p)
    return sum(inverse[i, j] for i, j in combinations(range(len(p)), 2))


@program(P, second=True)
def no_force_on_oneself(p):
    weight = 1.0 / distances(p)
    np.fill_diagonal(weight, 0.0)
    return np.sum(weight @ p**2)


@program(P, second=True)
def diagonal_set_by_places(p):
    weight = 1.0 / distances(p)
    everyone = np.arange(len(p))
    weight[everyone, everyone] = 0.0
    return np.sum(weight**2)


@program(X)
def logarithms_of_some(x):
    logs = np.log(x)
    total = 0.0
    for k in range(len(x)):
        if x[k] > 0.1:
            total += logs[k] * x[k]
    return total


@program(X, second=True)
def taken_from_roots(x):
    return np.take(np.sqrt(x), [2, 3]).sum() * np.sqrt(x)[2]


@program(X, second=True)
def first_entries_overwritten(x):
    logs = np.log(x)
    logs[:2] = 0.0
    return np.sum(logs**2) + x[0]


@program(P, second=True)
def rows_read_from_roots(p):
    root = np.sqrt(p * (p > 0.0))
    return root[1, 0] * root[3, 2] + np.diagonal(root)[1] ** 2 + root[[1, 0], [0, 2]].sum()


@program(X, second=True)
def unpacked_roots(x):
    a, b, c, d = np.sqrt(x)
    return c * d + c**3
