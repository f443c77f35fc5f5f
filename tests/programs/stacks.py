"""Products of stacks of matrices: einsum, `@` and tensordot of arrays with more than two axes."""

from __future__ import annotations

import numpy as np

from .registry import normal, positive, program


@program(normal(2, 3, 4), normal(2, 5, 4), normal(2, 5, 3), jit=True)
def attention_by_einsum(q, k, v):
    s = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[2])
    p = np.exp(s - np.max(s, axis=-1, keepdims=True))
    p = p / np.sum(p, axis=-1, keepdims=True)
    return np.sum(np.einsum("hqk,hkd->hqd", p, v) ** 2)


@program(normal(2, 3, 4), normal(4, 5), normal(2, 5, 3), jit=True)
def stack_times_matrix_times_stack(x, w, v):
    h = np.tanh(x @ w)
    return np.sum((h @ v @ x) ** 2) + np.sum(np.swapaxes(v @ x, 1, 2) @ v)


@program(normal(2, 3, 4), normal(4), normal(3), jit=True)
def stack_times_vectors(x, u, v):
    return np.sum((x @ u) ** 2) + np.sum(np.tanh(v @ x)) + np.sum((v @ x) @ u)


@program(normal(2, 1, 3, 4), normal(2, 5, 4, 3), jit=True)
def stacks_of_unequal_numbers(x, y):
    return np.sum((x @ y) ** 2)


@program(normal(2, 3, 4, 5), normal(6, 3), jit=True)
def one_by_one_convolution(x, w):
    y = np.tensordot(x, w, axes=([1], [1])).transpose(0, 3, 1, 2)
    return np.sum(y**2) + np.sum(np.tensordot(y, w, axes=(1, 0))[0, 1])


@program(normal(2, 3, 4), normal(3, 4, 5), normal(4, 3), jit=True)
def tensordots_over_two_axes(x, y, z):
    a = np.tensordot(x, y)
    return np.sum(a**2) + np.sum(np.tensordot(x, z, axes=([-1, 1], [0, 1])) ** 3)


@program(normal(3, 4), normal(3, 4), normal(4), jit=True)
def einsums_without_a_matrix(x, y, z):
    return (
        np.einsum("ij,ij->", x, y) ** 2
        + np.sum(np.einsum("ij,ij->i", x, y * x) ** 2)
        + np.sum(np.einsum("ij,j->ji", x, z) ** 3)
        + np.sum(np.einsum("i,j->ij", z, x[0]) ** 2)
    )


@program(normal(3, 1), normal(4, 2), jit=True)
def einsum_that_broadcasts_one_column(x, y):
    return np.sum(np.einsum("ij,jk->ik", x, y) ** 2)


@program(normal(3, 4), normal(4, 3), 4, jit=True)
def products_of_parts_in_a_loop(x, y, n):
    total = 0.0
    for i in range(n):
        block = np.einsum("ij,jk->ki", x[:, : i + 1], y[: i + 1] * x[0, 0])
        total = total + np.sum(np.sin(block))
        y = y * 0.9
    return total


@program(normal(2, 3, 4), jit=True)
def axes_exchanged_and_back(x):
    y = np.transpose(x, (2, 0, 1)) * np.arange(4.0)[:, None, None]
    return np.sum(np.transpose(y, (-2, -1, 0)) ** 2 * x)


@program(positive(3, 3), normal(3), jit=True)
def likelihood_of_a_gaussian(a, y):
    s = a @ a.T + 2.0 * np.eye(3)
    total = 0.0
    for _ in range(3):
        total = total + np.log(np.linalg.det(s)) + y @ np.linalg.solve(s, y)
        k = s @ np.linalg.inv(s + a)
        s = s - 0.1 * k @ s
    return total + np.sum(np.linalg.cholesky(a @ a.T + np.eye(3)) ** 3)


@program(normal(6), 3, second=True)
def parts_as_many_as_said(x, n):
    total, z, A = 0.0, x * (1 + 2j), np.outer(x, x)
    for i in range(n):
        part = np.array_split(x, n)[i]
        total += np.sum(part**2) * (i + 1) + np.prod(np.array_split(x * 2, n)[-1 - i])
        total += np.sum(np.abs(np.array_split(z, n)[i]) ** 2) * (i + 2)
    for rows in np.array_split(A, n):
        for block in np.array_split(rows, n, axis=1):
            total += np.sum(block**2) * block[0, 0]
    return total
