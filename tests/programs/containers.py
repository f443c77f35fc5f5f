"""Tuples, lists, dicts, dataclasses and plain objects, nested."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from programs.registry import normal, positive, program, using


@program(normal(4), jit=True, second=True)
def list_append(x):
    parts = []
    for v in x:
        parts.append(v * v)
    return parts[0] * parts[3] + parts[-1]


@program(normal(4), second=True)
def list_append_and_stack(x):
    rows = []
    y = x
    for _ in range(3):
        y = np.sin(y) + 0.1 * x
        rows.append(y)
    return np.sum(np.stack(rows) ** 2) + np.sum(np.array(rows)[1])


@program(normal(4), jit=True, second=True)
def list_pop(x):
    stack = [x[0], x[1]]
    stack.append(x[2] * x[3])
    a = stack.pop()
    b = stack.pop(0)
    return a * b + stack[0] + len(stack)


@program(normal(4), jit=True)
def list_extend_insert(x):
    values = [x[0]]
    values.extend([x[1], x[2] ** 2])
    values.insert(1, x[3])
    values += [values[0] * values[1]]
    return values[1] * values[3] + values[4]


@program(normal(4), jit=True, second=True)
def list_assign(x):
    values = [0.0] * 4
    for i in range(4):
        values[i] = x[i] * (i + 1)
    values[2] = values[2] * values[0]
    values[0] += values[1]
    return values[0] * values[2] + values[3]


@program(normal(5), jit=True)
def list_slices(x):
    values = [x[i] ** 2 for i in range(5)]
    tail = values[2:]
    head = values[:2] + [x[0]]
    return tail[0] * head[1] + tail[-1] * head[-1] + sum(values[::2])


@program(normal(3), jit=True)
def list_concatenation(x):
    a = [x[0], x[1]]
    b = a + [x[2]] + a * 2
    return b[0] * b[3] + b[2] * b[6] ** 2


@program(normal(4), jit=True)
def list_reverse_and_remove(x):
    values = [x[0], x[1] * x[2], x[3]]
    values.reverse()
    first = values[0]
    del values[0]
    return first * values[0] + values[1]


@program([[normal(2), normal(2)], [normal(2), normal(2)]])
def nested_list_argument(grid):
    s = 0.0
    for row in grid:
        for cell in row:
            s += np.sum(cell) * np.tanh(s + cell[0])
    return s + np.sum(grid[1][0] * grid[0][1])


@program(normal(4), jit=True)
def nested_lists(x):
    table = [[x[0], x[1]], [x[2], x[3]]]
    table[0][1] = table[1][0] * 2.0
    table[1].append(table[0][0])
    return table[0][1] * table[1][1] + table[1][2] ** 2


@program(normal(4), jit=True, second=True)
def dynamic_table(x):
    table = [[0.0 for _ in range(4)] for _ in range(4)]
    for i in range(4):
        for j in range(4):
            left = table[i][j - 1] if j > 0 else 1.0
            up = table[i - 1][j] if i > 0 else 0.5
            table[i][j] = 0.3 * left * x[j] + 0.2 * up + x[i]
    return table[3][3]


@program(normal(3), jit=True)
def tuple_building(x):
    pair = (x[0] * x[1], x[2])
    triple = pair + (np.sin(pair[0]),)
    return triple[0] * triple[1] + triple[2]


@program(normal(3), jit=True, second=True)
def tuple_of_arrays(x):
    state = (x, x * 2.0)
    for _ in range(3):
        a, b = state
        state = (b * 0.5, np.sin(a) + b)
    return np.sum(state[0] * state[1])


@program({"w": normal(3, 2), "b": normal(2)}, normal(3))
def dict_read(params, x):
    return np.sum(np.tanh(x @ params["w"] + params["b"]))


@program({"layers": [{"w": normal(3, 3)}, {"w": normal(3, 3)}], "scale": positive()}, normal(3))
def nested_dict(params, x):
    h = x
    for layer in params["layers"]:
        h = np.tanh(h @ layer["w"])
    return params["scale"] * np.sum(h)


@program(normal(3), jit=True)
def dict_write(x):
    d = {}
    d["a"] = x[0] * x[1]
    d["b"] = d["a"] + x[2]
    d["a"] = d["a"] * d["b"]
    return d["a"] + d["b"] ** 2


@program(normal(3), jit=True)
def dict_literal_and_update(x):
    d = {"p": x * 2.0, "q": np.sin(x)}
    d.update({"q": x * d["p"], "r": x})
    return np.sum(d["q"] * d["r"]) + np.sum(d["p"])


@program(normal(3), jit=True, second=True)
def dict_augmented(x):
    totals = {"even": 0.0, "odd": 0.0}
    for i in range(3):
        totals["even" if i % 2 == 0 else "odd"] += x[i] ** 2
    return totals["even"] * totals["odd"]


@program({"a": normal(), "b": normal()}, ["a", "b", "c"])
def dict_get(params, names):
    s = 0.0
    for name in names:
        s += params.get(name, 0.5) ** 2
    return s * params["a"]


@program({"a": normal(2), "b": normal(2)})
def dict_merge(params):
    full = {**params, "c": params["a"] * params["b"]}
    s = 0.0
    for key in sorted(full):
        s += np.sum(full[key] ** 2)
    return s


@program({"x": normal(3), "power": 2, "name": "cubic"})
def dict_with_other_things(case):
    y = case["x"] ** case["power"]
    if case["name"] == "cubic":
        y = y * case["x"]
    return np.sum(y)


@program({"b": normal(2), "a": normal(2)})
def dict_keeps_its_order(params):
    s = 1.0
    for key, value in params.items():
        s = s * np.sum(value) + (2.0 if key == "b" else 3.0)
    return s


@program({0: normal(), 1: normal(), (0, 1): normal()})
def dict_with_other_keys(weights):
    s = 0.0
    for i in (0, 1):
        s += weights[i] ** 2
    return s * weights[0, 1]


@program({"w": positive(), "b": positive()}, 2.0)
def dict_splat(params, x):
    return _affine(x=x, **params) ** 2


def _affine(x, w, b):
    return w * x + b


@dataclass
class Material:
    """A dataclass of floats and an array."""

    stiffness: float
    damping: float
    grid: np.ndarray
    steps: int = 3


def _material(rng):
    return Material(rng.uniform(1.0, 2.0), 0.3, rng.normal(size=4))


@program(using(_material), second=True)
def dataclass_argument(m):
    u = m.grid
    for _ in range(m.steps):
        u = u - 0.1 * (m.stiffness * u + m.damping * u**3)
    return np.sum(u**2)


@program(using(_material), normal(4), wrt=1)
def dataclass_inactive(m, u):
    return np.sum(m.stiffness * u**2) + m.grid @ u


@dataclass
class State:
    """Built and updated inside a primal."""

    position: np.ndarray
    velocity: np.ndarray
    time: float = 0.0
    log: list = field(default_factory=list)


@program(normal(2), normal(2), wrt=(0, 1))
def dataclass_inside(position, velocity):
    s = State(position, velocity)
    for _ in range(4):
        s = State(
            s.position + 0.1 * s.velocity, s.velocity - 0.1 * np.sin(s.position), s.time + 0.1
        )
    return np.sum(s.position * s.velocity) + s.time


@program(normal(2), normal(2), wrt=(0, 1))
def dataclass_attributes_written(position, velocity):
    s = State(position, velocity)
    for _ in range(3):
        s.velocity = s.velocity - 0.1 * s.position**3
        s.position = s.position + 0.1 * s.velocity
        s.time += 0.1
        s.log.append(np.sum(s.position))
    return s.log[0] * s.log[2] + s.time


Point = namedtuple("Point", "x y")


@program(using(lambda rng: Point(rng.normal(), rng.normal())), jit=True)
def namedtuple_argument(p):
    return p.x * np.sin(p.y) + p[0] ** 2


@program(normal(2), jit=True)
def namedtuple_inside(v):
    p = Point(v[0], v[1] * 2.0)
    q = Point(y=p.x, x=p.y)
    return q.x**2 + q.y * p.x


class Options:
    """A plain object that only configures."""

    def __init__(self, gain, shift):
        self.gain = gain
        self.shift = shift


@program(normal(3), using(lambda rng: Options(1.7, np.array([0.1, 0.2, 0.3]))))
def plain_object_inactive(x, options):
    return options.gain * np.sum((x - options.shift) ** 2)


class Accumulator:
    """A plain object with state."""

    def __init__(self):
        self.total = 0.0
        self.items = []

    def add(self, value):
        self.total = self.total + value * value
        self.items.append(value)


@program(normal(4))
def plain_object_inside(x):
    acc = Accumulator()
    for v in x:
        acc.add(v)
    return acc.total * acc.items[1]


@program((normal(3), {"b": normal(2)}, [normal(), (normal(),)]))
def everything_nested(tree):
    a, d, rest = tree
    return np.sum(a**2) * rest[0] + np.sum(d["b"]) * rest[1][0] ** 2


@program(normal(3), jit=True)
def list_of_tuples(x):
    pairs = []
    for i in range(3):
        pairs.append((i, x[i] ** 2))
    s = 0.0
    for i, v in pairs:
        s += (i + 1) * v
    return s * pairs[1][1]


@program(normal(3))
def list_of_dicts(x):
    records = [{"value": v, "weight": k + 1.0} for k, v in enumerate(x)]
    records[1]["value"] = records[0]["value"] * records[2]["value"]
    return sum(r["weight"] * r["value"] ** 2 for r in records)


@program(normal(4), jit=True)
def queue_of_two(x):
    window = [0.0, 0.0]
    s = 0.0
    for v in x:
        window = [window[1], v]
        s += window[0] * window[1]
    return s + window[0]


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def list_alias(x, y):
    a = [x[0], y[0]]
    b = a
    b.append(x[1] * y[1])
    b[0] = y[2]
    return a[0] * a[2] + len(a)


@program(normal(4), jit=True)
def list_copy(x):
    a = [x[0], x[1]]
    b = a.copy()
    c = list(a)
    b[0] = x[2]
    c[1] = x[3]
    return a[0] * b[0] + a[1] * c[1]


@program(normal(5))
def deque_like_window(x):
    from collections import deque

    window = deque()
    s = 0.0
    for v in x:
        window.append(v)
        if len(window) > 2:
            s += window.popleft() * v
    return s


@program({"w": normal(2, 2), "b": normal(2), "count": 3})
def dict_update_step(params):
    w, b = params["w"], params["b"]
    for _ in range(params["count"]):
        b = np.tanh(w @ b)
    return np.sum(b)


@program(normal(4))
def slices_of_a_growing_list(x):
    items = []
    for v in x:
        items.append(v * v)
    items[1:2] = [x[0], x[1] ** 2, x[2]]
    items[::2] = [t * 2 for t in items[::2]]
    del items[1]
    items[:0] = [x[3]]
    return sum(t**k for k, t in enumerate(items)) + len(items)


@program(normal(4))
def dict_of_run_time_keys_summed(w):
    near = {0: 1.0}
    queue = [0]
    while queue:
        k = queue.pop()
        if k < 3:
            queue.append(k + 1)
            near[k + 1] = near[k] * w[k]
    return sum(near.values()) + sum(k * v**2 for k, v in near.items())


@program(normal(4))
def namedtuple_made_inside(x):
    pair = namedtuple("pair", "left right")
    p = pair(x[:2], x[2:])
    for _ in range(3):
        p = p._replace(left=p.left * p.right, right=p.right + p.left[::-1] * 0.1)
    return np.sum(p.left) + np.prod(p[1])


@program(normal(4), second=True)
def diagonal_of_an_einsum(x):
    c = np.stack([x[:2], x[2:] * 2.0])
    d = np.einsum("ij,kj->ik", c, c)
    return np.linalg.norm(d) + np.sum(np.concatenate([np.ravel(d), x])[1:-1:2])


class Scaled(NamedTuple):
    scale: float
    b: np.ndarray = np.ones(2)

    def norm(self):
        return self.scale * np.sum(self.b**2)

    @property
    def first(self):
        return self.b[0]

    @classmethod
    def of(cls, v):
        return cls(v[0], v[1:])


@program(normal(4), second=True)
def namedtuple_with_methods(x):
    s = Scaled.of(x)
    for _ in range(2):
        s = s._replace(scale=0.3 * s.norm())
    table = s._asdict()
    p = Scaled._make([x[3], x[:2]])
    return s.first * table["scale"] + Scaled(x[0]).norm() + p.norm() + len(Scaled._fields)


@program(normal(4), second=True)
def inner_list_grows_under_another_name(x):
    rows = [[] for _ in range(3)]
    for k in range(3):
        for j in range(k + 1):
            rows[k].append(x[k] * x[j])
    row = rows[1]
    row.append(x[0])
    return rows[1][2] * rows[2][0] + len(rows[1]) * x[3]


@program(normal(5), second=True)
def entry_of_a_slice_of_a_list(x):
    squares = [v * v for v in x if v > -10.0]
    pairs = [[v, v * v] for v in x if v > -10.0]
    return squares[:2][0] * squares[1:][-1] + pairs[2:][0][1] ** 2 * pairs[:-1][1][0]


@program(normal(4), second=True)
def removed_where_the_list_says(x):
    c = [v * v for v in x] * 2
    c.pop(c.index(c[3]))
    c.insert(c.index(c[2]), x[0])
    return sum(i * v for i, v in enumerate(c))


@program(normal(5), second=True)
def table_of_none_that_fills(x):
    memo = [None] * 6
    memo[0] = x[0]
    memo[1] = x[1]
    for i in range(2, 6):
        memo[i] = memo[i - 1] * x[2] + memo[i - 2]
    return memo[5]


@program(normal(6), second=True)
def first_entry_read_on_every_second_round(x):
    b = []
    for v in x:
        if len(b) % 2 == 0:
            b.append(v * v)
        else:
            b.insert(0, v + b[0])
    return sum(k * v for k, v in enumerate(b))


@program(normal(3), second=True)
def keys_as_sets(x):
    d = {"a": x[0], "b": x[1]}
    e = {"b": x[2], "c": x[0]}
    z = {"c": 1.0, "b": 2.0, "a": 3.0}
    total = 0.0
    for k in sorted(d.keys() & e.keys()):
        total = total + d[k] * e[k]
    for k in sorted(d.keys() | e.keys()):
        total = total + len(k) * d.get(k, 1.0)
    for k in sorted(d.keys() - e.keys()):
        total = total + d[k] ** 3
    if {"a": 0, "b": 1, "c": 2}.keys() == z.keys() and d.keys() != e.keys():
        total = total + x[1]
    if z.keys() == {"a", "b", "c"} and d.keys() >= {"a"} and {"q"} > {"a": 1}.keys():
        total = total + x[2] ** 2
    keys = d.keys()
    if keys.isdisjoint(["q"]) and "a" in keys:
        total = total * 1.5
    if {1, 2} == [1, 2] or d.keys() == ["a", "b"] or keys == None:  # noqa: E711
        total = total * 7.0
    d["n"] = x[0]
    return total + len(keys | {"m"}) * x[1] + len(z.keys() & ["a", "q"]) * x[0]


@program(normal(3))
def numbers_of_lists_of_floats(x):
    items = x.tolist()
    parts = [min(items), max(items[1:]), sorted(items)[1], x[0].tolist(), sorted(x)[0]]
    total = 0.0
    for k, part in enumerate(parts):
        total = total + (k + 1.0) * (2.0 if isinstance(part, np.floating) else 3.0) * part
    return total


class Weighted(NamedTuple):
    a: float
    b: float = 2.0

    def dot(self, other):
        return self.a * other.a + self.b * other.b


@program(normal(4), second=True)
def records_of_a_list_replaced_in_a_loop(x):
    found = [Weighted(*x[i : i + 2]) for i in range(3)] + [Weighted(x[0])]
    here = found[0]
    for other in found[1:]:
        here = here._replace(a=here.a + other.dot(here))
    return here.dot(Weighted(b=x[1], a=x[2]))
