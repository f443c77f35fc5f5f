"""Matrix and sparse products: BLAS where it is one, one pass over memory where it is not."""

import numpy as np

from tests.benchmarks.handwritten.compiling import compiled


def k2mm(alpha, beta, A, B, C, D):
    T = alpha * A @ B
    out = T @ C
    out += beta * D
    val = np.sum(out)
    ob = np.ones_like(out)
    Tb = alpha * (ob @ C.T)
    return val, Tb @ B.T, A.T @ Tb, T.T @ ob, beta * ob


@compiled
def _atax_into(A, x, Ab, xb):
    M, N = A.shape
    t = np.empty(M)
    y = np.zeros(N)
    for i in range(M):
        s = 0.0
        for j in range(N):
            s += A[i, j] * x[j]
        t[i] = s
        for j in range(N):
            y[j] += s * A[i, j]
    val = np.sum(y)
    yb = np.ones(N)
    for i in range(M):
        tb = 0.0
        for j in range(N):
            tb += A[i, j] * yb[j]
        ti = t[i]
        for j in range(N):
            Ab[i, j] = ti * yb[j] + tb * x[j]
            xb[j] += tb * A[i, j]
    return val


def atax(A, x):
    Ab = np.empty_like(A)
    xb = np.zeros_like(x)
    return _atax_into(A, x, Ab, xb), Ab, xb


@compiled
def spmv(A_row, A_col, A_val, x):
    n = A_row.size - 1
    y = np.empty(n)
    for i in range(n):
        s = 0.0
        for p in range(A_row[i], A_row[i + 1]):
            s += A_val[p] * x[A_col[p]]
        y[i] = s
    val = np.sum(y)
    yb = np.ones(n)
    vb = np.zeros_like(A_val)
    xb = np.zeros_like(x)
    for i in range(n):
        g = yb[i]
        for p in range(A_row[i], A_row[i + 1]):
            vb[p] += g * x[A_col[p]]
            xb[A_col[p]] += g * A_val[p]
    return val, vb, xb
