"""Entries chosen by masks, of which only some things are read; cotangents small until the end."""

import numpy as np

from programs.registry import program

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4, 1.5, 0.9, -2.2])
M = np.array([[0.5, -1.1, 0.7], [1.3, 0.2, -0.6], [-0.9, 1.4, 2.2], [0.1, -0.3, 0.8]])


@program(X, second=True)
def means_by_levels(x):
    s = np.zeros(4)
    for i in range(4):
        chosen = x > i - 2.5
        v = x[chosen]
        s[i] = v.mean()
    return np.sum(s**2)


@program(X, second=True)
def means_without_names(x):
    s = np.zeros(3)
    for i in range(3):
        s[i] = x[x > i - 1.5].mean() * np.mean(x[x < 2 - i] ** 2)
    return np.sum(s**2)


@program(X, second=True)
def mask_changed_between(x):
    s = np.zeros(3)
    mask = x > -5.0
    for i in range(3):
        v = x[mask]
        s[i] = np.mean(v)
        mask[i] = False
        s[i] += 0.5 * np.mean(v) ** 2
    return np.sum(s**3)


@program(X, second=True)
def counted_and_read(x):
    total = 0.0
    for i in range(3):
        v = x[x > i - 1.0]
        total += v.mean() * v[0] + v.size / v.sum()
    return total


@program(M, second=True)
def rows_by_mask(m):
    s = np.zeros((3, 3))
    for i in range(3):
        keep = m[:, i] > 0.0
        rows = m[keep]
        s[i] = rows.mean(axis=0)
    return np.sum(s**2)


@program(X, second=True)
def sums_of_ends(x):
    s = np.zeros(3)
    for j in range(3):
        v = x[j:]
        s[j] = np.sum(v)
        if s[j] > 1.0:
            s[j] = s[j] + v[0] * np.sum(v)
    return np.sum(s**2)


@program(M, second=True)
def mean_then_scaled_in_a_branch(m):
    s = np.zeros(4)
    for k in range(4):
        v = m[k] * 2.0
        if v[0] > 0.5:
            v = v * v.mean()
        s[k] = v.sum()
    return np.sum(s**2)


@program(M, second=True)
def carried_to_the_next_round(m):
    v = m[0]
    total = 0.0
    for k in range(4):
        total += np.sum(v) * np.mean(m[k])
        v = m[k] * np.sum(v)
    return total + np.mean(v)


@program(M, second=True)
def rows_cleared_late(m):
    s = np.zeros((4, 3))
    for j in range(4):
        v = m[j]
        s[j] = v * v
        s[j, 1] = np.mean(v) * s[j, 0]
    return np.sum(s**2)


@program(M, second=True)
def norms_of_every_kind(m):
    size = np.linalg.norm(m, 1, axis=0) / np.linalg.norm(m, axis=0)
    whole = np.linalg.norm(m, "fro") + np.linalg.norm(m, axis=(0, 1)) ** 2
    unit = m / np.linalg.norm(m, ord=1, axis=1, keepdims=True)
    return np.sum(size**2) + whole + np.sum(unit**3) + np.linalg.norm(m[:, 1], 1)


@program(np.abs(M[:3]), second=True)
def ranks_of_pages(a):
    links = a / a.sum(axis=0)
    r = np.ones(3) / 3
    for _ in range(6):
        r = 0.85 * (links @ r) + 0.05
        r /= np.linalg.norm(r, 1)
    return np.array([1.0, -2.0, 0.5]) @ r


@program(100.0, 0.2, 0.05, 6, wrt=(0, 1, 2))
def option_on_a_tree(spot, sigma, rate, n):
    dt = 1.0 / n
    up = np.exp(sigma * np.sqrt(dt))
    down = 1.0 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    prices = spot * up ** np.arange(n, -1, -1) * down ** np.arange(0, n + 1)
    values = np.maximum(105.0 - prices, 0.0)
    for _ in range(n - 1, -1, -1):
        values = np.exp(-rate * dt) * (p * values[:-1] + (1 - p) * values[1:])
        prices = prices[:-1] * down
        values = np.maximum(values, 105.0 - prices)
    return values[0]


@program(X, second=True)
def mask_chosen_by_itself(x):
    total = 0.0
    for k in range(3):
        mask = x > k * 0.5
        hits = mask[mask]
        total += x.sum() ** 2 * hits.size + x[mask].mean() * hits.shape[0]
    return total
