"""Lists of arrays that are as long as each other, or are not: which entries a loop reaches."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program

WEIGHTS = [normal(3, 4), normal(4, 4), normal(4, 2)]
OFFSETS = [normal(4), normal(4), normal(2)]
SQUARE = [normal(3, 3), normal(3, 3), normal(3, 3)]
X = normal(2, 3)


@program(WEIGHTS, OFFSETS, X, wrt=(0, 1, 2), jit=True)
def counted_to_the_last_but_one(ws, bs, x):
    for i in range(len(ws) - 1):
        x = np.tanh(x @ ws[i] + bs[i])
        if i == 0:
            continue
        x = x * 1.5
    return np.sum((x @ ws[-1] + bs[-1]) ** 2)


@program(WEIGHTS, OFFSETS, wrt=(0, 1), jit=True)
def counted_from_one(ws, bs):
    total = np.sum(bs[0])
    for i in range(1, len(ws)):
        total += np.sum(ws[i - 1] ** 2) * np.sum(ws[i])
    for i in range(1, len(bs)):
        total += np.sum(bs[i] * i)
    return total


@program(SQUARE, [normal(3), normal(3), normal(3), normal(3)], X, wrt=(0, 1, 2), jit=True)
def one_is_longer(ws, bs, x):
    for w, b in zip(ws, bs):
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


@program(SQUARE, [normal(3), normal(3)], X, wrt=(0, 1, 2), jit=True)
def one_is_shorter_by_number(ws, bs, x):
    for i in range(len(bs)):
        x = np.tanh(x @ ws[i] + bs[i])
    return np.sum(x**2)


@program(WEIGHTS, OFFSETS, X, wrt=(0, 1, 2), jit=True)
def the_first_apart(ws, bs, x):
    first, *others = ws
    x = np.tanh(x @ first + bs[0])
    for w, b in zip(others, bs[1:]):
        x = np.tanh(x @ w + b)
    return np.sum(x)


@program(WEIGHTS, OFFSETS, wrt=(0, 1), jit=True)
def against_the_other_end(ws, bs):
    total = 0.0
    for w, b in zip(ws[::-1], bs):
        total += np.sum(w) * np.sum(b)
    for w, b in zip(ws, bs[::-1]):
        total += np.sum(np.sin(w)) * np.sum(b)
    return total


@program([normal(3), normal(3)], normal(3), wrt=(0, 1), jit=True)
def one_cotangent_for_all_entries(vs, x):
    weight = np.sin(x)
    total = 0.0
    for i in range(len(vs)):
        total += np.sum(vs[i] * weight)
    return total


@program(WEIGHTS, OFFSETS, X, wrt=(0, 1, 2), jit=True)
def left_in_the_middle(ws, bs, x):
    n = len(ws)
    for i in range(n):
        if i == 2:
            break
        x = np.tanh(x @ ws[i] + bs[i])
    return np.sum(x)


@program(normal(3), jit=True)
def an_item_of_another_length(x):
    parts = [x * v for v in x]
    parts[1] = parts[1][1:]
    table = {k: x[:2] * v for k, v in enumerate(x)}
    table[7] = np.zeros(3)
    return sum(np.sum(p**2) for p in parts) + sum(np.sum(p**2) for p in table.values())


def _summed(*terms):
    if isinstance(terms, tuple):
        return sum(terms)
    return 100.0 * sum(terms)


@program(normal(3), jit=True)
def starred_arguments_are_a_tuple(x):
    line = "-" * len(x)
    return _summed(*x) ** 2 * (2.0 if isinstance(line, str) else 5.0)


@program(
    [normal(2), normal(2), normal(2)],
    [normal(3), normal(3), normal(1), normal(4)],
    wrt=(0, 1),
    jit=True,
)
def a_longer_list_by_number(ws, us):
    for i in range(len(ws)):
        h = us[i] * np.sum(ws[i])
    return np.sum(h * us[-1]) + np.sum(h)


@program(
    [normal(2), normal(3), normal(4)],
    [normal(3), normal(3), normal(1), normal(4)],
    wrt=(0, 1),
    jit=True,
)
def a_longer_list_by_number_of_other_sizes(ws, us):
    for i in reversed(range(len(ws))):
        h = us[i + 1] * np.sum(ws[i])
    for i in range(len(ws)):
        g = us[i] * np.sum(ws[i])
    return np.sum(h * us[0]) + np.sum(g * us[3])


@program(normal(5), 0, jit=True, second=True)
def repeated_that_may_be_empty(x, n):
    a = list(x)
    a[n : n + 1] = [x[0], x[-1], 1.0]
    b = a[-2:] + a[:n] * 2 + a[n + 1 :] * n
    return sum(v * v * (i + 1) for i, v in enumerate(b)) + len(b) * a[-1]
