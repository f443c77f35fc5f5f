"""Conditional expressions, `and` and guards of which only one case changes a list or dict."""

import numpy as np

from programs.registry import normal, program

ONE = np.ones(1)


@program(normal(4), 1, jit=True, second=True)
def keys_popped_in_one_case(x, n):
    d = {"a": x[0], "b": x[1]}
    v = d.pop("a") if ONE[0] > n else d.pop("b")
    w = d.setdefault("q", x[2]) if ONE[0] > n else d.setdefault("q", x[3])
    return v * 2 + w * sum(d.values()) + len(d)


@program(normal(4), 0, jit=True, second=True)
def items_popped_in_one_case(x, n):
    a = [x[0], x[1] * x[2], x[2]]
    v = a.pop() if ONE[0] > n else a.pop(0)
    w = a.pop() if x[3] * x[3] < 0 else a[0]
    return v * 2 + sum(a) * a[-1] + len(a) * w


@program(normal(4), 1, jit=True, second=True)
def popped_behind_an_and(x, n):
    d = {"a": x[0]}
    v = ONE[0] > n and d.pop("a", 2.0)
    w = d.pop("a", x[1])
    return v * 2 + w * x[2]


@program(normal(4), 0, jit=True, second=True)
def popped_by_a_guard(x, n):
    a = [x[0], x[1], x[2]]
    match n:
        case 0 if a.pop() > 100:
            s = 1.0
        case 0 if a.pop(0) ** 2 >= 0 and len(a) > 0:
            s = a[0]
        case _:
            s = sum(a)
    return s * x[3] + sum(a) * len(a)


@program(normal(4), 1, jit=True, second=True)
def names_bound_in_one_case(x, n):
    w = x[0]
    v = (w := x[1]) if ONE[0] > n else x[2]
    u = ONE[0] > n and (w := w * 2.0) or x[3]
    return v * w + u
