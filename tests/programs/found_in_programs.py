"""Idioms of published programs of objects: sorted edges, nodes that are given kids while a name
walks over them, enumerations of texts, copies by `self.__class__`."""

from __future__ import annotations

import enum

import numpy as np

from programs.registry import normal, program


class Edge:
    def __init__(self, number, weight, done=False):
        self.number = number
        self.weight = weight
        self.done = done


@program(normal(3), 2, wrt=(0,), jit=True)
def integers_of_sorted_objects(x, n):
    marks = [3.0, 4.0, 5.0]
    edges = [Edge(7, x[0]), Edge(1, x[1]), Edge(12, x[2], True)]
    edges.sort(key=lambda edge: edge.weight)
    total = 0.0
    for edge in edges:
        total += edge.weight * len(str(edge.number)) + len(f"{edge.done}") * x[0]
        total += (edge.number << n) * x[1] * marks[edge.number % 3]
        if not edge.done:
            edge.number += 1
            total += edge.weight * (edge.number // 2) + isinstance(edge.number, int) * x[2]
    edges[0].number, edges[1].number = edges[1].number, edges[0].number
    return total + x[edges[0].number % 3] * len(str(edges[1].number))


@program(normal(3), 2, wrt=(0,), jit=True)
def integers_of_sorted_dicts(x, n):
    rows = [{"id": 3, "w": x[0]}, {"id": 4, "w": x[1]}]
    rows.sort(key=lambda row: row["w"])
    rows.append({"id": n, "w": x[2]})
    total = 0.0
    for row in rows:
        total += row["w"] * len(str(row["id"])) * row["id"]
    best = max(rows, key=lambda row: row["w"])
    best["id"] = best["id"] + 1
    return total + x[best["id"] % 3]


class Node:
    def __init__(self, a, following=None):
        self.a = a
        self.following = following
        self.kids = []

    def total(self):
        return self.a + sum(kid.total() * 0.5 for kid in self.kids)


@program(normal(3), 3, wrt=(0,))
def kids_added_on_the_way(x, n):
    node = Node(x[0], Node(x[1]))
    total = node.total()
    node.kids.append(Node(x[2]))
    if n > 1:
        node = node.following
    return total + node.total()


@program(normal(3), wrt=(0,))
def kids_added_to_each_of_a_chain(x):
    node, total = Node(x[0], Node(x[1])), 0.0
    while node is not None:
        total = total + node.total()
        node.kids.append(Node(x[2]))
        total = total * 0.9 + node.total()
        node = node.following
    return total


@program(normal(3), 3, wrt=(0,))
def kids_read_from_the_root(x, n):
    root = node = Node(x[0], Node(x[1]))
    total = 0.0
    for _ in range(n):
        total = total + node.total()
        node.kids.append(Node(x[2]))
        if node.following:
            node = node.following
    return total + root.total()


@program(normal(3), 2, wrt=(0,))
def kids_that_are_not_there(x, n):
    node = Node(x[0])
    for kid in node.kids:
        kid.a = kid.a * node.total()
    if n > 5:
        node.kids.append(Node(x[1]))
    for kid in node.kids:
        kid.a *= 0.5
    return node.total() * x[2]


class Unit(str, enum.Enum):
    KM = "km"
    MILES = "mi"


LENGTHS = {Unit.KM: 1.5, Unit.MILES: 0.6}
NAMED = {"km": 3.0, "mi": 4.0}
AXES = {"sxyz": (0, 1.5), "rxyz": (1, 2.5)}


@program(normal(3), Unit.KM)
def members_that_are_texts(x, unit):
    total = x[0] * LENGTHS[Unit.MILES] + x[1] * LENGTHS["km"] + x[2] * NAMED[Unit.KM.value]
    if unit != Unit.MILES:
        total = total * LENGTHS[unit] + NAMED[unit] * x[1]
    return total * len(Unit.KM.upper() + Unit.MILES.name)


@program(normal(3), 2, wrt=(0,))
def tried_where_types_decide(x, n):
    try:
        a, b = AXES["zyx"]
    except (AttributeError, KeyError):
        a, b = AXES["sxyz"]
    try:
        x.name = "values"
    except AttributeError:
        n = n + 1
    y = x * b
    try:
        y[y > 5.0] = 2.0
        tiny = np.finfo(y.dtype).eps * 4
    except (TypeError, AttributeError):
        y = x
        tiny = 0.0
    try:
        count = len(y[0])
    except TypeError:
        count = 7
    try:
        place = "abc".index("z")
    except ValueError:
        place = n % 3
    return y[a] * y[place] * count + tiny


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __getattr__(self, name):
        try:
            return tuple([(self.x, self.y)["xy".index(c)] for c in name])
        except ValueError:
            raise AttributeError(name) from None

    def copy(self):
        return self.__class__(self.x, self.y)


class Segment:
    def __init__(self, start, end):
        self.start, self.end = start.copy(), end.copy()


def crossing(x):
    if x[0] == x[1]:
        return Vector(x[0], x[1])
    return Segment(Vector(x[0], 1.0), Vector(x[1], x[2]))


@program(normal(3), 2, wrt=(0,))
def one_of_two_classes_found(x, n):
    found = crossing(x)
    line = Segment(Vector(x[0], x[1]), Vector(x[2], 0.5)) if n > 1 else None
    if line is None:
        return found.start.x
    return found.start.x * found.end.y + line.end.x * line.start.y


@program(normal(3), jit=True)
def given_in_place_of_nothing(x, places=None):
    if not places:
        places = [(i, j) for i in range(3) for j in range(3)]
    total = 0.0
    for i, j in places:
        total += x[i] * i * j
    return total


def missing_axes(shape, full):
    longer = (np.array(shape) == 1) & (np.array(full) > 1)
    rep = [int(k) for k in np.where(longer)[0]]
    return tuple(rep)


@program(normal(8), jit=True)
def axes_in_a_tuple_that_a_loop_makes(x):
    a, b = np.reshape(x[:4], (2, 2)), np.reshape(x[4:], (2, 2))
    rep = missing_axes((), ())
    made = np.matmul(np.ones((2, 2)) + np.sum(a), b)
    made = np.sum(made, axis=rep).reshape(a.shape)
    return float(np.sum(made**2))


def distance(point, start, end):
    return np.abs(np.cross(end - start, start - point)) / np.linalg.norm(end - start)


def kept_points(points, least):
    farthest, place = 0.0, -1
    for i in range(1, points.shape[0]):
        found = distance(points[i], points[0], points[-1])
        if found > farthest:
            farthest, place = found, i
    if farthest > least:
        first, last = kept_points(points[: place + 1], least), kept_points(points[place:], least)
        return np.vstack((first[:-1], last))
    return np.vstack((points[0], points[-1]))


@program(normal(5), jit=True)
def products_in_the_plane(x):
    return np.sum(kept_points(np.column_stack([np.arange(5.0), x]), 0.3) ** 2)


@program(normal(3), 3, wrt=(0,), jit=True)
def integers_in_rows_with_floats(x, n):
    rows = [[7 + i, v] for i, v in enumerate(x)]
    rows.sort(key=lambda row: row[1])
    total = sum(v * len(f"{i}") for i, v in rows)
    for _ in range(n):
        for row in rows:
            if row[1] > -9.0:
                row[0] = (1103515245 * row[0] + 12345) % 2**31
                row[1] = row[1] * (1 + 0.1 * (row[0] / 2**31 - 0.5))
    best = 0
    for _, v in rows:
        if v > best:
            best = v
    return total + best * len(str(rows[0][0])) + max([3, x[0]]) * sorted((2, x[1]))[0]


class Quadrant:
    def __init__(self, center, half):
        self.center, self.half, self.mass = center, half, 0.0
        self.parts = None

    def insert(self, b):
        self.mass += b
        if self.half < 0.3:
            return
        if self.parts is None:
            self.parts = [None] * 2
        k = 1 if b > self.center else 0
        if self.parts[k] is None:
            half = self.half / 2
            self.parts[k] = Quadrant(self.center + (half if k else -half), half)
        self.parts[k].insert(b)


@program(normal(4))
def parts_made_when_they_are_needed(x):
    root = Quadrant(0.0, 3.0)
    for v in x:
        root.insert(v)
    inside = 0.5 if root.parts[1] is None else root.parts[1].mass
    return root.mass * inside


@program(normal(3), 3, wrt=(0,))
def results_by_the_name_of_the_operator(x, n):
    out, names = [x[0], x[1], x[2]], ["+", "/", "-"]
    while len(out) > 1:
        name, b, a = names[(n + len(out)) % 3], out.pop(), out.pop()
        out.append({"+": a + b, "-": a - b, "/": a / b if b else 0.0}[name])
    return out[0]


@program(normal(3), 3, wrt=(0,))
def objects_asked_for_as_a_list(x, n):
    edges = [Edge(k, x[k]) for k in range(3)]
    if edges == []:
        return 0.0
    return sum(edge.weight * edge.number for edge in edges) * n


def stepped(w, dw, config=None):
    if config is None:
        config = {}
    config.setdefault("rate", 1e-2)
    velocity = 0.9 * config.get("velocity", np.zeros_like(w)) - config["rate"] * dw
    config["velocity"] = velocity
    return w + velocity, config


def slopes_of(params, h):
    found = {}
    for i in range(2, 0, -1):
        found["W%d" % i], found["b%d" % i] = np.outer(h, h), h
        h = h @ params["W%d" % i]
    return found


@program(normal(3))
def parameters_in_a_dict_by_layer(x):
    params = {}
    for i in range(2):
        params["W%d" % (i + 1)] = np.ones((3, 3)) * x[0]
        params["b%d" % (i + 1)] = np.zeros(3)
    for key, v in params.items():
        params[key] = v.astype(float)
    configs = {key: {"rate": x[1]} for key in params}
    for _ in range(3):
        found = slopes_of(params, x)
        for key, w in params.items():
            w, config = stepped(w, found[key], configs[key])
            params[key], configs[key] = w, config
    return np.sum(params["W1"]) + np.sum(params["b2"])
