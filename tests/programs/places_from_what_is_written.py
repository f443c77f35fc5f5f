"""Subscripts computed from what they write: the reverse sweep goes to where the write went."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program

X = normal(5)


@program(X, second=True, jit=True)
def around_the_largest(x):
    y = x * 1
    y[np.argmax(y) : np.argmax(y) + 1] *= -x[2]
    return y @ y * y[0]


@program(X, second=True)
def first_of_a_slice(x):
    y = x * 1
    y[int(y[0] > 0.5) - 1 :][0] *= x[2]
    return y @ y


@program(X, second=True)
def list_of_arrays_by_an_entry(x):
    g = [x[:1] * 1, x[1:2] * 1]
    g[int(g[0][0] > 0.5) - 1][0] *= x[2]
    return g[0][0] * g[1][0]


@program(X, second=True)
def list_of_lists_by_an_entry(x):
    g = [[x[0], x[1]], [x[2], x[1]]]
    g[1 - int(g[0][0] > 0.2)][0] *= g[1][1]
    return g[0][0] * g[1][0]


@program(X, second=True, jit=True)
def from_the_largest_on(x):
    y = x * 1
    y[np.argmax(y) :] *= -x[2]
    return y @ y * y[0]


@program(X, second=True)
def as_many_as_are_larger(x):
    y = x * 1
    y[np.count_nonzero(y > 0.5) :] *= x[1]
    return y @ y * y[0]


@program(X, second=True, jit=True)
def up_to_the_largest(x):
    y = x * 1
    y[: np.argmax(y)] = x[3] * 5
    return y @ y * y[0]


@program(X, second=True, jit=True)
def row_of_a_matrix(x):
    m = np.outer(x, x)
    m[0, np.argmax(m[0]) :] = x[1]
    return np.sum(m * m * x)


@program(X, second=True, jit=True)
def again_in_each_turn(x):
    y = x * 1
    for k in range(3):
        y[np.argmax(y) :] *= x[k]
    return y @ y * y[0]


@program(X, second=True)
def mask_of_a_slice(x):
    y = x * 1
    y[int(y[0] < 9) :][y[1:] > 0.3] *= 2.0
    return y @ y


@program(X, second=True)
def named_view(x):
    y = x * 1
    row = y[np.argmax(y) :]
    row *= -x[2]
    return y @ y * row[0]


@program(X, second=True)
def two_entries_of_a_view(x):
    y = x * 1
    row = y[np.argmax(y) : np.argmax(y) + 2]
    row[0] = x[1] * x[0]
    row[-1] *= x[2]
    return y @ y * row[0]


@program(X, second=True)
def ufunc_then_sorted(x):
    y = x * 1
    np.multiply(y, x[2], out=y, where=y > 0)
    y[np.argmin(y) :].sort()
    return y @ y * y[0]


@program(X, second=True)
def methods_of_a_list(x):
    l = [v for v in x]
    l[int(l[0] > 0.5) :] = [x[0] * x[1], x[2]]
    l.insert(int(l[0] > 0), x[3])
    l.pop(int(l[1] > 0))
    del l[int(l[0] > 0)]
    return sum(l) * l[0]


@program(X, second=True)
def by_a_helper(x):
    y = x * 1

    def put(a, k, v):
        a[k:][0] = v

    put(y, np.argmax(y), x[0] * x[1])
    put(y, np.argmin(y), x[2])
    return y @ y * y[0]
