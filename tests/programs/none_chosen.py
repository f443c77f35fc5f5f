"""Means of what a mask chooses, where it chooses nothing: Python divides no number by 0."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


@program(normal(4), jit=True, second=True)
def a_mean_beside_a_question(x):
    m = x > 50.0
    return np.where(m.any(), x[m].mean(), 0.0) + np.sum(x**2)


@program(normal(4), jit=True, second=True)
def a_sum_over_a_length(x):
    y = x[x > 50.0]
    return np.where(len(y) > 0, y.sum() / len(y), 0.0) + np.sum(x**2)


@program(normal(4), jit=True, second=True)
def a_quotient_that_is_put_right(x):
    y = x[x > 50.0]
    n = y.size
    return np.nan_to_num(np.sum(y**2) / n) + np.nan_to_num(np.mean(y)) + np.sum(x**2)


@program(normal(3), 0, jit=True, second=True)
def over_an_integer_that_is_zero(x, n):
    return np.where(n > 0, np.sum(x**2) / n, np.sum(np.sin(x)))


@program(normal(6), jit=True, second=True)
def a_mean_for_each_class(x):
    labels = np.array([0, 2, 2, 0, 2, 0])
    total = np.sum(x**3)
    for k in range(3):
        chosen = x[labels == k]
        if chosen.size:
            total += chosen.mean() ** 2 + np.var(chosen)
    return total
