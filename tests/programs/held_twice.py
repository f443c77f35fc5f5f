"""Lists in objects, dicts and tuples that are changed through one name and read through another."""

import math
from collections import defaultdict, deque, namedtuple

import numpy as np

from programs.registry import normal, program

rng = np.random.default_rng(15)

X = rng.normal(size=6)


class Bag:
    def __init__(self, name):
        self.name = name
        self.items = []
        self.total = 0.0

    def add(self, v):
        self.items.append(v)
        self.total += v
        return self


@program(X, second=True)
def bags_in_a_list(x):
    bags = []
    for i in range(len(x)):
        b = Bag(i)
        bags.append(b)
        for k in range(i + 1):
            b.add(x[k] * x[i])
    return sum((b.total**2 for b in bags)) + sum(bags[3].items) * bags[2].items[1]


@program(X, second=True)
def bags_in_a_dict(x):
    bags = {}
    for i, v in enumerate(x):
        key = "p" if v > 0 else "n"
        if key not in bags:
            bags[key] = Bag(key)
        b = bags[key]
        b.add(v * i)
        b.total *= 1.1
    return sum((b.total * len(b.items) for b in bags.values())) + sum(
        (v**2 for b in bags.values() for v in b.items)
    )


@program(X, second=True)
def groups_with_counts(x):
    groups = defaultdict(lambda: {"n": 0, "vals": []})
    for i, v in enumerate(x):
        g = groups[int(v > 0)]
        g["n"] += 1
        g["vals"].append(v)
        cur = g["vals"]
        if len(cur) > 1:
            cur[-1] = cur[-1] + 0.5 * cur[-2]
    return sum((g["n"] * sum(g["vals"]) ** 2 for k, g in sorted(groups.items())))


@program(X)
def current_layer(x):
    layers = []
    cur = None
    for i, v in enumerate(x):
        if i % 2 == 0:
            cur = []
            layers.append(cur)
        cur.append(v**2)
    return math.prod((sum(l) for l in layers))


@program(X, second=True)
def broken_lines(x):
    lines = []
    line = []
    width = 0.0
    for v in x:
        if width + abs(v) > 1.5:
            lines.append(line)
            line = []
            width = 0.0
        line.append(v)
        width += abs(v)
    if line:
        lines.append(line)
    return sum(((1.5 - sum((abs(u) for u in l))) ** 2 for l in lines))


@program(X, second=True)
def dicts_of_dicts(x):
    d = {}
    for i in range(6):
        d.setdefault(i % 2, {}).setdefault(i % 3, []).append(x[i])
    t = d[1]
    t[0].append(x[0] * 2)
    d[0][1][0] *= 3.0
    return sum((sum(v) ** 2 for k in d for v in d[k].values()))


@program(X, second=True)
def best_so_far(x):
    best = [None] * 4
    for i, v in enumerate(x):
        k = i % 4
        if best[k] is None:
            best[k] = [v, i]
        elif v > best[k][0]:
            best[k][0] = v
            best[k][1] = i
        else:
            best[k].append(v * 0.1)
    return sum((b[0] ** 2 * b[1] for b in best)) + best[0][-1]


@program(X, second=True)
def window_of_lists(x):
    hist = deque(maxlen=3)
    out = []
    for v in x:
        hist.append([v])
        for h in hist:
            h.append(h[-1] * 0.5 + v)
        out.append(sum(hist[0]))
    return sum((o**2 for o in out))


def push(stack, v):
    stack.append([v])
    return stack[-1]


@program(X, second=True)
def top_of_a_stack(x):
    st = []
    for v in x:
        top = push(st, v)
        top.append(v * v)
        if len(st) > 2:
            st[-2][0] += top[1]
    return sum((sum(s) for s in st)) * st[1][0]


@program(X, second=True)
def diagonal_rows(x):
    m = [[0.0] * 3 for _ in range(3)]
    diag = [m[i] for i in range(3)]
    for i, r in enumerate(diag):
        r[i] = x[i]
    sub = m[1:]
    sub[0][0] = x[3]
    sub[1][1] *= x[4]
    cp = [r[:] for r in m]
    cp[0][0] = 100.0
    return sum((v**2 for r in m for v in r)) + cp[2][1]


@program(X, second=True)
def arrays_of_a_list(x):
    pts = [np.array([x[0], x[1]]), np.array([x[2], x[3]])]
    ref = pts[0]
    tup = (pts[1], ref)
    ref += x[4]
    tup[0][1] *= 2.0
    pts[0] = pts[0] * x[5]
    ref[0] = 7.0
    return pts[0] @ pts[1] + ref.sum()


@program(X, second=True)
def kept_and_replaced(x):
    obj = {"w": x[:2].copy(), "h": []}
    for k in range(3):
        w = obj["w"]
        obj["h"].append(w)
        obj["w"] = w * x[2] + k
        if k == 1:
            w[0] = x[3]
    return sum((h @ h for h in obj["h"])) + obj["w"].sum()


Rec = namedtuple("Rec", "t v log")


@program(X, second=True)
def named_tuples_with_logs(x):
    recs = [Rec(i, x[i], []) for i in range(3)]
    for k in range(6):
        r = recs[k % 3]
        r.log.append(x[k] * r.v)
    recs[1] = recs[1]._replace(v=x[5])
    return sum((r.v * sum(r.log) for r in recs))


@program(X[:4], second=True)
def display_repeated(x):
    rows = [x * 1.0] * 3
    rows[0] *= x
    rows[2][1] = 3.0 * x[0]
    both = (x + 1.0, x * 2.0) * 2
    both[0][1:] *= x[1:]
    return np.sum(rows[1] ** 2) + np.sum(both[2] ** 2)


@program(X[:4], 3)
def display_repeated_as_often_as_asked(x, n):
    rows, pairs = [x * 1.0] * n, [[x[0], x[1]]] * n
    tables, held = [{"a": x * 2.0}] * n, [(x + 1.0, 2.0)] * n
    rows[0] *= x
    pairs[0][1] *= x[2]
    tables[0]["a"] = tables[1]["a"] * x
    held[0][0][1] *= x[1]
    return np.sum(rows[1] ** 2 + tables[2]["a"] * held[1][0]) + pairs[1][1] ** 2


@program(X[:4], 0)
def two_names_on_each_path(x, n):
    if n > 1:
        p = q = [x[0], x[1]]
    else:
        p = q = [x[1], x[2]]
    p[0] = x[3] * p[1]
    q[1] *= p[0]
    return p[0] * q[1] + q[0]


@program(X[:4], 0)
def two_names_on_one_path(x, n):
    if n > 1:
        p = [x[0], x[1]]
        q = p
    else:
        p, q = [x[1], x[2]], [x[0], x[3]]
    p[0] = x[3] * p[1]
    q[1] = q[1] * q[0]
    return q[0] * q[1] + p[0] * p[1]


def a_pair(x, n):
    if n > 1:
        held = {"v": x[0], "w": x[1]}
        return held, [held]
    held = {"v": x[2], "w": x[3]}
    return held, [held]


@program(X[:4], 0)
def handed_back_twice_on_each_path(x, n):
    p, (q,) = a_pair(x, n)
    p["v"] *= x[1]
    q["w"] *= p["v"]
    return q["v"] * p["w"] + q["w"]


@program(X[:4])
def two_names_in_a_branch_of_a_loop(x):
    total = 0.0
    for i in range(4):
        if i % 2:
            p = q = [x[i], x[0]]
        else:
            p = q = [x[i] * 2, x[1]]
        p[0] = p[1] * x[3]
        total += q[0] * q[1] * x[i]
    return total


# --- records and tuples in two lists, or twice in one -------------------------------------------
def _bodies(x):
    bodies = []
    for k in range(x.shape[0]):
        bodies.append({"p": x[k] * 1.0, "v": x[k] ** 2})
    return bodies


@program(normal(4, 2))
def one_record_in_two_lists(x):
    bodies = _bodies(x)
    others = [bodies[0], bodies[1]]
    bodies[0]["p"] = bodies[0]["v"] * 3.0
    return np.sum(others[0]["p"] * x[1])


@program(normal(4, 2))
def all_records_in_two_lists(x):
    bodies = _bodies(x)
    others = list(bodies)
    for k in range(len(bodies)):
        bodies[k]["p"] = bodies[k]["p"] * 2.0 + bodies[k]["v"]
    total = 0.0
    for k in range(len(others)):
        total += np.sum(others[k]["p"])
    return total


@program(normal(4, 2))
def a_record_that_stands_in_two_places(x):
    bodies = _bodies(x)
    bodies.append(bodies[0])
    bodies[-1]["p"] = bodies[0]["v"] * x[1]
    return np.sum(bodies[0]["p"])


@program(normal(4), normal(3, 4))
def one_array_in_two_tuples(shared, W):
    rows = [(shared, 1.5), (shared, 2.0)]
    for v, c in rows:
        v *= c
    last = (W[:2], shared) if np.sum(W) > 100.0 else (W, shared)
    return np.sum(last[0]) * np.sum(last[1] ** 2) + np.sum(rows[0][0] * rows[1][0])


@program(normal(3, 4), normal(4))
def rows_that_take_parts_of_each_other(W, b):
    made = []
    for k in range(3):
        made.append((b, W[k]))
        made[-1] = (made[-1][0] * 2.0, made[0][1])
    made.insert(1, made[0])
    made[1] = (made[1][1], made[1][0])
    return sum(np.sum(u) * np.sum(v**2) for u, v in made)
