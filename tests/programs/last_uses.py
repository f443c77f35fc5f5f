"""Arrays that loops hand on from name to name: who else holds one where a name uses it last."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(9), normal(9), positive(9), wrt=(0, 1, 2), jit=True)
def new_arrays_in_three_levels(u0, v0, c):
    before = u0.copy()
    now = u0 + 0.1 * v0
    for _ in range(6):
        after = np.zeros_like(now)
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + c[1:-1] * (now[2:] - 2 * now[1:-1] + now[:-2])
        before, now = now, after
    return np.sum(now**2) + np.sum(before * v0)


@program(normal(6), normal(6), wrt=(0, 1), jit=True)
def kept_in_a_list_that_is_emptied(x, w):
    kept = []
    y = x * 1.0
    total = 0.0
    for k in range(4):
        kept.append(y)
        held = kept.pop()
        kept = []
        y = y * w
        held[1:-1] = held[1:-1] * held[2:] + k
        total += np.sum(held**2)
        held[0] = 0.5
        y = y + 0.1 * held
    return total + np.sum(y**3)


@program(normal(6), normal(6), wrt=(0, 1), jit=True)
def turns_that_end_early(x, w):
    a, b = x * 1.0, w * 1.0
    total = 0.0
    for k in range(6):
        old = a
        old[1:-1] += b[2:] * 0.3
        if k % 2 == 0:
            a, b = b, a
            continue
        total += np.sum(old * b)
        a = b
        b = np.zeros(6)
        b[1:-1] = old[1:-1] ** 2
    return total + np.sum(a * b)


@program(normal(7), positive(7), wrt=(0, 1), jit=True)
def one_of_two_on_a_path(x, c):
    a, b = x * 1.0, np.zeros(7)
    for k in range(5):
        new = np.zeros(7) if k != 3 else b
        new[1:-1] = c[1:-1] * (a[2:] - a[:-2]) + b[1:-1]
        new[0] = a[0] * 0.5
        b, a = a, new
    return np.sum(a**2) + np.sum(a * b)


@program(normal(3, 6), normal(6), wrt=(0, 1), jit=True)
def rows_as_buffers(A, w):
    A = A * 1.0
    before, now, after = A[0], A[1], A[2]
    for k in range(5):
        after[1:-1] = now[:-2] * w[1:-1] + before[2:] + k * after[1:-1]
        before, now, after = now, after, before
    return np.sum(A**2) + np.sum(now * w)


@program(normal(6), normal(6), wrt=(0, 1), jit=True)
def a_window_that_outlives_its_array(x, w):
    total = 0.0
    y = x * w
    for _ in range(4):
        part = y[1:-1]
        y = np.zeros(6)
        y[1:-1] = part * w[2:] + part[::-1] ** 2
        part[0] = y[1] * 0.5
        total += np.sum(part * w[:4])
    return total + np.sum(y**2)


@program(normal(5, 5), normal(5), jit=True)
def pairs_handed_on(F, w):
    pair = (F[0] * 1.0, F[1] * 1.0)
    total = 0.0
    for k in range(2, 5):
        first, second = pair
        first[1:] = first[1:] * second[:-1] + F[k, 1:]
        pair = (second, first)
        second[0] += np.sum(first)
        total += pair[0][0] * pair[1][-1]
    return total + np.sum(pair[0] * w)


@program(normal(6), positive(6), 0.2, wrt=(0, 1, 2), jit=True)
def restored_twice_in_a_trip(u, c, s):
    u = u.copy()
    trips = 0
    while trips < 5:
        u[1:-1] = u[1:-1] + s * np.tanh(u[2:] * u[:-2])
        if trips % 2 == 0:
            u[...] = u * c + np.sin(u)
        u *= 0.9
        u[...] = u - 0.1 * u**2
        trips += 1
    return np.sum(u**2)


@program(normal(6), normal(6), 0.2, wrt=(0, 1, 2), jit=True)
def restored_and_read_after_the_loop(u, v, s):
    u = u.copy()
    first = u
    for _ in range(4):
        v = v + s * np.sin(u)
        u[...] = u + 0.3 * v * u
        v = v * u[::-1]
    return np.sum(first * v) + np.sum(u**3)


@program(normal(4, 3), normal(5, 3), normal(5), wrt=(0, 1, 2), jit=True)
def scores_of_one_trip(q, k, v):
    """Each trip has scores of its own; the reverse sweep reads only the last of the sums."""
    total = 0.0
    for i in range(q.shape[0]):
        scores = np.zeros(k.shape[0])
        highest = -np.inf
        for j in range(k.shape[0]):
            for d in range(q.shape[1]):
                scores[j] += q[i, d] * k[j, d]
            scores[j] /= np.sqrt(q.shape[1])
            highest = max(highest, scores[j])
        for j in range(k.shape[0]):
            scores[j] = np.exp(scores[j] - highest)
        total += scores @ v / np.sum(scores)
    return total


@program(normal(4, 3), normal(3), wrt=(0, 1), jit=True)
def sums_read_while_they_grow(a, x):
    """As above, but what is restored in the innermost loop is read there, and in the next trip."""
    total, kept = 0.0, 0.5 * x
    for i in range(a.shape[0]):
        h = kept
        for j in range(len(x)):
            for k in range(a.shape[1]):
                h[j] += np.sin(h[j]) * a[i, k] * x[j]
            h[j] = np.tanh(h[j] - 0.3 * h[j - 1])
        row = h[1:]
        total += row @ x[1:]
        kept = h.copy()
    return total + np.sum(kept)
