"""Writes into what a conditional expression chooses."""

import numpy as np

from programs.registry import normal, program


@program(normal(3), second=True, jit=True)
def an_entry_of_either(x):
    a, b = x * 1.0, x * 2.0
    (a if x[0] > 0 else b)[2] -= x[1]
    (a if x[1] > 0 else b)[0] = x[2] ** 2
    return np.sum(a * b)


@program(normal(3), second=True, jit=True)
def slices_of_either_in_a_loop(x):
    a, b = x * 1.0, x * 2.0
    for i in range(3):
        (a if x[i] > 0 else b)[:2] *= 1.0 + x[i] ** 2
        (b if x[i] > 0 else a)[1:] = x[0] * x[i]
    return np.sum(a * a * b)


@program(normal(3), second=True, jit=True)
def views_of_arrays_of_two_ranks(x):
    a, b = np.zeros(3), np.ones((2, 3))
    for i in range(3):
        (a if i % 2 else b[1])[i] = x[i]
        (a if i % 2 else b).T[0] += x[i]
    return np.sum(a * b)


@program(normal(3), second=True)
def lists_and_dicts(x):
    a, b = [x[0], x[1]], [x[2], x[1]]
    (a if x[0] > 0 else b)[1] = x[0] * 3
    (b if x[0] > 0 else a)[0] += x[0] * 3
    c, d = {"u": [x * 1.0]}, {"u": [x * 3.0]}
    (c if x[0] > 0 else d)["u"][0][1] = x[1] * x[2]
    return a[0] * a[1] * b[0] * b[1] + np.sum(c["u"][0] * d["u"][0])


@program(normal(3), second=True)
def functions_and_methods_that_write(x):
    a, b = x * 1.0, x**2
    (a if x[0] > 0 else b).sort()
    np.add.at(a if x[1] > 0 else b, [0, 1, 0], x[2])
    np.multiply(x, x[0], out=(a if x[1] < 0 else b))
    (a if x[2] < 0 else b).flat[1] = x[0]
    return np.sum(np.cumsum(a) * np.cumsum(b))
