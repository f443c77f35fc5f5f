"""Dense linear algebra in place, a triangle or a column at a time."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4, 4), normal(4, 3), wrt=(0, 1), jit=True)
def rank_k_update_of_a_triangle(C, A):
    # Linear in C: nothing of it needs keeping.
    C = C.copy()
    for i in range(A.shape[0]):
        C[i, : i + 1] *= 1.2
        for k in range(A.shape[1]):
            C[i, : i + 1] += 1.5 * A[i, k] * A[: i + 1, k]
    return np.sum(C)


@program(normal(3, 3), normal(3, 2), normal(2), wrt=(0, 1, 2), jit=True)
def scaled_rows_that_are_added_to(C, A, factors):
    # Each row is kept before it is scaled, and not again before what is added to it.
    C = C.copy()
    for i in range(A.shape[0]):
        C[i, : i + 1] *= factors[0]
        for k in range(A.shape[1]):
            C[i, : i + 1] += factors[1] * A[i, k] * A[: i + 1, k]
    for i in range(3):
        row = C[i, :2]
        t = C[i, 0] * factors[1]
        C[i, :] *= t
        C[i, 1:] = C[i, 1:] ** 2
        row *= 1.5
        C[:, 0] -= 0.1 * C[i, 2] * factors[0]
    return np.sum(C**2)


@program(normal(3, 4), normal(3, 3), normal(3, 4), wrt=(0, 1, 2), jit=True)
def symmetric_times_matrix(C, A, B):
    C = C.copy()
    temp = np.empty(C.shape[1])
    C *= 1.2
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += 1.5 * B[i, j] * A[i, :i]
            temp[j] = B[:i, j] @ A[i, :i]
        C[i, :] += 1.5 * B[i, :] * A[i, i] + 1.5 * temp
    return np.sum(C**2)


@program(positive(4, 4), jit=True)
def lu_in_place(A):
    A = A + 4.0 * np.eye(4)
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
    return np.sum(A)


@program(normal(4, 5), jit=True)
def columns_made_orthogonal(A):
    A = A.copy()
    Q = np.zeros_like(A)
    for k in range(3):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])
    return np.sum(Q * np.arange(5.0)) + np.sum(A**2)


@program(normal(2, 6, 6, 3), jit=True)
def largest_of_windows_then_flat(x):
    pooled = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]])
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            pooled[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    flat = np.reshape(pooled, (pooled.shape[0], -1))
    again = np.reshape(pooled, (x.shape[0], pooled.shape[1] * pooled.shape[2] * x.shape[3]))
    return np.sum(flat * np.tanh(again))


@program(normal(2, 3, 3), normal(4), normal(3, 3), wrt=(0, 1, 2), jit=True)
def solved_for_each_point(blocks, points, right):
    # A whole matrix is kept for each point, filled entry by entry.
    total = np.zeros((3, 3))
    for i in range(points.shape[0]):
        z = points[i]
        matrix = 4.0 * np.eye(3)
        for n in range(blocks.shape[0]):
            matrix += z**n * blocks[n]
        total += np.linalg.solve(matrix, right) / (3.0 + z * z)
    return np.sum(total**2)


@program(normal(3, 4), normal(4, 2), wrt=(0, 1), jit=True)
def sum_of_a_product(a, b):
    return np.sum(a @ b)


@program(normal(3, 4), jit=True, second=True)
def sum_of_a_product_with_its_sines(a):
    return np.sum(a @ np.sin(a.T))


@program(normal(3, 4), normal(4, 2), normal(2, 5), normal(5), wrt=(0, 1, 2, 3), jit=True)
def rows_of_products(a, b, c, w):
    return np.sum(a @ b @ c * w) + 0.5 * np.mean(np.dot(a, b))


@program(normal(3, 4), normal(4, 2), normal(3, 1), wrt=(0, 1, 2), jit=True)
def columns_of_a_product(a, b, w):
    return np.sum(np.sin(a) @ b * w)


@program(normal(3, 4), normal(4), normal(3), wrt=(0, 1, 2), jit=True)
def sums_of_products_with_vectors(a, x, y):
    return 2.0 * np.sum(np.exp(a) @ x) - np.sum(y @ a) + np.sum(a.T @ y * 3.0)


@program(normal(3, 1), normal(1, 3), wrt=(0, 1), jit=True)
def sum_of_a_column_times_a_row(a, b):
    return np.sum(a @ b) + np.sum((b @ a) ** 2)


@program(normal(3, 4), np.arange(8).reshape(4, 2), jit=True)
def sum_of_a_product_with_integers(a, k):
    return np.sum(a @ k)


@program(normal(3, 4), normal(4, 2), wrt=(0, 1), jit=True)
def products_summed_in_a_loop(a, b):
    total = 0.0
    for k in range(3):
        total += np.sum((a * (k + 1.0)) @ b) * np.mean(a[k] @ b)
    return total
