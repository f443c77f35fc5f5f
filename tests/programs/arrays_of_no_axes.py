"""Lengths, bounds and places that stand in arrays without axes, and in arrays of lengths."""

import numpy as np

from programs.registry import normal, program

COUNTS = np.array([1, 3, 3, 5])


@program(normal(6), second=True)
def lengths_of_new_arrays(x):
    k, m = np.asarray(COUNTS[0]), np.asarray(COUNTS[1])
    a, b = np.ones(k) * x[0], np.ones(m) * x[1]
    c, d = np.eye(k) * x[0], np.eye(m) * x[1]
    return np.sum((a * b) ** 2) + np.sum((c + d) ** 2)


@program(normal(6), second=True)
def a_length_that_grows(x):
    size, t = np.array(1), 0.0
    a = np.ones(size) * x[0]
    while size < 5:
        size += 1
        b = np.ones(size) * x[2]
        t = t + np.sum(a * b) * x[int(size) - 1]
    return t


@program(normal(6), second=True)
def bounds_that_move(x):
    m, t = np.array(1), 0.0
    v = x.copy()
    v[0] = v[1] * v[2]
    while m < 5:
        w = v[m:]
        m += 2
        w *= w
        t = t + np.sum(v[:m]) + np.sum(x[: np.asarray(COUNTS[0])] * v[m - 1])
    return t


@program(normal(6), second=True)
def places_that_move(x):
    m, v = np.array(1), np.zeros(6)
    v[m] = x[0]
    m += 1
    v[m] += x[m] * x[m - 1]
    v[m:] *= x[0]
    return np.sum(v**2)


@program(normal(6), second=True)
def lengths_in_an_array(x):
    lengths = COUNTS[:2].copy()
    A = np.zeros(lengths) + x[:3]
    lengths[0] = 3
    B = np.ones(lengths) * x[3]
    C = np.broadcast_to(x[0], lengths) * np.tile(x[:1], lengths)
    return np.sum(A * B * B) + np.sum(A**2) + np.sum(C[:1, 0] * A)
