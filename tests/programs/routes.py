"""Graphs and games: shortest ways, spanning trees, ranks, best moves."""

import heapq
import itertools
import math
from collections import defaultdict, deque

import numpy as np

from programs.registry import program

rng = np.random.default_rng(12)

X = rng.normal(size=6)

P = rng.uniform(0.5, 1.5, size=6)

S = rng.normal(size=(3, 3))

S = S @ S.T + 3 * np.eye(3)


@program(P, second=True)
def dijkstra(w):
    g = {0: {1: w[0], 2: w[1]}, 1: {3: w[2]}, 2: {1: w[3], 3: w[4]}, 3: {}}
    dist = {k: math.inf for k in g}
    dist[0] = 0.0
    pq = [(0.0, 0)]
    prev = {}
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]:
            continue
        for v, c in g[u].items():
            nd = d + c**2
            if nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(pq, (nd, v))
    node, hops = (3, 0)
    while node in prev:
        node = prev[node]
        hops += 1
    return dist[3] * hops + dist[2]


@program(P, second=True)
def floyd(w):
    n = 4
    d = np.full((n, n), 10.0)
    np.fill_diagonal(d, 0.0)
    for (i, j), c in zip([(0, 1), (1, 2), (2, 3), (0, 3), (1, 3), (3, 0)], w):
        d[i, j] = c
    for k, i, j in itertools.product(range(n), repeat=3):
        if d[i, k] + d[k, j] < d[i, j]:
            d[i, j] = d[i, k] + d[k, j]
    return np.sum(d**2)


@program(P, second=True)
def kruskal(w):
    edges = [(w[0], 0, 1), (w[1], 1, 2), (w[2], 0, 2), (w[3], 2, 3), (w[4], 1, 3), (w[5], 0, 3)]
    parent = list(range(4))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    total = 0.0
    for c, a, b in sorted(edges):
        ra, rb = (find(a), find(b))
        if ra != rb:
            parent[ra] = rb
            total += c**2
    return total


@program(P, second=True)
def levels(w):
    adj = defaultdict(list)
    for n, (a, b) in enumerate([(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]):
        adj[a].append((b, w[n]))
        adj[b].append((a, w[n]))
    level = {0: 0}
    flow = {0: 1.0}
    q = deque([0])
    while q:
        u = q.popleft()
        for v, c in adj[u]:
            if v not in level:
                level[v] = level[u] + 1
                flow[v] = 0.0
                q.append(v)
            if level[v] == level[u] + 1:
                flow[v] += flow[u] * np.tanh(c)
    return flow[4] + sum(level.values()) * flow[3]


@program(P, second=True)
def page_rank(w):
    links = {0: [1, 2], 1: [2], 2: [0], 3: [2, 0]}
    n = 4
    rank = np.ones(n) / n
    damp = 0.5 + 0.1 * w[0]
    for it in range(30):
        new = np.full(n, (1 - damp) / n)
        for u, outs in links.items():
            for v in outs:
                new[v] += damp * rank[u] * w[u + 1] / len(outs)
        new /= new.sum()
        delta = np.abs(new - rank).sum()
        rank = new
        if delta < 0.001:
            break
    return rank @ np.arange(4.0)


@program(X, second=True)
def minimax(x):

    def mm(depth, i, mx, alpha, beta):
        if depth == 0:
            return x[i % 6] * (1 + 0.1 * i)
        best = -1000000000.0 if mx else 1000000000.0
        for c in range(2):
            v = mm(depth - 1, 2 * i + c, not mx, alpha, beta)
            if mx:
                best = max(best, v)
                alpha = max(alpha, v)
            else:
                best = min(best, v)
                beta = min(beta, v)
            if beta <= alpha:
                break
        return best

    return mm(3, 0, True, -1000000000.0, 1000000000.0) ** 2


@program(X, second=True)
def value_iteration(x):
    S = ["s0", "s1", "s2"]
    A = ["l", "r"]
    nxt = {
        ("s0", "l"): "s0",
        ("s0", "r"): "s1",
        ("s1", "l"): "s0",
        ("s1", "r"): "s2",
        ("s2", "l"): "s1",
        ("s2", "r"): "s2",
    }
    R = {k: x[i] for i, k in enumerate(nxt)}
    V = {s: 0.0 for s in S}
    for _ in range(10):
        V = {s: max((R[s, a] + 0.9 * V[nxt[s, a]] for a in A)) for s in S}
    pol = {s: max(A, key=lambda a: R[s, a] + 0.9 * V[nxt[s, a]]) for s in S}
    return V["s0"] + 0.1 * R["s1", pol["s1"]]


@program(X, second=True)
def cells(x):
    g = x.reshape(2, 3).copy()
    hist = []
    for step in range(3):
        nb = sum(
            (
                np.roll(np.roll(g, a, 0), b, 1)
                for a in (-1, 0, 1)
                for b in (-1, 0, 1)
                if (a, b) != (0, 0)
            )
        )
        g = np.where(nb > 0.5, np.tanh(nb), g * 0.5)
        hist.append(g.sum())
    return hist[-1] ** 2 + hist[0]


@program(X, second=True)
def elo(x):
    r = {"a": x[0], "b": x[1], "c": x[2]}
    k = 0.5
    for w, l in [("a", "b"), ("b", "c"), ("a", "c"), ("c", "a")]:
        e = 1 / (1 + 10 ** (r[l] - r[w]))
        r[w], r[l] = (r[w] + k * (1 - e), r[l] - k * (1 - e))
    ranking = sorted(r, key=r.get, reverse=True)
    return sum(((i + 1) * r[n] for i, n in enumerate(ranking))) + r["a"] ** 2


@program(np.array([0.5, 1.9, 0.2, 0.7, 1.1]), second=True)
def named_stations(x):
    """Dijkstra's algorithm with a heap of (distance, name); only the last distance is squared."""
    roads = {("a", "b"): x[0], ("a", "c"): x[1], ("b", "c"): x[2], ("c", "d"): x[3] * x[4]}
    beside = {}
    for (here, there), length in roads.items():
        beside.setdefault(here, []).append((there, length))
        beside.setdefault(there, []).append((here, length))
    far, heap, done = {"a": 0.0}, [(0.0, "a")], set()
    while heap:
        d, here = heapq.heappop(heap)
        if here in done:
            continue
        done.add(here)
        for there, length in beside[here]:
            if there not in far or d + length < far[there]:
                far[there] = d + length
                heapq.heappush(heap, (d + length, there))
    return far["d"] ** 2
