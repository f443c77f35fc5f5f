"""Entry by entry: loops in Numba, exp on whole arrays by NumPy where that is vectorised."""

import numpy as np

from tests.benchmarks.handwritten.compiling import compiled


@compiled
def _subtract_largest(x, o):
    n, m = x.shape
    for a in range(n):
        mx = x[a, 0]
        for d in range(m):
            mx = max(mx, x[a, d])
        for d in range(m):
            o[a, d] = x[a, d] - mx


@compiled
def _softmax_rest(x, e, W, xb):
    n, m = x.shape
    val = 0.0
    for a in range(n):
        s = 0.0
        t = 0.0
        for d in range(m):
            s += e[a, d]
            t += e[a, d] * W[a, d]
        t /= s
        val += t
        for d in range(m):
            xb[a, d] = e[a, d] / s * (W[a, d] - t)
    return val


def softmax(x, W):
    """loops in Numba, exp on whole arrays by NumPy's SIMD ufunc, big arrays allocated by NumPy"""
    m = x.shape[-1]
    x2 = x.reshape(-1, m)
    xb = np.empty_like(x2)
    _subtract_largest(x2, xb)
    np.exp(xb, out=xb)
    val = _softmax_rest(x2, xb, W.reshape(-1, m), xb)
    return val, xb.reshape(x.shape)


@compiled
def go_fast(a):
    n = a.shape[0]
    trace = 0.0
    for i in range(n):
        trace += np.tanh(a[i, i])
    val = 0.0
    for i in range(n):
        for j in range(a.shape[1]):
            val += a[i, j] + trace
    ab = np.ones_like(a)
    tb = float(a.size)
    for i in range(n):
        t = np.tanh(a[i, i])
        ab[i, i] += tb * (1.0 - t * t)
    return val, ab


@compiled
def arc_distance(t1, p1, t2, p2):
    n = t1.shape[0]
    t1b = np.empty(n)
    p1b = np.empty(n)
    t2b = np.empty(n)
    p2b = np.empty(n)
    val = 0.0
    for i in range(n):
        u = (t2[i] - t1[i]) / 2
        v = (p2[i] - p1[i]) / 2
        su = np.sin(u)
        cu = np.cos(u)
        sv = np.sin(v)
        cv = np.cos(v)
        c1 = np.cos(t1[i])
        c2 = np.cos(t2[i])
        s1 = np.sin(t1[i])
        s2 = np.sin(t2[i])
        temp = su * su + c1 * c2 * sv * sv
        a = np.sqrt(temp)
        b = np.sqrt(1 - temp)
        val += 2 * np.arctan2(a, b)
        # adjoint
        r = a * a + b * b
        ab_ = 2 * b / r
        bb_ = -2 * a / r
        tb = ab_ / (2 * a) - bb_ / (2 * b)
        ub = tb * 2 * su * cu
        vb = tb * c1 * c2 * 2 * sv * cv
        c1b = tb * c2 * sv * sv
        c2b = tb * c1 * sv * sv
        t1b[i] = -ub / 2 - s1 * c1b
        t2b[i] = ub / 2 - s2 * c2b
        p1b[i] = -vb / 2
        p2b[i] = vb / 2
    return val, t1b, p1b, t2b, p2b
