"""Loops that keep the best of what they see: their derivative is that of the trip kept last."""

from __future__ import annotations

import math

import numpy as np

from programs.registry import normal, positive, program


@program(normal(5, 3), normal(6, 3), wrt=(0, 1))
def nearest_of_each(p, q):
    total = 0.0
    for i in range(len(p)):
        best = np.inf
        for j in range(len(q)):
            d = np.sum((p[i] - q[j]) ** 2)
            if d < best:
                best = d
        total += np.sqrt(best)
    return total


@program(positive(7))
def matrix_chain(dims):
    n = len(dims) - 1
    cost = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            best = np.inf
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + dims[i] * dims[k + 1] * dims[j + 1]
                if c < best:
                    best = c
            cost[i, j] = best
    return cost[0, n - 1]


@program(positive(7))
def matrix_chain_in_place(p):
    n = len(p) - 1
    m = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = np.inf
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < m[i, j]:
                    m[i, j] = q
    return m[0, n - 1]


@program(positive(6), np.triu(np.full((5, 5), 2.0), 1), wrt=(0, 1))
def matrix_chain_with_a_budget(p, m0):
    n = len(p) - 1
    m = m0.copy()
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < m[i, j]:
                    m[i, j] = q
    return m[0, n - 1] + m[1, 3]


@program(normal(6, 2), second=True)
def closest_pair(p):
    best = 1e9
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            d = (p[i, 0] - p[j, 0]) ** 2 + (p[i, 1] - p[j, 1]) ** 2
            if d < best:
                best = d
    return math.sqrt(best)


@program(normal(6), second=True)
def range_of_a_signal(x):
    low, high = x[0], x[0]
    for v in x:
        if v < low:
            low = v
        if v > high:
            high = v
    return (high - low) ** 2


@program(normal(7), normal(7), wrt=(0, 1))
def best_and_what_came_with_it(x, y):
    best = -np.inf
    where, partner = -1, 0.0
    for k, v in enumerate(x):
        score = v * y[k]
        if score > best:
            best = score
            where = k
            partner = math.sin(y[k]) * v
    return best * partner + x[where]


@program(normal(5, 4), normal(4), wrt=(0, 1))
def best_row(rows, w):
    best = -1e3
    chosen = rows[0]
    for row in rows:
        s = row @ w
        if s > best:
            best = s
            chosen = row * 2.0
    return np.sum(chosen**2) + best


@program(normal(8))
def best_of_those_that_count(x):
    best = 10.0
    for k in range(len(x)):
        if x[k] < -0.2:
            continue
        c = (x[k] - 0.3) ** 2
        if c < best:
            best = c
    return best * x[0]


@program(normal(6))
def bound_by_the_first(x):
    for k in range(len(x)):
        d = abs(x[k] - 0.5)
        if k == 0 or d < best:  # noqa: F821
            best = d
    return best**2


@program(np.array([0.4, 0.9, 1.7]), 0)
def nothing_found(x, n):
    best = x[0] * x[1]
    for k in range(n):
        if x[k] < best:
            best = x[k] * 2.0
    return best + x[2]


@program(np.array([0.9, 0.5, 1.7]), 3)
def found_below_a_start(x, n):
    best = x[0] * x[1]
    for k in range(n):
        if x[k] ** 2 < best:
            best = x[k] ** 2
    return best + x[2]


@program(normal(7))
def going_down(x):
    best = -np.inf
    for k in range(len(x) - 1, 0, -2):
        v = x[k] * x[k - 1]
        if v > best:
            best = v
    return best


@program(normal(7), 0.1)
def until_good_enough(x, tol):
    best, k = np.inf, 0
    while k < len(x) and best > tol:
        e = (x[k] - 0.2) ** 2
        if e < best:
            best = e
        k += 1
    return best * (1.0 + x[0])


@program(normal(9))
def stops_at_the_third_improvement(x):
    best, seen = -np.inf, 0
    for v in x:
        w = v * v + 0.5 * v
        if w > best:
            best = w
            seen += 1
            if seen == 3:
                break
    return best + 0.1 * seen


@program(normal(6), positive(6), wrt=(0, 1))
def searched_through_two_at_once(x, cost):
    best = np.inf
    for a, c in zip(x, cost):
        value = a * a + c
        if value < best:
            best = value
    return best


@program(normal(4, 5))
def sums_on_the_way(a):
    best = np.inf
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] ** 3
        if s < best:
            best = s
    return best


@program(normal(8))
def previous_trip_takes_part(x):
    best, before = -np.inf, 0.0
    for v in x:
        if v * before > best:
            best = v * before
        before = v
    return best


@program(normal(8))
def counted_on_the_way(x):
    best, count = -np.inf, 0
    for v in x:
        if v > 0.0:
            count += 1
        if v * v > best:
            best = v * v + count * v
    return best


@program(normal(8))
def improved_in_steps(x):
    best = 0.0
    for v in x:
        if v > best:
            best = 0.5 * (best + v)
    return best


@program(normal(6))
def best_so_far_is_summed(x):
    best, total = -np.inf, 0.0
    for v in x:
        if v > best:
            best = v * v
        total += best
    return total


@program(normal(7))
def two_searches_for_one_name(x):
    best = np.inf
    for k in range(3):
        if x[k] ** 2 < best:
            best = x[k] ** 2
    for k in range(3, 7):
        if abs(x[k]) < best:
            best = abs(x[k])
    return best


@program(normal(6, 2), normal(5, 2), wrt=(0, 1))
def hausdorff(p, q):
    worst = 0.0
    for i in range(len(p)):
        best = np.inf
        for j in range(len(q)):
            best = min(best, np.linalg.norm(p[i] - q[j]))
        worst = max(worst, best)
    return worst


@program(normal(9))
def largest_by_max(x):
    m = -np.inf
    for v in x:
        m = max(m, v * v - v)
    return m


@program(normal(9))
def smallest_by_numpy(x):
    m = np.inf
    for k in range(8, -1, -1):
        m = np.minimum(x[k] ** 2, m)
    return m


@program(normal(7, 7))
def nussinov(w):
    n = w.shape[0]
    table = np.zeros((n, n))
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if i < j - 1:
                table[i, j] = max(table[i, j], table[i + 1, j - 1] + w[i, j])
            else:
                table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table[0, n - 1]


@program(positive(6))
def cut_a_rod(prices):
    n = len(prices)
    revenue = np.zeros(n + 1)
    for length in range(1, n + 1):
        best = -np.inf
        for cut in range(1, length + 1):
            value = prices[cut - 1] * math.sqrt(cut) + revenue[length - cut]
            if value > best:
                best = value
        revenue[length] = best
    return revenue[n]


@program(normal(5), normal(5), wrt=(0, 1))
def chosen_by_a_flag(x, y):
    found = False
    value = 0.0
    for a, b in zip(x, y):
        if not found and a > b:
            value = a * b
            found = True
    return value if found else x[0]


@program(normal(6))
def last_that_is_positive(x):
    last = 1.0
    for k in range(len(x)):
        if x[k] > 0.0:
            last = math.exp(x[k]) * k
    return last


class Tracker:
    def __init__(self, scale):
        self.best = math.inf
        self.scale = scale

    def see(self, value):
        if value < self.best:
            self.best = value * self.scale


@program(normal(6), 0.9, wrt=(0, 1))
def tracked_by_an_object(x, scale):
    tracker = Tracker(scale)
    for v in x:
        tracker.see(v * v)
    return tracker.best


@program(normal(6, 2))
def pivots(a):
    total = 0.0
    for column in range(2):
        pivot = 0.0
        for r in range(column, 6):
            if abs(a[r, column]) > abs(pivot):
                pivot = a[r, column]
        total += pivot**2
    return total


@program(normal(8))
def noise_in_the_search(x):
    rng = np.random.default_rng(3)
    best = -np.inf
    for v in x:
        noisy = v * (1.0 + 0.1 * rng.normal())
        if noisy > best:
            best = noisy
    return best


@program(normal(5))
def a_branch_behind_the_search(x):
    total = 0.0
    for i in range(3):
        best = np.inf
        for k in range(i, len(x)):
            d = (x[k] - 0.1 * i) ** 2
            if d < best:
                best = d
        if i > 0:
            best = best * 2.0 + x[0]
        total += best
    return total


@program(normal(6, 3), 1, jit=True)
def begun_on_some_ways(a, n):
    total = 0.0
    for column in range(3):
        if column < n + 1 or column == 2:
            pivot = 0.0
        for r in range(column, 6):
            if abs(a[r, column]) > abs(pivot):
                pivot = a[r, column]
        total += pivot**2
    return total
