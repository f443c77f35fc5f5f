"""Objects with many special methods, properties through super(), dataclasses."""

from dataclasses import asdict, astuple, dataclass, field, replace
from functools import cached_property

import numpy as np

from programs.registry import normal, program

X = np.array([0.31, 0.72, 0.53, 0.44])


class Vec:
    __slots__ = ("d", "n")

    def __init__(self, d):
        self.d = d
        self.n = 0

    def __len__(self):
        return len(self.d)

    def __getitem__(self, i):
        self.n += 1
        return Vec(self.d[i]) if isinstance(i, slice) else self.d[i]

    def __setitem__(self, i, v):
        self.d[i] = v

    def __iter__(self):
        for k in range(len(self.d)):
            yield self.d[k]

    def __contains__(self, v):
        return any((abs(v - w) < 0.01 for w in self.d))

    def __bool__(self):
        return bool(self.d[0] > 0.2)

    def __eq__(self, o):
        return abs(self.d[0] - o.d[0]) < 1e-09

    def __lt__(self, o):
        return self.d[0] < o.d[0]

    def __hash__(self):
        return 7

    def __neg__(self):
        return Vec(-self.d)

    def __abs__(self):
        return np.sqrt((self.d**2).sum())

    def __add__(self, o):
        return Vec(self.d + (o.d if isinstance(o, Vec) else o))

    __radd__ = __add__

    def __sub__(self, o):
        return Vec(self.d - (o.d if isinstance(o, Vec) else o))

    def __rsub__(self, o):
        return Vec(o - self.d)

    def __mul__(self, o):
        return Vec(self.d * o) if not isinstance(o, Vec) else (self.d * o.d).sum()

    def __rmul__(self, o):
        return self * o

    def __matmul__(self, o):
        return self.d @ o.d

    def __imul__(self, o):
        self.d = self.d * o
        return self

    def __pow__(self, k):
        return Vec(self.d**k)

    def __float__(self):
        return float(self.d.sum())

    def __int__(self):
        return int(self.d[0] * 10)

    def __round__(self, n=0):
        return round(float(self.d[0]), n)

    def __call__(self, k=1, *a, **kw):
        return self.d * k + sum(a) + sum(kw.values())

    def __enter__(self):
        self.n = 5
        return self

    def __exit__(self, *a):
        self.n = 0
        return False

    def __format__(self, s):
        return "v"

    def __repr__(self):
        return "Vec"

    def __getattr__(self, name):
        if name == "twice":
            return self.d * 2
        raise AttributeError(name)


@program(X, second=True)
def lengths_and_items(x):
    v = Vec(x * 1.0)
    w = v[1:]
    v[0] = v[1] * v[2]
    return abs(v) * abs(w) + v.n * x[0] + len(w) * w[0]


@program(X, second=True)
def operators_of_a_class(x):
    v = Vec(x)
    w = 2 * v + v * 3 - v + (1 - v) + sum([v, v])
    w *= 2
    return w @ v + v * w + float(-w) + abs(w**2)


class Reg:
    items = []
    count = 0
    scale = 2.0

    def __init__(self, w):
        self.w = w
        type(self).count

    @property
    def norm(self):
        return np.sqrt(self.w @ self.w)

    @norm.setter
    def norm(self, v):
        self.w = self.w * (v / np.sqrt(self.w @ self.w))

    @classmethod
    def make(cls, w):
        return cls(w * cls.scale)

    @staticmethod
    def twist(a, b=2):
        return a * b

    def __init_subclass__(cls, **k):
        super().__init_subclass__(**k)


class Sub(Reg):
    scale = 3.0

    def __init__(self, w, k=1):
        super().__init__(w)
        self.k = k
        self.hist = []

    @property
    def norm(self):
        return super().norm * self.k

    def step(self, g):
        self.hist.append(g.sum())
        self.w = self.w - 0.1 * g
        return self

    def __eq__(self, o):
        return self is o


@program(X, second=True)
def properties_of_a_subclass(x):
    s = Sub.make(x)
    s.step(x * x).step(s.w)
    r = Reg(x)
    r.norm = 2.0 * x[0]
    return (
        s.norm * sum(s.hist)
        + Sub.twist(s.w[0], b=3)
        + s.twist(r.w[1])
        + (s == s) * x[2]
        + len(s.hist) * r.norm
    )


@program(X, second=True)
def best_of_several_objects(x):
    s = [Sub(x[k : k + 2], k=k + 1) for k in range(3)]
    best = max(s, key=lambda o: o.norm)
    best.w = best.w * 2
    d = {o.k: o for o in s}
    d[1].k = 5
    return sum((o.norm for o in s)) + best.norm * s[0].norm * d[1].k


@dataclass(order=True)
class P:
    a: float
    b: float = 1.0
    tags: list = field(default_factory=list)

    def __post_init__(self):
        self.c = self.a * self.b


@dataclass(frozen=True)
class Q:
    p: P
    w: np.ndarray

    def moved(self, d):
        return replace(self, w=self.w + d)


@program(X, second=True)
def dataclasses_ordered(x):
    p = P(x[0], x[1])
    q = P(x[2])
    p.tags.append(x[3])
    q.tags.append(1.0)
    m = max(p, q)
    r = Q(p, x).moved(x[0])
    t = sum(astuple(q)[:2]) * r.w.sum() + asdict(p)["b"] * m.a + p.c * len(q.tags) + r.p.tags[0]
    match p:
        case P(a=a, b=b) if a < b:
            t += a * b * b
        case _:
            t += 1
    return t


@program(X, second=True)
def dataclass_aliased(x):
    a = P(x[0])
    b = a
    b.a = b.a * x[1]
    c = replace(a, b=x[2])
    c.tags.append(x[3])
    return a.a * a.a + c.c * len(a.tags) + sum(a.tags) * a.c


class Pair:
    def __init__(self, v):
        self.v, self.w = v, 2.0

    def __iter__(self):
        return iter((self.v, self.w * self.v))

    def __reversed__(self):
        return iter((self.v, 3.0))

    def __len__(self):
        return 5

    def __contains__(self, k):
        return k < 3

    def __getitem__(self, k):
        return self.v * (k + 1)

    def __setitem__(self, k, value):
        self.v = self.v + k * value

    def __abs__(self):
        return 2.0 * self.v

    def __call__(self, k):
        return self.v + k


@program(X, second=True)
def last_object_of_a_loop(x):
    last = None
    pairs = []
    for v in x:
        last = Pair(v * v)
        pairs.append(Pair(v))
    y = sum(a * b for a, b in zip(last, last)) + sum(list(last)) * max(last)
    for a in last:
        y += a * a
    for a in reversed(last):
        y = y * a
    for i, a in enumerate(pairs[0]):
        y += i * a * len(pairs[1])
    if 2 in last and 3 not in pairs[1]:
        y += abs(last) * last(x[0])
    pairs[2][3] = x[1]
    return y + pairs[2][1] * last[2] + sum(map(np.sin, last)) + sum(sum(p) for p in pairs)


class Held:
    def __init__(self, v):
        self._v, self._items, self.found = v, [v[0]], 0

    @property
    def squared(self):
        return self._v

    @squared.setter
    def squared(self, v):
        self._v = v * v

    @property
    def doubled(self):
        return self._items

    @doubled.setter
    def doubled(self, items):
        self._items = [2.0 * v for v in items]

    @cached_property
    def norm(self):
        self.found += 1
        return np.sqrt(np.sum(self._v**2))


def counted(held, calls):
    calls.append(held)
    return held


@program(X, second=True)
def properties_augmented(x):
    held, calls, y = Held(np.sin(x)), [], 0.0
    held.squared += x
    counted(held, calls).squared *= 2.0
    held.doubled += [x[1], x[2]]
    first = held.norm
    held.squared = held.squared + 1.0
    for k in range(2):
        y += x[k + 1] * held.doubled[k]
    return y + first * held.norm * held.found + np.sum(held.squared) * len(calls)


class Region:
    def __init__(self, v):
        self.v = v

    @cached_property
    def area(self):
        return np.sum(self.v**2)


class Kept(Region):
    pass


@program(np.array([0.9, 0.5, -0.2]), second=True)
def cached_in_loops(x):
    """Asked for first in a loop, of one object and of those in a list; before it, of one more."""
    first, second = Region(x), Kept(x * 0.5)
    total = second.area
    regions = []
    for k in range(3):
        total += first.area * x[k]
        second.v = second.v * 1.1
        total += second.area * np.sum(second.v)
        regions.append(Region(x * k))
    for region in regions:
        total += np.sin(region.area) * x[1]
    return total + sum(r.area for r in regions)


class Bounded:
    """What is set is counted, and kept within bounds."""

    bounds = {"k": (0.0, 10.0), "c": (-5.0, 5.0)}

    def __init__(self, **given):
        self.__dict__["sets"] = 0
        for name, value in given.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        low, high = self.bounds.get(name, (-99.0, 99.0))
        self.__dict__["sets"] += 1
        super().__setattr__(name, min(max(value, low), high))


@program(normal(3), 2, second=True)
def attributes_that_are_set_within_bounds(x, n):
    p = Bounded(k=x[0] + 1.0, c=x[1] * 100.0)
    for _ in range(n):
        p.k *= 1.5
        p.rate = p.k * x[2]
    return p.k * p.rate + p.c * x[0] + p.sets
