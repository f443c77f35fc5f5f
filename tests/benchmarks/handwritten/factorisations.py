"""Triangular loops that overwrite one matrix."""

import numpy as np

from tests.benchmarks.handwritten.compiling import compiled


@compiled
def trmm(alpha, A, B0):
    M, N = B0.shape
    B = B0.copy()
    for i in range(M):
        for k in range(i + 1, M):
            a = A[k, i]
            for j in range(N):
                B[i, j] += a * B[k, j]
    val = 0.0
    for i in range(M):
        for j in range(N):
            B[i, j] *= alpha
            val += B[i, j]
    Ab = np.zeros_like(A)
    Bb = np.empty_like(B)
    for i in range(M):
        for j in range(N):
            Bb[i, j] = alpha
    for i in range(M - 1, -1, -1):
        for k in range(i + 1, M):
            a = A[k, i]
            s = 0.0
            for j in range(N):
                s += Bb[i, j] * B0[k, j]
                Bb[k, j] += a * Bb[i, j]
            Ab[k, i] += s
    return val, Ab, Bb


@compiled
def cholesky(A0):
    A = A0.copy()
    n = A.shape[0]
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, n):
        for j in range(i):
            s = 0.0
            for k in range(j):
                s += A[i, k] * A[j, k]
            A[i, j] = (A[i, j] - s) / A[j, j]
        s = 0.0
        for k in range(i):
            s += A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i] - s)
    val = np.sum(A)
    Ab = np.ones_like(A)
    for i in range(n - 1, 0, -1):
        d = Ab[i, i] / (2.0 * A[i, i])
        Ab[i, i] = d
        for k in range(i):
            Ab[i, k] -= 2.0 * d * A[i, k]
        for j in range(i - 1, -1, -1):
            d = Ab[i, j] / A[j, j]
            Ab[j, j] -= d * A[i, j]
            Ab[i, j] = d
            for k in range(j):
                Ab[i, k] -= d * A[j, k]
                Ab[j, k] -= d * A[i, k]
    Ab[0, 0] /= 2.0 * A[0, 0]
    return val, Ab


@compiled
def gramschmidt(A0):
    A = A0.copy()
    M, N = A.shape
    Q = np.zeros_like(A)
    R = np.zeros((N, N))
    tape = np.empty((N, N, M))  # A[:, j] before it is overwritten at step k
    for k in range(N):
        s = 0.0
        for i in range(M):
            s += A[i, k] * A[i, k]
        R[k, k] = np.sqrt(s)
        for i in range(M):
            Q[i, k] = A[i, k] / R[k, k]
        for j in range(k + 1, N):
            s = 0.0
            for i in range(M):
                tape[k, j, i] = A[i, j]
                s += Q[i, k] * A[i, j]
            R[k, j] = s
            for i in range(M):
                A[i, j] -= Q[i, k] * s
    val = np.sum(Q) + np.sum(R)
    Qb = np.ones_like(Q)
    Rb = np.ones_like(R)
    Ab = np.zeros_like(A)
    for k in range(N - 1, -1, -1):
        for j in range(N - 1, k, -1):
            r = R[k, j]
            rb = Rb[k, j]
            for i in range(M):
                rb -= Q[i, k] * Ab[i, j]
            for i in range(M):
                Qb[i, k] += rb * tape[k, j, i] - r * Ab[i, j]
                Ab[i, j] += rb * Q[i, k]
        rkk = R[k, k]
        s = 0.0
        for i in range(M):
            s += Qb[i, k] * Q[i, k]
        rb = Rb[k, k] - s / rkk
        nb = rb / (2.0 * rkk)
        for i in range(M):
            Ab[i, k] += Qb[i, k] / rkk + 2.0 * nb * (Q[i, k] * rkk)
    return val, Ab


@compiled
def durbin(r):
    n = r.shape[0]
    y = np.empty(n)
    tape = np.empty((n, n))
    al = np.empty(n)
    be = np.empty(n)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    al[0] = alpha
    be[0] = beta
    z = np.empty(n)
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        s = 0.0
        for i in range(k):
            s += r[k - 1 - i] * y[i]
        alpha = -(r[k] + s) / beta
        for i in range(k):
            tape[k, i] = y[i]
        for i in range(k):
            z[i] = y[i] + alpha * y[k - 1 - i]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
        al[k] = alpha
        be[k] = beta
    val = np.sum(y)
    yb = np.ones(n)
    rb = np.zeros(n)
    ab = 0.0
    bb = 0.0
    for k in range(n - 1, 0, -1):
        ab += yb[k]
        yb[k] = 0.0
        a = al[k]
        b = be[k]
        s = 0.0
        for i in range(k):
            s += yb[i] * tape[k, k - 1 - i]
        ab += s
        sb = -ab / b
        rb[k] += sb
        bb += -ab * a / b
        for i in range(k):
            z[i] = yb[i] + a * yb[k - 1 - i] + sb * r[k - 1 - i]
        for i in range(k):
            yb[i] = z[i]
        for i in range(k):
            rb[k - 1 - i] += sb * tape[k, i]
        ap = al[k - 1]
        bp = be[k - 1]
        ab = bb * bp * (-2.0 * ap)
        bb = bb * (1.0 - ap * ap)
    rb[0] -= yb[0] + ab
    return val, rb


@compiled
def lu(A0):
    A = A0.copy()
    n = A.shape[0]
    for i in range(n):
        for k in range(i):
            A[i, k] /= A[k, k]
            a = A[i, k]
            for j in range(k + 1, n):
                A[i, j] -= a * A[k, j]
    val = np.sum(A)
    Ab = np.ones_like(A)
    for i in range(n - 1, -1, -1):
        for k in range(i - 1, -1, -1):
            a = A[i, k]
            s = 0.0
            for j in range(k + 1, n):
                s += Ab[i, j] * A[k, j]
                Ab[k, j] -= a * Ab[i, j]
            d = (Ab[i, k] - s) / A[k, k]
            Ab[i, k] = d
            Ab[k, k] -= d * a
    return val, Ab
