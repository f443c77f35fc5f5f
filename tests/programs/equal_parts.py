"""Parts of axes that are equally long by how they are written, and others that are not."""

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4, 4), second=True)
def eliminated_by_parts_of_rows(a):
    n, u = len(a), a + 4.0 * np.eye(len(a))
    for k in range(n - 1):
        for i in range(k + 1, n):
            u[i, k:] -= u[i, k] / u[k, k] * u[k, k:]
    return np.sum(np.log(np.diag(u))) + np.sum(np.sin(u))


@program(positive(4, 5), normal(5), second=True)
def parts_of_rows_and_of_a_vector(a, v):
    u, w = a.copy(), v * 0.5
    for k in range(5):
        u[1, :k] = u[0, :k] * w[:k] + np.exp(-u[2, :k]) / 3.0
        w[k:] += u[3, k:] * (1.0 + np.where(u[0, k:] > 0.6, u[1, k:], w[k:]))
    return np.sum(u**2) + np.sum(w)


@program(positive(5, 5), second=True)
def parts_of_one_entry_spread_over_others(a):
    u = a.copy()
    for k in range(4):
        u[k, k:] += u[k + 1, k : k + 1] * u[4, k:]
        u[k, k:] *= u[:1, k] + u[k, -1:]
    column = a[:, 2:3]
    for k in range(1, 5):
        u[k:, :k] -= column[k:] * u[0, :k]
        u[:k, k:] += column[:k] * u[4:, k:]
    return np.sum(u * u)


@program(normal(6), second=True)
def bounds_that_change_between_parts(x):
    s, k, total = 0.5 * x, 5, 0.0
    last = s[k:]
    while k > 2:
        k -= 1
        part = 0.2 * last * s[k:]
        s[k:] += part * last[0]
        s[k - 1 :] *= 1.0 + 0.1 * np.sum(part)
        last = s[5:]
        total += np.sum(part**2)
    return total + np.sum(np.sin(s))


@program(normal(5, 3), second=True)
def rows_by_lists_of_neighbours(x):
    n = x.shape[0]
    near = np.array([[(a + b + 1) % n for b in range(2)] for a in range(n)])
    out, y = np.zeros(n), x.copy()
    for a in range(n):
        for b in range(near.shape[1]):
            part = x[near[a, b]] * y[a]
            y[near[a, b], 1:] += 0.1 * part[1:]
            out[a] += part.sum()
    table = np.array([[row[0] * 2.0, row[1]] for row in y])
    return out @ out + np.sum(table.T @ table) + np.sum(y)


@program(normal(3), normal(3, 3), second=True)
def shaped_anew(x, a):
    n = x.shape[0]
    y = np.reshape(a @ x, (n, 1))
    z = np.reshape(np.exp(x), (1, n))
    w = np.ravel(np.outer(x, x), order="F")
    v = (a @ a).reshape(-1)
    f = np.reshape(a * x, (1, n * n), order="F")
    return np.sum(y * z) + np.sum(np.sin(w) * v) + np.sum(f * f * f)


@program(positive(6), second=True)
def inverses(x):
    total = 0.0
    for i in range(x.size):
        total = total + 1 / (x[i] * x[i] + 1) + 1.0 / np.sqrt(x[i])
    odds = 1.0 / (1.0 + np.exp(-x))
    spread = 1 / (x[:, None] + x)
    return (
        total + np.sum(odds * x) + np.sum(spread**2) + np.sum(np.where(x > 1.0, 1 / (x - 1.0), 0.0))
    )


@program(positive(6), second=True)
def entries_written_as_sums(x):
    y = x.copy()
    for i in range(1, y.size):
        y[i] = y[i] + 0.5 * y[i - 1] * y[i - 1]
    return np.sum(y)


@program(positive(6), second=True)
def parts_written_as_sums(x):
    y = x * 1.0
    for k in range(3):
        y[1:] = y[1:] - 0.1 * y[:-1] * x[1:]
        y[::2] = np.sin(y[1::2]) + y[::2]
        y[[0, 2, 0]] = y[[0, 2, 0]] + x[:3]
        y[x > 0] = y[x > 0] - 2.0 * x[x > 0] ** 2
    return np.sum(y * y)


@program(positive(6), second=True)
def sums_that_read_their_place_twice(x):
    y = x * 1.0
    y[1:3] = y[1:3] + y[0]
    y[0] = y[0] + y[0] * y[1]
    y[0:1] = y[0:1] - y[1:2] * y[0:1]
    z = np.zeros((2, 2))
    z[:] = x[:2]
    z[0] = z[0] + z[1] * x[1]
    return np.sum(y**2) + np.sum(z**3)


def total_of_parts(parts):
    if not parts:
        return 0.0
    return 2 * np.sum(parts[0] ** 2) + total_of_parts(parts[1:])


@program(normal(4))
def parts_read_by_a_recursion_after_a_change(x):
    parts = np.split(x, [1])
    x *= 3
    return total_of_parts(parts)


@program(normal(5))
def imaginary_parts_of_real_numbers(x):
    x = x * 1.0
    im, re = x.imag, x.real
    for _ in range(2):
        re *= 1.5
        x[0] += im[1] + x[1]
    return np.sum(x**2) + np.sum(re) + np.sum(im * x)
