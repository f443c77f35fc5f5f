"""Views of arrays that are written, at places that stand in memory and are another number later."""

import numpy as np

from programs.registry import normal, program


@program(normal(6), second=True)
def a_window_that_moves(y):
    v, n, t = np.sin(y), np.array([1, 3]), 0.0
    for i in range(3):
        a = v[n[0] : n[1]]
        n[0] = n[0] - i % 2
        n[1] += 1
        t = t + np.sum(a**3)
        v[n[0]] *= 0.5
    return t + np.sum(v)


@program(normal(3), second=True)
def a_row_and_its_part(y):
    v, n = np.outer(y, y), np.array([2, 2])
    a = v[n[0]]
    b = a[: n[1]]
    n[:] = 0
    a[0] *= 2.0
    b *= y[0]
    t = np.sum(np.sin(a) * a) * np.sum(b * b)
    v[0] = 0.5
    return t + np.sum(v)


@program(normal(6), second=True)
def rows_of_a_block(y):
    v, n, t = np.outer(y, y), np.array([1, 3]), 0.0
    a, b = v[n[0] : n[1]]
    for row in v[n[0] : n[1]]:
        n[0], n[1] = 0, 2
        t = t + np.sum(row**3)
        row *= 0.5
    a *= 2.0
    b[0] = t + np.sum(a * b)
    return t + np.sum(v * v)


@program(normal(6), second=True)
def as_long_as_a_list(y):
    v, q, t = np.sin(y), [1, 2], 0.0
    for i in range(3):
        a = v[: len(q)]
        q.append(i)
        a *= 0.5
        t = t + np.sum(np.sin(a) * a)
        v[0] = t
    return t + np.sum(v)


@program(normal(6), second=True)
def from_lists(y):
    v, n = np.outer(y, y), [1, 3]
    a, b = v[n[0]], v.T[n[1]][n[0] :]
    n[0], n[1] = 4, 0
    a[0] = y[0]
    b *= 3.0
    t = np.sum(a * a[0]) + np.sum(b * b)
    n.append(2)
    c = v[n[-1], len(n) :]
    n.pop()
    c += y[0]
    return t + np.sum(v * v) + np.sum(c**3)


@program(normal(6), second=True)
def segments_from_a_stack(y):
    v, stack, top = np.sin(y), np.zeros((6, 2), int), 1
    stack[0] = [0, 6]
    while top > 0:
        top -= 1
        part = v[stack[top, 0] : stack[top, 1]]
        if len(part) > 1:
            middle, end = (stack[top, 0] + stack[top, 1]) // 2, stack[top, 1]
            stack[top, 1] = middle
            stack[top + 1] = [middle, end]
            top += 2
        part *= 0.9
        part[0] = np.sin(part[0] * part[-1])
    return np.sum(v * v)
