"""Loops over known ranges that may end early."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), jit=True)
def ended_in_an_inner_loop(x):
    y, total = x[0], 0.0
    for _ in range(15):
        z = y * y
        for m in range(4):
            z = z * 0.7 + x[m % len(x)] * z * z * 0.1
            if z < 0.2:
                break
        y = 0.9 * y + z * 0.05
        if abs(y) < 0.02:
            break
        total += z * y
    return total


@program(normal(4), jit=True)
def some_left_in_a_list(x):
    left, total = [], 0.0
    for k in range(7):
        left.append(x[k % len(x)] ** 2)
        if k > len(x) - 2:
            break
    for k in reversed(range(3)):
        total += left.pop() * (k + 1) * x[0]
    return total


@program(positive(4), jit=True)
def powers_until_they_settle(x):
    v, size = x.copy(), 0.0
    A = np.outer(x, np.ones(4)) * 0.1 + np.diag(np.array([1.0, 2.0, 3.0, 4.0]))
    for _ in range(200):
        w = A @ v
        n = np.sqrt(w @ w)
        w = w / n
        if abs(n - size) < 1e-13:
            break
        size, v = n, w
    return size * x[0] + np.sum(v**3)
