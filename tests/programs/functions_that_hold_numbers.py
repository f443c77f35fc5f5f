"""Lists, which a run makes as long as it likes, of functions that were made with numbers."""

import functools
import math

import numpy as np

from programs.registry import normal, program


def line(slope, x):
    return slope * x + 1.0


@program(normal(6), second=True)
def functions_made_where_entries_are_positive(x):
    rises = []
    for i, v in enumerate(x):
        if v > 0:
            rises.append(lambda t, a=v, i=i: a * t + i)
    total = x[0]
    while rises:
        f = rises.pop()
        total = 0.5 * total + f(x[1]) * f(2.0, 3.0)
    return total


@program(normal(4), 0.3, wrt=(0, 1))
def curves_of_lagrange_as_functions(y, t):
    nodes = [k / len(y) for k in range(len(y))]

    def basis(i):
        def curve(x):
            return math.prod((x - z) / (nodes[i] - z) for j, z in enumerate(nodes) if j != i)

        return curve

    curves = [basis(i) for i in range(len(nodes))]
    return sum(v * c(t) for v, c in zip(y, curves))


@program(normal(5), second=True)
def hooks_of_two_sorts(x):
    hooks = {"before": [], "after": []}
    shift = 0.0
    for v in x:
        kind = "before" if v > 0 else "after"
        hooks[kind].append(lambda t, a=v: t + a**2 * shift)
        shift += 0.5
    y = x[0]
    for hook in hooks["before"]:
        y = hook(y)
    y = y**2
    for hook in hooks["after"]:
        y = hook(y)
    return y


@program(normal(5))
def a_table_with_a_function_or_none(x):
    table = [None] * len(x)
    found = {}
    for i, v in enumerate(x):
        if v > 0:
            table[i] = lambda t, a=v: a * math.sin(t)
            found[i] = functools.partial(line, v)
    total = sum(f(x[0]) for f in table if f is not None)
    return total * len(found) + sum(k * f(x[1]) for k, f in found.items()) + np.sum(x)


@program(normal(4))
def arrays_held_that_change_meanwhile(x):
    readers, w = [], np.zeros(2)

    def reader(a, factor):
        factor = factor * 2.0
        return lambda t: t * np.sum(a) * factor

    for v in x:
        w[0] = v
        w[1] += v
        if v > -9.0 and w[1] < 99.0:
            readers.append(reader(w, v))
    return sum(r(x[0]) for r in readers)
