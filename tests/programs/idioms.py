"""Idioms of Python that users write without a thought: enums, slots, joins, places, tables."""

import enum
import functools
import itertools
import operator
from collections import deque

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4))
def a(x):
    H = np.zeros((3, 4))
    items = []
    for v in x:
        items.append(v * v)
    H[0, 1:] = items[1:]
    H[1] += items
    H[2, :2] = [x[0] * x[1], x[2]]
    t = (x[0], x[1] ** 2)
    H[2, 2:] = t
    H[:, :2] += [[x[0], x[1]], [x[1], 2.0], [3, x[3]]]
    return np.sum(H**3)


@program(normal(4))
def b(x):
    H = np.zeros((2, 4))
    rows = [x * x]
    for i in range(3):
        rows.append(rows[-1] * 0.5 + x[i])
    H[:] = rows[2:]
    H += rows[1:3]
    H[0] += [v for v in x if v > -9][0]
    return np.sum(H**3)


@program(normal(4))
def c(x):
    n = 0
    s = 0.0
    for i in range(len(x))[::-1]:
        s = s * 0.5 + x[i] * i
    r = range(1, len(x))
    for i in r[1:]:
        s += x[i] ** 2 * r[0]
    for i in range(len(x))[1:3]:
        s += x[i] ** 3
    for i in reversed(range(len(x) - 1)[::2]):
        s *= 1 + x[i] * 0.1
    return s + r[-1] + len(r[::2])


class Option(enum.Enum):
    CALL = 1
    PUT = -1

    def payoff(self, s, k):
        return np.maximum(self.value * (s - k), 0.0)

    @property
    def sign(self):
        return self.value

    @classmethod
    def default(cls):
        return cls.PUT


@program(positive(4))
def enum_default(x, kind=Option.PUT):
    return np.sum(kind.payoff(x, 2.0) ** 2)


@program(positive(4))
def enum_global(x):
    s = 0.0
    for kind in Option:
        s += np.sum(kind.payoff(x, 2.0) ** 2) * kind.sign
    return (
        s + len(Option.default().name) * Option["PUT"].payoff(x[0], 3) + Option(-1).payoff(x[1], 4)
    )


class Q:
    __slots__ = ("w", "v")

    def __init__(self, w, v):
        self.w, self.v = w, v

    def __mul__(self, k):
        return Q(self.w * k, self.v * k)

    __rmul__ = __mul__

    def __abs__(self):
        return np.sqrt(self.w**2 + self.v @ self.v)


@program(positive(4))
def slots(x):
    q = Q(x[0], x)
    r = 2.0 * q
    return abs(r) * q.w


@program(positive(4))
def slots_reduced(x):
    q = functools.reduce(lambda a, b: a * b.w, [Q(x[i], x) for i in range(len(x))])
    return abs(q) * q.w


class V:
    def __init__(self, *e):
        self.e = list(e)

    def __iter__(self):
        return iter(self.e)

    def __len__(self):
        return len(self.e)

    def __getitem__(self, i):
        return self.e[i]


@program(positive(4))
def map_over_objects(x):
    a, b = V(*x), V(1.0, 2.0, 3.0, 4.0)
    return (
        sum(map(operator.mul, a, b)) ** 2
        + sum(p * q for p, q in zip(a, b))
        + max(a)
        + sum(a)
        + sorted(b)[0] * list(a)[1]
    )


@program(positive(4))
def joined(x):
    items = [{"n": n, "v": v, "r": None} for n, v in zip("abcd", x)]
    t = "; ".join(f"{it['n']}={it['v']:.2f}" for it in items)
    t2 = ",".join([str(v) for v in x if v > 0.1])
    t3 = " ".join(map(str, x))
    print(t, t2, t3, file=open("/dev/null", "w")) if False else None
    return np.sum(x**2) * len("ab".join("xyz"))


@program(positive(4))
def slice_attributes(x):
    w = slice(1, None, 2)
    return np.sum(x[w] * x[w.start + 1 :: w.step][:1]) + (0.0 if w.stop else x[0])


@program(positive(3))
def get_with_default(x):
    state = {}
    total = 0.0
    for k in range(4):
        for name in ("a", "b"):
            m, v = state.get(name, (np.zeros(3), 1.0))
            m = 0.9 * m + x * (k + 1)
            v = v * 0.9 + np.sum(m)
            state[name] = m, v
            total += v
    return total + np.sum(state["a"][0])


@program(positive(3))
def fstring_keys(x):
    rates = {}
    for k, v in enumerate(x):
        rates[f"{k}y"] = v * v
    return sum(w * r for w, r in zip((1, 2, 3), rates.values())) + rates["1y"]


class P:
    def __init__(self, c):
        self.c = tuple(c)

    def d(self):
        return P(k * c for k, c in enumerate(self.c) if k)

    def __call__(self, x):
        return functools.reduce(lambda a, c: a * x + c, self.c[::-1], 0.0)

    def __mul__(self, o):
        out = [0.0] * (len(self.c) + len(o.c) - 1)
        for (i, a), (j, b) in itertools.product(enumerate(self.c), enumerate(o.c)):
            out[i + j] += a * b
        return type(self)(out)


@program(positive(3))
def poly(c):
    p = P(c)
    return p.d()(0.5) + p(0.3)


@program(positive(3))
def poly_product(c):
    p = P(c)
    return (p * p)(0.7)


def memoised(function):
    cache = {}

    @functools.wraps(function)
    def wrapper(n, x):
        if n not in cache:
            cache[n] = function(n, x)
        return cache[n]

    return wrapper


@program(0.4)
def memo_inside(x):
    @memoised
    def p(n, x):
        if n < 2:
            return (1.0, x)[n]
        return ((2 * n - 1) * x * p(n - 1, x) - (n - 1) * p(n - 2, x)) / n

    return sum(p(n, x) / (n + 1) for n in range(6))


@program(positive(3), normal(6))
def delay_line(b, x):
    line = deque([0.0] * 2, maxlen=2)
    y = []
    for sample in x:
        w = sample - sum(ak * wk for ak, wk in zip(b[1:], line))
        y.append(b[0] * w + sum(bk * wk for bk, wk in zip(b[1:], line)))
        line.appendleft(w)
    return np.sum(np.asarray(y) ** 2)


@program(normal(4, 2), 0.4, wrt=(0, 1))
def casteljau_lists(control, t):
    def casteljau(points):
        if len(points) == 1:
            return points[0]
        return casteljau([(1 - t) * p + t * q for p, q in zip(points, points[1:])])

    return np.sum(casteljau(list(control)) ** 2)


@program(positive(4))
def zipped_list_that_is_shorter(x):
    items = []
    for v in x:
        if v > 0.2 and len(items) < 2:
            items.append(v * v)
    pairs = list(zip((1.0, 2.0, 3.0), items))
    return sum(a * b for a, b in pairs) + len(pairs) * x[0]


@program(positive(4))
def zipped_dict_that_is_shorter(x):
    items = {}
    for k, v in enumerate(x):
        if v > 0.2 and len(items) < 2:
            items[f"{k}"] = v * v
    s = 0.0
    for (a, b), c in zip(zip((1.0, 2.0, 3.0), items.values()), (0.1, 0.2, 0.3, 0.4)):
        s += a * b * c
    pairs = list(zip((1.0, 2.0, 3.0), items.values()))
    return sum(a * b for a, b in pairs) + len(pairs) * x[0] + s


@program(normal(3, 3))
def rows_of_argwhere(A):
    s = 0.0
    for idx in np.argwhere(A > 0):
        s += A[tuple(idx)] ** 2
    return s


@program(normal(3, 3), np.array([1, 2]))
def given_place(A, at):
    return A[tuple(at)] ** 2 + np.sum(A[at] ** 2)


@program(normal(3, 3))
def place_of_largest(A):
    i = np.unravel_index(np.argmax(A), A.shape)
    j = np.unravel_index(A.argmin(), A.shape)
    B = A.copy()
    B[j] *= 2.0
    return A[i] ** 2 + np.sum(B[tuple(j)] ** 2)


@program(normal(3, 3))
def list_as_place(A):
    at = []
    for k in range(2):
        at.append(k + 1)
    t = tuple(at)
    return A[t] ** 2 + np.sum(A[at] ** 2)


@program(normal(3, 3))
def nonzero_as_place(A):
    t = np.nonzero(A > 0)
    B = A.copy()
    B[t] *= 3.0
    k = tuple(np.transpose(np.argwhere(A < 0)))
    return (
        np.sum(A[t] ** 2)
        + np.sum(B**2)
        + np.sum(A[k] ** 3)
        + np.sum(B[tuple(zip(*np.argwhere(A > 0)))])
    )


class Doubled:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, holder, owner=None):
        return getattr(holder, self.name)

    def __set__(self, holder, value):
        if value <= 0:
            raise ValueError("must be positive")
        setattr(holder, self.name, 2.0 * value)


class Area:
    def __get__(self, holder, owner=None):
        return holder.a * holder.b


class Rectangle:
    a = Doubled()
    b = Doubled()
    area = Area()

    def __init__(self, a, b):
        self.a, self.b = a, b


@program(positive(2), second=True)
def descriptors(x):
    r = Rectangle(x[0], x[1])
    r.a = r.b * x[0]
    return r.area + r.a**2


RECORDS = np.zeros(3, dtype=[("weight", float), ("place", int)])
RECORDS["weight"] = [0.5, 1.5, 2.0]
RECORDS["place"] = [2, 0, 1]


@program(positive(3), RECORDS, second=True)
def table_with_named_fields(x, table):
    return np.sum(x.view() ** 2 * table["weight"] * RECORDS["weight"]) + x[1]
