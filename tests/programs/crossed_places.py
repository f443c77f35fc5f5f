"""Parts of matrices by rows and columns at once: `np.ix_` of lists, tuples and arrays."""

import numpy as np

from programs.registry import normal, program


@program(normal(9), normal(9), wrt=(0, 1), jit=True)
def truss(k, load):
    elements = [(0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6), (0, 7, 8)]
    n = len(load)
    stiffness = np.zeros((n, n))
    local = np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])
    for e, nodes in enumerate(elements):
        ix = np.ix_(nodes, nodes)
        stiffness[ix] += np.exp(k[e]) * local
    free = [i for i in range(n) if i not in (0, 4)]
    inner = stiffness[np.ix_(free, free)] + 0.5 * np.eye(len(free))
    u = np.zeros(n)
    u[free] = np.linalg.solve(inner, load[free])
    return load @ u


TRIANGLES = [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [0, 7, 8]]


@program(normal(9), normal(9), np.array(TRIANGLES), wrt=(0, 1), jit=True)
def truss_from_a_table(k, load, elements):
    n = len(load)
    stiffness = np.zeros((n, n))
    local = np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])
    for e in range(len(elements)):
        nodes = elements[e]
        ix = np.ix_(nodes, nodes)
        stiffness[ix] += np.exp(k[e]) * local
        stiffness[np.ix_(nodes[:2], nodes[1:])] *= 1.1
    fixed = {0, 4}
    free = np.array([i for i in range(n) if i not in fixed])
    rows, columns = np.ix_(free, free)
    inner = stiffness[rows, columns] + 0.5 * np.eye(len(free))
    return load[free] @ np.linalg.solve(inner, load[free])


@program(normal(6, 6), normal(3), wrt=(0, 1), jit=True)
def places_that_change(a, s):
    b = a.copy()
    which = [0, 2, 5]
    for t in range(3):
        ix = np.ix_(which, [t, 4])
        b[ix] = b[ix] * s[t] + a[:3, t : t + 1]
        which = [1, 3, t]
    return np.sum(b**2 * a) + b[np.ix_(np.array([0, 1]), [2, 4, 4])].sum()


@program(normal(5, 5), normal(4), wrt=(0, 1), jit=True)
def places_bound_on_two_paths(a, s):
    first, total = [0, 1], 0.0
    ix = np.ix_(first, (2, 3))
    for k in range(len(s)):
        total += s[k] * np.sum(a[ix] ** 2)
        if s[k] > 0.0:
            ix = np.ix_([k, 4], first)
        total += np.sum(a[ix]) * s[k] ** 2
    return total
