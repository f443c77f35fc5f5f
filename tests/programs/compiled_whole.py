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
