"""Products with parts of arrays whose lengths only a run knows."""

import numpy as np

from programs.registry import normal, program


@program(normal(2, 3, 7, 7), normal(4, 3, 3, 3), normal(4), wrt=(0, 1, 2), jit=True)
def convolution_with_strides(x, w, b):
    n, _, height, width = x.shape
    count, _, k, _ = w.shape
    rows, columns = (height - k) // 2 + 1, (width - k) // 2 + 1
    out = np.zeros((n, count, rows, columns))
    for i in range(rows):
        for j in range(columns):
            patch = x[:, :, 2 * i : 2 * i + k, 2 * j : 2 * j + k]
            out[:, :, i, j] = np.tensordot(patch, w, axes=([1, 2, 3], [1, 2, 3])) + b
    return np.sum(np.tanh(out))


@program(normal(6, 6, 2), normal(3, 3, 2, 4), wrt=(0, 1), jit=True)
def convolution_by_einsum(x, w):
    k = w.shape[0]
    total = 0.0
    for i in range(x.shape[0] - k + 1):
        for j in range(x.shape[1] - k + 1):
            seen = np.einsum("abc,abcd->d", x[i : i + k, j : j + k], w)
            total += np.sum(seen**2) * (i + 1)
    return total


@program(normal(9), normal(4, 3), 3, wrt=(0, 1), jit=True)
def windows_through_matrices(x, w, k):
    out = []
    for i in range(0, x.shape[0] - k + 1, k):
        out.append(w @ x[i : i + k])
    return np.sum(np.array(out) ** 3)


@program(normal(3, 8, 5), normal(2, 4, 6), 4, wrt=(0, 1), jit=True)
def parts_of_stacks(a, b, k):
    total = 0.0
    for i in range(a.shape[0]):
        part = a[i, i : i + k]
        total += np.sum(np.tensordot(part, b, axes=(0, 1)) ** 2)
        total += np.sum(np.inner(part.T, b[:, :k, 0]) * 0.5)
    return total


@program(normal(5, 6), normal(5, 6), 2, wrt=(0, 1), jit=True)
def axes_counted_from_the_end(a, b, k):
    total = 0.0
    for i in range(3):
        left = np.tensordot(a[:, i : i + k], b[:, i : i + k], axes=(-1, -1))
        total += np.trace(left) + np.sum(np.tensordot(a[i : i + k], b[:k], axes=2) ** 2)
    return total
