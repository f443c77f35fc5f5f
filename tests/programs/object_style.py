"""Programs in the style of objects: vectors, matrices, dual numbers, accounts."""

import math
from abc import ABC, abstractmethod

import numpy as np

from programs.registry import normal, program

rng = np.random.default_rng(13)

X = rng.normal(size=6)

P = rng.uniform(0.5, 1.5, size=6)


class Shape(ABC):
    registry = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Shape.registry[cls.__name__.lower()] = cls

    @abstractmethod
    def area(self): ...

    def __add__(self, o):
        return Compound([self, o])

    def __lt__(self, o):
        return self.area() < o.area()


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r**2


class Rect(Shape):
    def __init__(self, w, h=1.0):
        self.w, self.h = (w, h)

    def area(self):
        return self.w * self.h

    @classmethod
    def square(cls, s):
        return cls(s, s)


class Compound(Shape):
    def __init__(self, parts):
        self.parts = parts

    def area(self):
        return sum((p.area() for p in self.parts))


@program(P, second=True)
def registry_of_shapes(x):
    c = Shape.registry["circle"](x[0])
    r = Rect.square(x[1]) + Rect(x[2], h=x[3])
    tot = c + r
    biggest = max([c, r, Rect(x[4])], key=lambda s: s.area())
    return tot.area() * biggest.area()


class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, k):
        return (
            Vec(self.x * k, self.y * k) if not isinstance(k, Vec) else self.x * k.x + self.y * k.y
        )

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __iter__(self):
        return iter((self.x, self.y))

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __eq__(self, o):
        return self.x == o.x and self.y == o.y

    def __repr__(self):
        return f"Vec({self.x},{self.y})"

    def __bool__(self):
        return bool(self.x or self.y)


@program(X, second=True)
def vector_with_slots(x):
    a, b = (Vec(*x[:2]), Vec(x[2], x[3]))
    c = 2 * a + -b * x[4] - Vec(1, 0)
    px, py = c
    s = sum([a, b, c], Vec(0.0, 0.0))
    return abs(c) + a * b + c[1] * px + (s.y if s else 0.0) + (1.0 if a == b else py)


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    @property
    def shape(self):
        return (len(self.rows), len(self.rows[0]))

    @classmethod
    def identity(cls, n):
        return cls([[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)])

    def __matmul__(self, o):
        (n, m), (m2, p) = (self.shape, o.shape)
        assert m == m2
        return Matrix(
            [
                [sum((self.rows[i][k] * o.rows[k][j] for k in range(m))) for j in range(p)]
                for i in range(n)
            ]
        )

    def __pow__(self, k):
        r = Matrix.identity(len(self.rows))
        b = self
        while k:
            if k & 1:
                r = r @ b
            b = b @ b
            k >>= 1
        return r

    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]

    def __setitem__(self, ij, v):
        self.rows[ij[0]][ij[1]] = v

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def trace(self):
        return sum((self[i, i] for i in range(len(self.rows))))


@program(X)
def matrix_of_lists(x):
    m = Matrix([[x[0], x[1]], [x[2], x[3]]])
    q = m**5 @ m.T
    q[0, 1] += x[4]
    return q.trace() * q[0, 1]


class Dual:
    def __init__(self, v, d=0.0):
        self.v, self.d = (v, d)

    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.v + o.v, self.d + o.d)

    __radd__ = __add__

    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.v * o.v, self.v * o.d + self.d * o.v)

    __rmul__ = __mul__

    def sin(self):
        return Dual(np.sin(self.v), np.cos(self.v) * self.d)


@program(X, second=True)
def dual_numbers(x):
    def g(a, b):
        return a * b * b + 2.0 * a.sin() + b

    out = 0.0
    for i in range(3):
        r = g(Dual(x[i], 1.0), Dual(x[i + 1]))
        out += r.d**2 + r.v
    return out


class Account:
    interest = 0.02

    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.log = []

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, v):
        self.log.append(v - self._balance)
        self._balance = v

    def accrue(self, n=1):
        for _ in range(n):
            self.balance = self.balance * (1 + self.interest)
        return self


class Savings(Account):
    interest = 0.05

    def accrue(self, n=1):
        super().accrue(n)
        self.balance -= 1.0
        return self


@program(P, second=True)
def accounts(x):
    a = Account("a", x[0] * 100)
    b = Savings("b", balance=x[1] * 50)
    a.accrue(3).accrue()
    b.accrue(n=2)
    a.balance, b.balance = (a.balance - x[2], b.balance + x[2])
    return sum((v**2 for v in a.log + b.log)) * 0.01 + b.balance


class _Branch:
    def __init__(self, value, branches=()):
        self.value, self.branches = value, list(branches)

    def total(self):
        return self.value + sum(b.total() for b in self.branches)

    def depth(self):
        return 1 + max((b.depth() for b in self.branches), default=0)

    def scale(self, factor):
        self.value = self.value * factor
        for b in self.branches:
            b.scale(factor * 0.5)


@program(np.array([0.3, -0.5, 0.7, 0.9, 0.2, 0.6]), second=True)
def trees_that_measure_themselves(x):
    tree = _Branch(x[0], [_Branch(x[1], [_Branch(x[2])]), _Branch(x[3])])
    before = tree.total()
    tree.scale(x[4])
    return before * tree.total() + tree.depth() * x[5]


class Agent:
    def __init__(self, weight, place):
        self.weight, self.place = weight, place


@program(normal(6), second=True)
def agents_that_push_their_nearest(x):
    """The generated gradient asks which dict of fields is which."""
    agents = [Agent(x[i], x[i + 3]) for i in range(3)]
    total = 0.0
    for _ in range(2):
        for a in agents:
            near = min((b for b in agents if b is not a), key=lambda b: abs(b.place - a.place))
            near.place += 0.1 * a.place**2
            total = total + near.place * a.weight
    return total


class Cell:
    def __init__(self, held):
        self.held, self.first = held, None


@program(normal(4), second=True)
def cells_that_pass_on_what_they_hold(x):
    """Two names for what goes round hold the same at the head of the loop."""
    cells, h, total = [Cell(x), Cell(2.0 * x[::-1])], x * 1.0, 0.0
    for _ in range(2):
        for cell in cells:
            cell.held, h = h, cell.held
            part = h[:2]
            cell.first = part if cell.first is None else cell.first
            total += (cell.first**2).sum()
    return total + h @ cells[0].held


class Kept:
    def __init__(self, held):
        self.held, self.first, self.all = held, None, []


@program(normal(6), second=True)
def cells_with_parts_they_scale(x):
    """Compiled in pieces: what is None at first is an array that is written, or not there."""
    cells, h, total = [Kept(x[:3]), Kept(2.0 * x[3:]), Kept(x[1:4])], x[:3] * 1.0, 0.0
    for cell in cells:
        if cell.first is not None:
            cell.first *= 1.2
        if h[0] < 0.1:
            total += h[1]
            continue
        cell.all.append(np.sin(h))
        cell.all.append(h.copy()[:1])
        cell.first = cell.all[-1] if cell.first is None else cell.first
    total = total + sum((c.held * c.held).sum() for c in cells) + h @ h
    for cell in cells:
        total += sum(np.sum(a) for a in cell.all)
        if cell.first is not None:
            total += (cell.first**2).sum()
    return total


class Pile:
    def __init__(self, held, rate=0.5):
        self.held, self.all, self.rate = held, [], rate


@program(normal(4), [normal(4), normal(4), normal(4)], wrt=(0, 1))
def taken_from_piles(x, ws):
    """The piles hold what has a name, too; an entry of what is taken is a number."""
    piles, h, total = [Pile(w) for w in ws], x * 1.0, 0.0
    for pile in reversed(piles):
        if len(pile.all) > 1:
            h += pile.all.pop()[0]
    for pile in reversed(piles):
        pile.held = np.sin(pile.held + h)
        pile.all.append(h)
        total += np.sum(h) * pile.rate
    return total
