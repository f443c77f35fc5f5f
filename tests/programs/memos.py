"""Recursive functions that keep what they have computed."""

import functools

import numpy as np

from programs.registry import program

rng = np.random.default_rng(3)

P = rng.uniform(0.5, 1.5, size=6)


@program(P)
def of_pairs_in_a_generator(x):
    memo = {}

    def cost(i, j):
        if i == j:
            return 0.0
        if (i, j) in memo:
            return memo[i, j]
        r = min((cost(i, k) + cost(k + 1, j) + x[i] * x[k] * x[j] for k in range(i, j)))
        memo[i, j] = r
        return r

    return cost(0, 3)


@program(P, second=True)
def dict_around(x):
    memo = {}

    def fib(n):
        if n in memo:
            return memo[n]
        if n < 2:
            v = x[n]
        else:
            v = np.sin(fib(n - 1)) + x[2] * fib(n - 2)
        memo[n] = v
        return v

    return fib(7)


def rec(n, x, memo):
    if n in memo:
        return memo[n]
    memo[n] = x[0] if n <= 1 else rec(n - 1, x, memo) * x[1] + rec(n - 2, x, memo)
    return memo[n]


@program(P, second=True)
def dict_as_argument(x):
    return rec(6, x, {})


def rec2(n, x, memo=None):
    if memo is None:
        memo = {}
    if n in memo:
        return memo[n]
    if n <= 1:
        return x[n]
    memo[n] = rec2(n - 1, x, memo) * x[1] + rec2(n - 2, x, memo)
    return memo[n]


@program(P, second=True)
def dict_made_on_demand(x):
    return rec2(6, x)


@program(P)
def of_pairs_in_a_loop(x):
    memo = {}

    def cost(i, j):
        if i == j:
            return 0.0
        if (i, j) in memo:
            return memo[i, j]
        best = None
        for k in range(i, j):
            c = cost(i, k) + cost(k + 1, j) + x[i] * x[k] * x[j]
            if best is None or c < best:
                best = c
        memo[i, j] = best
        return best

    return cost(0, 3)


@program(P, second=True)
def table_of_none(x):
    n = len(x)
    memo = [[None] * n for _ in range(n)]

    def go(i, j):
        if i == 0 or j == 0:
            return x[i] * x[j]
        if memo[i][j] is not None:
            return memo[i][j]
        memo[i][j] = min(go(i - 1, j), go(i, j - 1)) + x[j] ** 2
        return memo[i][j]

    return go(3, 3)


@program(P, second=True)
def table_of_nan(x):
    n = len(x)
    memo = np.full((n, n), np.nan)

    def go(i, j):
        if i == 0 or j == 0:
            return x[i] * x[j]
        if not np.isnan(memo[i, j]):
            return memo[i, j]
        memo[i, j] = min(go(i - 1, j), go(i, j - 1)) + x[j] ** 2
        return memo[i, j]

    return go(3, 3)


@program(P, second=True)
def cached(x):

    @functools.lru_cache(maxsize=None)
    def go(i, j):
        if i == 0 or j == 0:
            return x[i] * x[j]
        return min(go(i - 1, j), go(i, j - 1)) + x[j] ** 2

    return go(3, 3)


@program(P[:4], jit=True)
def cheapest_brackets_of_a_few(p):
    @functools.lru_cache(maxsize=None)
    def cost(i, j):
        if i >= j:
            return 0.0
        return min(cost(i, k) + cost(k + 1, j) for k in range(i, j)) + p[j] ** 3 * p[i]

    return cost(0, 3)
