"""Tables in dicts by keys that only a run knows: states, sparse matrices, graphs, what is known."""

import heapq
import math
from collections import Counter, defaultdict

import numpy as np

from programs.registry import program

V = np.array([0.7, 1.1, 0.45, 1.6, 0.9, 1.35])
ROWS, COLUMNS = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 1, 0, 1, 2])
EDGES = np.array([[0, 1], [1, 2], [0, 2], [2, 3], [1, 3], [3, 4]])


@program(V, ROWS, COLUMNS, second=True, jit=True)
def sparse_matrix(x, rows, columns):
    entries = {}
    for i, j, v in zip(rows, columns, x):
        entries[i, j] = entries.get((i, j), 0.0) + v
    b = np.array([1.0, 2.0, 3.0])
    y = np.zeros(3)
    for (i, j), v in entries.items():
        y[i] += v * b[j]
    return np.sum(y**2)


@program(V, np.array([0, 3, 5]), np.array([3, 5, 7]), second=True, jit=True)
def sparse_vectors(x, p, q):
    a = {i: v for i, v in zip(p, x)}
    b = {i: v**2 for i, v in zip(q, x[3:])}
    dot = 0.0
    for i, v in a.items():
        if i in b:
            dot += v * b[i]
    return dot**2 + sum(v * v for v in a.values()) + max(b.values())


@program(V, 4, second=True, jit=True)
def powers_of_a_polynomial(x, n):
    p = {0: 1.0}
    for m in range(n):
        r = {}
        for k, c in p.items():
            r[k] = r.get(k, 0.0) + c * x[m]
            r[k + 1] = r.get(k + 1, 0.0) + c * (1 - x[m])
        p = r
    return sum(c * k * k for k, c in p.items())


@program(V, second=True, jit=True)
def product_of_polynomials(x):
    p = {0: x[0], 1: x[1], 3: x[2]}
    q = {0: x[3], 2: x[4]}
    r = Counter()
    for i, a in p.items():
        for j, b in q.items():
            r[i + j] += a * b
    return sum(c * 0.7**k for k, c in r.items())


@program(V, 4, second=True, jit=True)
def random_walk(x, n):
    at = {(0, 0): 1.0}
    for _ in range(n):
        then = defaultdict(float)
        for (i, j), c in at.items():
            then[i + 1, j] += c * x[0]
            then[i, j + 1] += c * x[1]
            then[i - 1, j] += c * x[2]
        at = then
    return sum(c * (i * i + j) for (i, j), c in at.items() if i >= 0)


@program(V, ROWS, second=True, jit=True)
def plain_or_with_a_default(x, steps):
    at = {0: x[0]}
    first = at
    for k, v in zip(steps, x):
        then = defaultdict(float)
        for s in at:
            then[s + k] += at[s] * v
            then[s] += at[s] * (2 - v)
        at = then
    first[5] = x[3]
    return sum(s * c for s, c in at.items()) + at.get(3, 0.5) + sum(first.values()) ** 2


@program(V, ROWS, second=True, jit=True)
def default_or_plain_by_a_test(x, steps):
    held = defaultdict(float)
    held[0] = x[0]
    for k, v in zip(steps, x):
        if k in held:
            held = {j: w * v for j, w in held.items()}
            held[k + 1] = v
        else:
            held[k] = v
    return sum((k + 1) * v**2 for k, v in held.items())


@program(V, np.array([1, 0, 2, 1]), second=True, jit=True)
def forward_algorithm(x, seen):
    states = ("rain", "sun")
    start = {"rain": x[0], "sun": 1 - x[0]}
    move = {"rain": {"rain": x[1], "sun": 1.5 - x[1]}, "sun": {"rain": x[2], "sun": 1 - x[2]}}
    show = {"rain": [x[3], x[4], x[5]], "sun": [x[5], x[3], x[4]]}
    f = {s: start[s] * show[s][seen[0]] for s in states}
    for o in seen[1:]:
        f = {s: sum(f[r] * move[r][s] for r in f) * show[s][o] for s in states}
    return np.log(sum(f.values()))


@program(V, second=True, jit=True)
def cheapest_order(x):
    best = {}
    n = len(x)
    for i in range(n):
        best[i, i] = x[i]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            best[i, j] = min(best[i, k] * best[k + 1, j] + x[i] * x[k] for k in range(i, j))
    return best[0, n - 1]


@program(V, second=True, jit=True)
def known_by_pairs(x):
    known = {}

    def paths(i, j):
        key = (i, j)
        if key in known:
            return known[key]
        if i == 0 or j == 0:
            r = x[i] * x[j]
        else:
            r = paths(i - 1, j) + x[i] * paths(i, j - 1)
        known[key] = r
        return r

    return paths(3, 3)


@program(V, EDGES, second=True, jit=True)
def shortest_paths(w, edges):
    graph = defaultdict(list)
    for e, (a, b) in enumerate(edges):
        graph[a].append((b, w[e] ** 2))
        graph[b].append((a, w[e] ** 2))
    dist, done, heap = {0: 0.0}, set(), [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, cost in graph[u]:
            if d + cost < dist.get(v, math.inf):
                dist[v] = d + cost
                heapq.heappush(heap, (d + cost, v))
    return sum(d * (k + 1) for k, d in dist.items())


@program(V, [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3), (3, 0)], second=True, jit=True)
def page_rank(w, edges):
    graph = {}
    for e, (a, b) in enumerate(edges):
        graph.setdefault(a, {})[b] = w[e]
        graph.setdefault(b, {})[a] = w[e]
    rank = {k: 1.0 for k in graph}
    for _ in range(3):
        new = {}
        for k in graph:
            new[k] = 0.1 + sum(rank[j] * graph[j][k] / sum(graph[j].values()) for j in graph[k])
        rank = new
    return sum((k + 1) * v**2 for k, v in rank.items())


@program(V, [2, 0, 2, 1, 0, 2], second=True, jit=True)
def last_time_of_each(x, labels):
    last = {}
    total = 0.0
    for i, (k, v) in enumerate(zip(labels, x)):
        if k in last:
            j = last[k]
            total += (i - j) * v * x[j]
        last[k] = i
    return total


@program(V, np.array([2, 0, 2, 1, 0, 2]), second=True, jit=True)
def pairs_of_neighbours(x, labels):
    sums = defaultdict(float)
    for i in range(len(x) - 1):
        sums[labels[i], labels[i + 1]] += x[i] * x[i + 1]
    total = 0.0
    for (a, b), v in sums.items():
        if a != b:
            total += (a + 1) * v**2
        else:
            total += v
    return total
