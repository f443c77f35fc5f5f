"""Lists and dicts of objects whose number only a run knows, and what changes in them."""

import copy
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from programs.registry import normal, positive, program


class Body:
    """A thing that moves."""

    def __init__(self, place, mass):
        self.place, self.mass = place, mass
        self.speed = 0.0

    def push(self, force, dt):
        self.speed += dt * force / self.mass
        self.place += dt * self.speed
        return self

    @property
    def energy(self):
        return 0.5 * self.mass * self.speed**2

    def __lt__(self, other):
        return self.place < other.place


@program(normal(5), positive(5))
def swarm_of_objects(places, masses):
    swarm = [Body(p, m) for p, m in zip(places, masses, strict=True)]
    for _ in range(4):
        centre = sum(b.place for b in swarm) / len(swarm)
        for body in swarm:
            body.push(centre - body.place, 0.1)
    return sum(b.energy for b in swarm) * 10.0 + swarm[0].place ** 2


@program(normal(4), positive(4))
def objects_replaced_in_their_list(places, masses):
    row = []
    for p, m in zip(places, masses, strict=True):
        row.append(Body(p, m))
    row[1] = Body(row[0].place * row[2].place, 1.5)
    row[-1].speed = row[1].place
    last = row.pop()
    return last.energy + sum(b.mass * b.place**2 for b in row)


@program(normal(4))
def one_object_under_two_names(x):
    leader = Body(x[0], 1.0)
    crew = []
    for v in x[1:]:
        crew.append(leader)
        crew.append(Body(v, 2.0))
        leader.push(v, 0.5)
    return leader.place**2 + crew[0].place * crew[1].place + len(crew)


class Event(NamedTuple):
    """Something at a time."""

    time: float
    size: float

    @property
    def weight(self):
        return self.size**2

    def later(self, by):
        return self._replace(time=self.time + by)


@program(positive(6), positive(6), second=True)
def queue_of_events(times, sizes):
    queue = deque(sorted(map(Event, times, sizes), key=lambda e: e.time))
    clock = total = 0.0
    while queue:
        event = queue.popleft()
        clock += event.time * 0.1
        total += event.weight * np.exp(-clock)
        if event.time < 0.9 and len(queue) < 5:
            queue.append(event.later(0.5))
    return total


@dataclass
class Node:
    """An entry of a tree kept in a list."""

    value: float
    children: list = field(default_factory=list)


@program(normal(6), second=True)
def tree_in_a_list(x):
    nodes = [Node(v) for v in x]
    nodes[0].children = [1, 2]
    nodes[1].children = [3, 4]
    nodes[2].children = [5]
    for k in range(len(nodes) - 1, -1, -1):
        for c in nodes[k].children:
            nodes[k].value += 0.5 * np.tanh(nodes[c].value)
    return nodes[0].value ** 2


@program(normal(4, 2))
def records_grow_a_field(rows):
    people = [{"x": r[0], "y": r[1]} for r in rows]
    for p in people:
        p["size"] = np.hypot(p["x"], p["y"])
    largest = max(people, key=lambda p: p["size"])
    largest["x"] = largest["x"] * 2.0
    return sum(p["x"] * p["size"] for p in people)


@program(normal(5), second=True)
def groups_of_lists(x):
    groups = {}
    for k, v in enumerate(x):
        groups.setdefault("even" if k % 2 == 0 else "odd", []).append(v)
    means = {name: sum(g) / len(g) for name, g in groups.items()}
    return sum((v - means["even"]) ** 2 for v in groups["even"]) + means["odd"] * len(groups)


@program(normal(6), second=True)
def conditional_pops_restore_the_list(x):
    work = list(range(len(x)))
    total = 1.0
    while work:
        k = work[0]
        total = total * (1.0 + 0.1 * x[k]) + x[k] ** 2
        if total > 1.5 and len(work) > 2:
            work.pop(1)
        else:
            work.pop(0)
    return total


class Holder:
    """Any fields."""


@program(normal(5), second=True)
def deep_copies_keep_what_is_shared(x):
    o = Holder()
    o.a = x * 2
    o.b = o.a
    o.c = {"k": o.a}
    p = copy.deepcopy(o)
    q = copy.copy(o)
    p.a[0] *= 3
    q.a[1] *= 5
    q.b = x
    return p.b @ p.c["k"] + o.c["k"] @ x + q.b[0] * p.b[1]


@program(normal(5), second=True)
def deep_copies_of_nested_lists(x):
    rows = [[v * v, v] for v in x if v > -10.0]
    other = copy.deepcopy(rows)
    third = copy.copy(rows)
    other[0][0] *= 2
    rows[1][1] *= 3
    third[2][0] += x[0]
    third[3] = [x[1], x[2]]
    return (
        sum(a * b for a, b in other) + sum(a * b * k for k, (a, b) in enumerate(rows)) + third[3][0]
    )


@program(normal(5), second=True)
def states_copied_into_a_history(x):
    state = {"h": np.zeros(5), "n": 0}
    history = []
    for v in x:
        state["h"] = state["h"] * 0.5 + v
        state["n"] += 1
        history.append(copy.deepcopy(state))
        state["h"][0] += 1
    return sum(t["h"].sum() * t["n"] for t in history)


@program(normal(5), second=True)
def copies_of_dicts(x):
    d = {int(k): v * v for k, v in enumerate(x)}
    e = copy.copy(d)
    f = d.copy()
    g = copy.deepcopy(d)
    for k in e:
        e[k] *= 2
    f[0] = x[1]
    g[1] += x[0]
    return sum(d.values()) * e[2] + f[0] * f[1] + g[1] ** 2


class Logged:
    """A level, and what was added to it."""

    def __init__(self, level):
        self.level = level
        self.log = []

    def push(self, value):
        self.level = 0.5 * self.level + value
        self.log.append(value)


@program(normal(3), 2)
def empty_list_of_an_object_that_fills(x, n):
    t = x[0] + 0.2
    rows = [x * 1.0]
    o = Logged(0.6 * x[1])
    o.push(0.9 * t)
    o.push(0.3 * t)
    for _ in range(3):
        for _ in range(n):
            o.level = 0.9 * t
        rows = [row * o.level for row in rows]
    return sum(o.log) * 1.3 + t * 1.3 + np.sum(rows[0])
