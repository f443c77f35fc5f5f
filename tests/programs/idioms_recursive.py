"""Recursion over structures known while compiling, objects that operators make, state in dicts."""

import functools
import itertools
import operator

import numpy as np

from programs.registry import normal, positive, program


class Q2:
    __slots__ = ("w", "v")

    def __init__(self, w, v):
        self.w, self.v = w, v

    def __mul__(self, k):
        if isinstance(k, Q2):
            return Q2(self.w * k.w, self.v * k.v)
        return Q2(self.w * k, self.v * k)

    __rmul__ = __mul__

    def __abs__(self):
        return np.sqrt(self.w**2 + self.v @ self.v)

    def __invert__(self):
        return Q2(self.w, -self.v)

    def __neg__(self):
        return Q2(-self.w, -self.v)


@program(positive(4))
def r_operator_of_made_object(x):
    q = functools.reduce(lambda a, b: a * b, [Q2(x[i], x) for i in range(len(x))])
    r = 2.0 * q
    return abs(r) * q.w + (~q).v[0] + (-q).w


class V2:
    def __init__(self, e):
        self.e = e

    def __len__(self):
        return len(self.e)

    def __getitem__(self, i):
        return self.e[i]

    def __add__(self, o):
        return V2([a + b for a, b in zip(self.e, o.e)])

    def __iter__(self):
        return iter(self.e)


@program(positive(4))
def objects_of_lists(x):
    a = V2(list(x))
    b = V2([v * v for v in x if v > 0.1])
    c = a + b
    return sum(c) + c[-1] ** 2 + len(c) * max(c) + sum(u * v for u, v in zip(a, c))


class Poly:
    def __init__(self, c):
        self.c = tuple(c)

    def __mul__(self, o):
        out = [0.0] * (len(self.c) + len(o.c) - 1)
        for (i, a), (j, b) in itertools.product(enumerate(self.c), enumerate(o.c)):
            out[i + j] += a * b
        return type(self)(out)

    def __pow__(self, n):
        return self if n == 1 else self * self ** (n - 1)

    def __call__(self, x):
        return functools.reduce(lambda a, c: a * x + c, self.c[::-1], 0.0)

    @property
    def degree(self):
        return len(self.c) - 1

    def derivative(self):
        return Poly(k * c for k, c in enumerate(self.c) if k)


@program(positive(3))
def pow_of_objects(c):
    return (Poly(c) ** 3)(0.7)


@program(positive(3))
def derivative_of_power(c):
    q = (Poly(c) * Poly(c)).derivative()
    return q(0.7) + q.degree


class Adam:
    def __init__(self):
        self.state = {}

    def step(self, params):
        new = {}
        for name, p in params.items():
            m, v = self.state.get(name, (np.zeros_like(p), np.ones_like(p)))
            m = 0.9 * m + p
            v = 0.9 * v + p**2
            self.state[name] = m, v
            new[name] = p - 0.1 * m / np.sqrt(v)
        return new


@program(positive(3))
def state_in_a_dict(x):
    o = Adam()
    p = {"a": x, "b": x[:1]}
    for _ in range(3):
        p = o.step(p)
    return np.sum(p["a"] ** 2) + p["b"][0]


class Adam2:
    def __init__(self):
        self.state = {}

    def step(self, params):
        t = self.state["t"] = self.state.get("t", 0) + 1
        new = {}
        for name, p in params.items():
            m = self.state.get(name, np.zeros_like(p))
            m = 0.9 * m + p
            self.state[name] = m
            new[name] = p - 0.1 * m / (1 - 0.9**t)
        return new


@program(positive(3))
def counter_in_a_dict(x):
    o = Adam2()
    p = {"a": x, "b": x[:1]}
    for _ in range(3):
        p = o.step(p)
    return np.sum(p["a"] ** 2) + p["b"][0]


def measure(shape):
    match shape:
        case float() | int():
            return shape**2
        case [first, *rest]:
            return measure(first) + 0.5 * measure(rest)
        case {"by": k, "shape": inner}:
            return k * measure(inner)
        case []:
            return 0.0
        case (a, b) if a > b:
            return a - b
        case _:
            return 1.0


@program(positive(3))
def recursion_by_match(x):
    return measure([x[0] * 1.0, {"by": x[1], "shape": [2, x[2] * 1.0]}, 2])


def total(tree):
    if isinstance(tree, dict):
        return sum(total(v) for v in tree.values())
    if isinstance(tree, (list, tuple)):
        return sum(total(v) for v in tree)
    return np.sum(tree**2)


@program({"a": positive(3), "b": [positive(2), (positive(1), positive(4))]})
def tree_sum(p):
    return total(p)


def head_and_rest(items):
    if not items:
        return 0.0
    first, *rest = items
    return first**2 + 0.5 * head_and_rest(rest)


@program(positive(3))
def head_rest_of_display(x):
    return head_and_rest([x[0], x[1] * x[2], 3.0]) + head_and_rest((x[0], x[1]))


@program(positive(4))
def operator_mul(x):
    q = functools.reduce(operator.mul, [Q2(x[i], x) for i in range(len(x))])
    return abs(q) * q.w


@program(positive(4))
def made_by_loop(x):
    q = Q2(x[0], x)
    for v in x:
        q = q * Q2(v, x)
    return abs(2.0 * q) * q.w


@program(positive(3, 3))
def enumerate_rows(A):
    q = functools.reduce(operator.mul, [Q2(a[0], a) for i, a in enumerate(A)])
    return abs(2.0 * q) * q.w


class Optimiser:
    def __init__(self):
        self.state = {}

    def step(self, p, g):
        t = self.state["t"] = self.state.get("t", 0) + 1
        for name in p:
            m, v = self.state.get(name, (np.zeros(3), np.zeros(3)))
            m = 0.9 * m + g[name]
            v = 0.9 * v + g[name] ** 2
            self.state[name] = m, v
            p = {**p, name: p[name] - 0.1 * m / (1 - 0.9**t) / (np.sqrt(v) + 0.1)}
        return p


@program(positive(3))
def adam_state(x):
    o = Optimiser()
    p = {"w": x}
    for k in range(3):
        p = o.step(p, {"w": p["w"] * 2.0})
    return np.sum(p["w"] ** 2)


@program(positive(3))
def mixed_values(x):
    state = {}
    for k in range(3):
        state["t"] = state.get("t", 0) + 1
        m, v = state.get("w", (np.zeros(3), 0.0))
        state["w"] = (m + x * state["t"], v + 1.0)
    return np.sum(state["w"][0] ** 2) * state["t"]


@program(positive(3))
def one_kind(x):
    state = {}
    for k in range(3):
        m, v = state.get("w", (np.zeros(3), 0.0))
        state["w"] = (m + x, v + 1.0)
    return np.sum(state["w"][0] ** 2)


@program(positive(3))
def two_kinds(x):
    state = {}
    for k in range(6):
        t = state.get("t", 0) + 1
        state["t"] = t
        m = state.get("w", np.zeros(3))
        state["w"] = m + x * t
    return np.sum(state["w"] ** 2) * state["t"]


@program(positive(3))
def tuple_and_number(x):
    state = {}
    for k in range(6):
        state["t"] = state.get("t", 0) + 1
        m, v = state.get("w", (np.zeros(3), 1.0))
        state["w"] = (m + x * v, v * 0.5)
    return np.sum(state["w"][0] ** 2) * state["t"]


@program(positive(3))
def tested_with_in(x):
    state = {}
    for k in range(6):
        if "w" not in state:
            state["w"] = (np.zeros(3), 1.0)
            state["t"] = 0
        state["t"] += 1
        m, v = state["w"]
        state["w"] = (m + x * v, v * 0.5)
    return np.sum(state["w"][0] ** 2) * state["t"]


@program(positive(3), ["a", "b"])
def by_names(x, names):
    state = {}
    for k in range(4):
        for n in names:
            m, v = state.get(n, (np.zeros(3), 1.0))
            state[n] = (m + x * v, v * 0.5)
    return sum(np.sum(m**2) * v for m, v in state.values())


@program(normal(4, 2), 0.4, wrt=(0, 1))
def casteljau_lists(control, t):
    def casteljau(points):
        if len(points) == 1:
            return points[0]
        return casteljau([(1 - t) * p + t * q for p, q in zip(points, points[1:])])

    return np.sum(casteljau(list(control)) ** 2)


def last(points):
    if len(points) == 1:
        return points[0]
    return last(points[1:])


@program(normal(4, 2))
def last_row(control):
    return np.sum(last(list(control)) ** 2)


@program(normal(4))
def last_number(control):
    return last(list(control)) ** 2
