"""Loops whose turns differ: repeated places, empty masks, no turns at all, names that change what
they stand for. They were written to find faults, and found none."""

import numpy as np

from programs.registry import program, register, using

X = np.array([0.7, 1.3, 0.4, 2.1, 0.9, 1.6])


@program(X, second=True, jit=True)
def repeated_places_then_empty_masks(x):
    s = 0.0
    y = x.copy()
    z = y
    for k in range(4):
        m = z > k - 1.0
        v = z[m]
        if v.size:
            s += v.mean() * v.max()
        i = np.array([0, k, 0])
        y[i] *= 0.5
        s += np.sum(z[i] ** 2)
        z = y[::-1] if k % 2 else y
    return s


def trips(x, n):
    w = x[1:]
    total = np.sum(w)
    for i in range(n):
        w = x[i:] * total
        u = w
        if total > 2:
            u = w - np.mean(w)
            total = total * 0.5 + np.sum(u**2)
        total += np.mean(w) * np.sum(u)
    return total + np.mean(w)


register("many_turns.no_trips", trips, X, 0, second=True, jit=True)
register("many_turns.three_trips", trips, X, 3, second=True, jit=True)


@program(using(lambda _: X.astype(np.float32)), rtol=2e-2, jit=True)
def single_numbers(x):
    s = np.zeros(3, dtype=np.float32)
    for i in range(3):
        v = x[i:]
        m = v > np.float32(0.5)
        s[i] = np.mean(v[m])
        s[i] += np.linalg.norm(v, 1) * np.float32(0.1)
    return np.sum(s**2)


@program(np.array(1.3), second=True, jit=True)
def an_array_of_no_axes(x):
    r = np.sqrt(np.stack([x * 0.0, x, x * x]))
    s = 0.0
    for k in (1, 2):
        v = np.full((k, k), 1.0) * x
        s = s + r[k] * v.sum()
    return s


@program(X.reshape(2, 3), second=True, jit=True)
def names_of_generated_code(count):
    total = 0.0
    for mask in range(2):
        part = count[mask] > 0.8
        v = count[mask][part]
        w = count[:, 1][np.array([True, mask == 1])]
        total += v.mean() * v.size + w.mean() * w.shape[0]
    return total


@program(X, second=True, jit=True)
def rows_that_are_views(x):
    a = np.zeros((3, 4))
    for i in range(3):
        row = a[i]
        row[:] = x[i : i + 4]
        b = a[i]
        b[b > 1.0] = 0.0
        a[i] = np.sum(row) * row
    return np.sum(a**2)


@program(X, second=True, jit=True)
def infinite_entries_overwritten(x):
    with np.errstate(divide="ignore"):
        w = 1 / (x - x[0])
        d = np.sqrt((x[:, None] - x) ** 2)
        e = 1 / d
    w[0] = 0.0
    e[np.arange(6), np.arange(6)] = 0.0
    return np.sum(w[1:] * x[1:]) + np.sum(e @ x)
