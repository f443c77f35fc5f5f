"""Rows of an array under names of their own, while other rows of it are written."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


@program(normal(2), 4, jit=True, second=True)
def the_next_row_from_this_one(y0, n):
    ys = np.zeros((n + 1, 2))
    ys[0] = y0
    for i in range(n):
        y = ys[i]
        ys[i + 1] = y * np.sin(y)
    return np.sum(ys[-1] ** 2)


@program(normal(2), 4, jit=True, second=True)
def entries_of_this_row(y0, n):
    ys = np.zeros((n + 1, 2))
    ys[0] = y0
    for i in range(n):
        y = ys[i]
        ys[i + 1] = np.array([np.sin(y[0]), y[0] * y[1]])
    return np.sum(ys**2)


@program(normal(2), 4, jit=True, second=True)
def this_row_is_written_afterwards(y0, n):
    ys = np.ones((n + 1, 2))
    ys[0] = y0
    for i in range(n):
        y = ys[i]
        z = np.sin(y) * y
        ys[i] = 2.0
        ys[i + 1] = z + y
    return np.sum(ys**3)


@program(normal(2), 4, jit=True, second=True)
def this_row_is_written_before(y0, n):
    ys = np.ones((n + 1, 2))
    ys[0] = y0
    for i in range(n):
        y = ys[i]
        ys[i] = y * np.cos(y)
        ys[i + 1] += y * y
    return np.sum(ys**3)


@program(normal(2), 5, jit=True, second=True)
def two_rows_back(y0, n):
    ys = np.ones((n + 1, 2))
    ys[0] = y0
    for i in range(1, n):
        y, z = ys[i], ys[i - 1]
        ys[i + 1] = y * z + np.sin(z)
        ys[i - 1] = y
    return np.sum(ys**2)


@program(normal(2), 5, jit=True, second=True)
def the_same_row_in_every_second_trip(y0, n):
    ys = np.ones((2, 2))
    ys[0] = y0
    for i in range(n):
        y = ys[i % 2]
        ys[(i + 1) % 2] = np.sin(y) * y + 0.1 * i
    return np.sum(ys**2)


@program(normal(2), 5, jit=True, second=True)
def the_first_row_throughout(y0, n):
    ys = np.ones((n + 1, 2))
    ys[0] = y0
    y = ys[0]
    for i in range(n):
        ys[i + 1] = np.sin(y) * ys[i]
        if i == 2:
            ys[0] = 0.5 * y
    return np.sum(ys**2)


@program(normal(3, 4), jit=True, second=True)
def columns_and_rows(a):
    b = np.sin(a)
    for j in range(3):
        column = b[:, j]
        row = b[0]
        b[:, j + 1] = column * np.cos(column) + row[j]
        b[1] = row * b[2]
    return np.sum(b**2)


@program(normal(6), jit=True, second=True)
def a_window_that_moves(x):
    y = x * 1.0
    for i in range(4):
        window = y[i : i + 2]
        y[i + 2] = np.sum(window * np.sin(window))
        window[0] = 0.3
    return np.sum(y**2)


@program(normal(2), normal(3), wrt=(0, 1), jit=True, second=False)
def a_step_inside(y0, p):
    def slope(y):
        return np.array([p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - y[1]])

    ys = np.zeros((4, 2))
    ys[0] = y0
    for i in range(3):
        y = ys[i]
        first = slope(y)
        ys[i + 1] = y + 0.1 * slope(y + 0.05 * first)
    return np.sum(ys[-1] ** 2)


@program(normal(2), 4, jit=True)
def while_a_row_is_small(y0, n):
    ys = np.zeros((n + 1, 2))
    ys[0] = y0
    i = 0
    while i < n and np.sum(ys[i] ** 2) < 1e6:
        y = ys[i]
        i += 1
        ys[i] = y * np.sin(y) + y
    return np.sum(ys[i] ** 2)


@program(normal(2), 4, jit=True)
def the_counter_moves_on(y0, n):
    ys = np.zeros((n + 1, 2))
    ys[0] = y0
    k = 0
    for _ in range(n):
        y = ys[k]
        k = k + 1
        ys[k] = y * np.sin(y)
        k = k - 1
        ys[k] = y + np.cos(y)
        k = k + 1
    return np.sum(ys**2)


@program(normal(6), jit=True, second=True)
def one_of_several_parts_is_put(x):
    q = np.sin(x)
    np.array_split(q, 4)[2].put([0], 2.0 * x[0])
    np.split(q, 3)[1].fill(x[1] ** 2)
    np.hsplit(q, 2)[1][...] *= q[0]
    return np.sum(q**3)


@program(normal(6), jit=True, second=True)
def places_that_take_each_others_entries(x):
    q = np.outer(x, x)[:3, :3]
    q -= q[[1, 0, 2]].copy()
    q += 2.0 * q[[1, 2, 0]]
    np.add.at(q, [0, 2, 1], q.copy())
    np.add.at(q, ([0, 2, 1], [1, 1, 2]), q[0])
    return np.sum(q**2)


@program(normal(4), jit=True, second=True)
def a_part_moved_over_itself(x):
    k = np.exp(x)
    a = np.sqrt(np.maximum(k, 0.1))
    a[1:] += k[:-1] * a[:-1]
    a[:-1] -= np.abs(a[1:]) * np.where(a[1:] > 0.0, a[1:], 1.0)
    return np.sum(a**2)


@program(normal(3, 2), jit=True, second=True)
def a_row_out_of_a_list_of_rows(a):
    a = a * 1.5
    row = list(a)[1]
    row *= 2.0
    first, _, last = tuple(a)
    last *= first
    return np.sum(a**2)


@program(normal(3, 2), jit=True, second=True)
def the_array_is_written_under_a_list(a):
    a = a * 1.5
    row = list(a)[1]
    a[1] *= 2.0
    copies = [r * 1.5 for r in a]
    second = tuple(copies)[2]
    second *= a[0]
    return np.sum(row**2) + sum(np.sum(r**2) for r in copies)


@program(normal(2), 4, jit=True, second=True)
def the_array_is_measured_beside_its_row(y0, n):
    ys = np.ones((n + 1, 2))
    ys[0] = y0
    for i in range(n):
        y = ys[i]
        z = 0.1 * (np.sum(y * y) / ys.shape[0] + np.sum(np.zeros_like(ys) + y))
        ys[i] = 2.0 * np.sin(z)
        ys[i + 1] = np.sin(z) + 0.3 * np.tanh(y * y)
    return np.sum(ys**3)


@program(normal(5, 2), normal(4, 3), wrt=(0, 1), jit=True)
def entries_of_rows_alone(points, a):
    """Rows of which single entries are read, by names that hold several, and beside rows that are
    used as a whole."""
    total, x_before, y_before = 0.0, 0.1, 0.2
    for x, y in points:
        total += (x - x_before) ** 2 * np.sin(y - y_before)
        x_before, y_before = x, y
    for i, (x, y) in enumerate(points):
        left, right = points[i - 1], points[(i + 1) % len(points)]
        total += i * x * left[1] - y * right[0]
    for row in reversed(a):
        for k in range(len(row)):
            total += row[k] * row[0]
        if row[1] > 0.2:
            break
    for row, other in zip(a, a[::-1]):
        total += row[0] * other[-1] + np.sum(other)
    return total


@program(normal(4, 3), 3, jit=True)
def entries_of_rows_that_change(a, n):
    """The array is written into, and its name is bound to another, while a row has a name."""
    b, total = a.copy(), 0.0
    first = b[0]
    for i in range(n):
        row, before = b[i], b[i - 1]
        b[i, 0] = row[1] * before[2]
        total += row[0] * before[0]
        i = 1
        total += row[2] * b[i, 2]
        last = b[-1]
        b = b * 0.9
        total += last[0] * first[1]
    for row in b:
        b = np.sin(b)
        total += row[0] * b[0, 0]
    return total
