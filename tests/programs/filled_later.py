"""Lists and dicts that are filled after they were put into others."""

import numpy as np

from programs.registry import program

rng = np.random.default_rng(13)

X = rng.normal(size=6)


@program(X, second=True)
def rows_of_products(x):
    rows = []
    for i in range(3):
        row = []
        rows.append(row)
        for v in x:
            row.append(v * v * i)
    return sum(rows[1]) ** 2 + sum(rows[2])


@program(X, second=True)
def rows_of_other_lengths(x):
    rows = []
    for i in range(len(x)):
        row = []
        rows.append(row)
        k = 0
        while k < i:
            row.append(x[k] * x[i])
            k += 1
    s = 0.0
    for r in rows:
        for v in r:
            s += v**2
    return s


@program(X, second=True)
def buckets_of_a_dict(x):
    d = {}
    for i in range(len(x)):
        bucket = []
        d[i] = bucket
        for k in range(i + 1):
            bucket.append(x[k] * x[i])
    last = d[len(x) - 1]
    saved = []
    for i in range(len(x)):
        r = []
        saved.append(r)
        for v in d[i]:
            r.append(v + 1)
    out = 0.0
    while saved:
        r = saved.pop()
        while r:
            out += r.pop() ** 2
    return out + last[0]


@program(X, second=True)
def dicts_in_a_list(x):
    saved = []
    for i in range(3):
        e = {}
        saved.append(e)
        for k in range(3):
            e[k] = x[k] * x[i]
    t = (saved, 1)
    return saved[1][2] ** 2 + t[0][2][0]
