"""Subscripts of which a run decides the kind: a slice, a list, a number."""

import numpy as np

from programs.registry import normal, program


@program(normal(5), second=True)
def slice_or_list_loop(x):
    s = 0.0
    for k in range(3):
        rows = slice(k, k + 2) if x[k] > 0 else [k, k + 1, 0]
        part = x[rows]
        s += np.sum(part**2) * part[0]
    return s


@program(normal(5), second=True)
def slice_or_list_write(x):
    y = x**2
    rows = slice(1, 3) if x[2] > 0 else [0, 1]
    y[rows] *= x[0]
    y[rows] = y[rows] + 1.0
    return np.sum(y**2)


@program(normal(5, 4), second=True)
def slice_or_int(x):
    sel = 2 if x[0, 0] > 0 else slice(None)
    r = x[:, sel]
    return np.sum(r**2)


@program(normal(5, 4), second=True)
def dict_of_slices(x):
    blocks = {"a": slice(0, 2), "b": [3, 0], "c": (slice(None), 1)}
    key = "a" if x[0, 0] > 0 else ("b" if x[0, 1] > 0 else "c")
    return np.sum(x[blocks[key]] ** 2)


@program(normal(5), second=True)
def slice_or_list_view(x):
    y = x**2
    rows = slice(1, 3) if x[2] > 0 else [0, 1]
    r = y[rows]
    r *= 3.0
    return np.sum(y**2) + np.sum(r)


@program(normal(5), second=True)
def slice_or_list_view2(x):
    y = x**2
    rows = slice(1, 3) if x[2] < 0 else [0, 1]
    r = y[rows]
    y *= 3.0
    return np.sum(y**2) + np.sum(r**2)


@program(normal(5), normal(3, 5))
def slice_or_list_view3(x, A):
    s = 0.0
    y = x * 2.0
    for k in range(3):
        rows = slice(k, k + 2) if A[k, 0] > 0 else [k, k + 1]
        r = y[rows]
        r += A[k, 1]
        s += np.sum(y**2) * r[0]
        y[rows] = y[rows] * x[k]
    return s
