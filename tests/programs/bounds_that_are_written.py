"""Slices whose bounds stand in arrays, lists, dicts and objects that the program changes."""

import numpy as np

from programs.registry import normal, program

POINTERS, COLUMNS = np.array([1, 3, 3, 5]), np.array([0, 2, 2, 5, 1, 0])


@program(normal(6), second=True)
def rows_with_a_shorter_end(x):
    y, n = np.zeros(POINTERS.size - 1), POINTERS.copy()
    for i in range(POINTERS.size - 1):
        y[i] = x[n[i] : n[i + 1]] @ x[COLUMNS[n[i] : n[i + 1]]]
        n[i] = n[i] - 1
        part = x[n[i] : n[i + 1]]
        y[i] += np.sum(part * part)
    return np.sum(np.sin(y))


@program(normal(6), second=True)
def written_through_a_view(x):
    n = POINTERS.copy()
    m = n[1:]
    part = x[n[1] :]
    first = np.sum(part * part)
    m[0] -= 1
    other = x[n[1] :]
    return first + np.sum(other**3) + np.sum(np.sin(part))


@program(normal(6), second=True)
def written_through_another_name(x):
    n = POINTERS.copy()
    m = n
    a = x[: n[1]] * 2.0
    m[1] = 5
    b = x[: n[1]] * 3.0
    return np.sum(a * a) + np.sum(b**3) + np.sum(np.sin(x[: m[1]]))


@program(normal(6), second=True)
def written_by_calls(x):
    def lower(n):
        n[1] -= 1

    n = POINTERS.copy()
    t = np.sum(x[: n[1]] ** 2)
    lower(n)
    t = t + np.sum(np.sin(x[: n[1]]))
    np.add.at(n, np.array([1, 1]), 1)
    t = t + np.sum(np.cos(x[: n[1]]))
    np.copyto(n, COLUMNS[:4])
    t = t + np.sum(np.sinh(x[: n[1]]))
    n.sort()
    t = t + np.sum(np.cosh(x[: n[1]]))
    n[:] = n[::-1]
    return t + np.sum(np.exp(x[: n[1]]))


@program(normal(6), second=True)
def parts_of_rows(x):
    n = POINTERS.copy()
    A = np.zeros((3, 6))
    for i in range(2):
        A[i, : n[1]] = x[: n[1]] * (i + 1.0)
        n[1] += 1
        A[i + 1, : n[1]] += np.sin(x[: n[1]])
    return np.sum(A * A)


@program(normal(6), second=True)
def a_number_kept_in_an_array(x):
    n = np.zeros(1, int)
    t = 0.0
    while n[0] < 5:
        a = x[: n[0]] * 2.0
        n[0] += 1
        b = x[: n[0]] * 3.0
        t = t + np.sum(a * a) + np.sum(b**3)
    return t


@program(normal(6), second=True)
def new_arrays_as_long_as_a_window(x):
    ends = np.array([0, 0])
    t = 0.0
    for k in range(4):
        ends[1] += 1
        w = x[ends[0] : ends[1]]
        s = np.zeros(ends[1] - ends[0])
        s += w
        ends[0] += k % 2
        t = t + np.sum(np.sin(s)) + np.sum(np.cos(x[ends[0] : ends[1]]))
    return t


@program(normal(6), second=True)
def blocks_of_a_matrix(x):
    A, n, t = np.outer(x, x) + np.eye(6), POINTERS.copy(), 0.0
    for i in range(3):
        B = A[n[i] : n[i + 1], : n[i + 1]]
        t = t + np.sum(np.sin(B))
        n[i + 1] -= 1
        C = A[n[i] : n[i + 1], : n[i + 1]]
        t = t + np.sum(C * C)
        A[n[i] : n[i + 1], : n[i + 1]] *= 0.5
        n[i] = 0
        A[n[i] : n[i + 1], : n[i + 1]] += 0.25
    return t + np.sum(A**3)


@program(normal(6), second=True)
def lengths_and_items_of_lists(x):
    q, t = [1, 4, 2, 5, 3], 0.0
    while len(q) > 1:
        a = x[: q[-1]] * x[: q[-1]]
        q.pop()
        b = np.sin(x[: q[-1]])
        q[0] = q[0] % 3 + 1
        t = t + np.sum(a * a) + np.sum(b) + np.sum(x[: len(q)] ** 3) * np.sum(x[: q[0]])
    return t


class Window:
    def __init__(self):
        self.n = 2


@program(normal(6), second=True)
def fields_and_entries_of_dicts(x):
    w, d, t = Window(), {"n": 2}, 0.0
    for k in range(3):
        t = t + np.sum(x[: w.n] ** 2) + np.sum(np.sin(x[: d["n"]]))
        w.n += 1
        d["n"] += 2
        t = t + np.sum(np.cos(x[: w.n]) * (k + 1.0)) * np.sum(x[: d["n"]])
    return t


@program(normal(6), second=True)
def halves_from_a_stack(x):
    stack, top, t = np.zeros((6, 2), int), 1, 0.0
    stack[0] = [0, 6]
    while top > 0:
        top -= 1
        a = x[stack[top, 0] : stack[top, 1]]
        t = t + np.sum(a**2) * (top + 1.0)
        if len(a) > 1:
            middle, end = (stack[top, 0] + stack[top, 1]) // 2, stack[top, 1]
            stack[top, 1] = middle
            t = t + np.sum(np.sin(x[stack[top, 0] : stack[top, 1]]))
            stack[top + 1] = [middle, end]
            top += 2
    return t


@program(normal(6), second=True)
def views_that_are_used_later(x):
    s, n = 0.5 * x, COLUMNS.copy()
    s[1] = s[1] * 0.5
    v = s[n[0] : n[0] + 3]
    n[0] = n[0] + 2
    t = np.sum(v**3)
    v *= s[n[0] : n[0] + 3]
    n[1:] -= n[0]
    return t + np.sum(s * s) + np.sum(v) * np.sum(s[: n[1]])


@program(normal(6), second=True)
def parts_of_views_by_places_that_move(x):
    B, q, d = np.outer(np.arange(1.0, 4.0), x), [0, 4], {"row": 1}
    row = B[d["row"]]
    part = row[q[0] : q[1]]
    d["row"] += 1
    part[::2] *= 0.5
    q[0] += 1
    other = part[q[0] :]
    q[0] += 1
    other += other * row[: other.size]
    return np.sum(B**3) + np.sum(part * other.sum())


@program(normal(6), second=True)
def rows_by_a_queue(x):
    B, queue = np.outer(np.arange(1.0, 4.0), x), np.array([2, 0, 1, 2])
    t = 0.0
    for k in range(4):
        row = B[queue[0], queue[1] :]
        queue[:] = np.roll(queue, -1)
        row *= np.cos(row)
        t = t + row[0] * row[-1] * (k + 1.0)
    return t + np.sum(B * B)


@program(normal(6), second=True)
def loops_over_parts_that_move(x):
    s, B, n = 0.5 * x, np.outer(np.arange(1.0, 4.0), x), POINTERS.copy()
    t = 0.0
    for row in B[n[0] :]:
        n[0] = 0
        row *= 0.5 + row
        for a, b in zip(s[n[1] :], row[n[0] :], strict=False):
            n[1] = (n[1] + 1) % 4
            t = t + a * b * b
        s[n[1] :] *= 0.75
    return t + np.sum(B * s)


@program(normal(6), second=True)
def shaped_by_numbers_that_move(x):
    s, n = 0.5 * x, np.array([2, 3])
    s[0] = x[1]
    A = s.reshape(n[0], n[1])
    n[0], n[1] = n[1], n[0]
    A *= A
    C = s.reshape((n[0], -1))
    n[0] = 1
    C[0] *= 2.0
    return np.sum(A**3) + np.sum(np.sin(C) @ A)


@program(normal(6), np.array([3, 0, 2, 1]), second=True)
def parts_of_which_one_is_empty(x, lengths):
    s, start, held = 0.5 * x, 0, []
    last = s[:1]
    for k in range(lengths.size):
        part = s[start : start + lengths[k]]
        start += lengths[k]
        if part.size > 1:
            last = part
        part += 0.25 * last[:1]
        held.append(part)
    total = 0.0
    for part in held:
        total += np.sum(part**2) * (part.size + 1.0)
    return total + s @ s[::-1]
