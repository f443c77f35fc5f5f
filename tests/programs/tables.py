"""Dynamic programming: tables that are lists, dicts and arrays."""

import collections
import functools
import math

import numpy as np

from programs.registry import program

rng = np.random.default_rng(12)

X = rng.normal(size=6)

P = rng.uniform(0.5, 1.5, size=6)

D = rng.normal(size=(5, 2))


@program(X, second=True)
def soft_alignment(x):
    a, b = (x[:3], x[3:])
    n, m = (len(a), len(b))
    D = [[math.inf] * (m + 1) for _ in range(n + 1)]
    D[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            prev = [D[i - 1][j], D[i][j - 1], D[i - 1][j - 1]]
            mn = min(prev)
            D[i][j] = (
                cost
                + mn
                - 0.1 * math.log(sum((math.exp(-(p - mn) / 0.1) for p in prev if p < math.inf)))
            )
    return D[n][m]


@program(X, second=True)
def knapsack(x):
    w = [2, 3, 4, 1, 5, 2]
    cap = 8
    best = [0.0] * (cap + 1)
    keep = [[] for _ in range(cap + 1)]
    for i, v in enumerate(x):
        for c in range(cap, w[i] - 1, -1):
            cand = best[c - w[i]] + v**2
            if cand > best[c]:
                best[c] = cand
                keep[c] = keep[c - w[i]] + [i]
    return best[cap] + sum((x[i] for i in keep[cap]))


@program(X, second=True)
def viterbi(x):
    trans = np.log(np.array([[0.7, 0.3], [0.4, 0.6]]))
    obs = [0, 1, 1, 0]
    em = {0: x[:2], 1: x[2:4]}
    V = [{s: em[s][obs[0]] for s in (0, 1)}]
    path = {s: [s] for s in (0, 1)}
    for t in range(1, len(obs)):
        V.append({})
        new = {}
        for s in (0, 1):
            p, st = max(((V[t - 1][r] + trans[r, s] + em[s][obs[t]], r) for r in (0, 1)))
            V[t][s] = p
            new[s] = path[st] + [s]
        path = new
    best = max(V[-1].values())
    return best + 0.1 * sum((x[4] * k for k in path[0]))


@functools.lru_cache(maxsize=None)
def binom(n, k):
    if k == 0 or k == n:
        return 1
    return binom(n - 1, k - 1) + binom(n - 1, k)


@program(X, second=True)
def bernstein(x):
    n = len(x) - 1
    s = 0.0
    for t in (0.2, 0.5, 0.9):
        s += sum((binom(n, k) * t**k * (1 - t) ** (n - k) * x[k] for k in range(n + 1))) ** 2
    return s


@program(P)
def chain_of_products(x):
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
def edit_distance(x):
    s, t = ("kitten", "sitting")
    sub, ins, dele = (x[0], x[1], x[2])
    prev = [j * ins for j in range(len(t) + 1)]
    for i, cs in enumerate(s, 1):
        cur = [i * dele]
        for j, ct in enumerate(t, 1):
            cur.append(
                min(prev[j] + dele, cur[j - 1] + ins, prev[j - 1] + (0 if cs == ct else sub))
            )
        prev = cur
    return prev[-1] ** 2


@program(X[:5], second=True)
def views_show_what_the_dict_holds(x):
    d = {"a": x[0], "b": x[1], "c": x[2]}
    total = 0.0
    for key, v in d.items():
        d["c"] = v * d[key]
        total += v**2
    values, items = d.values(), d.items()
    before = list(d.values())
    d["a"] = x[3] * 2
    d["z"] = x[4]
    total += sum(values) * before[0]
    for key in d.keys():  # noqa: SIM118
        d[key] = d[key] ** 2
    for v in d.values():
        total += v
        d["c"] = total * 0.1
    for _ in range(2):
        for key, v in items:
            d[key] = v * 0.9 + d["b"] * 0.1
    return total + sum(v * (i + 1) for i, (_, v) in enumerate(items)) * len(values)


@program(X[:5], second=True)
def products_of_polynomials_in_dicts(x):
    def times(p, q):
        found = collections.defaultdict(float)
        for i, a in p.items():
            for j, b in q.items():
                found[i + j] += a * b
        return dict(found)

    poly = {0: x[0], 1: x[1], 3: x[2]}
    cube = times(times(poly, poly), {0: 1.0, 2: x[3]})
    cells = collections.defaultdict(float)
    for i, v in enumerate(x):
        cells[i % 2, i % 3] += v * v
    copied = dict(cells)
    copied[0, 0] *= 2
    total = sum(v * (i + 2 * j) for (i, j), v in copied.items()) + cells[0, 0]
    return total + sum(c * 0.5**k for k, c in sorted(cube.items()))
