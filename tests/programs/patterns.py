"""match statements on structures, enumerations, named tuples with operators, texts read."""

import collections
import json
import math
import re
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np

from programs.registry import normal, positive, program


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Circle:
    center: object
    radius: float


@program(normal(3), second=True)
def shapes_matched(x):
    s = 0.0
    shapes = [
        Point(x[0], x[1]), Circle(Point(x[2], 0.0), x[0]), Circle(None, x[1]),
        (x[0], Point(1.0, x[2])), {"a": x[0], "b": [x[1], x[2]]},
    ]  # fmt: skip
    for shape in shapes:
        match shape:
            case Point(a, y=b):
                s += a * b
            case Circle(center=Point(x=q), radius=r):
                s += 3.0 * q * r
            case Circle(None, r):
                s += r**3
            case (u, Point(y=w)):
                s += u * w
            case {"a": a, **rest}:
                s += a * rest["b"][1]
    return s


@program(normal(3), ("move", 1.0, 2.0), second=True)
def commands_matched(x, first):
    at, s = x[:2], 0.0
    for command in [first, ("stop",), {"op": "jump", "h": 2}, [1, 2, 3], 5, "nop", None, x[2]]:
        match command:
            case ("move", dx, dy):
                at = at + np.array([dx, dy]) * x[2]
            case ("stop",):
                s += at[0]
            case {"op": "jump", "h": height}:
                s += height * x[0]
            case [a, *rest] if a == 1:
                s += len(rest) * x[1]
            case int(n) if n > 3:
                s += n * x[2]
            case str():
                s += 1.0
            case None:
                s += 2.0 * x[0]
            case other:
                s += other**2
    return s + at @ at


@program(positive(4), second=True)
def guards_on_the_values(x):
    s, n = 0.0, 100.0
    for v in x:
        match v:
            case n if n > 0.9:
                s += 2.0 * n
            case w:
                s += w**2
    return s * n


class Act(Enum):
    RELU = "relu"
    TANH = "tanh"
    NONE = 3

    def apply(self, z):
        if self is Act.RELU:
            return np.maximum(z, 0.0)
        return np.tanh(z) if self == Act.TANH else z


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@program(normal(3), second=True)
def enumerations(x):
    s = 0.0
    for act in Act:
        s += np.sum(act.apply(x) ** 2)
    s += Act("tanh").apply(x)[0] * Level.HIGH
    return s + np.sum(Act["RELU"].apply(x - 0.5)) * len(Act.TANH.value)


class Pair(NamedTuple):
    a: float
    b: float = 0.0

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __mul__(self, k):
        return Pair(self.a * k, self.b * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Pair(-self.a, -self.b)

    def __lt__(self, other):
        return self.a < other.a

    def __abs__(self):
        return math.hypot(self.a, self.b)


@program(positive(4), second=True)
def named_tuples_with_operators(x):
    p, q = Pair(x[0], x[1]), Pair(x[1], x[2])
    r = 2.0 * p + q * 3.0 + (-p)
    s = r if p < q else q
    total = Pair(0.0)
    for v in x:
        total = total + Pair(v, v * v) if v > 0.8 else -total
    return abs(r) + s.a * s.b + r[0] + sum(r) + total.a * total.b


_LAYERS = '{"layers": [{"type": "scale", "k": 2.0}, {"type": "shift", "b": [1, 2, 3]}]}'


@program(normal(3), "lr=0.1; steps=4; act=tanh", second=True)
def settings_read_from_texts(x, text):
    settings = {}
    for part in re.split(r"[;\n]", text):
        key, value = (p.strip() for p in part.split("=", 1))
        settings[key] = value
    for layer in json.loads(_LAYERS)["layers"]:
        match layer:
            case {"type": "scale", "k": k}:
                x = x * k
            case {"type": "shift", "b": b}:
                x = x + np.array(b)
    act = getattr(np, settings["act"])
    for _ in range(int(settings.get("steps", 1))):
        x = x - float(settings["lr"]) * act(x)
    return x @ x


@program(normal(7))
def pairs_that_may_be_none(x):
    def pair(v):
        return None if v < 0.0 else (2.0 * v, v)

    total = 0.0
    for v in x:
        match pair(v):
            case (a, b) if a > 1.5:
                total += a * b
            case (a, _):
                total += a
            case None:
                total -= v**2
    return total


@program(normal(7))
def lists_and_dicts_that_may_be_none(x):
    best, row, total = None, None, 0.0
    for v in x:
        match best:
            case {"v": w, "n": n} if v > w:
                best = {"v": v, "n": n + 1}
            case {"v": w, "far": _}:
                total += w * v
            case {"v": w, "n": n}:
                total += w * n
                best = {"v": w, "n": n, "far": 1.0} if v > -0.5 else best
            case _:
                best = {"v": v, "n": 1}
        match row:
            case [a, float(b)]:
                total += a * b * v
            case None:
                total += v
        row = [v, v * v] if v > 0.0 else None
    return total + best["v"] ** 2


class _Level:
    __match_args__ = ("at", "count")

    def __init__(self, at, count):
        self.at, self.count = at, count


@program(normal(7))
def objects_and_texts_that_may_be_none(x):
    level, total = None, 0.0
    for v in x:
        word = "low" if v < -0.5 else "mid" if v < 0.5 else None
        match (level, word):
            case (None, _):
                level = _Level(v, 0)
            case (_Level(at, count=0), str()):
                total += at * v
                level = _Level(at + v, 1)
            case (_Level(at, n), "low" | "mid"):
                total += at * n
            case (object(), None):
                total += v**3
    return total + level.at


@program(normal(6))
def trees_of_tuples_matched(x):
    def insert(tree, v):
        match tree:
            case None:
                return (None, v, None)
            case (low, w, high) if v < w:
                return (insert(low, v), w, high)
            case (low, w, high):
                return (low, w, insert(high, v))

    def weigh(tree, depth):
        match tree:
            case None:
                return 0.0
            case (low, v, high):
                return weigh(low, depth + 1) + depth * v**2 + weigh(high, depth + 1)

    tree = None
    for v in x:
        tree = insert(tree, v)
    return weigh(tree, 1)


@program(normal(6))
def rows_of_rows_matched(x):
    rows = [[v, 2.0 * v] for v in x if v > -0.5]
    total = 0.0
    for k in range(3):
        match rows:
            case [[a, b], *_] if k == 0:
                total += a * b
            case [_, [a, b]]:
                total += a + b**2
            case []:
                total += x[0]
            case _:
                total += k * x[0]
        rows = rows[1:]
    return total


@program(normal(6))
def deques_and_ranges_matched(x):
    waiting, total = collections.deque(), 0.0
    for v in x:
        waiting.append(v)
        match waiting:
            case [a, b, *_] if a > b:
                total += a * b
                waiting.popleft()
            case [a]:
                total += a**2
            case _:
                total += v
    match range(3), "ab", x:
        case [0, k, 2], ["a", "b"], _:
            total += 5.0 * k * x[0]
        case [0, k, 2], str(), [a, *_]:
            total += 7.0 * x[0] * a
        case [0, k, 2], "ab", np.ndarray():
            total += 3.0 * k * x[1]
    return total
