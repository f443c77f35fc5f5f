"""Everyday NumPy that Numba lacks or refuses, and that compiled code runs all the same."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


# --- rows of whole numbers beside rows of floats -----------------------------------------------
@program(normal(), normal(5, 3), wrt=(0, 1), jit=True)
def rotation_about_an_axis(a, x):
    c, s = np.cos(a), np.sin(a)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return np.sum((x @ R) ** 3)


@program(normal(3), normal(4), second=True, jit=True)
def transforms_one_after_another(q, p):
    T = np.eye(4)
    for k in range(3):
        c, s = np.cos(q[k]), np.sin(q[k])
        T = T @ np.array([[c, -s, 0, 1], [s, c, 0, k], [0, 0, 1, q[k]], [0, 0, 0, 1]])
    return np.sum((T @ p) ** 2)


@program(normal(), normal(3, 3), wrt=(0, 1), jit=True)
def rows_whose_items_are_places_too(a, x):
    rows = [[1, 0, 0], [0, a, 2]]
    k = rows[0][0]
    return x[k, rows[0][1]] ** 2 * np.sum(np.array(rows) @ x[0])


@program(normal(), jit=True)
def phases_beside_whole_numbers(a):
    z = np.array([[1, 0], [0, np.exp(1j * a)]])
    w = np.array([[[1, a], [2, 3]], [[0, 0], [1, True]]])
    return np.sum(np.abs(z @ z + 1) ** 2) + np.sum(w**2)


@program(normal(), normal(2, 3), wrt=(0, 1), jit=True)
def an_array_of_whole_numbers_as_a_row(a, x):
    e = np.array([1, 0, 2])
    f = np.array([e, a * x[0], np.array([0, 1, 1])])
    return np.sum(f**2) * np.sum(x @ [[1, 0], [0, a], [1, 1]])


# --- arrays without axes -----------------------------------------------------------------------
def log_sum_exp(a, axis=None):
    m = np.max(a, axis=axis, keepdims=True)
    total = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True))
    return np.squeeze(m + total, axis=axis)


@program(normal(7), second=True, jit=True)
def log_sum_exp_of_a_vector(a):
    return log_sum_exp(a, axis=0)


@program(normal(4), normal(4, 3), wrt=(0, 1), jit=True)
def log_sums_along_axes(v, x):
    rows = np.sum(log_sum_exp(x, axis=1) * v)
    return log_sum_exp(v) + log_sum_exp(x, axis=(0, 1)) * rows


@program(normal(4), normal(4, 3), wrt=(0, 1), jit=True)
def single_entries_without_axes(v, x):
    s = np.sum(v, keepdims=True)
    m = np.squeeze(v[:1])
    t = s.squeeze() * np.squeeze(s) + s.squeeze(axis=0) * x[0, 0]
    return t + np.sum(x * m) + np.squeeze(x[:1, :1]) ** 2


@program(normal(4), normal(4, 3), wrt=(0, 1), jit=True)
def numbers_as_arrays_and_back(v, x):
    y = np.expand_dims(np.sum(v), 0)
    z = np.atleast_1d(v[0] * v[1]) * np.sum(v**3).reshape(1)
    w = np.atleast_2d(v) @ x
    m = np.expand_dims(np.max(x), axis=(0, 1)) * np.mean(v).ravel()
    return np.sum(y**2) + z[0] + np.sum(w * m) + np.sum(x**2).squeeze()


@program(positive(4), jit=True)
def an_entry_seen_after_a_write(v):
    y = v * 2
    m = np.squeeze(y[:1])
    y[0] = 5.0 * v[1]
    return m * y[0] * v[2]


# --- lists of rows -------------------------------------------------------------------------------
@program(normal(5, 2), normal(), wrt=(0, 1), jit=True)
def curve_by_repeated_means(points, t):
    b = [p for p in points]
    while len(b) > 1:
        b = [(1 - t) * b[i] + t * b[i + 1] for i in range(len(b) - 1)]
    return np.sum(b[0] ** 2)


@program(normal(4, 2), normal(4, 2), wrt=(0, 1), jit=True)
def rows_of_two_arrays_made_anew(x, y):
    s = x[0]
    b = list(x)
    for s, row in zip(x, y):
        b = [p * row for p in b]
        b = [b[1] + s, *b[1:]]
    return np.sum(b[0] * b[-1]) * np.sum(s)


# --- several places of an array at once -----------------------------------------------------------
@program(normal(5, 5), second=True, jit=True)
def rows_swapped_by_pivots(A):
    A, n, total = A.copy(), len(A), 0.0
    for k in range(n):
        p = k + np.argmax(np.abs(A[k:, k]))
        A[[k, p]] = A[[p, k]]
        A[[k, p], 0] = A[[p, k], 0] * 1.5
        total = total + A[k, k] * A[p, -1]
    return total + np.sum(A**3)


@program(normal(4, 4), normal(3, 4, 3), wrt=(0, 1), jit=True)
def lists_beside_numbers(A, C):
    A, C = A.copy(), C.copy()
    i = int(np.argmax(A[:, 0]) % 3)
    p = np.argmax(A[0])
    A[i, [1, p]] *= 2.0
    C[1, :, [0, i]] += A[:2] @ A.T
    C[:, 1, [0, 2]] = C[:, [0, 3], 1]
    return np.sum(A**2) + np.sum(C**2) + np.sum(C[0, :, [1, 1]] * A[:2])


@program(normal(5, 4, 3), normal(5, 4), wrt=(0, 1), jit=True)
def masks_over_some_axes(F, x):
    m = x > 0
    bounced = F[m, :][:, [1, 2, 0]]
    F = F * x[:, :, None]
    F[m, :] = bounced
    F[m] += 2.0
    for _ in range(2):
        F[m] *= x[0, 1]
        m = F[:, :, 0] > 0.5
    return np.sum(F**3) + np.sum(F[m] ** 2)


@program(normal(6, 4), np.array([0, 3, 1, 2, 3, 1]), jit=True)
def labels_of_rows(x, labels):
    shifted = x - np.max(x, axis=1, keepdims=True)
    log_p = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    log_p[np.arange(2), labels[:2]] *= 2.0
    return -np.mean(log_p[np.arange(len(x)), labels])


@program(normal(6, 6), normal(3, 3), wrt=(0, 1), jit=True)
def elements_into_a_matrix(K, e):
    K, places = K.copy(), np.array([0, 2, 3])
    for k in range(3):
        d = places + k
        K[np.ix_(d, d)] += e * K[k, k]
        K[np.ix_(d, places % 2)] *= e
        K[d, places] = e[k]
    return np.sum(K**2) * np.sum(K[np.ix_(places, places)])


@program(normal(6, 3), normal(4, 3), wrt=(0, 1), jit=True)
def the_last_of_several_writes(x, y):
    x, rows = x.copy(), np.array([1, -2, 4, 1])
    x[rows] = y
    x[:, [0, 2, 0]] = x * x
    x[rows, :] *= y[:1]
    x[rows, [0, 1, 1, 0]] = y[:, 0]
    return np.sum(x**3)


@program(normal(12, 3), jit=True)
def lists_of_places_by_name(x):
    x = x.copy()
    order = [3, 0, 2, 1, 5, 4, 7, 6, 9, 8, 11]
    back = order[::-1]
    x[order, :] = x[back, :] ** 2
    return np.sum(x**3 * x[order[0]])


# --- sums over several axes -----------------------------------------------------------------------
@program(normal(2, 4, 4, 3), normal(1, 1, 3, 2), wrt=(0, 1), jit=True)
def convolution_with_small_kernels(x, w):
    k = w.shape[0]
    n, height, width, _ = x.shape
    out = np.empty((n, height - k + 1, width - k + 1, w.shape[3]))
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            window = x[:, i : i + k, j : j + k, :, None]
            out[:, i, j, :] = np.sum(window * w[None], axis=(1, 2, 3))
    return np.sum(out**2)


@program(positive(4, 3), jit=True)
def standardised_by_samples(x):
    scores = (x - x.mean(axis=0)) / np.std(x, axis=0, ddof=1)
    spread = x.var(axis=1, ddof=2, keepdims=True) + np.var(x, ddof=1)
    return np.sum(scores**3) + np.sum(spread * x)


@program(positive(4, 3), jit=True)
def edges_and_differences(x):
    wide = np.pad(x, ((2, 1), (0, 2)), mode="edge") * np.pad(
        x, ((1, 2), (1, 1)), constant_values=2.0
    )
    bend = np.diff(x, n=2, axis=0)
    return np.sum(wide**2) + np.sum(bend**3) + np.sum(np.trapezoid(x, dx=0.2, axis=0) ** 2)


@program(positive(4, 3), jit=True)
def ranges_sums_and_grids(x):
    spread = np.ptp(x, axis=0) + np.einsum("ij->j", x) * np.einsum("ijk->ki", x[:, None] * x)[:, 0]
    grid = np.meshgrid(x[0], x[:, 1])[0]
    return np.sum(spread**2) + np.sum(grid * x)
