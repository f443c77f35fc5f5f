"""Tuples that hold lists and dicts."""

import numpy as np

from programs.registry import program

rng = np.random.default_rng(15)

X = rng.normal(size=6)


@program(X, second=True)
def logs_by_turn(x):
    pairs = [(i, []) for i in range(3)]
    for k, v in enumerate(x):
        i, log = pairs[k % 3]
        log.append(v * (i + 1))
    return sum((sum(l) ** 2 for _, l in pairs))


@program(X, second=True)
def logs_of_pairs(x):
    pairs = []
    for i in range(len(x)):
        pairs.append((x[i], []))
    for v, log in pairs:
        for u in x:
            log.append(u * v)
    s = 0.0
    for v, log in pairs:
        s += v * log[2]
    return s


@program(X, second=True)
def tables_of_pairs(x):
    d = {}
    for i in range(len(x)):
        d[i] = (i, {"a": []})
    for i in range(len(x)):
        t, e = d[i % 4]
        e["a"].append(x[i])
        e["b"] = x[0] * t
    return sum((sum(e["a"]) ** 2 for _, e in d.values())) + d[1][1]["b"]
