"""`np.r_` and `np.c_` of nested lists and stacks; strides; names that globals have."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program

k = 0.0162
items = np.array([0.5, -0.3, 0.8, 1.1])


@program(normal(4), wrt=0, jit=True)
def nested_lists_keep_their_rank(x):
    table = np.r_[[[x[0], x[1]], [x[2], x[3]]]]
    places = np.r_[[[0, 1], [1, 0]]]
    rows = x.reshape(2, 2)
    total = np.sum(table[0] ** 2) + np.sum(x[places][0] ** 3)
    for row in places:
        total = total + rows[:, row].min(axis=1)[0]
    return total


@program(normal(4), wrt=0)
def columns_of_stacks(x):
    stacks = np.c_[np.zeros((2, 2, 1)) + x[0], np.ones((2, 2, 2)) * x[1]]
    return np.sum(stacks[0, 1] * x[:3]) + np.sum(np.c_[[x, 2 * x]][1] * x)


@program(normal(4), wrt=0)
def strides_are_whole_numbers(x):
    y = x.reshape(2, 2)
    steps = np.array(y.strides) // y.itemsize
    both = tuple(y.strides * np.array([2, 2])) + y.strides
    return np.sum(x**2) * len(both) + steps[0] * x[1] + y.nbytes * x[2]


@program(normal(4), wrt=0, jit=True)
def a_global_is_called_as_a_counter(x):
    out = 0.0
    for v in items * x:
        d = np.asanyarray(3.0) * 1.1
        out += v * v / (1 + k * d)
    for v in x[[2, 0]]:
        out += v * np.sum(items) * k
    return out


@program(normal(4), wrt=0, jit=True)
def an_array_of_ints_and_floats(x):
    step = np.array([1.0, 2])
    moved = np.array([[1.0, x[0]], [0, 1]])
    if isinstance(step, np.ndarray) and not np.isscalar(moved):
        return np.sum(x[:2] * step) + moved[0, 1] * x[3]
    return x[1]


@program(normal(4), 2, wrt=0, jit=True)
def functions_of_ints_give_floats(x, n):
    v = n or x[0]
    y = np.array([float(v), 1])
    z = np.linspace(0, v, 3)
    y[1] = x[1]
    z[1] = x[2]
    return y @ x[:2] + z @ x[:3] + isinstance(float(v), int) * x[3]
