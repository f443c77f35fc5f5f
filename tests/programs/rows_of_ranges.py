"""What itertools makes of ranges: pairs, grids and orders of subscripts."""

import itertools

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6), jit=True)
def pairs_of_a_range(x):
    s = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        s += np.sin(x[i] * x[j])
    return s


@program(normal(4), positive(), wrt=(0, 1), jit=True)
def waves_on_a_grid(x, a):
    s = 0.0
    for k in itertools.product(range(-1, 2), repeat=3):
        v = np.array(k) @ x[:3]
        if k == (0, 0, 0):
            continue
        s += np.cos(v) / (1 + a * v * v)
    return s


@program(normal(7), jit=True)
def every_other_one(x):
    steps = list(itertools.combinations_with_replacement(range(5, -1, -2), 2))
    total = 0.0
    for i, j in steps:
        total += x[i] * x[j] ** 2
    it = itertools.combinations(range(1, 4), 3)
    a, b, c = next(it)
    return total * x[a] + x[b] * x[c] + len(steps) + sum(x[0] for _ in it)


@program(normal(4), jit=True)
def orders(x):
    s = 0.0
    for p in itertools.permutations(range(4)):
        t = 1.0
        for i, j in enumerate(p):
            t *= x[j] + i
        s += t * (1 if p[0] < p[1] else -1)
    for p in itertools.permutations(range(3), 0):
        s += len(p) + x[0]
    for i, j in itertools.permutations(range(1, 3), 2):
        s += x[i] * i + x[j] ** 2
    return s


@program(normal(4), 0, jit=True)
def of_nothing(x, n):
    s = x[0] ** 2
    for i, j in itertools.product(range(n), range(3)):
        s += x[i] * x[j]
    for i, j in itertools.combinations(range(n + 1), 2):
        s += x[i] * x[j]
    return s
