"""A loop with a branch, a continue and a break: the path taken is saved, then walked backwards."""

import numpy as np


def primal(x, limit):
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        if total > limit:
            break
        total = total * 0.5 + x[i] * total + x[i] ** 2
    return total


def target(x, limit):
    """x: float64[n], limit: float64 (inactive). Returns the value and x_bar: float64[n]."""
    steps = []  # the iterations that changed total
    total_saved = []
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        if total > limit:
            break
        steps.append(i)
        total_saved.append(total)
        total = total * 0.5 + x[i] * total + x[i] ** 2
    value = total

    total_bar = 1.0
    x_bar = np.zeros_like(x)
    while steps:
        i = steps.pop()
        total = total_saved.pop()
        x_bar[i] += total_bar * total + total_bar * 2.0 * x[i]
        total_bar = total_bar * 0.5 + total_bar * x[i]
    return value, x_bar


def arguments(rng):
    return np.array([0.5, -1.0, 0.7, 0.2, -0.3, 0.9, 1.1, 0.4]), 1.5


wrt = (0,)
