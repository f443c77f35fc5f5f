"""Recursive functions that change what stands outside of them: they are written out."""

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4))
def pairs_by_backtracking(x):
    found, path = [], []

    def go(i, product):
        if len(path) == 2:
            found.append(product)
            return
        for j in [0, 1, 2, 3][i:]:
            path.append(j)
            go(j + 1, product * x[j])
            path.pop()

    go(0, 1.0)
    return sum(found)


@program(normal(4), second=True)
def nested_list_flattened(x):
    tree, flat = [x[0], [x[1], [x[2], x[3]]], [2.0 * x[0]]], []

    def walk(node, depth):
        if isinstance(node, list):
            for child in node:
                walk(child, depth + 1)
        else:
            flat.append(node * depth)

    walk(tree, 0)
    return sum(i * v**2 for i, v in enumerate(flat))


@program(positive(4), second=True)
def memo_in_a_closure(x):
    memo = {}

    def value(n):
        if n in memo:
            return memo[n]
        result = x[n] if n < 2 else value(n - 1) + value(n - 2) * x[2]
        memo[n] = result
        return result

    return value(6) ** 2


def _leaves(tree, out):
    if isinstance(tree, dict):
        for branch in tree.values():
            _leaves(branch, out)
    else:
        out.append(tree)


@program(normal(4))
def leaves_collected_in_an_argument(x):
    out = []
    _leaves({"a": x[0], "b": {"c": x[1], "d": x[2]}}, out)
    return sum(v * v for v in out)


@program(positive(4))
def depth_first_order(w):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    cost = {(0, 1): w[0], (0, 2): w[1], (1, 3): w[2], (2, 3): w[3]}
    seen, order = set(), []

    def visit(u):
        seen.add(u)
        for v in graph[u]:
            if v not in seen:
                visit(v)
        order.append(u)

    visit(0)
    far = dict.fromkeys(graph, np.inf)
    far[0] = 0.0
    for u in reversed(order):
        for v in graph[u]:
            far[v] = min(far[v], far[u] + cost[u, v])
    return far[3] ** 2


@program(positive(3))
def towers_of_hanoi(x):
    pegs, s = [[3, 2, 1], [], []], 0.0

    def move(n, a, b, c):
        nonlocal s
        if n == 0:
            return
        move(n - 1, a, c, b)
        disc = pegs[a].pop()
        pegs[c].append(disc)
        s += x[disc - 1] ** 2 * len(pegs[c])
        move(n - 1, b, a, c)

    move(3, 0, 1, 2)
    return s


_WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])
_TABLE = {"scale": 1.5, "steps": [1.0, 2.0]}


def _reads_globals(x, n):
    if n == 0:
        return x * _WEIGHTS
    return np.sin(_reads_globals(x, n - 1) * _TABLE["scale"]) + x * _TABLE["steps"][0]


@program(normal(4), 3, second=True)
def globals_read_by_a_recursive_function(x, n):
    return np.sum(_reads_globals(x, n) * _WEIGHTS)


def _one_of_two_kinds(x, n, scale=None):
    if scale is None:
        scale = x[0]
    if n == 0:
        return scale * x[1]
    if n % 2:
        return _one_of_two_kinds(x, n - 1, scale * 0.9) + _one_of_two_kinds(x, n - 1)
    return _one_of_two_kinds(x, n - 1, scale)


@program(positive(4), 4, second=True)
def argument_that_is_none_at_first(x, n):
    return _one_of_two_kinds(x, n)


def _adaptive(f, a, b, tolerance, p):
    m = 0.5 * (a + b)
    one = 0.5 * (b - a) * (f(a, p) + f(b, p))
    two = 0.25 * (b - a) * (f(a, p) + 2.0 * f(m, p) + f(b, p))
    if abs(one - two) < tolerance:
        return two
    return _adaptive(f, a, m, tolerance / 2, p) + _adaptive(f, m, b, tolerance / 2, p)


@program(positive(2), second=True)
def quadrature_to_a_tolerance(p):
    return _adaptive(lambda t, p: np.exp(-p[0] * t) * np.sin(p[1] * t), 0.0, 2.0, 1e-2, p)


def _spectrum(z):
    if len(z) == 1:
        return z
    even, odd = _spectrum(z[::2]), _spectrum(z[1::2])
    odd = np.exp(-2j * np.pi * np.arange(len(odd)) / len(z)) * odd
    return np.concatenate([even + odd, even - odd])


@program(normal(8), second=True)
def fourier_transform_of_halves(x):
    return np.sum(np.abs(_spectrum(x + 0j)) ** 2 * np.arange(8.0))


def _two_results(x, n):
    if n == 0:
        return x * 2.0, x + 1.0
    a, b = _two_results(x * 0.9, n - 1)
    return np.sin(a) * b, a + x


@program(normal(4), 3, second=True)
def several_results_of_a_recursive_function(x, n):
    a, b = _two_results(x, n)
    return np.sum(a * b)


def _product(a, b):
    n = a.shape[0]
    if n == 1:
        return a * b
    h = n // 2
    above = [
        _product(a[:h, :h], b[:h, :h]) + _product(a[:h, h:], b[h:, :h]),
        _product(a[:h, :h], b[:h, h:]) + _product(a[:h, h:], b[h:, h:]),
    ]
    below = [
        _product(a[h:, :h], b[:h, :h]) + _product(a[h:, h:], b[h:, :h]),
        _product(a[h:, :h], b[:h, h:]) + _product(a[h:, h:], b[h:, h:]),
    ]
    return np.block([above, below])


@program(normal(2, 2), second=True)
def matrix_product_by_blocks(x):
    return np.sum(_product(x, x.T) * np.arange(4.0).reshape(2, 2))


def lowest(table, k, best):
    if k >= len(table):
        return best
    best = min(best, table[k] ** 2)
    best = lowest(table, 2 * k + 1, best)
    return lowest(table, 2 * k + 2, best * 1.1)


def scaled_down(x, k, a):
    if k == len(x):
        return a
    a = scaled_up(x, k + 1, a + x[k])
    return scaled_up(x, k + 1, 0.5 * a) if k < 3 else a


def scaled_up(x, k, a):
    if k == len(x):
        return 2.0 * a
    a = scaled_down(x, k + 1, a * x[k])
    return scaled_down(x, k + 1, a)


def collected(x, k, out, total):
    if k >= len(x):
        return total
    out.append(x[k] * total)
    total = collected(x, 2 * k + 1, out, total + x[k])
    return collected(x, 2 * k + 2, out, 1.1 * total)


@program(positive(4), second=True)
def results_that_are_passed_on(x):
    """What one call returns is an argument of the next one, before anything is known of it."""
    out = []
    total = collected(x, 0, out, x[0]) * lowest(x, 0, 100.0)
    return total + scaled_down(x, 0, 1.0) + sum(v**2 for v in out)
