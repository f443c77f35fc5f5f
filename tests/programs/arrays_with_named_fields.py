"""Arrays with named fields that a function makes and writes, whole, by entries and by rows."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program

BODY = np.dtype([("pos", "f8", (2,)), ("mass", "f8")])


@program(positive(4), second=True)
def bodies_that_attract(masses):
    n = len(masses)
    b = np.zeros(n, dtype=[("x", float), ("v", float), ("m", float)])
    b["m"] = masses
    b["x"] = np.arange(n) * 1.0
    for _ in range(3):
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = b["x"][j] - b["x"][i]
                    b["v"][i] += 0.01 * b["m"][j] * d / (abs(d) ** 3 + 0.1)
        b["x"] += 0.1 * b["v"]
    return np.sum(b["m"] * b["v"] ** 2) + b["x"][0]


@program(normal(4))
def rows_that_show_what_is_written(x):
    b = np.empty(4, dtype=BODY)
    for i, row in enumerate(b):
        row["mass"] = x[i] ** 2
        row["pos"][:] = x[i]
        row["pos"][1] *= x[0]
    b[2]["mass"] += x[1]
    b[3] = (x[:2], x[3] ** 3)
    return sum(row["mass"] * row["pos"][1] for row in b)


@program(normal(5), np.array([0, 1, 0, 1, 1]))
def parts_and_copies(x, kinds):
    kind = np.dtype([("v", float), ("kind", int)])
    p = np.zeros(5, kind)
    p["v"], p["kind"] = x, kinds
    chosen = p[p["kind"] == 1]
    inner, kept = p[1:4], p.copy()
    inner["v"] *= 2.0
    total = len(chosen) * np.sum(chosen["v"] ** 2) + np.sum(kept["v"] ** 3)
    for name in p.dtype.names[:1]:
        total = total + np.sum(p[name] ** 2)
    return total
