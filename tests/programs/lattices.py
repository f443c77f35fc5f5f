"""Lattices that shrink step by step: prices of options, Bernstein polynomials, wavelets."""

import numpy as np

from programs.registry import normal, positive, program


@program(1.0, 1.05, 0.52, 1.1, 6, wrt=(0, 1, 2, 3), jit=True)
def american_put(spot, up, p, strike, steps):
    prices = spot * up ** (2.0 * np.arange(steps + 1) - steps)
    values = np.maximum(strike - prices, 0.0)
    for i in range(steps - 1, -1, -1):
        values = 0.999 * (p * values[1:] + (1 - p) * values[:-1])
        prices = spot * up ** (2.0 * np.arange(i + 1) - i)
        values = np.maximum(values, strike - prices)
    return values[0]


@program(1.0, 1.05, 0.52, 1.1, 40, wrt=(0, 1, 2, 3), jit=True)
def american_put_in_place(spot, up, p, strike, steps):
    prices = spot * up ** (2.0 * np.arange(steps + 1) - steps)
    values = np.maximum(strike - prices, 0.0)
    for i in range(steps - 1, -1, -1):
        prices[: i + 1] = prices[1 : i + 2] / up
        held = p * values[1 : i + 2] + (1 - p) * values[: i + 1]
        values[: i + 1] = np.maximum(0.999 * held, strike - prices[: i + 1])
    return values[0]


@program(1.0, 1.05, 0.52, 1.1, 23, wrt=(0, 1, 2, 3), jit=True)
def american_put_entry_by_entry(spot, up, p, strike, steps):
    values = np.empty(steps + 1)
    for j in range(steps + 1):
        values[j] = max(strike - spot * up ** (2.0 * j - steps), 0.0)
    for i in range(steps - 1, -1, -1):
        for j in range(i + 1):
            held = 0.999 * (p * values[j + 1] + (1 - p) * values[j])
            values[j] = max(held, strike - spot * up ** (2.0 * j - i))
    return values[0]


@program(positive(40), 1.3, wrt=(0, 1), jit=True)
def powers_from_the_last_to_the_first(c, x):
    total, carried = 0.0, 0.0
    for k in range(39, -1, -1):
        carried = 0.9 * carried + c[k] * x ** (0.1 * k - 2.0)
        total += carried * c[k]
    return total


@program(positive(5), np.array([0.0, 1.0, 2.0, -1.5, 0.5]), jit=True)
def powers_by_exponents_that_may_be_zero(x, n):
    return np.sum(x**n * np.arange(5.0)) + np.sum(np.sin(x) ** n[::-1])


@program(normal(7), 0.3, wrt=(0, 1), jit=True)
def bernstein(b, t):
    while b.shape[0] > 1:
        b = (1 - t) * b[:-1] + t * b[1:]
    return b[0]


@program(normal(16), jit=True)
def haar_wavelets(x):
    total = 0.0
    while x.shape[0] > 1:
        mean = (x[::2] + x[1::2]) / np.sqrt(2.0)
        rest = (x[::2] - x[1::2]) / np.sqrt(2.0)
        total += np.sum(rest**2 * np.arange(1, rest.shape[0] + 1))
        x = mean
    return total + x[0] ** 3


@program(normal(6), jit=True)
def richardson(y):
    k = 1
    while y.shape[0] > 1:
        y = (4.0**k * y[1:] - y[:-1]) / (4.0**k - 1)
        k += 1
    return y[0] ** 2
