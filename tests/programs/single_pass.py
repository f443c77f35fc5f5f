"""Loops whose iterations are independent: compiled code takes each back at once."""

from __future__ import annotations

import math

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6, 3), 1.6, wrt=(0, 1))
def pair_energy(pos, rc):
    n = pos.shape[0]
    e = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r2 = 0.0
            for a in range(3):
                d = pos[i, a] - pos[j, a]
                r2 += d * d
            if r2 < rc * rc:
                s = 1.0 / (0.5 + r2) ** 3
                e += 4.0 * (s * s - s) + (rc - math.sqrt(r2)) ** 2
    return e


@program(normal(7), normal(7), wrt=(0, 1))
def weighted_curve(x, w):
    out = 0.0
    for i in range(len(x)):
        y = math.exp(-x[i] * x[i]) * math.sin(x[i])
        out += w[i] * y
    return out


@program(normal(6, 3), normal(3), wrt=(0, 1))
def rows_through_a_neuron(x, w):
    total = 0.0
    for v in x:
        z = np.tanh(v @ w)
        total += z * z
    return total


@program(normal(5, 3), positive(4, 2), normal(4), wrt=(0, 1, 2))
def field_of_sources(src, points, weights):
    out = np.zeros(len(points))
    for i in range(len(points)):
        for j in range(len(src)):
            r = math.sqrt((points[i, 0] - src[j, 0]) ** 2 + (points[i, 1] - src[j, 1]) ** 2 + 0.1)
            out[i] += src[j, 2] / r
    return np.sum(out * weights)


@program(normal(4), normal(8), normal(8), wrt=(0,))
def residuals_of_a_fit(theta, t, y):
    prediction = np.zeros(len(t))
    for k in range(len(t)):
        prediction[k] = theta[0] * math.exp(-theta[1] * t[k]) + theta[2] * math.cos(theta[3] * t[k])
    r = prediction - y
    return 0.5 * np.sum(r**2)


@program(normal(2, 6, 4))
def pooled(x):
    channels, height, width = x.shape
    out = np.zeros((channels, height // 2, width // 2))
    for c in range(channels):
        for i in range(height // 2):
            for j in range(width // 2):
                m = -np.inf
                for a in range(2):
                    for b in range(2):
                        m = max(m, x[c, 2 * i + a, 2 * j + b])
                out[c, i, j] = m
    return np.sum(out**2)


@program(normal(6))
def one_that_looks_back(x):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = math.tanh(y[i - 1] + x[i])
    return np.sum(y**2)


@program(normal(6))
def result_used_by_its_neighbour(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = math.exp(x[i])
    return np.sum(y[1:] * y[:-1])


@program(normal(6))
def written_in_place(x):
    y = x.copy()
    for i in range(len(y)):
        y[i] = math.sin(y[i]) * y[i]
        y[i] *= math.cos(y[i])
    return np.sum(y)


@program(normal(6))
def written_from_the_end(x):
    y = x.copy()
    for i in range(len(y) - 1, -1, -1):
        y[i] = math.sin(y[i]) * y[len(y) - 1 - i]
    return np.sum(y)


@program(normal(7))
def some_are_left_out(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        s = math.sqrt(x[i] + 1.0)
        total += s * x[i]
    return total


@program(normal(7))
def left_at_the_first(x):
    total = 0.0
    for i in range(len(x)):
        s = math.exp(x[i])
        total += s * s
        if total > 4.0:
            break
    return total * x[0]


@program(normal(6))
def loss_scales_its_own_sum(x):
    total = 0.0
    for i in range(len(x)):
        s = math.exp(x[i])
        total += s * s
    return math.log(total)


@program(normal(6))
def last_one_counts_again(x):
    total, s = 0.0, 0.0
    for i in range(len(x)):
        s = math.exp(x[i])
        total += s * s
    return total + s


@program(normal(5), 4)
def newton_in_each(x, steps):
    total = 0.0
    for i in range(len(x)):
        c = x[i] * x[i] + 1.0
        y = 1.0
        k = 0
        while k < steps:
            y = 0.5 * (y + c / y)
            k += 1
        total += y * x[i]
    return total


@program(normal(4, 3), normal(3, 3), wrt=(0, 1))
def arrays_made_in_each(x, a):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        h = np.tanh(a @ x[i])
        g = h * h
        g[0] += h[1] * x[i, 2]
        out[i] = np.sum(g)
    return np.sum(out)


@program(normal(4, 3))
def a_view_in_each(x):
    y = x * 1.0
    for i in range(y.shape[0]):
        row = y[i]
        row *= np.sin(row)
        row[0] += row[1] ** 2
    return np.sum(y**2)


@program(normal(5), normal(5), wrt=(0, 1))
def one_array_holds_all(x, y):
    z = np.zeros(5)
    for i in range(5):
        t = math.exp(x[i] * y[i])
        z[i] = t
        z[(i + 1) % 5] += t * y[i]
    return np.sum(z**2)


@program(normal(4, 6), positive(4), wrt=(0, 1))
def inner_sums_first(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        top = -1e9
        for j in range(x.shape[1]):
            if x[i, j] > top:
                top = x[i, j]
        z = 0.0
        for j in range(x.shape[1]):
            z += math.exp(x[i, j] - top)
        for j in range(x.shape[1]):
            p = math.exp(x[i, j] - top) / z
            total += w[i] * p * p
    return total


@program(normal(8), normal(7), wrt=(0, 1))
def time_warping(x, y):
    n, m = len(x), len(y)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d = (x[i - 1] - y[j - 1]) ** 2
            cost[i, j] = d + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]


@program(normal(5, 6), 0.7, 0.2, wrt=(0, 1, 2))
def local_alignment(s, opening, extending):
    n, m = s.shape
    h = np.zeros((n + 1, m + 1))
    e = np.full((n + 1, m + 1), -1e9)
    f = np.full((n + 1, m + 1), -1e9)
    best = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            e[i, j] = max(e[i, j - 1] - extending, h[i, j - 1] - opening)
            f[i, j] = max(f[i - 1, j] - extending, h[i - 1, j] - opening)
            h[i, j] = max(0.0, h[i - 1, j - 1] + s[i - 1, j - 1], e[i, j], f[i, j])
            best = max(best, h[i, j])
    return best


@program(normal(4), normal(6), wrt=(0, 1))
def last_counter_is_used(a, x):
    total = 0.0
    i = 0
    for i in range(len(x)):
        s = math.exp(x[i])
        total += s * s * a[0]
    return total * a[i % 4]


@program(normal(6), normal(6), wrt=(0, 1))
def cotangent_of_what_it_scales(x, w):
    y = np.zeros(6)
    for i in range(6):
        s = math.sqrt(x[i] ** 2 + 1.0)
        y[i] = s * x[i]
    z = y * w - x
    return np.sum(z * z) + y[2]
