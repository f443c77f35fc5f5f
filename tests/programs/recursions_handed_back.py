"""Recursive functions that change what they are given, as deep as the values want it."""

import numpy as np

from programs.registry import normal, positive, program


def _quicksort(a, lo, hi):
    if lo >= hi:
        return
    pivot, i = a[hi], lo
    for j in range(lo, hi):
        if a[j] < pivot:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    _quicksort(a, lo, i - 1)
    _quicksort(a, i + 1, hi)


@program(positive(8), second=True)
def quicksort_in_place(x):
    a = x * x
    _quicksort(a, 0, len(a) - 1)
    return np.sum(a * np.arange(1.0, 9.0))


@program(positive(6), second=True)
def quicksort_of_an_outer_array(x):
    a = x.copy()

    def sort(lo, hi):
        if lo < hi:
            i = lo
            for j in range(lo, hi):
                if a[j] < a[hi]:
                    a[i], a[j] = a[j], a[i]
                    i += 1
            a[i], a[hi] = a[hi], a[i]
            sort(lo, i - 1)
            sort(i + 1, hi)

    sort(0, 5)
    return np.sum(a**2 * np.arange(1.0, 7.0))


def _relax(u, tolerance):
    residual = u[1:-1] - 0.5 * (u[2:] + u[:-2])
    if np.sum(residual**2) < tolerance:
        return
    u[1:-1] -= 0.7 * residual * u[1:-1]
    _relax(u, tolerance)


@program(positive(8), 0.05, second=True)
def relaxed_to_a_tolerance(x, tolerance):
    u = x.copy()
    _relax(u, tolerance)
    return np.sum(u**2)


def _scaled(a, i, v):
    if i >= a.shape[0] or v > 3.0:
        return v * v
    a[i] = np.tanh(v * a[i])
    result = _scaled(a, i + 1, v * a[i] + 0.5)
    a[i] += result
    return result * a[i]


@program(positive(6), second=True)
def result_beside_what_is_written(x):
    a = x + 0.0
    result = _scaled(a, 0, x[0])
    return np.sum(a * a) + result


@program(positive(6), second=True)
def view_given_to_a_recursive_function(x):
    a = np.outer(x, x)
    result = _scaled(a[1], 0, x[0])
    return np.sum(a**2) + result


def _within_budget(x, i, out, budget):
    if budget < 0.0 or i >= len(x):
        return
    out.append(x[i] * budget)
    _within_budget(x, i + 1, out, budget - x[i])


@program(positive(6))
def list_that_recursion_appends_to(x):
    out = []
    _within_budget(x, 0, out, 3.0)
    return sum(v * v for v in out)


def _longer(values, n):
    if n == 0:
        return sum(v * v for v in values)
    return _longer(values + [values[-1] * 1.1], n - 1)


@program(positive(2), 3, second=True)
def list_longer_with_each_call(x, n):
    return _longer([x[0], x[1]], n)


def _orders(path, rest, x):
    if not rest:
        product = 1.0
        for i, p in enumerate(path):
            product = product * x[p] ** (i + 1)
        return product
    total = 0.0
    for i in range(len(rest)):
        total = total + _orders(path + [rest[i]], rest[:i] + rest[i + 1 :], x)
    return total


@program(positive(4), 3, second=True)
def all_orders_of_a_few(x, n):
    return _orders([], list(range(n)), x)


def _flood(heights, seen, i, level):
    if i < 0 or i >= len(heights) or seen[i] or heights[i] < level:
        return 0.0
    seen[i] = True
    here = heights[i] ** 2
    return here + _flood(heights, seen, i - 1, level) + _flood(heights, seen, i + 1, level)


@program(positive(8), second=True)
def flood_from_the_middle(x):
    return _flood(x, np.zeros(8, bool), 3, 0.3 * np.max(x))


@program(normal(4), 3, second=True)
def best_so_far_in_a_closure(x, n):
    best, tried = -np.inf, 0

    def go(i, value):
        nonlocal best, tried
        if i == n or value > 4.0:
            best, tried = max(best, value), tried + 1
            return
        go(i + 1, value * x[i])
        go(i + 1, value + x[i])

    go(0, 1.0)
    return best**2 * tried


class _Counted:
    def __init__(self, x):
        self.x, self.calls, self.seen = x, 0, [0.0]

    def value(self, i, v):
        self.calls += 1
        self.seen[0] = self.seen[0] + v
        if i == 0 or v > 2.0:
            return v
        return np.sin(self.value(i - 1, v * self.x[i])) * self.x[i]


@program(positive(4), 3, second=True)
def object_that_counts_its_calls(x, n):
    counted = _Counted(x)
    return counted.value(n, x[0]) * counted.calls * counted.seen[0]


def merged(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    left, right = merged(a[:m]), merged(a[m:])
    out = np.empty(len(a))
    i = j = 0
    for k in range(len(a)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def spectrum(a):
    n = len(a)
    if n == 1:
        return a
    even, odd = spectrum(a[::2]), spectrum(a[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


@program(normal(6), second=True)
def parts_sorted_and_filtered(x):
    """What the functions give back may be what they were given, and is written into."""
    y = x * 1.0
    total = 0.0
    for k in range(3):
        part = merged(y[k:])
        part[0] *= x[k]
        y[k] += total
        total = total + part[0] * part[-1]
    z = np.zeros(8, complex)
    z[:6], z[6:] = y, 1j * x[:2]
    found = spectrum(z)
    found[3:5] = 0
    return total + np.abs(found) ** 2 @ np.arange(8.0)
