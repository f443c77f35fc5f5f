"""Recursive functions that take lists and give lists; lists extended by what may be empty."""

import numpy as np

from programs.registry import normal, program


def quicksort(items):
    if len(items) <= 1:
        return items
    p = items[0]
    low = quicksort([v for v in items[1:] if v < p])
    return low + [p] + quicksort([v for v in items[1:] if v >= p])


@program(normal(6), second=True)
def sorted_by_pivots(x):
    total = 0.0
    for i, v in enumerate(quicksort(list(x))):
        total += (i + 1) * v**2
    return total


def merge_sort(items):
    if len(items) <= 1:
        return items
    middle = len(items) // 2
    a, b = merge_sort(items[:middle]), merge_sort(items[middle:])
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out += b[j:]
    return out


@program(normal(6))
def sorted_by_halves(x):
    return sum((i + 1) * v**2 for i, v in enumerate(merge_sort(list(x))))


def orders(items):
    if len(items) == 0:
        return [[]]
    out = []
    for i in range(len(items)):
        for rest in orders(items[:i] + items[i + 1 :]):
            out.append([items[i]] + rest)
    return out


@program(normal(3), second=True)
def all_orders(x):
    total = 0.0
    for a, b, c in orders([0, 1, 2]):
        total += x[a] * x[b] ** 2 * (x[c] + 1.0) ** 3
    return total


@program(normal(6), second=True)
def extended_by_nothing(x):
    items = [x[0] ** 2, x[1]]
    items.extend([v for v in x if v < -100])
    items += [v * v for v in x if v > -100]
    items.extend(x[x > 100])
    rows = [x[:2] * x[2]]
    rows.extend([x[:2] * v for v in x if v > 100])
    rows += [x[3:5]]
    total = sum((i + 1) * v**2 for i, v in enumerate(items))
    for row in rows:
        total += row @ row
    return total


@program(normal(8), second=True)
def dict_of_lists_in_order(x):
    groups = {}
    for i, v in enumerate(x):
        groups.setdefault("a" if v > 0 else "b", []).append(v * i)
    total = 0.0
    for name, values in sorted(groups.items()):
        total += np.prod(values) if name == "a" else sum(values)
        for q in values[1:]:
            total *= 1 + 0.1 * q
    return total


def taken_from_the_end(table, rows, n):
    left = {}
    for k in range(n + 1):
        left[k] = table[k]
    last = left.pop(n)
    if n == 0:
        return last
    rows.append(2.0 * last)
    return taken_from_the_end(table, rows, n - 1) + n * rows[-1] + len(left)


@program(normal(4))
def a_dict_of_its_own_in_each_call(x):
    """Only dicts that the caller knows must keep their keys."""
    rows = []
    total = taken_from_the_end(x, rows, len(x) - 1)
    return total * rows[0] + sum(rows)
