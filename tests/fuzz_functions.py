"""Random programs of functions: closures that write and read late, functions held in lists and
dicts, decorators, recursion, generators, classes that inherit, arguments of every kind.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HELPERS = """import functools
import itertools
import math
import operator
from collections import namedtuple

import numpy as np

Pair = namedtuple("Pair", "left right")
GAIN = 0.7


def scaled(factor):
    def wrap(g):
        @functools.wraps(g)
        def inner(*args, **kwargs):
            return factor * g(*args, **kwargs)

        return inner

    return wrap


@scaled(0.9)
def blend(v, w, *rest, weight=0.5, **extra):
    out = weight * v + (1 - weight) * w
    for r in rest:
        out = out + 0.2 * r
    for key in extra:
        out = out * (1.0 + 0.1 * extra[key])
    return out


def power_sum(v, k, acc=0.0):
    if k == 0:
        return acc
    return power_sum(v * 0.8, k - 1, acc + np.sum(v))


def tree(v):
    if len(v) <= 1:
        return v[0] if len(v) else 0.0
    h = len(v) // 2
    left, right = tree(v[:h]), tree(v[h:])
    return left * 0.7 + right if left < right else right * 0.3 + left * left


def ladder(v, s):
    for k in range(len(v)):
        s = 0.5 * s + v[k]
        if s > 2.137:
            return
        yield s


def apply(g, *args, times=1):
    out = g(*args)
    for _ in range(times - 1):
        out = g(out)
    return out


def both(v, s, /, *, swap=False):
    if swap:
        return Pair(s * v, v)
    return Pair(left=v + s, right=0.3 * v)


def fill(v, s, into=None):
    if into is None:
        into = np.zeros(3)
    into += s * v
    into[0] = 0.5 * s
    return into


def first_above(v, level):
    for k, e in enumerate(v):
        if e > level:
            return k, e
    else:
        k = -1
    return k, level


def half_of(c):
    def g(v):
        return 0.5 * v * c

    return g


class Shape:
    gain = 0.6

    def __init__(self, v, s):
        self.v, self.s = v, s

    @property
    def norm(self):
        return self.gain * np.sum(self.v**2)

    @property
    def size(self):
        return self.s * 2.0

    @size.setter
    def size(self, value):
        self.s = 0.5 * value

    @staticmethod
    def squash(v):
        return np.tanh(v)

    @classmethod
    def made(cls, v, s=0.4):
        return cls(v * cls.gain, s)

    def area(self, h=1.0):
        return h * self.s * np.sum(self.squash(self.v))

    def __call__(self, w):
        return self.v * self.s + 0.3 * w

    def __getitem__(self, k):
        return self.v[k]

    def __setitem__(self, k, value):
        self.v[k] = value

    def __len__(self):
        return len(self.v)

    def __iter__(self):
        return iter(self.v)

    def __mul__(self, other):
        return type(self)(self.v * other, self.s)

    __rmul__ = __mul__

    def __iadd__(self, other):
        self.v = self.v + other
        return self

    def __lt__(self, other):
        return self.s < other.s

    def __neg__(self):
        return Shape(-self.v, self.s)


class Ring(Shape):
    gain = 1.1

    def __init__(self, v, s, hole=0.2):
        super().__init__(v, s)
        self.hole = hole

    def area(self, h=1.0):
        return super().area(h) * 0.5 - self.hole


"""
HEAD = (
    "s = 0.3 * a", "t = x[0] + 0.2", "z = x * y", "shape = Shape(x * 1.0, a)", "k = 0",
    "ring = Ring.made(0.7 * m[0])", "one = shape", "parts = [t, s]", "opts = dict(weight=0.3 * a)",
    "local = lambda v: v * s + 0.1", "actions = [local, np.tanh]",
    "named = {'p': local, 'q': Shape.squash}",
    "def step(v, h=0.5):",
    "    nonlocal s, k",
    "    s = s * h + 0.2 * v[0]",
    "    k = k + 1 if k < 2 else 0",
    "    return v * s",
    "def peek(j=0):",
    "    return 0.4 * z[j] + t * x[j]",
    "def grow(e):",
    "    parts.append(e)",
    "    return sum(parts) * 0.2",
    "half = functools.partial(blend, weight=0.5 * t)",
)  # fmt: skip
HOLES = {
    "v": ("x", "y", "z"),
    "s": ("s", "t"),
    "b": ("shape", "ring", "one"),
    "i": ("0", "1", "2", "-1", "k"),
    "g": ("local", "np.tanh", "actions[-1]", "actions[0]", "named['q']", "named['p']", "{b}",
    "step",
          "(lambda v: v * {s} + x)", "functools.partial(blend, {v})", "half_of({s})"),
    "e": (
        "s", "t", "a", "{v}[{i}]", "{b}.s", "{b}.norm * 0.2", "{b}.area()", "{b}.area(h={s})",
        "{b}.size",
        "{b}[{i}]", "peek()", "peek({i})", "peek(j=1)", "np.tanh(power_sum({v}, 2))", "tree({v})",
        "0.3 * sum(ladder({v}, {s}))", "list(ladder({v}, s))[0]",
        "max(ladder({v}, 0.1), default=0.2)",
        "first_above({v}, 0.137)[1]", "0.3 * first_above({v}, {s})[0]", "grow({s})",
        "0.2 * sum(parts)",
        "both({v}, {s}).left[{i}]", "0.3 * functools.reduce(lambda p, q: 0.5 * p + q, {v})",
        "sum(e * w for e, w in zip({v}, {v})) * 0.2", "0.2 * sum(map(lambda e: e * s, {v}))",
        "(w := 0.5 * {s}) * w", "math.tanh({s})", "0.1 * len(parts)", "GAIN * {s}",
        "min({b}, shape).s",
        "0.3 * max(e for e in {b})", "0.5 * functools.reduce(operator.mul, parts[:2])", "0.1 * k",
        "sum(itertools.accumulate(parts[:3])) * 0.2", "0.4 * sum(e for e in {v} if e > 0.137)",
        "opts['weight']", "({s} if {test} else {s} * {s})", "sorted(parts)[0]",
        "math.hypot({s}, 0.7)",
    ),
    "u": (
        "{v}", "{v}", "0.7 * {v}", "{g}({v})", "{g}({v})", "{b}({v})", "{b}.v", "step({v})",
        "step({v}, h={s})",
        "blend({v}, {v})", "blend({v}, {v}, {v}, weight={s})", "blend(*[{v}, {v}], **opts)",
        "blend({v}, w={v}, p={s})",
        "half({v}, {v})", "half(w={v}, v={v})", "apply({g}, {v})", "apply({g}, {v}, times=2)",
        "fill({v}, {s})",
        "fill({v}, {s}, {v} * 1.0)", "fill({v}, {s}, into={v})", "both({v}, {s}).right",
        "both({v}, {s}, swap=True)[0]",
        "(2.0 * {b}).v", "({b} * {s}).v", "(-{b}).v", "np.array(list({b}))",
        "np.array([g({s}) for g in actions[:2]] + [t])",
        "np.array([peek(j) for j in range(3)])", "{v} * {e}", "np.where({v} > 0.137, {v}, {s})",
        "Shape.squash({v})",
        "np.array([e * {s} for e in {v}])", "np.array([*map(local, {v})])", "{b}.squash({v})",
        "local({v})",
        "np.array([e for row in m for e in row if e < 9.0][:3])", "np.array([{e}, 0.4, {e}])",
        "{v}.copy()",
        "functools.reduce(blend, [{v}, {v}, {v}])",
        "np.array([(lambda: {s} * j)() for j in range(3)])",
        "(blend if {test} else half)({v}, {v})", "np.array([w * {s} for w in {b}])",
        "type({b})({v}, {s}).v",
    ),
    "test": (
        "{e} > 0.137", "np.sum({v}) > 0.219", "k % 2 == 0", "len(parts) > 3",
        "isinstance({b}, Ring)", "one.s > 0.2",
        "callable({b}) and {s} > 0.1", "any(e > 0.6 for e in {v})", "all(e < 1.3 for e in {v})",
        "not {s} > 0.219",
        "0.0 < {e} < 0.731", "{s} > 0.1 or step({v})[0] > 0.2", "hasattr({b}, 'hole')",
        "shape < ring",
        "first_above({v}, 0.137)[0] > 0", "len({b}) == 3 and k == 1",
    ),
}  # fmt: skip
STATEMENTS = (
    "{s} = {e}", "{s} += 0.5 * {e}", "{v} = {u}", "{v} = {u}", "{v} *= 0.7", "{v}[{i}] = {e}",
    "{v} += 0.3 * {u}",
    "local = lambda v: 0.5 * v + {s}", "local = lambda v, c={s}: 0.5 * v * c",
    "actions.append(lambda v: v * {s})",
    "actions = [{g}, {g}]", "actions[0], actions[-1] = actions[-1], actions[0]",
    "named['p'] = {g}", "named = dict(p={g}, q={g})",
    "{b}.v = {u}", "{b}.v[{i}] *= {e}", "{b}.s = {e}", "{b}.size = {e}", "{b}.size += {e}",
    "{b}[{i}] = {e}", "{b}[0] += {s}",
    "shape += {u}", "ring += {u}", "one = {b}", "shape = {b} * {s}",
    "ring = Ring({u}, {e}, hole={e})", "ring.hole = {e}",
    "one = Shape.made({u})", "one = Ring.made({u}, s={e})", "shape, one = one, shape",
    "ring, shape = sorted([ring, shape])",
    "{v}, {s} = step({v}), {e}", "x, y = both({v}, {s})", "y, x = both({v}, {s}, swap={test})",
    "p = both({v}, {s}); z = p.left + p[1]",
    "p = both({u}, {e})._replace(right={u}); z = p.right", "k, s = first_above({u}, {e})",
    "_, t = first_above({v}, 0.3)",
    "grow({e})", "parts = [*ladder({u}, {s}), {e}]", "parts.extend(ladder({v}, s))",
    "parts.insert(0, {e})", "s = parts.pop() if len(parts) > 1 else s",
    "parts = [e * {s} for e in parts if e > 0.137] or [{e}]", "opts['weight'] = {e}",
    "opts = dict(opts, q={e})", "opts.update(weight={e})",
    "half = functools.partial(blend, weight={s})", "half = functools.partial(half, weight={e})",
    "fill({v}, {e}, {v})", "step({v})", "{v} = step(step({v}))",
    "if (w := {e}) > 0.137: s = w * 0.6", "{s} = {e} if {test} else {e}", "del z; z = {u}",
    "x, y, z = m", "s, *parts = {u}", "(s, t), z = ({e}, {e}), {u}",
    "z = (lambda v, *w: v + sum(w))({v}, {s}, {s})", "for s in ladder({v}, {e}): t = t + 0.2 * s",
    "t = next(ladder({v}, {e}), {e})",
    "it = iter({u}); s = next(it); t = next(it) + s", "z, t = (lambda: ({u}, {e}))()",
    "x = {g}({g}({v}))", "assert np.all(np.isfinite({v})), 'no'",
)  # fmt: skip
LOOPS = (
    "for k in range(n):", "for g in actions[:3]:", "for name, g in named.items():",
    "for t in ladder({v}, {s}):",
    "for one in (shape, ring):", "for k, e in enumerate({b}):", "for s, t in zip({b}, {v}):",
    "for e in parts[:3]:",
    "for one in sorted((ring, shape), key=lambda o: o.s):", "for g in (local, half_of({s})):",
    "for k, s in enumerate(map(local, {v})):",
    "for s, t in itertools.pairwise(parts[:3]):", "for j in reversed(range(n)):",
)  # fmt: skip
INSIDE = {
    " g ": ("z = g({v})", "x = g({u})", "actions[-1] = g", "y = g(y) + {s}", "local = g"),
    "one": ("one.s *= 0.7", "z = one(z)", "one.v = one.v + {s}", "shape = one", "one[1] = {e}"),
    " e ": ("s = s + 0.3 * e", "z = z * e", "grow(e)", "local = lambda v: v + e"),
    " j ": ("named['p'] = lambda v: v * (0.3 + 0.2 * j) + s", "z = z * (0.5 + 0.1 * j)"),
}
LAST = (
    "np.sum(x * [0.4, 1.3, 0.7])", "np.sum(y)", "s + 1.3 * t", "shape.area()", "ring.norm * 0.3",
    "np.sum(z)", "sum(parts)",
    "np.sum(local(x) * 0.4)", "np.sum(actions[0](y))", "peek()", "one.s * 1.2",
    "np.sum(named['p'](z)) * 0.3", "np.sum(half(w=z, v=x))",
    "np.sum(step(x))", "opts['weight']", "np.sum(ring(x)) * 0.2", "grow(s)",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return HELPERS + Body(draw).text(HEAD, LAST, terms=7)


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops, inside = HOLES, STATEMENTS, LOOPS, INSIDE
