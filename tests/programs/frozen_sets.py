"""Sets that don't change: made by generators, compared and combined with others."""

import numpy as np

from programs.registry import normal, program


@program(normal(5), second=True, jit=True)
def made_of_a_generator(x):
    even = frozenset(i for i in range(len(x)) if i % 2 == 0)
    return sum(x[i] ** 2 if i in even else x[i] * 3 for i in range(len(x)))


@program(normal(5), 2, second=True, jit=True)
def made_of_a_range_of_an_argument(x, n):
    squares = frozenset(i * i for i in range(n))
    s = 0.0
    for i in range(len(x)):
        if i not in squares:
            s += x[i] ** 2
        else:
            s = s * x[i] + x[i] * len(squares)
    return s


@program(normal(5), second=True, jit=True)
def which_are_positive(x):
    positive = frozenset(i for i in range(len(x)) if x[i] > 0)
    others = {i for i in range(len(x)) if i not in positive}
    s = 0.0
    for i in range(len(x)):
        if i in positive:
            s += x[i] ** 2
        if i in others:
            s -= x[i] ** 3
    return s


@program(normal(5), 4, second=True)
def operators(x, n):
    a, b = frozenset(range(n)), frozenset({1, 3})
    before, c, d, e = a, a - b, a & b, a | {7}
    a |= {9}  # a new one, under the same name
    s = np.sum(x) * len(before) + (x[0] if before == frozenset(range(4)) else 0.0)
    for i in sorted(c):
        s += x[i] ** 2
    for i in sorted(d):
        s += x[i] ** 3
    if a >= d and len(e) > 2 and not a.issuperset([11]) and d <= b and before < a:
        s *= x[0]
    return s


@program(normal(5), second=True, jit=True)
def grown_in_a_loop(x):
    seen, s = frozenset(), 0.0
    for i in [0, 1, 0, 2, 1]:
        s += x[i] * 2 if i in seen else x[i] ** 2
        seen = seen | {i}
    return s


@program(normal(5), second=True)
def keys_of_a_dict(x):
    table = {frozenset([0, 1]): x[0] * x[1], frozenset([1, 2]): x[1] ** 2}
    pairs = {frozenset((a, b)): x[a] + x[b] for a in range(3) for b in range(a)}
    return table[frozenset([1, 0])] * table[frozenset((2, 1))] * pairs[frozenset((2, 0))]


class Flags:
    def __init__(self, bits):
        self.bits = bits

    def __or__(self, other):
        return type(self)(self.bits + other.bits)


class Marks(Flags):
    pass


@program(normal(2), second=True, jit=True)
def classes_with_or_and_no_reflected_one(x):
    return (Flags(x[0]) | Marks(x[1] ** 2)).bits * (Marks(x[0]) | Flags(x[1])).bits
