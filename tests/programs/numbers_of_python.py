"""Numbers that Python, NumPy and compiled code compute in ways of their own."""

import math

import numpy as np

from programs.registry import normal, program

X = np.array([0.3, -0.7, 1.1, 0.6, -0.2, 0.9])


@program(X, second=True)
def sums_of_numpy_truths(x):
    one = x[0] > 0
    one = one + (x[2] > 0)
    total = one * x[0]
    for v in x:
        total += v * ((v > 0) + (v > 0.5)) + v**2 * ((v > 0) * (v < 0.8))
        if ~(v > 0.5):
            total += v**3
    return total


@program(X, second=True)
def sums_of_own_truths(x):
    total = 0.0
    for i, v in enumerate(x.tolist()):
        late = i > 2
        total += v * ((v > 0) + (v > 0.5)) - late * v**2 + (~late) * v
        total += (late + late) * v + abs(late) * v + (True + late) ** 2 * v
    return total


@program(X, second=True)
def truths_that_are_true(x):
    total = 0.0
    for i, v in enumerate(x):
        late = i > 2
        match (i % 3, v > 0):
            case (0, True):
                total += v * v
            case (1, _):
                total += np.sin(v)
            case _:
                total *= v
        if late is True and (v > 0) is not False:
            total += v**3
    return total


@program(X, 3, 2)
def integers_to_negative_powers(x, n, m):
    total = x[0] * n**-m + x[1] * n ** (m - 3) + x[2] * (-n) ** -m + x[3] * n**m
    for k in range(1, 4):
        total += x[k] * 10 ** (-k) + k**-2 * x[0] + 2**k * x[k] ** 2
    return total + np.sum(x) * len(x) ** -1


@program(X)
def integers_without_end(x):
    factorial, a, b, total = 1, 0, 1, 0.0
    for k in range(1, 26):
        factorial *= k
        total += x[1] * (factorial / 1e25) + x[2] * (k**15 / 1e20)
    for _ in range(100):
        a, b = b, a + b
    return total + x[0] * (b / 1e20)


@program(normal(3))
def decimals_of_floats(x):
    total = 0.0
    for i in range(40):
        total += x[i % 3] * (round(i * 1.115, 2) + round(-i * 0.125, 2))
    return total


@program(X, second=True)
def integers_of_each_step(x):
    y, total = x * 1.0, 0.0
    for n in range(1, 8):
        k = math.gcd(n, 12) + math.isqrt(n) + math.comb(n, 2) + n.bit_length()
        place = int(f"{n:03b}"[::-1], 2) % 6 + int("10", base=2)
        total += k * y[n % 6] * y[place % 6] + x[0] * total * 0.01
        y[n % 6] *= 1 + 0.1 * k
    return total + np.sum(y)


@program(X, second=True)
def lengths_of_each_step(x):
    y, total = x * 1.0, 0.0
    for n in range(9):
        k = np.array_split(np.arange(n), [2])[0].size + np.diag(np.ones((4, 2)), -n).size
        j = np.tril_indices(3, n - 4)[0].size + np.packbits(np.ones(n, int)).size
        i = np.squeeze(np.ones((n, 1))).ndim + np.rot90(np.ones((2, 3)), n).shape[0]
        h = np.linalg.svd(np.ones((n + 1, 3)))[1].size + np.bitwise_or.reduce([n, 3])
        total += k * y[n % 6] + j * y[0] * y[n % 5] + i * y[1] + h * y[2] ** 2 + total * y[3]
        y[n % 6] *= 1 + 0.1 * k
        y[0] *= 1 + 0.1 * j
        y[1] *= 1 + 0.1 * i
        y[2] *= 1 + 0.1 * h
    return total + np.sum(y)


@program(X, second=True)
def numbers_beside_nan(x):
    total, nothing = 0.0, float("nan")
    for v in x:
        total += max(v, nothing) ** 2 + min(v, nothing)
        if max(nothing, v) != nothing:
            total += v
    for k in range(60, 66):
        total += x[k % 6] * ((1 << k) / 1e18)
    return total


@program(normal(40), np.arange(40) % 7, (np.arange(40) % 5).astype(float))
def orders_of_equal_keys(x, k, t):
    places = np.arange(40)
    total = np.sum(x[np.argsort(k)] * places) + np.sum(x[k.argsort()[::-1]] ** 2 * places)
    total += np.sum(x[np.argsort(t + 0 * x)] * places) + np.sum(x[np.argpartition(k, 9)] * places)
    return total + np.sum(np.partition(x, [10, 30]) * places) + x[np.argsort(x)[3]]


@program(normal(3), jit=True)
def filled_with_numbers_of_another_kind(x):
    whole = np.full_like(np.array([1, 2, 3]), 1.5)
    truths, twos = np.full_like(x > 0, 3), np.full_like(x, 2)
    return np.sum(whole * x) + np.sum(truths * x**2) + np.sum(twos * x / (twos + x**2))


@program(np.float64(1.5), jit=True, second=True)
def a_number_of_numpy_turned(t):
    u = t.real * t
    return u.T * t.item() + float(t.T) * np.sin(u.T)
