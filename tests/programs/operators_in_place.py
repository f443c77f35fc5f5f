"""Operators that change a list, set, deque or counter which other names see; calls `f(*items)`."""

import operator
from collections import Counter, deque

import numpy as np

from programs.registry import normal, program


def repeated(items, count):
    items *= count


@program(normal(4), 3)
def lists_repeated_in_place(x, n):
    a = b = [x[0], x[1]]
    b *= 2
    a[0] = x[3] ** 2
    b = operator.imul(b, 2)
    repeated(a, 2)
    grown = kept = [x[2]]
    for k in range(n):
        grown.append(x[k] ** 2)
        if k == 1:
            grown *= n
    table = {"a": [x[0]], "b": (x[1],)}
    held = table["a"]
    table["a"] *= 2
    table["b"] *= 3
    rows = more = [[x[1]]]
    rows *= 2
    more[0].append(x[2])
    array = [1.0, 2.0]
    array *= x[:2]
    return sum(a) * sum(kept) + sum(held) * sum(table["b"]) + more[1][1] * len(a) + array.sum() ** 2


@program(normal(4))
def sets_and_counters_changed_in_place(x):
    some = same = {1, 2, 3}
    same ^= {5, 1}
    some.symmetric_difference_update([2, 7])
    counts = kept = Counter("aab")
    counts -= Counter("a")
    counts += Counter("zz")
    ends = queue = deque(x, maxlen=3)
    queue += [x[2] ** 2]
    first = sum(x[k % 4] * k for k in sorted(same)) * kept["a"] + kept["z"] * x[1]
    return first + sum(k * v for k, v in enumerate(ends))


class Scaled:
    def __init__(self, a, b=3.0, *rest):
        self.value = a * b + 5 * np.sum(rest)

    def times(self, a, b=2.0, *rest):
        return self.value * a * b + sum(rest)


def summed(a, b=2.0, *rest, scale=1.0):
    return a * b * scale + sum(rest)


@program(normal(4))
def fewer_items_than_parameters_with_defaults(x):
    one = [v for v in x if v == x[0]]
    every = [v**2 for v in x if v > -9]
    calls = summed(*x[:1]) + summed(*x[1:2], scale=x[2]) + summed(*one) * summed(*every)
    methods = Scaled(*x[:2]).times(*one) + Scaled(*every).times(x[3], *one)
    return calls + methods + summed(*one, b=x[1]) + len(list(zip()))
