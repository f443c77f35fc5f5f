"""Loops that are written out, over iterators whose rows change before their turn."""

import numpy as np

from programs.registry import program

X = np.array([0.3, 0.7, 0.5])


@program(X, 0.4, wrt=(0, 1))
def arrays_zipped(x, a):
    x = x * 1.0
    for s, t in zip(x * 2, x):
        x += a
        line = lambda v, c=s: v * c  # noqa: E731
    return t + np.sum(line(x))


@program(X, 0.4, wrt=(0, 1))
def zipped_with_numbers(x, a):
    x = x * 1.0
    for s, t in zip([1.0, 2.0, 3.0], x * 2):
        x *= a
        line = lambda v, c=s: v * c  # noqa: E731
    return t * np.sum(line(x))


@program(X, 0.4, wrt=(0, 1))
def zipped_with_a_changing_list(x, a):
    x, q = x * 1.0, [1.0, 2.0, a]
    for s, t in zip(q, x * 2):
        x *= a
        q[2] = 3.0 * s
        line = lambda v, c=s: v * c  # noqa: E731
    return t * np.sum(line(x)) + sum(q)


@program(X, 0.4, wrt=(0, 1))
def numbered(x, a):
    x = x * 1.0
    for k, t in enumerate(x):
        x *= a
        line = lambda v, c=t + k: v * c  # noqa: E731
    return t * np.sum(line(x))


@program(X, 0.4, wrt=(0, 1))
def numbered_pairs(x, a):
    x, total = x * 1.0, 0.0
    for k, (s, t) in enumerate(zip([1.0, 2.0, a], x)):
        x *= a
        line = lambda v, c=t: v * c  # noqa: E731
        total += np.sum(line(x)) * s * k
    return total


@program(X, 0.4, wrt=(0, 1))
def backwards(x, a):
    x, total = x * 1.0, 0.0
    for t in reversed(x * 2):
        x *= a
        line = lambda v, c=t: v * c  # noqa: E731
        total += np.sum(line(x)) * t
    return total


@program(X, 0.4, wrt=(0, 1))
def mapped_and_numbered(x, a):
    x, total = x * 1.0, 0.0
    for k, t in enumerate(map(lambda q: q * x, [x[0], x[1], a])):
        x *= a
        line = lambda v, c=k: v * c * t[0]  # noqa: B023, E731
        total += np.sum(line(x))
    return total


@program(X, 0.4, wrt=(0, 1))
def generated_and_numbered(x, a):
    x, y, total = x * 1.0, [x[0], x[1], a], 0.0
    for k, t in enumerate(q * x for q in y):
        x *= a
        total += np.sum(t) * (k + 1)
    return total


@program(X, 0.4, wrt=(0, 1))
def generated_and_zipped(x, a):
    x, y, total = x * 1.0, [x[0], x[1], a], 0.0
    for u, t in zip(y, (q * x for q in y)):
        x *= a
        total += np.sum(t) * u
        y[2] = 2.0 * y[1]
    return total
