"""State that is None until a loop has set it: averages that begin with what they see first."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(normal(8), 0.7, wrt=(0, 1), jit=True)
def a_moving_average(x, b):
    m = None
    for k in range(4):
        g = x[k : k + 3] * 2
        m = g if m is None else b * m + (1 - b) * g
    return np.sum(m**2)


@program(positive(8), 0.7, second=True, jit=True)
def a_moving_average_of_numbers(x, b):
    m = None
    for v in x:
        if m is None:
            m = v * v
        else:
            m = b * m + (1 - b) * np.sin(v)
    return m * m


class Adam:
    def __init__(self, rate):
        self.rate, self.m, self.v, self.t = rate, None, None, 0

    def step(self, p, g):
        if self.m is None:
            self.m = np.zeros_like(p)
            self.v = np.zeros_like(p)
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.99 * self.v + 0.01 * g * g
        m, v = self.m / (1 - 0.9**self.t), self.v / (1 - 0.99**self.t)
        return p - self.rate * m / (np.sqrt(v) + 1e-8)


@program(positive(5), 0.1, wrt=(0, 1), jit=True)
def moments_in_an_object(p, rate):
    moments = Adam(rate)
    for _ in range(5):
        p = moments.step(p, 2 * (p - 2.5) * p)
    return np.sum(p**2)


@program(positive(8), 7, jit=True)
def begun_again_now_and_then(x, n):
    m = None
    s = 0.0
    for k in range(n):
        g = x[k : k + 2] ** 2
        if m is None:
            m = g
        else:
            m = 0.9 * m + 0.1 * g
        s += np.sum(m * g)
        if k % 3 == 2:
            m = None
    if m is not None:
        s += np.sum(m**3)
    return s


@program(positive(8), 6, jit=True)
def none_again_at_the_end(x, n):
    m = None
    s = 0.0
    for k in range(n):
        g = x[k : k + 2] ** 2
        m = g if m is None else m * g
        s += np.sum(m)
        if k % 3 == 2:
            m = None
    return s + (0.0 if m is None else np.sum(m**2))


@program(normal(4, 3), second=True, jit=True)
def differences_of_rows(A):
    prev = None
    out = 0.0
    for row in A:
        if prev is not None:
            out += np.sum((row - prev) ** 2 * row)
        prev = row * row
    return out


@program(positive(8), 6, jit=True)
def the_best_so_far(x, n):
    best = None
    for k in range(n):
        c = x[k : k + 2] * x[k]
        if best is None or np.sum(c) > np.sum(best):
            best = c
    return np.sum(best**2)


@program(normal(4, 3), jit=True)
def momentum_of_a_matrix(W):
    m = None
    for _ in range(4):
        g = W @ W.T @ W * 0.1
        if m is None:
            m = np.zeros_like(W)
        m = 0.9 * m + 0.1 * g
        W = W - 0.3 * m
    return np.sum(W**2)


@program(positive(6), 4, jit=True)
def changed_in_place(x, n):
    m = None
    v = None
    for k in range(n):
        g = x * x - k
        if m is None:
            m, v = np.zeros_like(g), np.zeros_like(g)
        m += 0.1 * (g - m)
        v += 0.2 * (g * g - v)
        x = x - 0.1 * m / np.sqrt(v + 1e-3)
    return np.sum(x**2)


@program(positive(6), [2, 3, 3])
def of_lengths_that_a_run_decides(x, lengths):
    last = None
    s = 0.0
    for n in lengths:
        g = np.sqrt(x[:n])
        if last is not None:
            s += np.sum(last) * np.sum(g)
        last = g * x[0]
    return s


@program(positive(6), 3, jit=True)
def none_that_a_run_leaves(x, n):
    kept = None
    s = np.sum(x**2)
    for k in range(n):
        if x[k] > 100.0:
            kept = x * x[k]
    if kept is not None:
        s += np.sum(kept)
    return s


@program(positive(6), positive(6), jit=True, wrt=(0, 1))
def one_of_several_that_are_not_there(x, w):
    low, high = None, None
    for k in range(5):
        part = x[k : k + 2] * w[k]
        if k % 2 == 0:
            low = part if low is None else np.minimum(low, part)
        else:
            high = part if high is None else np.maximum(high, part * 1.5)
    return np.sum(low * high)


@program(positive(8), 6, jit=True)
def asked_before_a_part_is_read(x, n):
    s = 0.0
    for k in range(n + 2):
        if k + 3 <= n and np.sum(x[k : k + 3]) > 1.0:
            s += x[k] ** 2
    return s + x[7] ** 2


class Cell:
    """An interval that holds one body, or two halves."""

    def __init__(self, low, high):
        self.low, self.high = low, high
        self.mass, self.moment = 0.0, 0.0
        self.halves = None
        self.body = None

    def insert(self, x, m):
        middle = (self.low + self.high) / 2
        if self.mass != 0.0:
            if self.halves is None:
                self.halves = [Cell(self.low, middle), Cell(middle, self.high)]
                where, weight = self.body  # not None here, which no test tells
                self.halves[int(where >= middle)].insert(where, weight)
                self.body = None
            self.halves[int(x >= middle)].insert(x, m)
        else:
            self.body = (x, m)
        self.mass += m
        self.moment += m * x

    def potential(self, x):
        if self.mass == 0.0:
            return 0.0
        distance = abs(x - self.moment / self.mass)
        if self.halves is None or (self.high - self.low) < 0.5 * distance:
            return -self.mass / (distance + 0.1)
        return sum(half.potential(x) for half in self.halves)


@program(np.array([0.1, 0.35, 0.62, 0.9]), positive(4), wrt=(0, 1), jit=True)
def bodies_in_a_tree(x, m):
    root = Cell(0.0, 1.0)
    for place, mass in zip(x, m, strict=True):
        root.insert(place, mass)
    return sum(mass * root.potential(place) for place, mass in zip(x, m, strict=True))


@program(positive(3), 2)
def lists_put_together_that_may_be_none(x, n):
    first, second = [x[0], x[1]], [x[2] * 2.0, x[0]]
    found = None
    for _ in range(n):
        found = first
    if found is None:
        found = second
    found[0] += x[2]
    found = first
    for k in range(n):
        found = second if k % 2 else first
    later = None
    if n > 0:
        later = first
    total = sum(found + [x[1]]) + sum(later + [x[2]]) + sum(later * 2) + sum([x[0]] + later)
    return total + np.dot(later, later) + np.sum(np.array(later) ** 2) + len(later + found)


@program(positive(3), 2)
def tuples_put_together_that_may_be_none(x, n):
    later = None
    for k in range(n):
        later = (x[0], x[1]) if k % 2 else (x[2], x[0] * x[1])
    return np.dot(later, (x[1], 2.0)) + np.sum(np.array(later) ** 2) + sum(later * 2)
