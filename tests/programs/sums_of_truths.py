"""Sums that begin with 0, truth values as numbers, tuples of unknown length as subscripts."""

import numpy as np

from programs.registry import normal, program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def slice_of_zero_turns(x, n=0):
    t = 0.0
    s = slice(0, 2)
    for k in range(n):
        s = slice(k, None)
        t = t + x[s].sum()
    z = x * x
    z[s] *= x[0]
    i = [0] * n
    y = np.outer(x, x)
    y[tuple(i)] *= 2
    return t + z.sum() + y.sum()


@program(X, second=True)
def places_gathered_by_a_test(x):
    A = np.outer(x, x).astype(np.float32).astype(float) * 0 + np.outer(x, x)
    ix = []
    for k in range(4):
        if x[k] > 0.4:
            ix.append((k, -k - 1))
    for p in ix:
        A[p] += A[p[::-1]] * x[p[0]]
    r, c = zip(*ix)
    A[list(r), list(c)] *= 2
    A[r, c] += 1
    return (A * A).sum()


@program(X, second=True)
def pieces_of_places(x):
    parts = np.array_split(np.arange(4), 3)
    z = x * 1.0
    t = 0.0
    for p in parts:
        v = z[p]
        v *= 2
        z[p] += v.sum() * x[p]
        t = t + z[p].prod()
    e = z[z > 99]
    e += 1
    return t + e.sum() + z[np.array([], int)].sum()


@program(X, second=True)
def slice_of_a_view(x):
    z = x * 1.0
    view = z[1:3]
    if x[0] > 0.1:
        s = slice(0, 1)
    else:
        s = slice(1, 2)
    view[s] *= x[3]
    w = view[s]
    w += z[0]
    z[...][s] += w
    return (z * z).sum() * w.sum()


@program(X, second=True)
def best_key_of_pairs(x):
    d = {}
    for k in range(3):
        key = (k % 2,) * 2
        d[key] = d.get(key, 0.0) + x[k] * x[k + 1]
    best = max(d, key=lambda q: d[q])
    return d[best] * len(d) + sum((v * k[0] for k, v in d.items()))


@program(X, second=True)
def stores_in_arguments(x):
    z = x * 1.0

    def put(a, i, v):
        a[i] = v
        return a

    u = put(z, slice(None, None, 2), z[1::2] * 2) + put(z, (1,), z[0] * z[2])
    return (u * z).sum()


@program(X, second=True)
def lists_beside_arrays(x):
    m = [0.5, 1.5, 2.5, 3.5]
    n = (1, 2, 3, 4)
    y = m * x + n
    y -= [x[0]] * 4
    z = np.maximum(y, m)
    w = x > m
    q = np.where(w, m, x)
    return (y * z).sum() + np.dot(m, y) + q.sum() + (x**n).sum() + ([1, 2] + list(n))[3] * x[0]


@program(X, second=True)
def places_of_no_dimension(x):
    s = np.float64(0)
    k = np.array(2)
    a = x[k]
    b = x[k:]
    c = x[: int(k)]
    t = x[np.array([True, False, True, False])]
    z = x * 1
    z[k] = z[k] ** 2
    z[k - 1 :] *= a
    return a * b.sum() * c.sum() + (t * z[:2]).sum() + s + z[~k]


@program(X, second=True)
def chains_of_tests(x):

    def g(v):
        return v[0] < v[1] < v[2]

    t = 0.0
    while 0.0 <= t < 1.0 < x.sum() * 3:
        t = t + x[0]
    a = [x[0] < x[1] < 1, 1 < 2 < 3 != 4, x is not None]
    return t * sum(a) + (x[1] if g(x) else x[2]) + (x[3] if 0 <= np.argmax(x) <= 1 else x[0])


@program(X, second=True)
def truths_of_arrays_added(x):
    return (x * ((x > 0.1) + (x > 0.2))).sum()


@program(X, second=True)
def masks_summed(x):
    return (x * sum([x > 0.1, x > 0.2, x > 0.5])).sum()


@program(X, second=True)
def sum_of_one_array(x):
    z = x * 2
    s = sum([z])
    s += 1
    t = sum((z,))
    t *= x[0]
    return (z * s).sum() + t.sum()


@program(X, second=True)
def truths_summed(x):
    return (
        x[0] * sum((v > 0.4 for v in x))
        + x[1] * sum([True] * 3)
        + x[2] * sum(x > 0.4)
        + sum([float(x[0]) > 0.1, x[1] > 0.1]) * x[3]
    )


@program(X, second=True)
def truths_multiplied(x):
    return (
        x[0] * ((x[0] > 0.1) * (x[1] > 0.2))
        + x[1] * (x[0] > 0.1) ** 2
        + (x[2] > 0) * x[2]
        + x[3] * ((x[0] > 0) + 1)
        + x[0] * (True + True)
    )


@program(X, second=True)
def truths_counted(x):
    n = 0
    for v in x:
        n = n + (v > 0.4)
    m = x[0] > 0.1
    for v in x:
        m = m + (v > 0.4)
    k = False
    for v in x:
        k += v > 0.4
    return x[0] * n + x[1] * m + x[2] * k


@program(X, second=True)
def truths_in_reductions(x):
    return (
        x[0] * np.sum([x[0] > 0.1, x[1] > 0.1])
        + x[1] * np.sum(x > 0.4)
        + (x > 0.4).sum() * x[2]
        + x[3] * np.mean(x > 0.4)
        + np.cumsum(x > 0.4)[2] * x[0]
        + np.prod(x > 0) * x[1]
        + np.dot(x > 0.4, x > 0.4) * x[2]
        + (x > 0.4) @ x
        + np.count_nonzero(x > 0.4) * x[0]
    )


class R:
    def __init__(s, v):
        s.v = v

    def __radd__(s, o):
        return R(s.v * 2 + o)

    def __add__(s, o):
        return R(s.v + o.v)


@program(X, second=True)
def sum_of_objects(x):
    return sum([R(x[0]), R(x[1])]).v * sum([R(x[2])]).v


@program(X, second=True)
def tests_in_a_list(x):
    a = [x[0] < x[1], x[0] < x[1] < 1, x[2] > x[1] > x[0]]
    return x[0] * sum(a) + x[1] * a[0] + x[2] * a[2]


@program(X, second=True)
def tests_as_numbers(x):
    b = x[0] < x[1] < x[2]
    c = x[0] < x[1] < 1
    return x[0] * b + x[1] * c + x[2] * (b or c)


@program(normal(1))
def lists_beside_short_arrays(x):
    limits = [0.5, 1.5, -2.5]
    above = x > limits
    equal = [1.0, 2.0] == x
    return np.where(above, limits * x, x).sum() + np.sum(equal) + ((-1.0, 3.0) <= x[0]).sum() * x[0]
