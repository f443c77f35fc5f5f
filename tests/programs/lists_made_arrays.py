"""Lists that loops fill only to be made arrays: `np.stack`, `np.array` of comprehensions."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6), normal(6), second=True, jit=True)
def numbers_of_a_comprehension(x, w):
    y = np.array([np.sin(x[i]) * x[i - 1] for i in range(len(x))])
    return np.sum(w * y) + y[0] * y[-1]


@program(normal(3, 3), normal(4, 3), normal(3), second=True, jit=True)
def states_of_a_recurrence(W, xs, h):
    states = []
    for t in range(xs.shape[0]):
        h = np.tanh(W @ h + xs[t])
        states.append(h)
    states = np.stack(states)
    return np.sum(states**2 * xs)


@program(normal(5), jit=True)
def powers_as_columns(x):
    F = np.stack([x**k for k in range(1, 5)], axis=1)
    G = np.stack([np.sin(k * x) for k in range(3)], axis=-1)
    return np.sum(np.sin(F)) + np.sum(F[:, :3] * G)


@program(positive(1), normal(4), jit=True)
def path_with_its_start(x, noise):
    v = x[0]
    path = [v]
    for e in noise:
        v = v + 0.1 * v * e
        path.append(v)
    path.append(v * v)
    p = np.array(path)
    return np.mean(p) * p[-1] + np.sum(np.diff(p) ** 2)


@program(normal(3, 4), normal(4), jit=True)
def rows_in_a_loop_over_time(x, w):
    for t in range(3):
        x = np.stack([np.roll(x[i], i - 1) * w for i in range(3)])
        x = x - np.mean(x, axis=0) / (t + 1)
    return np.sum(x * x)


@program(normal(3, 4), jit=True)
def counted_with_enumerate(x):
    kept = np.array([row * (k + 1) for k, row in enumerate(x)])
    both = np.array([a * b for a, b in zip(x[0], x[1])])
    back = np.array([x[i] * i for i in range(2, -1, -1)])
    return np.sum(kept**2) + np.sum(both * x[2]) + np.sum(back[0] * x[0])


@program(normal(4), 3, jit=True)
def as_many_as_the_caller_says(x, n):
    rows = np.array([x * np.cos(k * x) for k in range(n)])
    return np.sum(rows**2) + rows[n - 1, 0]


@program(normal(4), 0, jit=True)
def none_at_all(x, n):
    y = np.array([v * v for v in x[:n]] + [v for v in x])
    z = np.array([x[i] for i in range(n)])
    return np.sum(y) + np.sum(z)


@program(normal(4), jit=True)
def table_of_a_double_comprehension(x):
    K = np.array([[np.exp(-((a - b) ** 2)) for b in x] for a in x])
    return np.sum(K @ x)


@program(normal(4), jit=True)
def skipped_by_a_condition(x):
    y = np.array([v * v for v in x if v > 0.0] + [0.5])
    rows = []
    for v in x:
        if v < 0.0:
            continue
        rows.append(v * x)
    rows.append(x)
    return np.sum(y) + np.sum(np.stack(rows) ** 2)


@program(normal(4), jit=True)
def ended_early(x):
    rows = []
    for v in x:
        rows.append(v * x)
        if v < 0.0:
            break
    return np.sum(np.stack(rows) ** 2)


@program(normal(4), jit=True)
def read_again_as_a_list(x):
    rows = []
    for v in x:
        rows.append(v * x)
    first = np.stack(rows)
    rows.append(first[0] * 2.0)
    second = np.stack(rows)
    return np.sum(first**2) + np.sum(second[-1] * x) + len(rows) * rows[1][0]


@program(normal(4), jit=True)
def under_two_names(x):
    rows = [x]
    other = rows
    for v in x:
        rows.append(v * x)
    other.append(x * x)
    return np.sum(np.stack(rows) * np.arange(6.0)[:, None])


@program(normal(4), jit=True)
def items_that_change_afterwards(x):
    row = np.zeros(4)
    rows = []
    for k in range(3):
        row = row + x * k
        rows.append(row.copy())
        row[0] += x[1]
    table = np.stack(rows)
    table[1] *= 2.0
    return np.sum(table**2) + row[0]


@program(normal(4), jit=True)
def one_array_many_times(x):
    row = np.zeros(4)
    rows = []
    for k in range(3):
        row[k] = x[k] * x[k + 1]
        rows.append(row)
    return np.sum(np.stack(rows) ** 2 * np.arange(1.0, 4.0)[:, None])


@program(normal(4), jit=True)
def two_in_each_trip(x):
    out = []
    for v in x:
        out.append(v)
        out.append(v * v)
    more = [x[0]]
    for k in range(3):
        more.append(more[-1] * x[k])
    return np.sum(np.array(out) * np.arange(8.0)) + np.sum(np.array(more))


@program(normal(3), positive(3), jit=True)
def counter_bound_anew_in_the_loop(x, y):
    out = []
    for i in range(3):
        a = x[i]
        i = (i + 1) % 3
        out.append(a * y[i])
    z = np.array(out)
    return np.sum(z * x) + z[0] * i


@program(normal(5), jit=True)
def mixed_whole_numbers_and_floats(x):
    a = np.array([0 if k == 0 else x[k] * k for k in range(5)])
    b = np.array([k * 1.0 for k in range(5)])
    c = np.array([x[k] for k in range(5)], dtype=np.float64)
    return np.sum(a * b * c)


@program(normal(4), normal(4), jit=True)
def complex_rows(x, y):
    z = x + 1j * y
    F = np.array([z * np.exp(1j * k) for k in range(3)])
    return np.sum(np.abs(F.sum(axis=0)) ** 2)


@program(normal(2, 3, 3), normal(2, 3), jit=True)
def systems_one_by_one(A, b):
    x = np.stack([np.linalg.solve(A[i] + 4.0 * np.eye(3), b[i]) for i in range(len(A))])
    return np.sum(x**3)


@program(positive(3), 1, jit=True)
def places_by_a_step_of_the_callers(x, step):
    y = np.zeros(3)
    for i in range(-3, 1, step):
        y[i] = x[i]
    return np.sum(y * y)


@program([positive(), positive(), positive()], 1, jit=True)
def list_gone_through_by_a_step(items, step):
    total = 0.0
    for i in range(-3, 2, step):
        total += items[i] ** 2 * (i + 5)
    return total


@program(normal(3), 0, jit=True)
def no_rows_have_one_axis(x, n):
    rows = []
    for i in range(n):
        rows.append(x * x[i])
    table = np.array(rows)
    return (2.0 if table.ndim == 2 else 3.0) * np.sum(x) + np.sum(table)


@program(normal(3), positive(), wrt=(0, 1), jit=True)
def real_items_of_a_complex_array(x, c):
    numbers, rows = [], []
    for v in x:
        numbers.append(v * c)
        rows.append(x * v)
    both = np.sum(np.array(numbers, dtype=complex) * (1 + 1j))
    return (both + np.sum(np.array(rows, dtype=complex) * (2 - 1j))).real


@program(normal(3), positive(), wrt=(0, 1), jit=True)
def list_beside_an_array(x, c):
    return np.sum(np.array([x, [v * c for v in x]]) ** 2)


@program(normal(5), 3, jit=True, second=True)
def made_anew_in_each_step(u, steps):
    n = len(u)
    for _ in range(steps):
        d = []
        for i in range(n):
            d.append(u[i] + 0.2 * u[i - 1] ** 2)
        u = np.array(d)
    return np.sum(u**2)


@program(normal(5), 3, jit=True)
def length_known_after_the_list(u, n):
    d = []
    n = n + 1
    for i in range(n):
        d.append(u[i] ** 2)
    n = 1
    v = np.array(d)
    return np.sum(v) + n * v[0]


class Held:
    def __init__(self, items):
        self.items = items


@program(normal(4), jit=True, second=True)
def an_array_added_to_a_list(x):
    """`items += array` is NumPy's sum, entry by entry; other names keep the list."""
    a = [x[0], x[1]]
    b = a
    a += x[2:]
    held, table = Held([x[2], x[3]]), {"items": [x[0], x[2]]}
    held.items += x[:2]
    table["items"] += x[1] * np.ones(2)
    grown = []
    for v in x:
        grown.append(v * 2.0)
    kept = grown
    grown += x
    s = a[0] * b[1] + len(a) * held.items[1] + table["items"][0] ** 2
    return s + np.sum(grown * x) + sum(kept) * len(kept)
