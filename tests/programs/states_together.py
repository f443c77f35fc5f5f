"""Several arrays that a time step computes at once, each from the old ones of the others."""

import numpy as np

from programs.registry import normal, program


@program(normal(6), normal(6), wrt=(0, 1))
def waves(u, v):
    for _ in range(4):
        u, v = v, 2.0 * v - u + 0.1 * (np.roll(v, 1) - 2.0 * v + np.roll(v, -1))
    return np.sum(v**2) + u[0]


@program(normal(5), normal(5), wrt=(0, 1))
def pendulums(x, v):
    for _ in range(3):
        x, v = x + 0.1 * v, v - 0.1 * np.sin(x)
    return np.sum(x * v)


@program(normal(4), normal(4), wrt=(0, 1))
def three_in_turn(a, b):
    c = a * b
    for k in range(4):
        a, b, c = b, c, np.tanh(a) + 0.5 * b * (k + 1)
    return np.sum(a * 2.0 + b * 3.0 + c)


@program(normal(4), normal(4), wrt=(0, 1))
def changing_places_beside_a_new_one(a, b):
    c = a + b
    for _ in range(3):
        a, b, c = b, a, c * a - b
    return np.sum(a + 2.0 * b + 3.0 * c**2)


@program(normal(3, 4), normal(3, 4), wrt=(0, 1))
def with_rows_of_the_old_ones(x, v):
    for _ in range(3):
        x, v = x + 0.1 * v, v - 0.1 * np.var(x, axis=1, keepdims=True) * x
    return np.sum(x**2)


@program(normal(4, 3))
def normalised_by_both(x):
    mean, spread = np.mean(x, 0, keepdims=True), np.std(x, 0, keepdims=True)
    return np.sum(((x - mean) / (spread + 0.1)) ** 3)


@program(normal(5), normal(5), wrt=(0, 1))
def views_of_the_old_ones(a, b):
    for _ in range(2):
        a, b = b[::-1] * 2.0, a[1:].sum() * b
        a[0] = b[-1]
    return np.sum(a * b)


@program(normal(5), normal(5), wrt=(0, 1))
def written_after_changing_places(a, b):
    for k in range(4):
        a, b = b, a + np.cos(b)
        a[k] += b[k] * 0.5
    return np.sum(a) + np.sum(b**2)
