"""A casebook: programs of many trades that once found a fault, kept as they were written."""

import numpy as np

from programs.registry import program


def thomas(lower, diag, upper, rhs):
    n = len(diag)
    c, d = np.empty(n - 1), np.empty(n)
    c[0] = upper[0] / diag[0]
    d[0] = rhs[0] / diag[0]
    for i in range(1, n):
        den = diag[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / den
        d[i] = (rhs[i] - lower[i - 1] * d[i - 1]) / den
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


@program(0.25, 0.03, 100.0, wrt=(0, 1, 2))
def crank_nicolson_put(sigma, r, strike, *, smax=200.0, m=20, n=6, maturity=1.0):
    """Its result is a number of np.interp: the cotangent is a float of Python."""
    dt = maturity / n
    S = np.linspace(0.0, smax, m + 1)
    j = np.arange(1, m)
    V = np.maximum(strike + 0.37 - S, 0)
    a = 0.25 * dt * (sigma**2 * j**2 - r * j)
    b = -0.5 * dt * (sigma**2 * j**2 + r)
    c = 0.25 * dt * (sigma**2 * j**2 + r * j)
    for step in range(n):
        rhs = a * V[:-2] + (1 + b) * V[1:-1] + c * V[2:]
        bound = strike * np.exp(-r * (step + 1) * dt)
        rhs[0] += a[0] * bound
        V[0] = bound
        V[1:-1] = thomas(-a[1:], 1 - b, -c[:-1], rhs)
        V[1:-1] = np.maximum(V[1:-1], strike - S[1:-1] - 5.123)
    return np.interp(95.3, S, V)
