"""`truth or number` and `truth and number` as values: the one or the other, never only a truth."""

from __future__ import annotations

import math

import numpy as np

from programs.registry import normal, positive, program


@program(normal(5), jit=True)
def a_test_or_a_number(x):
    total = 0.0
    for k, v in enumerate(x):
        total += v * (k % 2 == 0 or -1)
    return total


@program(normal(5), jit=True)
def one_of_two_numbers(x):
    out = []
    for k, v in enumerate(x):
        out.append(v * ((k == 0 or k == 4) and 0.5 or 1.0))
    return sum(out)


@program(0.72)
def named_and_asked_again(x):
    small, middle = x < 1, x > 0.5
    k = int(x > 1)
    times = k == 1 or 2
    return x * times * (small and middle and 3) + x ** ((small or middle) and 2.5)


@program(0.72)
def answers_of_other_kinds(x):
    texts, items = str(float(x)), [int(x)]
    n = None if x > 1 else 0
    close = math.isclose(x, 2) or 2
    return x * (texts == "0.7" or 2) * (items == [1] or 3) * close * ((n or 0) == 0 and 5)


@program(0.72)
def trips_of_a_loop(x):
    large = bool(x > 1)
    total = 0.0
    for k in range(large or 3):
        total = total + x**k
    return total + x ** (large or 3) * (not x > 0 or 3)


@program(positive(4), 3, True, 2)
def options_that_default(x, n, verbose, k):
    return np.sum(x**2) * (k == 2 or 7) * (verbose or 2) * (n is None and 3 or 5)


@program(positive(3), 2)
def integers_beside_arrays_without_axes(x, n):
    q = np.array(x[0])
    s, b = 3 if n > 1 else q, True if n > 1 else q
    total = x[0] if isinstance(s, float) else x[1]
    total += (
        x[2] * (2.0 if isinstance(s, int) else 3.0) * (5.0 if isinstance(s, np.ndarray) else 7.0)
    )
    for k in range(2, -1, -1):
        last = [n + 1, q][k % 2]
        if isinstance(last, float):
            total = total * 2.0
    return total * (1.5 if isinstance(b, bool) else 0.5) + q


@program(positive(3), 2)
def truths_after_an_array_without_axes(x, n):
    taken = np.array([True, False, n > 1])
    s = np.where(n > 1, n, x[0])
    for _, s in enumerate(taken):
        if taken[1]:
            break
    else:
        if isinstance(s, float):
            s *= 0.5
    return x[0] * s + x[1]


@program(positive(3), 1)
def an_array_without_axes_that_is_written_or_a_number(x, n):
    q = np.array(x[0] * 1.0)
    q[...] = x[1]
    taken = np.array([x[0], 2.0 if n > 1 else q])
    last = q if n < 2 else 3
    return np.sum(taken * x[:2]) + last * x[2]


@program(positive(3), 2)
def integers_by_what_may_be_one(x, n):
    scale = 3 if n > 1 else x[0]
    v = np.arange(3) * scale
    total = np.sum(x * np.sum(v[::-1] ** 2))
    for k in range(2, -1, -1):
        v = (np.arange(3) - 1) * [3, np.float64(x[0])][k % 2]
        v = x * np.sum(v[::-1])
        total += np.sum(v)
    made = np.array([scale, 2, 1])
    part = made[::-1]
    filled = np.full(3, scale)[1:]
    return total + np.sum(part * part) * x[1] + np.sum(filled * filled) * x[2]


@program(positive(3), 2)
def the_larger_is_the_array_itself(x, n):
    q, s = np.array(x[0]), 0.3 * x[0]
    for k in range(n):
        s *= 0.5
        s = max(-k, q)
    return s * x[2] + q * x[1] + min(q, 7)


@program(positive(3), 3)
def an_array_without_axes_or_what_becomes_of_it(x, n):
    q = np.array(x[0])
    if n > 1:
        q[...] = x[1] * q
    if n > 2:
        q = q * 0.5
    return q * x[2]
