"""Cotangents that go on with the memory of others, and are added to in place there."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def one_goes_on_another_adds(p, v):
    total = 0.0
    for _ in range(4):
        total += np.sum(np.sin(p[1:]))
        p = p + v
        total += np.sum(np.cos(p[:-1]))
    return total


@program(normal(4, 3), normal(4, 3), wrt=(0, 1), jit=True)
def columns_between_steps(p, v):
    for _ in range(4):
        v = v + p * 0.1
        p = p + v * 0.1
        x = p[:, 0:1]
        p = p + np.sin(x)
    return np.sum(p)


@program(normal(3), normal(3), normal(3), wrt=(0, 1, 2), jit=True)
def read_whole_and_in_parts(x, y, z):
    p = x + y * z[0] + z * 2.0
    q = p + np.sin(x[1:2]) + z * p
    return np.sum(q * p)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def parts_of_what_is_handed_on(x, z):
    a = x * 2.0
    b = a + np.sin(a[0:1]) * np.cos(a[1:2]) + z
    b[0] = b[1] * z[0]
    c = b + b[0:1] * z + z
    c[1] += 3.0 * c[0]
    return np.sum(c * z)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def two_arrays_change_places(x, z):
    a, b = x * 1.5, z * 2.0
    for _ in range(3):
        a, b = b + a, a
        a[0] += b[1]
        b = b + a
        b[1] *= a[0]
    return np.sum(a * b)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def entries_and_sums_in_steps(x, z):
    for _ in range(3):
        w = x + z
        w[0] *= 2.0
        x = w + x[0] * z
        z = z + w
        z[1:] += x[1:] * x[:-1]
    return np.sum(x * z)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def sums_of_sums(x, z):
    y = z + x
    for _ in range(2):
        u = y + x
        v = y + z
        y = u + v
        w = u + y
        y = y + w[0] * v
    return np.sum(y)


@program(normal(5, 2), normal(5, 1), wrt=(0, 1), jit=True)
def joined_side_by_side(x, y):
    both = np.concatenate((x, y), axis=1)
    again = np.hstack((np.sin(both), y, x * y))
    tall = np.vstack((x, y * x))
    return np.sum(again**2) + np.sum(tall[1:] * tall[:-1])


@program(normal(3), normal(4), 0.7, wrt=(0, 1, 2), jit=True)
def vectors_and_numbers_joined(x, y, a):
    row = np.hstack((x, a, y[1:], 2.0 * a))
    table = np.column_stack((x, np.sin(x), x * a))
    rows = np.vstack((x, x * x))
    return np.sum(row**2) + np.sum(table[:, 1] * table[:, 2]) + np.sum(rows[0] * rows[1])


@program(normal(4, 3), normal(3, 1), wrt=(0, 1), jit=True)
def joined_in_each_step(p, m):
    for _ in range(3):
        a = np.sin(p) @ m
        b = np.cos(p) @ m
        p = p + np.sum(np.hstack((a, b)) ** 2)
    return np.sum(p)


@program(normal(4, 2), normal(4, 1), wrt=(0, 1), jit=True)
def differences_made_twice(p, m):
    for _ in range(3):
        x = p[:, 0:1]
        d = x.T - x
        a = np.exp(-(d**2)) @ m
        x = p[:, 0:1]
        d = x.T - x
        b = np.sin(d**2) @ m
        p = p + a * b
    return np.sum(p)


@program(normal(4), 3, jit=True, second=True)
def product_of_two_literals_first(x, n):
    """The cotangent is a literal too: three literals in one product, and nothing beside them."""
    total = 0.0
    for k in range(n):
        total += 0.2 * 0.3 * x[k] * x[k]
    return 2.0 * total
