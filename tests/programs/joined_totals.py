"""Variables that one pass through loops uses several times: their cotangents are several sums."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6), normal(6), positive(6), wrt=(0, 1, 2), jit=True)
def two_forces_of_pairs(x, y, m):
    dx = x[None, :] - x[:, None]
    dy = y[None, :] - y[:, None]
    near = dx**2 + dy**2 + 0.3
    attraction = m[None, :] * m[:, None] / near
    repulsion = dx * dy * m[None, :] / (near + 1.0)
    return np.sum(attraction) + np.sum(repulsion * dx) - np.sum(np.sqrt(near) * dy)


@program(normal(5, 3), positive(5), wrt=(0, 1), jit=True)
def pairs_in_steps(pos, m):
    total = 0.0
    for k in range(3):
        x, y = pos[:, 0:1], pos[:, 1:2]
        dx, dy = x.T - x, y.T - y
        r = 1.0 / (dx**2 + dy**2 + 0.5)
        fx = (dx * r**2) @ m
        fy = (dy * r**2) @ m
        pos = pos + 0.1 * np.stack((fx, fy, m), axis=1)
        total += np.sum(dx * dy * r) + np.sum(m[:, None] * r)
    return total


@program(normal(4, 5), normal(5), normal(4), wrt=(0, 1, 2), jit=True)
def one_vector_in_four_sums(a, v, w):
    s = a * v
    t = np.tanh(s) * v - w[:, None]
    u = t / (1.0 + v**2) + w[:, None] * v
    return np.sum(u * s - v) + np.sum(t * w[:, None])


@program(normal(4, 5), normal(5), wrt=(0, 1), jit=True)
def the_sum_is_read_in_between(a, v):
    first = np.sum(a * v, axis=0)
    v = v - 0.1 * first
    second = np.sum(np.sin(a) * v, axis=0)
    v = v * second
    return np.sum(np.exp(0.1 * a) * v) + np.sum(a**2 * v[::-1])


@program(normal(4, 4), normal(4), wrt=(0, 1), jit=True)
def both_axes_of_a_square(a, v):
    rows = a * v[:, None]
    columns = a * v
    return np.sum(rows * columns - np.cos(a) * v[:, None]) + np.sum(np.sin(a * v) / 2.0)


@program(normal(0, 4), normal(4), wrt=(1,), jit=True)
def over_no_rows(a, v):
    return np.sum(np.tanh(a * v) * v - a / (2.0 + v**2)) + np.sum(v**2)


@program(normal(3, 4), normal(4), wrt=(0, 1), jit=True)
def places_and_their_neighbours(a, v):
    total = 0.0
    for i in range(3):
        for j in range(1, 4):
            total += a[i, j] * v[j] - np.sin(a[i, j - 1]) * v[j - 1] * v[j]
    return total + np.sum(a * v)


@program(positive(4), np.array([0, 1, 2, 0]), jit=True)
def places_change_by_another_name(x, places):
    places = places.copy()
    later = places[1:]
    total = np.zeros(4)
    for i in range(1, 4):
        total[places[i]] = 0.5 * x[i]
        later[i - 1] = 3 - places[i]
        total[places[i]] += x[i] ** 2
    return np.sum(total**2 * np.arange(1.0, 5.0)) + x[0]
