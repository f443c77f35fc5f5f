"""Entries written one after the other: what is read again behind them, and what is not."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(positive(1), positive(1), 6, wrt=(0, 1), jit=True)
def steps_of_euler(y0, a, n):
    y = np.empty(n)
    y[0] = y0[0]
    for i in range(n - 1):
        y[i + 1] = y[i] + 0.1 * np.sin(a[0] * y[i])
    return np.sum(y**2)


@program(normal(5), positive(1), 3, wrt=(0, 1), jit=True)
def rows_of_the_heat_equation(u0, k, steps):
    u = np.zeros((steps + 1, len(u0)))
    u[0] = u0
    for t in range(steps):
        u[t + 1] = u[t]
        u[t + 1, 1:-1] = u[t, 1:-1] + k[0] * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
    return np.sum(u[-1] ** 2) + np.sum(u[1])


@program(normal(4), positive(1), wrt=(0, 1), jit=True)
def from_the_end(x, w):
    n = len(x)
    b = np.zeros(n + 1)
    for i in range(n - 1, -1, -1):
        b[i] = w[0] * b[i + 1] + x[i] ** 2
    return b[0] * b[1]


@program(normal(5), positive(1), wrt=(0, 1), jit=True)
def round_the_corner(x, w):
    y = x * x
    for i in range(len(y)):
        y[i] = w[0] * y[i - 1] + y[i] ** 2
    for i in range(len(y)):
        y[i - 1] = y[i] * 0.5 + y[i - 1]
    return np.sum(y**2)


@program(normal(6), positive(1), wrt=(0, 1), jit=True)
def two_back_and_one_ahead(x, w):
    y = x * 1.0
    for i in range(2, 6):
        y[i] = w[0] * y[i - 1] * y[i - 2] + x[i]
    for i in range(5):
        y[i + 1] = y[i] * y[i + 1]
        y[i] = y[i + 1] ** 2
    for i in range(1, 5):
        y[i] = y[i + 1] + y[i - 1]
    return np.sum(y**2) + y[0] * y[3]


@program(normal(4, 5), positive(1), wrt=(0, 1), jit=True)
def table_row_by_row(x, w):
    A = np.zeros((5, 5))
    A[0] = x[0]
    for t in range(4):
        for j in range(5):
            A[t + 1, j] = w[0] * A[t, j - 1] + A[t, j] * x[t, j]
            if j > 0:
                A[t + 1, j] += np.sin(A[t + 1, j - 1]) * 0.1
    return np.sum(A[4] ** 2) + A[2, 3]


@program(normal(5), positive(1), 3, wrt=(0, 1), jit=True)
def same_array_in_each_step(x, w, steps):
    y = x * 1.0
    z = np.zeros(6)
    total = 0.0
    for _ in range(steps):
        z[0] = y[-1]
        for i in range(5):
            z[i + 1] = w[0] * z[i] + y[i]
        for i in range(5):
            y[i] = np.sin(z[i + 1]) * z[i]
        total = total + z[2]
    return np.sum(y**2) + total


@program(normal(5), positive(1), wrt=(0, 1), jit=True)
def read_whole_afterwards(x, w):
    y = x * 1.0
    for i in range(4):
        y[i + 1] = w[0] * y[i] ** 2 + y[i + 1]
    z = y[::-1]
    for i in range(4):
        y[i + 1] = w[0] * z[i] + x[i]
    return np.sum(y * z) + y[0]


@program(normal(5), positive(1), wrt=(0, 1), jit=True)
def leaves_early(x, w):
    y = np.zeros(6)
    y[0] = x[0]
    for i in range(5):
        if y[i] > 3.0:
            break
        if x[i] < -0.5:
            y[i + 1] = y[i] * 0.5
            continue
        y[i + 1] = w[0] * y[i] + x[i] ** 2
    return y[i] ** 2 + y[0] + np.sum(y[1:3])


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def two_arrays_side_by_side(x, v):
    q, p = np.empty(5), np.empty(5)
    q[0], p[0] = x[0], v[0]
    for i in range(4):
        p[i + 1] = p[i] - 0.1 * np.sin(q[i]) + v[i + 1]
        q[i + 1] = q[i] + 0.1 * p[i + 1]
    return np.sum(q * p) + q[0] * p[0]


@program(normal(4), positive(1), wrt=(0, 1), jit=True)
def through_a_view(x, w):
    y = np.zeros((2, 5))
    row = y[1]
    row[0] = x[0]
    for i in range(4):
        row[i + 1] = w[0] * row[i] + x[i] ** 2
        y[0, i] = y[1, i + 1] * row[i]
    return np.sum(y[0]) + row[4] ** 2 + y[1, 0]
