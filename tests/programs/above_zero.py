"""Entries that a mask finds above zero, and code where it only seems so."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program, using

FEW = using(lambda rng: np.array([-0.7, 2.0, -1.0, 3.0, 0.6]))


@program(FEW, jit=True)
def inverses_where_positive(x):
    y = np.maximum(x, 0.0)
    near = y > 0
    y[near] = y[near] ** (-1.5)
    return np.sum(y * np.array([1.0, 0.0, 2.0, 3.0, 0.0]) * np.where(near, 1.0, 2.0))


@program(FEW, jit=True)
def inverse_roots_where_positive(x):
    y = np.maximum(x, 0.0)
    m = y > 0
    y[m] = 1.0 / np.sqrt(y[m])
    return np.sum(np.triu(np.outer(x, x) * y, 1))


@program(FEW, normal(5), wrt=(0, 1))
def the_array_changes_after_the_mask(x, w):
    y = np.maximum(x, 0.0)
    m = y > 0
    y = y - 2.0
    z = np.where(m, y, w)
    q = np.where(w > 10, 1.0 / np.where(m, y, 1.0), w)
    return np.sum(q * z)


@program(FEW, normal(5), wrt=(0, 1))
def the_array_is_written_after_the_mask(x, w):
    y = np.maximum(x, 0.0)
    v = y[:]
    m = y > 0
    v[1] = 0.0
    with np.errstate(all="ignore"):
        q = np.log(np.where(m, y, 1.0))
        return np.sum(np.where(np.isfinite(q), q, 0.0) * w) + np.sum(w * np.where(w > 9, q, w))


@program(FEW, normal(5), wrt=(0, 1))
def the_same_mask_by_another_array(x, w):
    m = w > 0
    with np.errstate(all="ignore"):
        q = np.log(np.abs(x[m]))
        return np.sum(np.where(q > -5, q * w[m], 0.0))


@program(FEW, normal(5), wrt=(0, 1))
def a_number_taken_away(x, w):
    s = 1.0
    s -= x[1] / 2.0
    with np.errstate(all="ignore"):
        r = np.sqrt(s + np.zeros(5))
        return np.sum(np.where(w > 100, r, w)) + np.sum(np.where(x > 1, x * w, 0.0))


@program(FEW, normal(5), wrt=(0, 1), jit=True)
def guarded_twice(x, w):
    x = np.maximum(x, 0.0)
    safe = np.where(x > 0, x, 1.0)
    logs = np.where(x > 0, np.log(safe) * w, 0.0)
    roots = np.where(x > 0, np.sqrt(np.where(x > 0, x, 1.0)), 0.0)
    return np.sum(logs) + np.sum(roots * w)


@program(FEW, normal(5), wrt=(0, 1), jit=True)
def sums_above_zero(x, w):
    x = np.maximum(x, 0.0)
    r = np.sqrt(x**2 + 1e-3)
    e = np.log(np.maximum(x, 1e-3))
    return np.sum(np.where(x > 0, w / r + e, w)) + np.sum(np.abs(x)[x > 1])


@program(FEW, normal(5), wrt=(0, 1))
def the_mask_in_a_loop(x, w):
    y = np.maximum(x, 0.0)
    for _ in range(3):
        m = y > 0
        y[m] = np.sqrt(y[m]) * w[m] ** 2
        y = y - 0.25
    return np.sum(y * w)


@program(FEW, normal(5), wrt=(0, 1))
def the_mask_of_the_step_before(x, w):
    y, m = np.maximum(x, 0.0), x > -10
    total = 0.0
    with np.errstate(all="ignore"):
        for _ in range(2):
            q = np.log(y[m])
            total = total + np.sum(np.where(np.isfinite(q), q * w[m], 0.0))
            m = y > 0
            y = y - 0.5
    return total


SQUARE = using(lambda rng: np.array([[1.0, -1.0, 2.0], [0.5, 3.0, -2.0], [1.5, -0.3, 2.0]]))


@program(SQUARE, normal(3, 3), wrt=(0, 1))
def entries_that_stand_elsewhere(x, w):
    r = np.maximum(x, 0.0)
    with np.errstate(all="ignore"):
        turned = np.where(r > 0, (1 / r).T, 0.0)
        of_turned = np.where(r > 0, 1 / r.T, 0.0)
        flipped = np.where(r > 0, np.flip(1 / r), 0.0)
        summed = np.where(r > 0, np.sum(1 / r, axis=0), 0.0)
        total = 0.0
        for q in (turned, of_turned, flipped, summed):
            total = total + np.sum(np.where(q < 10, q * w, w))
    return total
