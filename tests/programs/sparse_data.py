"""Sparse matrices made of active entries."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as sparse_linalg

from programs.registry import normal, positive, program, using

COLUMNS = np.array([0, 1, 1, 2, 0, 2])
STARTS = np.array([0, 2, 4, 6])
ROWS = np.array([0, 0, 1, 1, 2, 2])
BASE = np.array([4.0, 1.0, 5.0, 0.5, 0.3, 6.0])
FIXED = sparse.csc_matrix(np.diag([2.0, 3.0, 4.0]) + 0.5 * np.eye(3, k=1))


@program(positive(6), normal(3), wrt=(0, 1), jit=True)
def product_with_entries(d, x):
    matrix = sparse.csr_matrix((d**2, COLUMNS, STARTS), shape=(3, 3))
    return np.sum((matrix @ x) ** 2)


@program(positive(6), normal(3), second=True)
def solve_with_entries(d, x):
    matrix = sparse.csc_matrix((BASE + d, (ROWS, COLUMNS)), shape=(3, 3))
    return np.sum(sparse_linalg.spsolve(matrix, x) ** 2)


@program(positive(6), normal(3), wrt=(0, 1))
def factorised_with_entries(d, x):
    matrix = sparse.coo_array((BASE + d, (ROWS, COLUMNS)), shape=(3, 3))
    first = sparse_linalg.splu(matrix.tocsc()).solve(x)
    return np.sum(first * sparse_linalg.factorized(matrix.T)(x)) + np.sum(x @ matrix)


@program(positive(6), normal(3), wrt=(0, 1))
def tridiagonal_of_diagonals(d, x):
    matrix = sparse.diags([d[:3], d[3:5], d[1:3]], [0, 1, -1])
    sum_of_both = (matrix + matrix.T * 2.0).toarray()
    return np.sum((matrix @ np.outer(x, x)) ** 2) + np.sum(sum_of_both**3)


@program(positive(3), normal(3), wrt=(0, 1))
def solve_with_a_constant_matrix(d, x):
    return np.sum(sparse_linalg.spsolve(FIXED, x * d) ** 2) + np.sum((FIXED @ x) ** 2)


LAPLACIAN = sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(3, 3)).tocsr()
GRAPH = sparse.csr_array(np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 0.5], [0.0, 0.0, 1.0]]))


@program(normal(3, 2), positive(1), wrt=(0, 1))
def constant_matrix_times_columns(x, scale):
    smoothed = x - 0.1 * (LAPLACIAN @ x) + GRAPH.T @ (x * scale)
    return np.sum(smoothed**2) + np.sum((smoothed.T @ GRAPH) ** 2)


@program(normal(3), positive(), wrt=(0, 1))
def constant_matrix_times_a_step(x, step):
    implicit = sparse.eye(3) - step * LAPLACIAN
    return np.sum(sparse_linalg.spsolve(implicit.tocsc(), x) ** 2) + x @ ((GRAPH / step) @ x)


@program(normal(3), positive(), wrt=(0, 1))
def old_matrices_multiply_with_a_star(x, step):
    return np.sum((LAPLACIAN * x) ** 2) + np.sum((LAPLACIAN * step) * x) + np.sum(x * LAPLACIAN)


@program(normal(3), normal(3), wrt=(0, 1))
def constant_matrix_entry_by_entry(x, w):
    both = GRAPH.multiply(w) + GRAPH.T
    return (
        np.sum((both @ x) ** 2) + np.sum((-GRAPH).dot(x) * GRAPH.diagonal()) + GRAPH.shape[0] * w[0]
    )


@program(positive(5), normal(6), second=True)
def bars_assembled_and_held_at_one_end(k, load):
    stiffness = sparse.lil_matrix((6, 6))
    for e, ke in enumerate(k):
        ends = [e, e + 1]
        stiffness[np.ix_(ends, ends)] += ke * np.array([[1.0, -1.0], [-1.0, 1.0]])
        stiffness[e, e] += 0.01 * ke
    stiffness = stiffness.tocsr()
    free = np.arange(1, 6)
    u = np.zeros(6)
    u[free] = sparse_linalg.spsolve(stiffness[free][:, free].tocsc(), load[free])
    return u @ (stiffness @ u) + stiffness[0, 1]


@program(positive(6), normal(3), wrt=(0, 1))
def parts_and_products_of_sparse_matrices(d, x):
    a = sparse.csr_matrix((d, (ROWS, COLUMNS)), shape=(3, 3))
    product = (a.T @ FIXED @ a)[1:, ::2] + abs(a.power(2))[np.ix_([2, 0], [0, 1])]
    mixed = (a * a).multiply(FIXED @ a).getrow(1)
    return np.sum((product @ x[:2]) ** 2) + np.sum((mixed @ x) ** 2) + a.trace() * a.mean()


@program(using(lambda rng: np.diag(rng.normal(size=3))), normal(3), wrt=(0, 1))
def entries_that_are_zero_now(m, x):
    rows, columns = sparse.csr_matrix(m), sparse.csc_array(m)
    return np.sum((rows @ x) ** 2) + np.sum((columns.T @ x) ** 3) + rows.nnz + columns.data[0]


@program(normal(4), normal(3), wrt=(0, 1))
def matrix_of_entries_times_numbers(d, x):
    matrix = sparse.csr_array((d, (np.array([0, 1, 1, 2]), np.array([1, 0, 2, 2]))), shape=(3, 3))
    return np.sum((matrix.multiply(x) - matrix / 2.0) @ x) + matrix.nnz


@program(positive(3), normal(3), second=True)
def sparse_matrices_of_sparse_blocks(d, x):
    """Blocks with active entries beside SciPy's own, dense ones and none at all."""
    a = sparse.diags(d)
    saddle = sparse.bmat([[a, x[:, None]], [np.ones((1, 3)), None]])
    tall = sparse.vstack([a, sparse.eye(3)]) @ x
    wide = sparse.hstack([FIXED, a @ a]).tocsr()[1:] @ np.arange(6.0)
    pairs = sparse.kron(sparse.triu(FIXED.multiply(d)), sparse.eye(2)) @ np.arange(6.0)
    ends = sparse.block_diag([a, sparse.tril(FIXED.multiply(x))]) @ np.cos(np.arange(6.0))
    total = np.sum(sparse_linalg.spsolve(saddle.tocsc(), np.ones(4)) ** 2)
    return total + np.sum(tall**2) + np.sum(wide**2) + np.sum(pairs * ends)


@program(positive(3), normal(3), second=True)
def functions_of_sparse_matrices(d, x):
    a = (sparse.diags(d) + FIXED).tocsc()
    _, columns, entries = sparse.find(a)
    moved = sparse_linalg.expm_multiply(a * 0.3, x) + sparse_linalg.expm_multiply(np.diag(d), x)
    both = sparse_linalg.inv(a) @ moved + sparse_linalg.expm(a * 0.1) @ x
    return np.sum(both**2) + np.sum(entries * x[columns])
