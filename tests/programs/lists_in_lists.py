"""Lists, dicts and arrays that are held in several places."""

import copy
import functools
import math
from collections import defaultdict, deque

import numpy as np

from programs.registry import program

rng = np.random.default_rng(14)

X = rng.normal(size=6)


@program(X)
def rows_of_a_triangle(x):
    rows = []
    for n in range(5):
        row = [x[0]] * (n + 1)
        rows.append(row)
        for k in range(1, n):
            row[k] = rows[n - 1][k - 1] + rows[n - 1][k] * x[1]
    return rows[4][2] ** 2 + sum(rows[3])


@program(X, second=True)
def swapped_rows(x):
    m = [[x[0], x[1]], [x[2], x[3]], [x[4], x[5]]]
    for i in range(2):
        j = i + 1
        m[i], m[j] = (m[j], m[i])
        for k in range(2):
            m[j][k] += m[i][k] ** 2
    top = m[0]
    top[0] *= 2.0
    return m[0][0] * m[1][1] + m[2][0]


@program(X, second=True)
def one_row_twice(x):
    row = [0.0] * 3
    grid = [row] * 2
    for i in range(3):
        grid[0][i] += x[i] ** 2
    grid[1][0] *= x[3]
    return sum(grid[0]) + grid[1][2] * row[1]


@program(X, second=True)
def edges_of_two_nodes(x):
    g = defaultdict(list)
    edges = [(0, 1), (1, 2), (0, 2), (2, 3)]
    for k, (a, b) in enumerate(edges):
        e = {"to": b, "w": x[k]}
        g[a].append(e)
        g[b].append(e)
    for e in g[2]:
        e["w"] = e["w"] * 2.0 + x[4]
    return sum((e["w"] ** 2 for v in g for e in g[v]))


@program(X, second=True)
def history(x):
    hist = {"loss": [], "w": []}
    w = x[:2].copy()
    for it in range(4):
        r = w * x[2:4] - x[4]
        hist["loss"].append(float(r @ r))
        hist["w"].append(w.copy())
        w -= 0.1 * r * x[2:4]
    best = min(range(4), key=lambda i: hist["loss"][i])
    return hist["loss"][-1] + hist["w"][best].sum() + np.mean([np.sum(a**2) for a in hist["w"]])


@program(X, second=True)
def two_buffers(x):
    bufs = [np.zeros(3) for _ in range(2)]
    cur = 0
    bufs[0][:] = x[:3]
    for k in range(4):
        src, dst = (bufs[cur], bufs[1 - cur])
        dst[1:] = src[:-1] * x[3]
        dst[0] = src[-1] + x[4]
        cur = 1 - cur
    return bufs[cur] @ bufs[1 - cur]


@program(X, second=True)
def undo_stack(x):
    state = {"a": x[0], "b": x[1]}
    stack = []
    for k in range(6):
        if k % 3 == 2 and stack:
            state = stack.pop()
        else:
            stack.append(dict(state))
            state["a"] = state["a"] * x[2] + state["b"]
            state["b"] += x[3] * k
    return state["a"] * state["b"] + len(stack) * sum((s["a"] for s in stack))


@program(X)
def queue(x):
    q = deque(((i, x[i]) for i in range(3)))
    out = []
    while q:
        i, v = q.popleft()
        if abs(v) > 0.3 and i < 20:
            q.append((2 * i + 4, v * 0.5))
            q.appendleft((2 * i + 5, v * v * 0.3))
        else:
            out.append(v * (i + 1))
    return sum((v**2 for v in out))


@program(X, second=True)
def list_chosen_by_value(x):
    lo, hi = ([], [])
    for v in x:
        (lo if v < 0 else hi).append(v)
    for l in (lo, hi):
        l.append(x[0])
        for i in range(1, len(l)):
            l[i] = l[i] + 0.5 * l[i - 1]
    return sum(lo) * sum((v * v for v in hi))


@program(X, second=True)
def transposed_lists(x):
    A = [[x[0], x[1]], [x[2], x[3]]]
    B = [list(r) for r in A]
    C = [r[:] for r in A]
    D = copy.copy(A)
    B[0][0] *= 2
    C[1][1] += x[4]
    D[0] = [x[5], x[5]]
    D[1][0] += 1.0
    T = [list(c) for c in zip(*A)]
    prod = [[sum((a * b for a, b in zip(r, c))) for c in zip(*B)] for r in T]
    return prod[0][1] * prod[1][0] + C[1][1] + D[1][0] * A[1][0] + sum(map(sum, C))


@program(X, second=True)
def merged_intervals(x):
    iv = sorted([(min(a, b), max(a, b)) for a, b in zip(x[::2], x[1::2])])
    merged = [list(iv[0])]
    for a, b in iv[1:]:
        if a <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], b)
        else:
            merged.append([a, b])
    return sum(((b - a) ** 2 for a, b in merged))


@program(X, second=True)
def lots(x):
    stock = {"a": [(1.0, x[0])], "b": []}
    pnl = 0.0
    for k, (name, q) in enumerate([("b", 2.0), ("a", 1.5), ("b", 1.0)]):
        stock[name].append((q, x[k + 1]))
    for name, sell in (("a", 2.0), ("b", 2.5)):
        lots = stock[name]
        need = sell
        while need > 0 and lots:
            q, p = lots[0]
            use = min(q, need)
            pnl += use * (x[5] - p)
            need -= use
            if use == q:
                lots.pop(0)
            else:
                lots[0] = (q - use, p)
    return pnl**2 + sum((q * p for l in stock.values() for q, p in l))


@program(X, second=True)
def products_of_polynomials(x):

    def mul(p, q):
        r = [0.0] * (len(p) + len(q) - 1)
        for i, a in enumerate(p):
            for j, b in enumerate(q):
                r[i + j] += a * b
        return r

    p = [1.0]
    for root in x[:4]:
        p = mul(p, [-root, 1.0])
    d = [k * c for k, c in enumerate(p)][1:]

    def ev(c, t):
        return functools.reduce(lambda acc, a: acc * t + a, reversed(c), 0.0)

    return ev(p, x[4]) ** 2 + ev(d, x[5])


@program(X, second=True)
def sparse_as_dict(x):
    A = {}
    for k, (i, j) in enumerate([(0, 0), (0, 1), (1, 1), (2, 0), (2, 2)]):
        A[i, j] = A.get((i, j), 0.0) + x[k]
    v = [1.0, 2.0, x[5]]
    y = [0.0] * 3
    for (i, j), a in A.items():
        y[i] += a * v[j]
    for key in list(A):
        if key[0] != key[1]:
            del A[key]
    return sum((t * t for t in y)) + sum(A.values()) ** 2


@program(X)
def events(x):
    import heapq

    h = []
    n = 0
    for i in range(3):
        heapq.heappush(h, (abs(x[i]), i))
    t = 0.0
    load = [0.0, 0.0, 0.0]
    while h and n < 8:
        t, i = heapq.heappop(h)
        n += 1
        load[i] += t * x[3 + i % 3]
        heapq.heappush(h, (t + 0.7 + 0.1 * x[i] ** 2, i))
    return sum((l**2 for l in load)) + t


class Node:
    def __init__(self, name, fn=None):
        self.name = name
        self.inputs = []
        self.value = None
        self.fn = fn

    def connect(self, *ns):
        for n in ns:
            self.inputs.append(n)
        return self

    def eval(self):
        if self.value is None:
            self.value = self.fn(*[n.eval() for n in self.inputs])
        return self.value


@program(X, second=True)
def graph_of_nodes(x):
    a, b = (Node("a", lambda: x[0]), Node("b", lambda: x[1] * 2))
    c = Node("c", lambda u, v: u * v).connect(a, b)
    d = Node("d", np.sin).connect(c)
    e = Node("e", lambda *v: sum(v)).connect(c, d, a)
    return e.eval() * d.value


class Tape:
    def __init__(self):
        self.vals = []
        self.ops = []

    def var(self, v):
        self.vals.append(v)
        return len(self.vals) - 1

    def op(self, f, *ids):
        self.vals.append(f(*[self.vals[i] for i in ids]))
        self.ops.append((f, ids))
        return len(self.vals) - 1


@program(X, second=True)
def tape(x):
    t = Tape()
    ids = [t.var(v) for v in x[:3]]
    m = t.op(lambda a, b: a * b, ids[0], ids[1])
    s = t.op(np.sin, m)
    q = t.op(lambda a, b, c: a + b * c, s, ids[2], m)
    return t.vals[q] ** 2 + len(t.ops) * t.vals[-2]


@program(X, second=True)
def grid_of_lists(x):
    g = [[0.0 for _ in range(4)] for _ in range(4)]
    g[1][1] = x[0]
    g[2][2] = x[1]
    for step in range(3):
        new = [r[:] for r in g]
        for i in range(1, 3):
            for j in range(1, 3):
                new[i][j] = g[i][j] + 0.1 * x[2] * (
                    g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1] - 4 * g[i][j]
                )
        g = new
    return sum((v**2 for r in g for v in r))


@program(X, second=True)
def shallow_and_deep(x):
    a = [x[:2].copy(), x[2:4] * 1.0]
    b = list(a)
    c = [v.copy() for v in a]
    a[0] += 1.0
    b[1] *= x[4]
    c[0][0] = x[5]
    b.append(a[0])
    b[-1][1] = 0.0
    return a[0] @ a[1] + c[0] @ c[1] + b[2].sum()


@program(X, second=True)
def runs(x):
    runs = []
    for v in x:
        s = v > 0
        if runs and runs[-1][0] == s:
            runs[-1][1].append(v)
        else:
            runs.append((s, [v]))
    return sum((math.prod(r) * len(r) if s else sum(r) ** 2 for s, r in runs))


@program(X, second=True)
def repeated_then_written(x):
    row = [x[0]] * len(x)
    for k in range(1, len(x)):
        row[k] = row[k - 1] * x[k]
    return row[5] ** 2


@program(np.linspace(0.2, 1.4, 6), jit=True, second=True)
def matrices_as_lists(x):
    rows = x.reshape(2, 3).tolist()
    rows[0].append(rows[1][2] * 2)
    z = np.exp(1j * x).reshape(2, 3).tolist()
    boxes = np.outer(x[:2], x[2:]).reshape(2, 2, 2).tolist()
    ends = (x[:3] + 1j * x[3:]).tolist()
    s = sum(map(sum, rows)) * max(map(max, boxes[0])) + ends[2].imag ** 2 + abs(ends[0] * ends[1])
    for row in z:
        for entry in row:
            s += (entry * entry).real
    return s + np.sum(np.array(x.reshape(3, 2).tolist()) ** 3)


@program(X, jit=True)
def a_number_put_among_arrays(x):
    c = [[x * v] for v in x]
    for e in c:
        pass
    e.append(x[0] * x[1])
    e.insert(0, x[2] ** 2)
    return np.sum(e[2]) + np.sum(e[0]) * np.sum(e[1])
