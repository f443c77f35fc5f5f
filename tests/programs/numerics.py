"""Textbook numerics: eliminations, factorisations, solvers, quadrature."""

import math

import numpy as np

from programs.registry import dominant, normal, positive, program, register, spd


@program(dominant(4), jit=True, second=True)
def lu_determinant(a):
    n = len(a)
    u = a.copy()
    lower = np.eye(n)
    for k in range(n - 1):
        for i in range(k + 1, n):
            lower[i, k] = u[i, k] / u[k, k]
            u[i, k:] -= lower[i, k] * u[k, k:]
    return np.sum(np.log(np.abs(np.diag(u)))) + np.sum(lower)


@program(normal(3, 3), normal(3), wrt=(0, 1))
def pivoted_elimination(a, b):
    a = np.column_stack([a, b])
    n = 3
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
        for i in range(k + 1, n):
            a[i] = a[i] - a[i, k] / a[k, k] * a[k]
    x = np.zeros(n)
    for i in reversed(range(n)):
        x[i] = (a[i, n] - a[i, i + 1 : n] @ x[i + 1 :]) / a[i, i]
    return np.sum(np.tanh(x))


@program(normal(4, 3), jit=True, second=True)
def gram_schmidt(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j]
        for i in range(j):
            r[i, j] = q[:, i] @ a[:, j]
            v = v - r[i, j] * q[:, i]
        r[j, j] = np.sqrt(np.sum(v**2))
        q[:, j] = v / r[j, j]
    return np.sum(q[0]) + np.sum(np.triu(r) ** 2 * np.arange(1.0, 4.0))


@program(normal(4, 3), jit=True)
def modified_gram_schmidt(a):
    q = a.copy()
    for j in range(3):
        q[:, j] /= np.linalg.norm(q[:, j])
        for k in range(j + 1, 3):
            q[:, k] -= (q[:, j] @ q[:, k]) * q[:, j]
    return np.sum(q * np.sin(a))


@program(spd(3), normal(3), wrt=(0, 1), jit=True)
def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rs = r @ r
    for _ in range(3):
        ap = a @ p
        step = rs / (p @ ap)
        x = x + step * p
        r = r - step * ap
        rs_new = r @ r
        if rs_new < 1e-20:
            break
        p = r + rs_new / rs * p
        rs = rs_new
    return np.sum(x**2)


@program(positive(4), positive(4), wrt=(0, 1), jit=True)
def thomas_algorithm(lower, rhs):
    n = len(rhs)
    diagonal = 4.0 + lower
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = 1.0 / diagonal[0]
    d[0] = rhs[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = 1.0 / m
        d[i] = (rhs[i] - lower[i] * d[i - 1]) / m
    x = np.empty(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return np.sum(x**2)


@program(positive(4), 2.5, jit=True)
def cubic_spline_value(y, at):
    n = len(y)
    m = np.zeros(n)
    for i in range(1, n - 1):
        m[i] = 0.5 * (y[i + 1] - y[i - 1])
    m[0] = y[1] - y[0]
    m[-1] = y[-1] - y[-2]
    k = min(int(at), n - 2)
    t = at - k
    h00 = 2 * t**3 - 3 * t**2 + 1
    h10 = t**3 - 2 * t**2 + t
    h01 = -2 * t**3 + 3 * t**2
    h11 = t**3 - t**2
    return (h00 * y[k] + h10 * m[k] + h01 * y[k + 1] + h11 * m[k + 1]) ** 2


@program(normal(4), positive(), wrt=(0, 1), jit=True)
def simpson_integral(coefficients, upper):
    def integrand(t):
        y = 0.0
        for c in coefficients:
            y = y * t + c
        return np.exp(-t) * y

    n = 6
    h = upper / n
    total = integrand(0.0) + integrand(upper)
    for k in range(1, n):
        total += (4.0 if k % 2 else 2.0) * integrand(k * h)
    return total * h / 3.0


@program(positive(), 4, second=True)
def adaptive_quadrature(a, depth):
    def f(t):
        return np.exp(-a * t * t)

    def integrate(lo, hi, level):
        mid = 0.5 * (lo + hi)
        coarse = (hi - lo) * f(mid)
        fine = 0.5 * (hi - lo) * (f(0.5 * (lo + mid)) + f(0.5 * (mid + hi)))
        if level == 0 or abs(fine - coarse) < 1e-5:
            return fine
        return integrate(lo, mid, level - 1) + integrate(mid, hi, level - 1)

    return integrate(0.0, 1.0, depth)


@program(normal(3, 3), jit=True, second=True)
def matrix_exponential(a):
    term = np.eye(3)
    total = np.eye(3)
    k = 1
    while k < 30:
        term = term @ (0.3 * a) / k
        total = total + term
        if np.max(np.abs(term)) < 1e-12:
            break
        k += 1
    return np.sum(total**2)


@program(normal(4), jit=True, second=True)
def moduli_of_complex_numbers(x):
    z = x + 1j * x**2
    return np.sum(np.abs(z) ** 3) + np.sum(np.abs(np.sign(z) - 0.3))


@program(normal(3, 3), second=True)
def attitude_from_one_triangle(r):
    """The quaternion nearest to a matrix: the other triangle of k is left empty."""
    k = np.zeros((4, 4))
    k[0, 0] = r[0, 0] - r[1, 1] - r[2, 2]
    k[1, 0], k[1, 1] = r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2]
    k[2, 0], k[2, 1] = r[0, 2] + r[2, 0], r[1, 2] + r[2, 1]
    k[2, 2] = r[2, 2] - r[0, 0] - r[1, 1]
    k[3, :3] = r[1, 2] - r[2, 1], r[2, 0] - r[0, 2], r[0, 1] - r[1, 0]
    k[3, 3] = np.trace(r)
    values, vectors = np.linalg.eigh(k)
    q = vectors[:, np.argmax(values)]
    q = -q if q[3] < 0.0 else q
    return np.sum(q * np.array([1.0, 2.0, 3.0, 4.0])) + values[-1]


register("numerics.attitude_at_rest", attitude_from_one_triangle, np.eye(3))


@program(normal(3, 3), second=True)
def nearest_rotation(a):
    u, _, vh = np.linalg.svd(a)
    return np.sum(u @ vh * np.arange(1.0, 10.0).reshape(3, 3))


def rotation_found_again(a):
    """What is nearest to a rotation, with singular values that differ by rounding alone."""
    for _ in range(4):
        u, _, vh = np.linalg.svd(a)
        a = u @ vh
    return np.sum(a * np.arange(1.0, 10.0).reshape(3, 3))


register("numerics.nearest_to_no_rotation", nearest_rotation, np.eye(3))
register("numerics.rotation_found_again", rotation_found_again, normal(3, 3))


TABLEAUS = {
    "heun": ([[], [1.0]], [0.5, 0.5], [0.0, 1.0]),
    "classic": (
        [[], [0.5], [0, 0.5], [0, 0, 1.0]],
        [1 / 6, 1 / 3, 1 / 3, 1 / 6],
        [0, 0.5, 0.5, 1.0],
    ),
}


@program(positive(), "classic", 3, jit=True)
def a_method_of_runge_and_kutta_by_its_table(k, name, steps):
    rows, weights, times = TABLEAUS[name]
    y, t, h = 1.0, 0.0, 0.1
    for _ in range(steps):
        slopes = []
        for row, c in zip(rows, times):
            inside = y + h * sum(a * s for a, s in zip(row, slopes))
            slopes.append(-k * inside**2 + math.sin(t + c * h))
        y = y + h * sum(w * s for w, s in zip(weights, slopes))
        t += h
    return y
