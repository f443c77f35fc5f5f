"""Numerics as in text-books: steppers, eliminations, extrapolations, searches."""

import copy
import functools
import itertools
import math
import operator

import numpy as np

from programs.registry import program

rng = np.random.default_rng(13)

X = rng.normal(size=6)

P = rng.uniform(0.5, 1.5, size=6)


@program(P, second=True)
def runge_kutta_by_tableau(x):

    def rhs(t, y, *p):
        a, b, *rest = p
        return np.array([a * y[0] - b * y[0] * y[1], rest[0] * y[0] * y[1] - rest[1] * y[1]])

    def step(f, t, y, h, args=()):
        k = []
        tableau = [(0.0, []), (0.5, [0.5]), (0.5, [0, 0.5]), (1.0, [0, 0, 1.0])]
        for c, coef in tableau:
            yi = y + h * sum((w * ki for w, ki in zip(coef, k)), np.zeros_like(y))
            k.append(f(t + c * h, yi, *args))
        return y + h * (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6

    y = x[4:6].copy()
    t = 0.0
    traj = [y]
    while t < 0.5 - 1e-12:
        y = step(rhs, t, y, 0.1, args=tuple(x[:4]))
        t += 0.1
        traj.append(y)
    return np.sum(np.array(traj)[:, 0] ** 2) + traj[-1][1]


@program(P, second=True)
def adaptive_steps(x):
    def f(t, y):
        return -x[0] * y + np.sin(x[1] * t)

    t, y, h = (0.0, x[2], 0.1)
    steps = 0
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        k1 = f(t, y)
        k2 = f(t + h, y + h * k1)
        y1 = y + h * k1
        y2 = y + h * (k1 + k2) / 2
        err = abs(y2 - y1)
        if err < 0.01:
            t += h
            y = y2
            h = min(h * 1.5, 0.3)
        else:
            h *= 0.5
            continue
        steps += 1
        if steps > 100:
            raise RuntimeError
    return y**2


@program(X, second=True)
def gauss_seidel(x):
    A = np.array([[4.0, 1, 0], [1, 5.0, 2], [0, 2, 6.0]]) + np.diag(x[:3] ** 2)
    b = x[3:]
    u = np.zeros(3)
    for it in range(50):
        old = u.copy()
        for i in range(3):
            s = 0.0
            for j in range(3):
                if j != i:
                    s += A[i, j] * u[j]
            u[i] = (b[i] - s) / A[i][i]
        if np.max(np.abs(u - old)) < 1e-08:
            break
    return u @ u


@program(X, second=True)
def gram_schmidt(x):
    A = np.vstack([x[:3], x[3:]]).T.copy()
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ A[:, j]
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.sqrt(v @ v)
        Q[:, j] = v / R[j, j]
    return R[0, 0] * R[1, 1] + R[0, 1] ** 3 + Q[2, 1]


@program(X, second=True)
def elimination_by_rows(x):
    A = [[x[0] + 5, x[1], x[2]], [x[3], 4.0, x[4]], [1.0, x[5], 3.0]]
    n = len(A)
    L = [[0.0] * n for _ in range(n)]
    U = copy.deepcopy(A)
    for i in range(n):
        L[i][i] = 1.0
    for k in range(n - 1):
        for i in range(k + 1, n):
            L[i][k] = U[i][k] / U[k][k]
            U[i] = [a - L[i][k] * b for a, b in zip(U[i], U[k])]
    det = functools.reduce(operator.mul, (U[i][i] for i in range(n)))
    return det + L[2][1] ** 2


@program(X, second=True)
def pivoting(x):
    A = np.column_stack([x[:3], x[3:], np.array([1.0, -2.0, 0.5])])
    b = np.array([1.0, x[0], 2.0])
    M = np.hstack([A, b[:, None]])
    n = 3
    perm = list(range(n))
    for k in range(n):
        p = k + int(np.argmax(np.abs(M[k:, k])))
        if p != k:
            M[[k, p]] = M[[p, k]]
            perm[k], perm[p] = (perm[p], perm[k])
        for i in range(k + 1, n):
            M[i, k:] -= M[i, k] / M[k, k] * M[k, k:]
    sol = np.zeros(n)
    for i in range(n - 1, -1, -1):
        sol[i] = (M[i, -1] - M[i, i + 1 : n] @ sol[i + 1 :]) / M[i, i]
    return np.sum(sol**2) + perm[0] * sol[1]


@program(X, second=True)
def romberg(x):
    def f(t):
        return np.exp(-x[0] * t) * np.cos(x[1] * t)

    R = [[0.5 * (f(0.0) + f(1.0))]]
    for i in range(1, 5):
        h = 1 / 2**i
        R.append(
            [0.5 * R[i - 1][0] + h * sum((f((2 * k - 1) * h) for k in range(1, 2 ** (i - 1) + 1)))]
        )
        for j in range(1, i + 1):
            R[i].append(R[i][j - 1] + (R[i][j - 1] - R[i - 1][j - 1]) / (4**j - 1))
    return R[-1][-1] ** 2 + x[2] * R[2][1]


@program(X, second=True)
def divided_differences(x):
    xs = [0.0, 1.0, 2.0, 3.5, 4.0, 5.0]
    n = len(xs)
    coef = list(x)
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            coef[i] = (coef[i] - coef[i - 1]) / (xs[i] - xs[i - j])

    def p(t):
        r = coef[-1]
        for c, xi in zip(coef[-2::-1], xs[-2::-1]):
            r = r * (t - xi) + c
        return r

    return p(0.5) ** 2 + p(4.5)


@program(P, second=True)
def secant(x):
    def g(z):
        return z**3 + x[0] * z - x[1] - 2

    a, b = (1.0, 2.0)
    fa, fb = (g(a), g(b))
    for _ in range(30):
        if abs(fb - fa) < 1e-14:
            break
        a, b = (b, b - fb * (b - a) / (fb - fa))
        fa, fb = (fb, g(b))
        if abs(fb) < 1e-13:
            break
    return b**2


@program(X, second=True)
def fast_fourier_transform(x):

    def fft(a):
        n = len(a)
        if n == 1:
            return a
        e, o = (fft(a[::2]), fft(a[1::2]))
        w = np.exp(-2j * np.pi * np.arange(n // 2) / n)
        return np.concatenate([e + w * o, e - w * o])

    sig = np.concatenate([x, x[:2]])
    F = fft(sig.astype(complex))
    return np.sum(np.abs(F[1:3]) ** 2) + F[0].real


@program(X, second=True)
def power_iteration(x):
    A = np.outer(x[:3], x[:3]) + np.diag([3.0, 2.0, 1.0]) + np.diag(x[3:]) * 0.1
    v = np.ones(3)
    lam = 0.0
    for k in itertools.count(1):
        w = A @ v
        new = np.linalg.norm(w)
        v = w / new
        if abs(new - lam) < 1e-09 or k >= 100:
            lam = new
            break
        lam = new
    return lam + v[0]


@program(X, second=True)
def jacobi_rotations(x):
    A = np.array([[4.0, x[0], x[1]], [x[0], 3.0, x[2]], [x[1], x[2], 1.0]])
    for sweep in range(8):
        for p, q in itertools.combinations(range(3), 2):
            if abs(A[p, q]) < 1e-12:
                continue
            th = 0.5 * np.arctan2(2 * A[p, q], A[q, q] - A[p, p])
            c, s = (np.cos(th), np.sin(th))
            J = np.eye(3)
            J[p, p] = J[q, q] = c
            J[p, q], J[q, p] = (s, -s)
            A = J.T @ A @ J
    return np.sum(np.sort(np.diag(A)) * np.array([1.0, 2.0, 3.0]))


@program(P * 0.9, second=True)
def paths(x):
    g = np.random.default_rng(0)
    z = g.standard_normal((20, 5))
    paths = []
    for row in z:
        s = [1.0]
        for e in row:
            s.append(s[-1] * np.exp((x[0] - 0.5 * x[1] ** 2) * 0.1 + x[1] * math.sqrt(0.1) * e))
        paths.append(s)
    pay = [max(np.mean(p) - x[2], 0.0) for p in paths]
    return sum(pay) / len(pay)


@program(X, second=True)
def nelder_mead(x):
    pts = [x[:2], x[2:4], x[4:6]]

    def f(p):
        return (p[0] - 1) ** 2 + 2 * (p[1] + 0.5) ** 2

    for _ in range(5):
        pts.sort(key=f)
        cen = (pts[0] + pts[1]) / 2
        r = cen + (cen - pts[2])
        if f(r) < f(pts[0]):
            e = cen + 2 * (cen - pts[2])
            pts[2] = e if f(e) < f(r) else r
        elif f(r) < f(pts[1]):
            pts[2] = r
        else:
            c = cen + 0.5 * (pts[2] - cen)
            if f(c) < f(pts[2]):
                pts[2] = c
            else:
                pts = [pts[0]] + [pts[0] + 0.5 * (p - pts[0]) for p in pts[1:]]
    return f(min(pts, key=f))
