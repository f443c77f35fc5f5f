"""Tables that a loop fills while it looks for their best entry."""

from __future__ import annotations

import math

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4, 5), 0.3)
def local_alignment(s, gap):
    n, m = s.shape
    h = np.zeros((n + 1, m + 1))
    best = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            e = h[i - 1, j - 1] + s[i - 1, j - 1]
            if h[i - 1, j] - gap > e:
                e = h[i - 1, j] - gap
            if h[i, j - 1] - gap > e:
                e = h[i, j - 1] - gap
            if e < 0.0:
                e = 0.0
            h[i, j] = e
            if e > best:
                best = e
    return best * best


@program(normal(4, 5), 0.3)
def alignment_and_its_end(s, gap):
    n, m = s.shape
    h = np.zeros((n + 1, m + 1))
    best, best_i, best_j = -1.0, 0, 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            h[i, j] = max(0.0, h[i - 1, j - 1] + s[i - 1, j - 1], h[i - 1, j] - gap)
            if h[i, j] > best:
                best, best_i, best_j = h[i, j], i, j
    return best * (1.0 + 0.1 * best_i) + h[best_i - 1, best_j] * 0.5


@program(normal(7))
def running_largest(x):
    y = np.zeros(len(x))
    top = -10.0
    for i in range(len(x)):
        y[i] = np.sin(x[i]) * x[i]
        top = max(top, y[i])
    return top * 2.0 + np.sum(y * x)


@program(normal(7))
def threshold_follows_the_best(x):
    """What the loop does next depends on the best so far."""
    y = np.zeros(len(x))
    best = 0.1
    for i in range(len(x)):
        s = x[i] * best
        y[i] = s
        if s > best:
            best = s
    return best + np.sum(y)


@program(normal(7))
def entries_are_written_again(x):
    y = np.zeros(len(x) + 1)
    best = -5.0
    for i in range(len(x)):
        y[i + 1] = 0.5 * x[i]
        y[i] = y[i] + x[i] ** 2
        if y[i] > best:
            best = y[i]
    return best + np.sum(y)


@program(normal(7))
def one_place_for_all(x):
    y = np.zeros(3)
    best = -5.0
    for i in range(len(x)):
        y[i % 3] = x[i] * x[i]
        if y[i % 3] > best:
            best = y[i % 3]
    return best + np.sum(y)


@program(normal(7))
def second_best_is_kept_too(x):
    y = np.zeros(len(x))
    best, before = -5.0, -6.0
    for i in range(len(x)):
        e = x[i] ** 3
        y[i] = e
        if e > best:
            before = best
            best = e
    return best * before + y[0]


@program(positive(6), positive(6), wrt=(0, 1))
def two_searches_in_a_row(x, w):
    y, z = np.zeros(len(x)), np.zeros(len(x))
    low, high = 1e9, -1e9
    for i in range(len(x)):
        y[i] = x[i] * w[i]
        z[i] = x[i] - w[i]
        if z[i] < low:
            low = z[i]
        if y[i] > high:
            high = y[i]
    return high * low


@program(normal(5, 4))
def best_of_each_row(a):
    n, m = a.shape
    t = np.zeros((n, m))
    total = 0.0
    for i in range(n):
        best = -9.0
        for j in range(m):
            e = a[i, j] * a[i, j - 1]
            t[i, j] = e
            if e > best:
                best = e
        total += best * t[i, 0]
    return total


@program(normal(6))
def left_before_the_end(x):
    y = np.zeros(len(x))
    best = -9.0
    for i in range(len(x)):
        if x[i] > 1.9:
            break
        y[i] = x[i] * 2.0
        if y[i] > best:
            best = y[i]
    return best + np.sum(y)


@program(normal(6))
def rebound_after_it_was_kept(x):
    y = np.zeros(len(x))
    best = -9.0
    for i in range(len(x)):
        e = x[i] * 2.0
        y[i] = e
        e = e * e
        if e > best:
            best = e
    return best + np.sum(y)


@program(normal(5, 5))
def shortest_of_two_legs(a):
    path = a * a + 0.5
    n = len(path)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                t = path[i, k] + path[k, j]
                if t < path[i, j]:
                    path[i, j] = t
    return np.sum(path**2)


@program(normal(6, 6))
def scaled_where_it_is_kept(a):
    """What is kept is scaled by a number that only this trip knows."""
    d = a.copy()
    n = len(d)
    for i in range(1, n):
        for j in range(1, n):
            w = np.exp(-(a[i, j] ** 2))
            t = d[i - 1, j - 1] * w + d[i - 1, j]
            if t > d[i, j]:
                d[i, j] = t
    return np.sum(d[-1] ** 2)


@program(normal(12), 3.0)
def taken_from_a_list(x, room):
    """Trips that a while loop counts save in lists."""
    d = np.zeros(len(x) + 1)
    i = 1
    while i < len(d):
        t = d[i - 1] * math.cos(x[i - 1]) + x[i - 1]
        d[i] = 0.3 * d[i - 1]
        if t > d[i]:
            d[i] = t * min(room, 2.0)
        i += 1 if t < 1.0 else 2
    return d[-1] + np.sum(d)


@program(normal(5, 5))
def rows_get_shorter(a):
    n, m = a.shape
    h = np.zeros((n, m))
    best = -9.0
    for i in range(n):
        for j in range(m):
            h[i, j] = a[i, j] ** 2 - a[i - 1, j]
            if h[i, j] > best:
                best = h[i, j]
        m -= 1
    return best * best + np.sum(h) + m


@program(normal(6))
def a_mark_that_changes(x):
    y, z = np.zeros(len(x)), np.zeros(2)
    best, mark = -9.0, 0.0
    for i in range(len(x)):
        z[i % 2] = x[i] * 3.0
        y[i] = x[i] ** 2
        if y[i] > best:
            best = y[i]
            mark = z[0]
    return best + mark * mark + np.sum(z)


@program(normal(6))
def asked_twice(x):
    y = np.zeros(len(x))
    best = -9.0
    for i in range(len(x)):
        e = np.sin(x[i]) * 2.0
        if e > best:
            best = e
        e = e - x[i]
        y[i] = e
        if e > best:
            best = e
    return best * np.sum(y)


@program(normal(6))
def what_was_kept_is_written_again(x):
    """The same text, with another value: it is not the entry."""
    y, h = x * 1.0, np.zeros(len(x))
    best = -9.0
    for i in range(len(x)):
        h[i] = y[i] * 2.0
        y[i] = -y[i] * y[i]
        best = max(best, y[i] * 2.0)
    return best * np.sum(h) + np.sum(y)


@program(normal(4, 5))
def counter_of_a_later_loop(a):
    n, m = a.shape
    h = np.zeros((n, m))
    best, t = -9.0, 0.0
    for i in range(n):
        for j in range(m):
            h[i, j] = np.sin(a[i, j])
            if h[i, j] > best:
                best = h[i, j]
        for j in range(2):
            t += a[i, j]
    return best * a[i, j] + t


@program(normal(4))
def counter_is_moved_on(a):
    h = np.zeros(2 * len(a))
    best = -9.0
    for i in range(len(a)):
        i = i + len(a) - 2 if i > 1 else i
        h[i] = a[i % len(a)] ** 2
        if h[i] > best:
            best = h[i]
    return best * np.sum(h)
