"""Pairs of places in a list, as of a graph's edges or a truss's bars: one loop over all of them."""

import numpy as np

from programs.registry import normal, positive, program

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]


@program(normal(4, 2), EDGES, positive(5), wrt=(0, 2), jit=True)
def springs_by_pairs_and_stiffness(pos, edges, k):
    energy = 0.0
    force = np.zeros_like(pos)
    for (i, j), stiff in zip(edges, k):
        d = pos[j] - pos[i]
        r = np.sqrt(np.sum(d * d))
        force[i] += stiff * (r - 1.0) * d / r
        force[j] -= stiff * (r - 1.0) * d / r
        energy += 0.5 * stiff * (r - 1.0) ** 2
    return energy + np.sum(force**2)


@program(normal(4, 2), EDGES, positive(5), wrt=(0, 2), jit=True)
def pairs_counted_and_backwards(pos, edges, k):
    total = 1.0
    for n, (i, j) in enumerate(edges):
        total = total * (1.0 + 0.1 * k[n] * np.dot(pos[i], pos[j]))
    for i, j in reversed(edges):
        total = np.sin(total) + pos[i, 0] * total * pos[j, 1]
    for a, b in edges[::-1]:
        total = total * 0.9 + pos[a, 1] ** 2 * total + pos[b, 0]
    return total


@program(normal(4, 2), EDGES, [(0, 2.0), (3, -1.0)], jit=True)
def pairs_in_a_loop_of_trips(pos, edges, pinned):
    x = pos.copy()
    for _ in range(3):
        for i, j in edges:
            d = x[j] - x[i]
            s = 0.1 * (1.0 - 1.0 / np.sqrt(0.1 + d @ d))
            x[i] += s * d
            x[j] -= s * d
        for i, height in pinned:
            x[i, 1] = height * x[i, 0]
    return np.sum(x**2)
