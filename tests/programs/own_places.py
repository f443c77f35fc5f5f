"""Arrays of which each trip of a loop has entries of its own, or seems to; masked parts."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def written_twice_in_a_trip(x, w):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * w[i]
        y[i] = np.sin(y[i])
    return np.sum(y)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def the_same_places_in_each_step(x, w):
    y = np.zeros(len(x))
    for t in range(3):
        for i in range(len(x)):
            y[i] = x[i] * w[i] + t
        x = x + y
    return np.sum(x)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def places_of_two_counters(x, w):
    n = len(x)
    y = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            y[i, j] = x[i] * w[j]
        w = w * 1.1
    return np.sum(y**2)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def the_place_before_is_read(x, w):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = x[i] * w[i] + y[i - 1]
    return y[-1]


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def what_was_there_counts_too(x, w):
    y = x.copy()
    for i in range(len(x) - 1, -1, -1):
        y[i] = x[i] * w[i]
    return np.sum(y) + y[0]


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def one_of_two_writes(x, w):
    y = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0:
            y[i] = x[i] * w[i]
        else:
            y[i] = 2 * x[i]
    return np.sum(y)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def counted_from_the_last(x, w):
    y = np.zeros(len(x))
    total = 0.0
    for i in range(-1, len(x) - 1):
        y[i] = x[i] * w[i]
        total += y[i] ** 2
    return np.sum(y) + total


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def last_place_twice(x, w):
    y = np.zeros(len(x))
    total = 0.0
    for i in range(-1, len(x)):
        total += y[i] * w[i]
        y[i] = x[i] * w[i]
        total += y[i] ** 2
    return total


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def seen_through_a_view(x, w):
    y = np.zeros(len(x))
    for i in range(len(x)):
        v = y[i:]
        y[i] = x[i] * w[i]
        v[0] += x[0]
    return np.sum(y * y)


@program(normal(6), jit=True)
def roots_where_positive(x):
    y = x * 2.0
    m = y > 0
    y[m] = 1.0 / np.sqrt(y[m])
    return np.sum(y)


@program(normal(4, 3), jit=True)
def powers_of_differences(x):
    y = x[:, 0:1].T - x[:, 1:2]
    m = y > 0
    y[m] = y[m] ** -1.5
    return np.sum(np.sin(y))


@program(normal(6), jit=True)
def clipped_from_two_sides(x):
    y = x.copy()
    y[y < 0] = 0.0
    y[y > 0.5] = np.sqrt(y[y > 0.5])
    return np.sum(y * y)


@program(normal(6), jit=True)
def products_of_masked_parts(x):
    y = x.copy()
    m = y > 0.1
    y[m] = np.exp(-y[m]) * y[m]
    y[~m] *= 3.0
    return np.sum(y * y)


@program(normal(6), jit=True)
def the_mask_changes_between(x):
    y = x.copy()
    m = y > 0.0
    part = y[m] ** 2
    m = y > -0.5
    m[0] = True
    y[m] = y[m] * part[0]
    return np.sum(y * y) + np.sum(part)


@program(normal(5), normal(1), wrt=(0, 1))
def one_value_for_many_places(x, v):
    """A part of length 1 that is spread over what a mask of another moment chooses."""
    y = x.copy()
    m = np.array([True, False, False, False, False])
    part = y[m] * v
    m = np.array([True, True, True, False, True])
    y[m] = part
    return np.sum(y * np.arange(5.0))


@program(normal(4, 3), normal(3), normal(5, 4), np.array([0, 1, 2, 0, 1]), wrt=(0, 1), jit=True)
def classes_of_samples(weights, bias, data, labels):
    z = data @ weights + bias
    z = z - z.max(axis=1, keepdims=True)
    p = np.exp(z)
    p /= p.sum(axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(labels)), labels]))


@program(normal(5, 3), positive(3), normal(3), wrt=(0, 1, 2), jit=True)
def normalised_batch(x, gamma, beta):
    mu = x.mean(axis=0)
    var = x.var(axis=0)
    xhat = (x - mu) / np.sqrt(var + 1e-5)
    return np.sum((gamma * xhat + beta) ** 2)


@program(normal(2, 3), normal(6, 3), wrt=(0, 1), jit=True)
def nearest_centres(c, data):
    d = ((data[:, None, :] - c[None, :, :]) ** 2).sum(axis=2)
    return np.mean(np.min(d, axis=1)) + np.max(d)


@program(normal(5), 0.3, wrt=(0, 1), jit=True)
def a_new_array_in_each_step(u, k):
    for _ in range(3):
        un = u.copy()
        for i in range(1, len(u) - 1):
            un[i] = u[i] + k * (u[i + 1] - 2 * u[i] + u[i - 1])
        u = un
    return np.sum(u**2)


@program(normal(4), 0.3, wrt=(0, 1), jit=True)
def the_given_array_first_then_copies(u, k):
    for _ in range(3):
        un = u
        un[1] = un[0] * k
        u = un.copy()
    return np.sum(u**2)


@program(normal(4), 0.3, wrt=(0, 1), jit=True)
def views_of_copies(u, k):
    un = u
    for _ in range(3):
        un[1] += k
        un = u.copy()
        v = un[1:]
        v *= 2.0
        u = un
    return np.sum(u**2)


@program(normal(4), 0.3, wrt=(0, 1), jit=True)
def copies_first_then_the_given_array(u, k):
    un = u.copy()
    for _ in range(3):
        un[1] += k
        un = u
        u = np.sin(u)
    return np.sum(u**2) + np.sum(un)
