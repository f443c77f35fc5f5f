"""Sine and cosine of the same value: each is the derivative of the other."""

from __future__ import annotations

import math

import numpy as np

from programs.registry import normal, positive, program


@program(positive(5), 0.3, wrt=(0, 1), jit=True)
def anomaly_by_newton(means, e):
    out = 0.0
    for i in range(means.shape[0]):
        E = means[i]
        for _ in range(50):
            d = (E - e * np.sin(E) - means[i]) / (1 - e * np.cos(E))
            E -= d
            if abs(d) < 1e-13:
                break
        out += np.cos(E)
    return out


@program(normal(5), 0.7, 1.2, wrt=(0, 1, 2), jit=True)
def turned_step_by_step(angles, x, y):
    s = 0.0
    for a in angles:
        cos, sin = np.cos(a), np.sin(a)
        x, y = cos * x - sin * y, sin * x + cos * y
        s += x * y
    return s


@program(0.4, 0.1, 0.05, 20, wrt=(0, 1, 2), jit=True)
def cart_and_pendulum(th, w, dt, n):
    for _ in range(n):
        s = math.sin(th)
        c = math.cos(th)
        w = w + dt * (-9.81 * s - 0.1 * w * c) / (1.0 + 0.2 * s * s)
        th = th + dt * w
    return th**2


@program(normal(4), second=True)
def written_over_in_between(x):
    x = x.copy()
    s = np.sin(x)
    x[1:] += s[:-1]
    c = np.cos(x)
    return np.sum(s * c)


@program(normal(4), second=True, jit=True)
def written_over_behind(x):
    x = x.copy()
    s = np.sin(x)
    c = np.cos(x)
    x[1:] += s[:-1] * c[1:]
    return np.sum(s * c * x)


@program(normal(4), second=True, jit=True)
def one_of_them_scaled(x):
    s, c = np.sin(x), np.cos(x)
    x = 2.0 * x
    c *= 3.0
    return np.sum(s * c) + np.sum(x**2)


@program(normal(4), 4, jit=True)
def other_order_on_the_other_path(x, n):
    y, t = x[0], 0.0
    for _ in range(n):
        if y > 0.3:
            s = math.sin(y)
            c = math.cos(y)
            y = y * s + c * c
        else:
            c = math.cos(y)
            s = math.sin(y)
            y = y * c - s * s * 0.5
        t += s * c
    return t + y


@program(normal(3), 3, jit=True)
def of_hyperbolas_in_steps(x, n):
    q = x.copy()
    for _ in range(n):
        ch, sh = np.cosh(q[0]), np.sinh(q[0])
        turned = np.sin(q[0]) * np.cos(q[0]) + sh * ch
        q = np.array([q[1] * ch - sh * 0.1, q[2] * 0.9, turned]) * 0.5
    return q[0] * q[1] + q[2]


@program(normal(4), 3, jit=True)
def matrices_of_turns(x, n):
    T = np.eye(3)
    for k in range(n):
        s, c = np.sin(x[k]), np.cos(x[k])
        T = T @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        T = T @ np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    return np.sum(T @ np.array([1.0, 2.0, 3.0]))
