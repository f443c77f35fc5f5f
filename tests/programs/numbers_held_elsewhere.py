"""Numbers that become arrays in a loop, held by something else when they are written in place.

The first write makes a new array of a number, so whatever held the number keeps it.
"""

from functools import partial

import numpy as np

from programs.registry import normal, program


@program(normal(4, 3), second=True)
def list_of_it(A):
    s = 0.0
    t = np.zeros(3)
    for r in A:
        box = [s]
        s += r
        t = t + box[0] * r
    return (t * s).sum()


@program(normal(4, 3), second=True)
def dict_of_it(A):
    s = 0.0
    t = np.zeros(3)
    for r in A:
        d = {"old": s}
        s += r * r
        t = t + (s - d["old"]) * r
    return (t * s).sum()


@program(normal(4, 3), second=True)
def tuple_of_it(A):
    s = 1.0
    t = np.zeros(3)
    for r in A:
        p = (s, r)
        s *= p[1]
        t = t + p[0] * p[1]
    return (t * s).sum()


class Box:
    pass


@program(normal(4, 3), second=True)
def attribute_of_it(A):
    s = 0.0
    t = np.zeros(3)
    b = Box()
    b.v = 0.0
    for r in A:
        b.v = s
        s += r
        t = t + b.v * r
    return (t * s).sum()


@program(normal(4, 3), second=True)
def default_of_a_lambda(A):
    s = 0.0
    t = np.zeros(3)
    for r in A:
        g = lambda q, o=s: o * q  # noqa: E731
        s += r
        t = t + g(r)
    return (t * s).sum()


class Pair:
    def __init__(self):
        self.a = 0.0
        self.b = 0.0


@program(normal(4, 3), second=True)
def two_attributes(A):
    o = Pair()
    for r in A:
        o.b = o.a
        o.a += r
    return (o.a * o.b).sum()


@program(normal(4, 3), second=True)
def bound_by_partial(A):
    s = 0.0
    t = np.zeros(3)

    def mul(o, q):
        return o * q

    for r in A:
        g = partial(mul, s)
        s += r
        t = t + g(r)
    return (t * s).sum()


@program(normal(4, 3), second=True)
def read_before_a_helper_writes(A):
    s = 0.0
    t = np.zeros(3)

    def add(r):
        nonlocal s
        s += r
        return s * 2

    for r in A:
        t = t + s * add(r) + add(r) * s
    return (t * s).sum()


class Total:
    def __init__(self):
        self.total = 1.0

    def add(self, r):
        self.total += r
        return self.total


@program(normal(4, 3), second=True)
def read_before_a_method_writes(A):
    a = Total()
    t = 0.0
    for r in A:
        t = t + a.total * a.add(r)
    return t.sum()


@program(normal(4, 3), second=True)
def appended_before(A):
    s = 1.0
    hist = []
    for r in A:
        hist.append(s)
        s *= r
    return (hist[0] * hist[1] * s + hist[2] * hist[3]).sum()


@program(normal(4, 3), second=True)
def one_of_two_numbers(A):
    s = 1.0
    o = 2.0
    for r in A:
        o = s if r[0] > 0 else o
        s += r
    return (o * s).sum()


@program(normal(4, 3), second=True)
def nested_containers(A):
    s = 1.0
    t = 0.0
    for r in A:
        h = [s, [s]]
        k = {"a": h}
        s += r
        t = t + k["a"][0] * k["a"][1][0]
    return (t * s).sum()


@program(normal(4, 3), second=True)
def held_over_an_inner_loop(A):
    s = 1.0
    t = 0.0
    for r in A:
        old = [s]
        for j in range(2):
            s += r * j
        t = t + old[0] * s
    return (t * s).sum()


@program(normal(4, 3), second=True)
def item_of_the_inner_loop(A):
    s = 1.0
    for r in A:
        for p in [s, r]:
            s += p * r
    return (s * s).sum()


@program(normal(4, 3), second=True)
def zipped_with_itself(A):
    s = 1.0
    for r in A:
        for p, q in zip((s, r), (r, s)):
            s += p * q
    return (s * s).sum()


@program(normal(4, 3), second=True)
def swapped_in_turn(A):
    s = 1.0
    t = 2.0
    for r in A:
        s, t = (t, s)
        s += r
    return (s * t * t).sum()


@program(normal(4, 3), second=True)
def given_to_the_helper(A):
    s = 1.0

    def up(v, o):
        nonlocal s
        s += v
        return o * s

    t = 0.0
    for r in A:
        t = t + up(r, s)
    return (s * t).sum()


class Held:
    def __init__(self, value):
        self.value = value


@program(normal(3))
def fields_that_were_numbers(x):
    held = [Held(v) for v in x]
    for h in held[1:]:
        h.value = x * x[1]
    values = [h.value for h in held]
    return sum(np.sum(v) for v in values)


@program(normal(3))
def entries_beside_numbers(x):
    held = [{"v": v} for v in x]
    *_, last = held
    last["w"] = x * x[1]
    total = 0.0
    for h in held:
        for e in h.values():
            total = total + np.sum(e) ** 2
    return total
