"""Random programs of records of all kinds: named tuples, dataclasses (frozen, ordered, plain),
enumerations, linked nodes and trees, and classes that behave like sequences, dicts and functions.

Arguments and result are those of the programs in `fuzz`. A program has two variables of each of
three kinds; a hole named after a kind is one of them.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HELPERS = """import collections
import copy
import enum
import functools
import itertools
import operator
from dataclasses import asdict, astuple, dataclass, field, replace
from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    a: float
    b: float = 0.5

    def norm(self):
        return self.a * self.a + self.b

    @property
    def both(self):
        return self.a + self.b

    def moved(self, v):
        return self._replace(a=self.a + v)


class Mode(enum.Enum):
    LINEAR = 1
    SQUARE = 2

    def apply(self, v):
        return v if self is Mode.LINEAR else v * v


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 2


@dataclass(frozen=True)
class Fixed:
    a: float
    k: int = 1

    def __post_init__(self):
        if self.k > 50:
            raise ValueError(self.k)

    def up(self, v):
        return replace(self, a=self.a * v, k=self.k + 1)


@dataclass(order=True)
class Ranked:
    key: int
    a: float = field(compare=False, default=0.5)
    tags: list = field(compare=False, default_factory=lambda: ["t"])


class Node:
    def __init__(self, a, following=None):
        self.a = a
        self.following = following
        self.kids = []

    def add(self, kid):
        self.kids.append(kid)
        return kid

    def total(self):
        return self.a + sum(kid.total() * 0.5 for kid in self.kids)

    def depth(self):
        return 1 + max((kid.depth() for kid in self.kids), default=0)

    def chain(self):
        total, node = 0.0, self
        while node is not None:
            total = total * 0.7 + node.a
            node = node.following
        return total


class Bag(dict):
    pass


class Row:
    def __init__(self, items):
        self._items = list(items)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, i):
        return self._items[i]

    def __setitem__(self, i, v):
        self._items[i] = v

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def append(self, v):
        self._items.append(v)


class Lazy:
    def __init__(self, v):
        self._v = v
        self.calls = 0

    @property
    def v(self):
        self.calls += 1
        return self._v * self.calls

    @v.setter
    def v(self, new):
        self._v = new

    def __getattr__(self, name):
        if name == "double":
            return self._v * 2
        raise AttributeError(name)


class Poly:
    def __init__(self, *c):
        self.c = c

    def __call__(self, t):
        return sum(k * t**i for i, k in enumerate(self.c))

    def __add__(self, other):
        pairs = itertools.zip_longest(self.c, other.c, fillvalue=0.0)
        return Poly(*(p + q for p, q in pairs))

    def __mul__(self, s):
        return Poly(*(p * s for p in self.c))

    __rmul__ = __mul__

    def __eq__(self, other):
        return len(self.c) == len(other.c)

    def slope(self):
        return Poly(*[i * k for i, k in enumerate(self.c)][1:])


def first(a, *rest):
    return a + 0.5 * sum(rest)


"""
HEAD = ("t = x[0] * 0.7", "s = 0.3 * a", "i = n % 2")
MADE = {
    "point": ("Point({e}, {e})", "Point(a={e})", "Point(*[{e}, {e}])", "Point._make(x[:2])"),
    "fixed": ("Fixed({e})", "Fixed({e}, {i})", "Fixed(a={e}, k={i})"),
    "ranked": ("Ranked({i}, {e})", "Ranked({i})", "Ranked(key={i}, a={e}, tags=['u'])"),
    "node": ("Node({e})", "Node({e}, None)", "Node({e}, Node({e}))"),
    "row": ("Row([{e}, {e}])", "Row(x)", "Row(v * {e} for v in x)"),
    "lazy": ("Lazy({e})",),
    "poly": ("Poly({e}, {e})", "Poly(0.5, {e}, {e})", "Poly({e})"),
    "bag": ("Bag(a={e}, b={e})", "Bag(dict(a={e}))"),
}
NUMBERS = (
    "x[0]", "x[1]", "y[2]", "t", "s", "a", "({e} + {e})", "({e} * {e})", "({e} - {e})",
    "({e} if {test} else {e})", "Mode.LINEAR.apply({e})", "Mode({i} % 2 + 1).apply({e})",
    "(Level.HIGH if {test} else Level.LOW) * {e}", "np.tanh({e})", "{point}.a", "{point}[0]",
    "{point}.both", "{point}.norm()", "{point}.moved({e}).a", "sum({point})", "max({point})",
    "({point} == {point}) * {e}", "{point}._asdict()['a']", "(lambda a, b: a * b)(*{point})",
    "sum(p * q for p, q in zip({point}, {point}))", "{point}._replace(b={e}).both",
    "len({point}) * {e}", "({point} + {point})[3]", "min({point}, {point}).a", "{fixed}.a",
    "{fixed}.up({e}).a", "replace({fixed}, a={e}).a", "asdict({fixed})['a']",
    "({fixed} == {fixed}) * {e}", "astuple({fixed})[0]", "getattr({fixed}, 'a')",
    "{fixed}.up({e}).up({e}).k * {e}", "copy.copy({fixed}).a", "{ranked}.a",
    "({ranked} < {ranked}) * {e}", "max({ranked}, {ranked}).a", "sorted([{ranked}, {ranked}])[0].a",
    "({ranked} >= {ranked}) * {e}",
    "min([{ranked}, {ranked}], key=lambda q: q.a).a", "len({ranked}.tags) * {e}", "{node}.a",
    "replace({ranked}, a={e}).a", "{node}.total()", "{node}.chain()", "{node}.depth() * {e}",
    "len({node}.kids) * {e}", "sum(kid.a for kid in {node}.kids)", "({node} is {node}) * {e}",
    "({node}.following is None) * {e}", "(1.5 if {node}.kids else {e})", "{row}[0]", "{row}[-1]",
    "sum({row})", "len({row}) * {e}", "sum(v * w for v, w in zip({row}, x))", "max({row})",
    "list(reversed({row}))[0]", "[*{row}][{i} % len({row})]", "sorted({row})[0]",
    "functools.reduce(lambda p, q: p * 0.5 + q, {row})", "np.sum(np.array(list({row})))",
    "first(*{row})", "sum(v for j, v in enumerate({row}) if j % 2 == 0)", "{lazy}.v",
    "{lazy}.double", "({lazy}.v + {lazy}.v)", "{lazy}.calls * {e}", "{lazy}._v", "{poly}({e})",
    "({poly} + {poly})({e})", "({poly} * 2.0)({e})", "(0.5 * {poly})({e})", "{poly}.slope()({e})",
    "({poly} == {poly}) * {e}", "len({poly}.c) * {e}", "sum(map({poly}, x))",
    "functools.reduce(operator.add, [{poly}, {poly}])(0.7)", "{bag}['a']", "{bag}.get('b', {e})",
    "sum({bag}.values())", "('b' in {bag}) * {e}", "len({bag}) * {e}", "max({bag}.values())",
)  # fmt: skip
INTEGERS = ("n", "i", "1", "2", "len(x)", "int(Level.HIGH)", "{fixed}.k", "{ranked}.key")
TESTS = (
    "n > 1", "i == 0", "t > 0.137", "{e} > 0.219", "{node}.kids", "{fixed}.k > 1",
    "{ranked}.key < 2", "len({row}) > 2", "'z' in {bag}", "{lazy}.calls > 1", "len({poly}.c) > 2",
)  # fmt: skip
STATEMENTS = (
    "t = {e}", "s += {e} * 0.3", "s, t = t, {e}", "i += 1",
    "{point} = {point}.moved({e})", "{point} = {point}._replace(b={e})", "t, s = {point}",
    "{point} = Point({e}, {point}.a)", "{point} = {point}", "{fixed} = {fixed}.up({e})",
    "{fixed} = replace({fixed}, k={i})", "{fixed} = {fixed}", "{ranked}.a = {e}",
    "{ranked}.key += 1", "{ranked} = max({ranked}, {ranked})", "{ranked}.a *= {e}",
    "{ranked} = {ranked}", "{ranked} = copy.copy({ranked})", "{ranked}.tags.append('v')",
    "{node}.add(Node({e}))", "{node}.a = {e}", "{node} = Node({e}, {node})",
    "{node}.add(Node({e})).add(Node({e}))", "{node}.kids.append(Node({e}))",
    "if {node}.kids: {node}.a += {node}.kids[0].a", "{node}.following = Node({e})",
    "for kid in {node}.kids: kid.a = kid.a * {e}", "{node}.kids = {node}.kids[:1]",
    "{row}.append({e})", "{row}[0] = {e}", "{row}[-1] *= {e}", "{row} = {row}",
    "{row} = Row([v * 0.5 for v in {row}])", "t = first(*{row}) * {e}",
    "for j, v in enumerate([*{row}]): {row}[j % len({row})] = v * {e}",
    "{lazy}.v = {e}", "{lazy}.v += {e}", "{lazy}._v *= {e}", "t = {lazy}.v * 0.5",
    "{poly} = {poly} + {poly}", "{poly} = {poly} * {e}", "{poly}.c = (*{poly}.c, {e})",
    "{poly} = {poly}", "{bag}['c'] = {e}", "{bag}['a'] += {e}", "{bag}.update(a={e})",
    "for key in {bag}: {bag}[key] = {bag}[key] * 0.5", "{bag}.setdefault('z', {e})",
)  # fmt: skip
LOOPS = (
    "for i in range(n):", "for i in range(3):", "for i in range(2, -1, -1):", "for t in x:",
    "for s in {row}[:3]:", "for i, t in enumerate({point}):", "for s in [*{bag}.values()]:",
)  # fmt: skip
LAST = (
    "{point}.a * 0.3 + {point}.b * 0.7", "{fixed}.a * 0.4 + {fixed}.k * 0.1",
    "{ranked}.a * 0.6 + {ranked}.key * 0.1", "{node}.total() * 0.2 + {node}.chain() * 0.3",
    "sum({row}) * 0.4 + len({row}) * 0.1", "{lazy}._v * 0.3 + {lazy}.calls * 0.1", "{poly}(0.6)",
    "sum({bag}.values()) * 0.5",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    kinds = draw(st.lists(st.sampled_from(sorted(MADE)), min_size=3, max_size=3, unique=True))
    return HELPERS + Body(draw, kinds).whole()


class Body(fuzz_library.ByHeads):
    """The statements of a program with records of some kinds."""

    def __init__(self, draw: Any, kinds: list[str]) -> None:
        super().__init__(draw)
        self.kinds = kinds
        self.holes = {"e": ("x[0]", "x[1]", "y[2]", "t", "a"), "i": ("n", "1", "2")}

    def whole(self) -> str:
        made = []
        for kind in self.kinds:
            for name in (kind + "1", kind + "2"):
                options = st.sampled_from(MADE[kind])
                made.append(f"{name} = {self.filled(self.draw(options))}")
        self.holes = {kind: (kind + "1", kind + "2") for kind in self.kinds}
        self.holes |= {"e": self.own(NUMBERS), "i": self.own(INTEGERS), "test": self.own(TESTS)}
        self.statements, self.loops = self.own(STATEMENTS), self.own(LOOPS)
        last = [o.replace("{" + k, k + d).replace("}", "")
                for k in self.kinds for o in LAST if "{" + k in o for d in "12"]  # fmt: skip
        return self.text((*HEAD, *made), ["t", "s * 0.9", *last], terms=8)

    def own(self, options: tuple[str, ...]) -> tuple[str, ...]:
        """The options whose holes are of the kinds that the program has."""
        others = [kind for kind in MADE if kind not in self.kinds]
        return tuple(o for o in options if not any("{" + kind + "}" in o for kind in others))
