"""Functions that recursive functions are given or read: chosen by a run, partial, of an object."""

import math
from functools import partial

import numpy as np
from scipy import optimize

from programs.registry import normal, program


@program(normal(4), 1, jit=True, second=True)
def halved_until_a_chosen_one_takes_it(x, n):
    f = math.sin if n else math.cos
    h = (lambda v: v * x[0]) if n > 1 else (lambda v: v + x[1])

    def g(v):
        return f(v) * h(v) if v < 1 else g(v / 2)

    return g(x[0] * 9) + h(x[2])


@program(normal(4), 2, jit=True, second=True)
def integrated_by_halves(x, n):
    def simpson(f, a, b):
        return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

    def adapted(f, a, b, d):
        m = (a + b) / 2
        if d == 0:
            return simpson(f, a, b)
        return adapted(f, a, m, d - 1) + adapted(f, m, b, d - 1)

    mine = adapted(lambda s: np.sin(s * x[0]) * x[1], x[2], x[3], n)
    return mine + adapted(np.exp if n else np.cos, x[0], x[1], n)


@program(normal(4), 2, jit=True, second=True)
def root_of_a_partial_one(x, n):
    def bisected(fn, a, b, d):
        c = 0.5 * (a + b)
        if d == 0:
            return c
        return bisected(fn, a, c, d - 1) if fn(c) > 0 else bisected(fn, c, b, d - 1)

    f = partial(lambda k, s: s * s * s + s - k, x[0] ** 2)
    c = bisected(f, 0.0, 2.0, n * 3)
    return c - f(c) * x[1]


@program(normal(4), 2, jit=True, second=True)
def defaults_that_were_computed(x, n):
    w = x[1]

    def scaled(v, k=x[2], *, j=w):
        return v * k + j

    w = 100.0

    def g(v, fn=scaled):
        return fn(v) if v < n else g(v / 2) + fn(v, 2.0)

    return g(x[0] * 3) + g(x[2] * 5, lambda v, q=x[3]: v * q) + w


class Spring:
    def __init__(self, k):
        self.k, self.pulled = k, 0

    def force(self, v):
        return v * self.k + 1.0

    def pull(self, v):
        self.pulled += 1
        self.k = self.k * 1.5
        return v * self.k


@program(normal(4), 2, second=True)
def methods_that_were_given(x, n):
    spring, other = Spring(x[1]), Spring(x[2])
    force, pull = spring.force, other.pull

    def g(v, fn, d):
        if d == 0:
            return fn(v)
        return g(v * 0.5, fn, d - 1) + force(v) * pull(1.0)

    spring.k = x[3]
    return g(x[0], spring.force, n) + other.k * other.pulled


@program(normal(4), 2, jit=True, second=True)
def functions_in_a_table(x, n):
    table = {"a": lambda v: v * x[0], "b": math.exp}
    steps = [lambda v: v * x[1], lambda v: v + x[2]]

    def g(v, key, k):
        taken = steps[k % 2](v)
        return table[key](taken) if v < 1 else g(v / 2, "a" if key == "b" else "b", k + 1)

    return g(x[0], "a", n) + g(x[2] * 5, "b", 0)


@program(normal(), 2)
def roots_found_in_each_call(a, n):
    def go(v, d):
        if d == 0:
            return v
        found = optimize.brentq(lambda t: t**3 + t - v, -10.0, 10.0)
        return go(found + v * 0.5, d - 1) * v

    return go(a + 2.0, n)
