"""Names of arguments that go to other arrays, which are written or read under both names."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


@program(normal(4), normal(4), True, wrt=(0, 1), jit=True)
def in_a_branch(x, y, flag):
    z = 2.0 * x
    z += x
    if flag:
        y = z
    return np.sum(y**2) + np.sum(z)


@program(normal(4), normal(4), False, wrt=(0, 1), jit=True)
def in_a_branch_that_is_not_taken(x, y, flag):
    z = 2.0 * x
    z[0] = 3.0
    if flag:
        y = z
    return np.sum(y**2) + np.sum(z**2)


@program(normal(4), normal(4), 2, wrt=(0, 1), jit=True)
def in_a_loop(x, y, n):
    z = 2.0 * x
    z += x
    for i in range(n):
        y = z
    return np.sum(y**2) + np.sum(z)


@program(normal(4), normal(4), 0, wrt=(0, 1), jit=True)
def in_a_loop_without_trips(x, y, n):
    z = 2.0 * x
    z += x
    for i in range(n):
        y = z
        y[1] += 1.0
    return np.sum(y**2) + np.sum(z)


@program(normal(4), normal(4), 2, wrt=(0, 1), jit=True)
def two_in_a_loop(x, y, n):
    z = 0.5 * x + 0.1
    rows = [x * 1.0]
    z += 0.5 * x
    for i in range(n):
        x, y = rows[-1], z
    return np.sum(x) * 0.7 + np.sum(y**2) + np.sum(z) * 0.7


@program(normal(4), normal(4), 2, wrt=(0, 1), jit=True)
def written_through_the_argument(x, y, n):
    w = x * 2.0
    w[0] = 3.0
    for _ in range(n):
        y = w
        y[1] *= 1.5
    return np.sum(w**2) + np.sum(y)


@program(normal(3, 3), normal(3), 2, wrt=(0, 1), jit=True)
def a_row_in_a_loop(a, y, n):
    b = np.sin(a)
    b[0] *= 2.0
    for i in range(n):
        y = b[i]
        y *= 1.0 + i
    return np.sum(b**2) + np.sum(y**3)


@program(normal(16), normal(3), wrt=(0, 1), jit=True)
def by_a_view_of_its_copy_in_each_turn(psi, J):
    for q in range(3):
        psi = psi.reshape(4, 4).copy()
        psi[:, 0] *= J[q]
        psi = psi.reshape(-1)
    return np.sum(psi**2)


@program(normal(16), normal(3), wrt=(0, 1), jit=True)
def by_views_of_other_shapes_in_each_turn(psi, J):
    for q in range(3):
        psi = psi.reshape(2**q, 2, 2, -1).copy()
        psi[:, 0, 0] *= J[q]
        psi = psi.reshape(-1)
    return np.sum(psi**2)


@program(normal(6), second=True, jit=True)
def by_a_row_of_a_table_made_of_it(x):
    for k in range(2):
        table = np.outer(x, x)
        table[k] += x * k
        x = table[2]
    return np.sum(x * np.sin(x))
