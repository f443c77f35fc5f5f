"""Rows and entries that a list names: rotations, exchanges, `x[[i, j]] += v`."""

from __future__ import annotations

import numpy as np

from programs.registry import dominant, normal, program


@program(normal(4, 4), jit=True, second=True)
def plane_rotations(A):
    A = (A + A.T) / 2
    V = np.eye(4)
    for p in range(3):
        for q in range(p + 1, 4):
            t = np.arctan2(2 * A[p, q], A[q, q] - A[p, p]) / 2
            c, s = np.cos(t), np.sin(t)
            R = np.array([[c, s], [-s, c]])
            A[[p, q]] = R.T @ A[[p, q]]
            A[:, [p, q]] = A[:, [p, q]] @ R
            V[:, [p, q]] = V[:, [p, q]] @ R
    return np.sum(np.diag(A) * np.arange(1, 5)) + np.sum(V[:, 0] ** 4)


@program(dominant(4), normal(4), wrt=(0, 1), jit=True)
def elimination_with_exchanges(A, b):
    A, b = A.copy(), b.copy()
    n = len(b)
    for k in range(n):
        p = k + int(np.argmax(np.abs(A[k:, k])))
        A[[k, p]] = A[[p, k]]
        b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return np.sum(x**2)


@program(normal(5), normal(2), wrt=(0, 1), jit=True)
def entries_added_to(x, v):
    y = x * 1.0
    for i in range(4):
        y[[i, i + 1]] += v * y[[i + 1, i]]
        y[[i, 0]] *= 0.9
        y[[-1, i]] = 0.5 * v[1]
    np.add.at(y, [1, 1, 2], x[:3])
    return np.sum(y**2) + y[[0, 3]] @ v


@program(normal(5), normal(2), 2, wrt=(0, 1), jit=True)
def one_place_twice(x, v, k):
    y = x * 1.0
    y[[k, 2]] = v
    y[[k, k]] += v * x[:2]
    return np.sum(y**2)


@program(normal(3, 4), jit=True)
def some_of_one_row(A):
    B = A * 1.0
    B[1, [0, 2]] = np.sin(A[0, [1, 3]])
    B[[0, 2], 1:3] = B[[2, 0], :2]
    return np.sum(B**2) + np.sum(B[:, [0, 0]] ** 3)


@program(normal(2, 2, 2), normal(2), jit=True)
def gates_on_bits(state, angles):
    psi = state * 1.0
    for k, a in enumerate(angles):
        c, s = np.cos(a), np.sin(a)
        psi = np.moveaxis(psi, k, 0)
        new = np.zeros_like(psi)
        new[[0]] = c * psi[[0]] - s * psi[[1]]
        new[[1]] = s * psi[[0]] + c * psi[[1]]
        psi = np.moveaxis(new, 0, k)
    return np.sum(psi[0] ** 2 * psi[1])
