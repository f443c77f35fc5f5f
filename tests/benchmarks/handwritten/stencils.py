"""Stencils: fused loops, adjoints as gathers, a scratch border instead of edge cases."""

import numpy as np

from tests.benchmarks.handwritten.compiling import compiled


@compiled
def _five_points(X, Y):
    n, m = X.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            Y[i, j] = 0.2 * (X[i, j] + X[i, j - 1] + X[i, j + 1] + X[i + 1, j] + X[i - 1, j])


@compiled
def _five_points_adjoint(Yb, Xb, S):
    # S: scratch (n+2, m+2), border kept 0
    n, m = Yb.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            S[i + 1, j + 1] = 0.2 * Yb[i, j]
            Yb[i, j] = 0.0
    for i in range(n):
        for j in range(m):
            Xb[i, j] += (
                S[i + 1, j + 1] + S[i + 1, j] + S[i + 1, j + 2] + S[i, j + 1] + S[i + 2, j + 1]
            )


@compiled
def jacobi_2d(TSTEPS, A0, B0):
    A = A0.copy()
    B = B0.copy()
    for _ in range(1, TSTEPS):
        _five_points(A, B)
        _five_points(B, A)
    val = np.sum(A)
    Ab = np.ones_like(A)
    Bb = np.zeros_like(B)
    S = np.zeros((A.shape[0] + 2, A.shape[1] + 2))
    for _ in range(TSTEPS - 1, 0, -1):
        _five_points_adjoint(Ab, Bb, S)
        _five_points_adjoint(Bb, Ab, S)
    return val, Ab, Bb


@compiled
def seidel_2d(TSTEPS, N, A0):
    A = A0.copy()
    for _ in range(TSTEPS - 1):
        for i in range(1, N - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2]
                + A[i - 1, 1:-1]
                + A[i - 1, 2:]
                + A[i, 2:]
                + A[i + 1, :-2]
                + A[i + 1, 1:-1]
                + A[i + 1, 2:]
            )
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0
    val = np.sum(A)
    Ab = np.ones_like(A)
    for _ in range(TSTEPS - 1):
        for i in range(N - 2, 0, -1):
            for j in range(N - 2, 0, -1):
                Ab[i, j] /= 9.0
                Ab[i, j - 1] += Ab[i, j]
            s = Ab[i, 1:-1].copy()
            Ab[i - 1, :-2] += s
            Ab[i - 1, 1:-1] += s
            Ab[i - 1, 2:] += s
            Ab[i, 2:] += s
            Ab[i + 1, :-2] += s
            Ab[i + 1, 1:-1] += s
            Ab[i + 1, 2:] += s
    return val, Ab


@compiled
def conv2d_bias(inp, w, bias):
    K = w.shape[0]
    N = inp.shape[0]
    Ci = inp.shape[3]
    Co = w.shape[3]
    H = inp.shape[1] - K + 1
    Wd = inp.shape[2] - K + 1
    out = np.empty((N, H, Wd, Co))
    for n in range(N):
        for i in range(H):
            for j in range(Wd):
                for co in range(Co):
                    out[n, i, j, co] = bias[co]
                for a in range(K):
                    for b in range(K):
                        for ci in range(Ci):
                            v = inp[n, i + a, j + b, ci]
                            for co in range(Co):
                                out[n, i, j, co] += v * w[a, b, ci, co]
    val = np.sum(out)
    ob = np.ones_like(out)
    inb = np.zeros_like(inp)
    wb = np.zeros_like(w)
    bb = np.zeros_like(bias)
    for n in range(N):
        for i in range(H):
            for j in range(Wd):
                for co in range(Co):
                    bb[co] += ob[n, i, j, co]
                for a in range(K):
                    for b in range(K):
                        for ci in range(Ci):
                            v = inp[n, i + a, j + b, ci]
                            s = 0.0
                            for co in range(Co):
                                g = ob[n, i, j, co]
                                s += w[a, b, ci, co] * g
                                wb[a, b, ci, co] += v * g
                            inb[n, i + a, j + b, ci] += s
    return val, inb, wb, bb
