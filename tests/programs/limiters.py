"""Decisions of several branches in loops: limiters, edges, pieces of curves."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(normal(9), 0.4, 3)
def minmod(u0, c, steps):
    u = u0.copy()
    n = u.shape[0]
    for _ in range(steps):
        flux = np.zeros(n)
        for i in range(1, n - 1):
            a = u[i] - u[i - 1]
            b = u[i + 1] - u[i]
            if a * b <= 0.0:
                s = 0.0
            elif abs(a) < abs(b):
                s = a
            else:
                s = b
            flux[i] = u[i] + 0.5 * (1 - c) * s
        for i in range(2, n - 1):
            u[i] = u[i] - c * (flux[i] - flux[i - 1])
    return np.sum(u * u)


@program(normal(9), 0.4, 3)
def superbee(u0, c, steps):
    u = u0.copy()
    n = len(u)
    f = np.zeros(n)
    for _ in range(steps):
        for i in range(1, n - 1):
            a, b = u[i] - u[i - 1], u[i + 1] - u[i]
            if a * b <= 0.0:
                s = 0.0
            else:
                first = 2.0 * a if abs(2.0 * a) < abs(b) else b
                second = a if abs(a) < abs(2.0 * b) else 2.0 * b
                s = first if abs(first) > abs(second) else second
            f[i] = u[i] + 0.5 * (1.0 - c) * s
        for i in range(2, n - 1):
            u[i] -= c * (f[i] - f[i - 1])
    return np.sum(u**3)


@program(normal(6, 5), normal(6, 5), 0.3, 0.7, wrt=(0, 1))
def huber_and_edges(x, y, lam, delta):
    n, m = x.shape
    e = 0.0
    for i in range(n):
        for j in range(m):
            r = x[i, j] - y[i, j]
            if abs(r) <= delta:
                e += 0.5 * r * r
            else:
                e += delta * (abs(r) - 0.5 * delta)
            if i + 1 < n:
                e += lam * np.sqrt((x[i + 1, j] - x[i, j]) ** 2 + 1e-2)
            if j + 1 < m and i > 0:
                e += lam * (x[i - 1, j + 1] - x[i, j]) ** 2
    return e


@program(normal(8), normal(8), wrt=(0, 1))
def ends_and_inside(x, w):
    n = len(x)
    total = 0.0
    for i in range(n):
        if i == 0:
            d = x[1] - x[0]
        elif i == n - 1:
            d = x[i] - x[i - 1]
        else:
            d = 0.5 * (x[i + 1] - x[i - 1])
        total += w[i] * d * d
    return total


@program(normal(8), wrt=0)
def the_guard_is_not_enough(x):
    """`x[i - 2]` counts from the end where i is 1."""
    total = 0.0
    for i in range(len(x)):
        if i > 0:
            total += x[i - 2] * x[i]
        if not (i < 3 or x[i - 3] > 0.5):
            total -= x[i - 3] ** 2
    return total


@program(positive(10), normal(10), wrt=(0, 1))
def pieces_of_a_law(strain, load):
    energy = 0.0
    for k in range(len(strain)):
        e = strain[k]
        if e < 0.3:
            s = 2.0 * e
        elif e < 0.8:
            s = 0.6 + 0.5 * (e - 0.3)
        elif e < 1.4:
            s = 0.85
        else:
            s = 0.85 - 0.3 * (e - 1.4)
        energy += s * load[k] + s * s
    return energy


@program(normal(9))
def chosen_among_choices(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        low, high = x[i] < -0.3, x[i] > 0.4
        y[i] = (1 if low else x[i] if high else -x[i] * 0.5) * (2 if low or high else x[i])
    return np.sum(y * y)


@program(normal(9), 3)
def pieces_of_a_flux_in_time(u0, steps):
    """Four branches in a loop that is taken back later: three truth values are kept."""
    u = u0.copy()
    n = len(u)
    for _ in range(steps):
        f = np.zeros(n)
        for i in range(1, n - 1):
            d = u[i + 1] - u[i - 1]
            if d < -0.8:
                s = 2.0 * d
            elif d < 0.1:
                s = 0.5 * d - 1.0
            elif d < 0.9:
                s = d * 1.5
            else:
                s = 0.3 * d + 0.2
            f[i] = s * u[i]
        for i in range(1, n - 1):
            u[i] -= 0.1 * f[i]
    return np.sum(u * u)


@program(normal(9), 3)
def branches_within_branches_in_time(u0, steps):
    u = u0.copy()
    n = len(u)
    for _ in range(steps):
        f = np.zeros(n)
        for i in range(1, n - 1):
            d, e = u[i + 1] - u[i - 1], u[i]
            if d < 0.0:
                if e < 0.0:
                    s = d * 2.0 if d < -0.5 else d * e
                else:
                    s = e * e
            elif e > 0.3:
                s = -e
            elif d > 0.7:
                s = d * d
            else:
                s = 0.1 * d
            f[i] = s
        for i in range(1, n - 1):
            u[i] += 0.1 * f[i]
    return np.sum(u * u)
