"""Bounds of slices and places that count from the end, as names and sums."""

import numpy as np

from programs.registry import normal, program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def last_rows_in_a_branch(x):
    n = 2
    A = x * x + 1.0
    if x[0] > 0.1:
        A[-n:] = x[0] * 3
    else:
        A = A * 2
    return np.sum(A * A)


@program(X, second=True)
def known_negative_bounds(x):
    n = -2
    A = x * x + 1.0
    A[n:] *= x[0]
    A[:n] += A[n:]
    k = 1
    B = A[-k - 1 : -k] * x[-k:]
    return np.sum(A * A) + B.sum() + A[-k] * A[n]


@program(X, second=True)
def halves_from_the_end(x):
    n = x.size // 2
    A = x * x + 1.0
    A[-n:] *= x[0]
    A[:-n] += A[n:]
    m = len(x) - 1
    A[-m:] -= x[:m]
    return np.sum(A * A)


@program(X, second=True)
def bounds_from_an_argument(x, k=3):
    A = x * x + 1.0
    A[-k:] *= x[0]
    A[-k:-1] += x[1]
    for i in range(1, k):
        A[-i:] *= x[i]
        A[-i - 1 : -i] += x[0]
        A[i - k :] += 1
        A[i - k] *= 2
    return np.sum(A * A)


@program(X, second=True)
def lags_of_a_matrix(x):
    A = np.outer(x, x)
    for lag in range(1, 3):
        A[:-lag] += A[lag:] * x[lag]
        A[:, -lag:] *= x[0]
        A[-lag:, :lag] -= 1
        A[1 - lag :] *= 1.1
    return np.sum(A * A)


@program(X, second=True)
def padded_by_hand(x):
    pad = 2
    A = np.zeros(x.size + 2 * pad)
    A[pad:-pad] = x
    A[:pad] = x[:pad][::-1]
    A[-pad:] = x[-pad:][::-1]
    return np.sum(A[: -2 * pad] * A[2 * pad :]) + (A[pad - 1 : -pad - 1] * x).sum()


@program(X, second=True)
def places_from_the_end(x):
    h = -1
    A = np.outer(x, x)
    A[h] *= x[0]
    A[:, h] += 1
    A[h, h] *= 2
    A[h, :h] *= x[1]
    for i in range(4):
        A[i - 4] *= x[i]
        A[i, h - i] += x[0]
        A[~i] *= x[1]
    return np.sum(A * A)


@program(normal(6), 0.7)
def ring_from_its_last_entry(x, a):
    """The first trip reads the last entry, which the last trip changes."""
    y = x * a
    for i in range(x.shape[0]):
        y[i] += 0.3 * y[i - 1] * x[i - 2]
    return np.sum(y**2)


@program(normal(6), 0.7)
def ring_with_its_first_entries_damped(x, a):
    y = x * a
    for i in range(6):
        y[i] += 0.3 * y[i - 1] * x[i - 2]
        y[:i] += 0.1 * x[:i] * y[:i]
    return np.sum(y**2)


@program(normal(6))
def constants_on_a_ring_after_it_was_written(x):
    """The second loop has no reverse: nothing is made ready for it."""
    y, z = x * 0.7, np.cos(x)
    for i in range(2, 6):
        z[:-i] += 0.1 * np.sum(y[::-1] ** 2) + z[i - 6]
    for i in range(1, 6):
        z[i - 2] += 0.06
    return np.sum(z * y)


@program(X, second=True)
def subscripts_along_several_axes(x):
    y, z = np.outer(x, x) + 1, np.empty((2, 3, 4))
    z[:] = x
    mask = np.ones((2, 3), bool)
    s = 0.0
    for i in range(2):
        s += np.sum(y[None, i] ** 3) + np.sum(y[True, i] ** 2)
        s += np.sum(z[..., i] ** 3) + np.sum(z[mask, i] ** 2)
        for j in range(2):
            y[j, i + 1] += x[1]
            z[j, i + 1] += x[2]
    return s + np.sum(y) + np.sum(z)


@program(X, 4)
def bound_halved_between_loops(x, n):
    y = x * x + 1
    s = 0.0
    for i in range(n):
        s += y[i] ** 3
    if x[0] > 0:
        n = n // 2
    for j in range(n, 4):
        y[j] += x[0]
    return s + np.sum(y)


@program(X, second=True)
def counted_places_that_repeat(x):
    y, A = np.zeros(3), np.zeros((2, 3))
    y[np.arange(-1, 3)] = x
    A[np.arange(2), np.array([[0, 1], [0, 2]])] = x.reshape(2, 2) ** 2
    A[np.arange(1), [0, 0, 1, 1]] += x
    return np.sum(y**3) + np.sum(A**3)


@program(normal(6))
def counters_of_several_loops(x):
    """One name for counters of which only the first keeps `y[i : i + 2]` inside."""
    y, n = x * 1.0, 6
    for i in range(len(x) - 1):
        y[i : i + 2] *= 1.1
    for i in range(n - 1, -1, -1):
        y[i] += 0.1 * x[1]
    for i in range(n):
        y[i : i + 2] *= 0.8 + x[0]
    y[i : i + 2] *= 1.1
    return np.sum(y**2)


PLACES = np.array([4, 5, 5])


@program(normal(6), jit=True)
def places_after_a_counter_of_their_name(x):
    y = x * 1.0
    for i in range(len(x) - 1):
        y[0] = x[1] * y[i]
    for i in PLACES:
        y[i : i + 2] *= 0.8 + x[0]
    i = i + 1
    y[i - 2 : i + 2] *= 0.8 + x[2]
    return np.sum(y**2)


@program(normal(5), jit=True)
def neighbours_of_the_trip_before(x):
    """A name that is read ahead of the neighbour it is bound to, on a ring."""
    n, total, last = len(x), 0.0, 0
    for j in range(n):
        total += x[last] * x[j] * x[(j + 1) % n] * j
        last = (j + 1) % n
    for j in range(n):
        total += x[last - 1] * x[(j - 1) % n] * j
        last = j + 1
    return total


@program(normal(5), jit=True)
def places_that_an_array_holds(x):
    """The place that is added to, or read back, is an entry that the loop itself changes."""
    n, total = len(x), 0.0
    sums, place, y = np.zeros(3), np.zeros(2, dtype=np.int64), x * 0.5
    for j in range(n):
        sums[place[0]] += x[j] * x[j]
        place[0] = (j + 1) % 3
    for j in range(n):
        y[place[1]] = np.sin(x[j]) * 2.0
        place[1] = (j * 2 + 1) % n
        total += y[place[1]] * (j + 1)
    return total + sums[0] * sums[1] - sums[2]


@program(normal(3, 2), normal(3, 4), jit=True)
def columns_met_twice(a, b):
    """The first trips and the last ones are about the same columns, and entries of `y`."""
    c, d, n = b * 1.0, np.zeros((2, 4)), b.shape[1]
    for i in range(a.shape[1]):
        for j in range(n + 2):
            c[0, j - 2] = 0.5 * np.sum(a[:, i] * c[:, j - 2])
        for j in range(n + 1):
            d[i, j - 1] = d[i, j - 1] ** 2 + a[:, i] @ c[:, j - 1]
    y, w = np.cos(b[0]), a.reshape(-1)
    for i in range(5):
        y[i - 2] = y[i - 2] * y[i - 2] * (w[i] + w[i + 1] * y[i - 2])
    return np.sum(c * c) + np.sum(d * d) + np.sum(y * b[1])


@program(normal(1), jit=True)
def one_entry_in_a_loop(x):
    y, k = x * 1.0, 7
    for k in range(3):
        y += k * x
    for _ in range(2):
        y = y * x
        z = y[:k]
        z += k
    return np.sum(y) * k


@program(normal(5, 4), normal(4), np.array([-1, 0, -3]), wrt=(0, 1), jit=True)
def places_in_parts_of_a_matrix(a, w, places):
    """A place that counts from the end of a part is another one in the whole."""
    below, turned, above = a[1:], a[::-1], a[:-1]
    total = np.sum(below[places] * w) + np.sum(turned[places, 1]) + np.sum(np.exp(above[places]))
    for k in places:
        total += np.sum(np.exp(below[k]) * w) * np.sum(turned[k] * above[k])
        below[k] = below[k] * w + above[k]
    above[places] += w
    order, x = places % 3, w * 1.0
    same = order[:]
    for i in range(3):
        entry = x[same[i]]
        order[i] = 1
        x[same[i]] = entry
    return total + np.sum(a**2) + np.sum(np.concatenate((x, w[:1], np.zeros(0))) ** 3)
