"""Tuples whose length only a run knows, and what meets them; what a library returned, and `+`."""

from __future__ import annotations

import random
import struct

from programs.registry import normal, program


@program(normal(4), second=True, jit=True)
def first_and_the_rest(x):
    t = (x[0],) + tuple(x[1:])
    return sum(t) ** 2 + t[0] * t[-1] * t[1]


@program(normal(4))
def the_rest_first(x):
    first, *rest = x
    t = tuple(rest) + (first,)
    return t[0] * t[-1] + t[-2] ** 3


@program(normal(4))
def generated_and_a_constant(x):
    t = tuple(v * v for v in x) + (1.5,)
    return t[0] * t[-1] * t[-2]


@program(normal(4), jit=True)
def grown_and_joined(x):
    t = ()
    for v in x:
        t += (v * v,)
    t = t + tuple(x)
    return t[0] * t[-1] * t[-2]


@program(normal(3))
def joined_in_each_turn(x):
    t = (x[0],) + tuple(x[1:].tolist())
    s = 1.0
    for v in t:
        longer = (v,) + t
        s = s * longer[0] + longer[-1]
    a, *b = t
    return s + a * sum(b)


@program(normal(3), 2)
def chosen_as_a_run_decides(x, n):
    t = (x[0],) if n == 1 else tuple(x[:n])
    u = tuple(x) + t
    return u[-1] * u[0] + len(u) * x[1]


@program(normal(3))
def joined_to_what_a_library_returned(x):
    p = struct.unpack("dd", struct.pack("dd", 1.0, 2.0)) + (3.0,)
    k = [0] + random.Random(0).sample(range(3), 2)
    k += [1]
    return sum(p) * x[0] + len(p) * x[1] + sum(x[i] ** 2 for i in k)


@program(normal(2), second=True)
def bound_anew_in_two_loops(u):
    total = 0.0
    for _ in range(2):
        s = tuple(u)
        for _ in range(2):
            s = (s[0] * s[1], s[1])
            total += s[0] ** 2
    s = (u[0],)
    return total * s[0]


@program(normal(2), second=True)
def lists_of_two_lengths(u):
    total = 0.0
    for i in range(2):
        s = list(u)
        for _ in range(2):
            s = [s[0] * s[1], s[1]] if i else [s[0], s[1], u[0]]
            total += s[0] ** 2
    s = [u[0]]
    return total * s[0]
