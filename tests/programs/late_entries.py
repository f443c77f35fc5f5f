"""Dicts and objects that get entries when they are in use."""

import numpy as np

from programs.registry import program

rng = np.random.default_rng(15)

X = rng.normal(size=6)


@program(X, second=True)
def first_or_next(x):
    d = {}
    for v in x:
        if "m" in d:
            d["m"] = d["m"] * v + 1.0
        else:
            d["m"] = v
    return d["m"] ** 2


@program(X, second=True)
def keys_by_sign(x):
    d = {}
    ks = []
    for i, v in enumerate(x):
        k = "p" if v > 0 else "n"
        d[k] = v
        ks.append(k)
    d["q"] = d[ks[0]] * x[0]
    d["q"] = np.sin(d["q"])
    return d["q"] ** 2 + sum(d.values())


@program(X, second=True)
def records_that_grow(x):
    recs = []
    for i in range(len(x)):
        recs.append({"v": x[i]})
    for r in recs:
        r["w"] = r["v"] ** 2
        r["w"] = r["w"] * r["v"]
    return sum((r["w"] * r["v"] for r in recs))


class C:
    pass


@program(X, second=True)
def objects_that_grow(x):
    recs = []
    for i in range(len(x)):
        c = C()
        c.v = x[i]
        recs.append(c)
    for r in recs:
        r.w = r.v**2
        r.w = r.w * r.v
    return sum((r.w * r.v for r in recs))
