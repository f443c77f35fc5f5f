"""What long programs of several fields had, and shorter ones did not."""

import math
from dataclasses import dataclass

import numpy as np

from programs.registry import normal, positive, program


@program(positive(5), positive(5), wrt=(0, 1), jit=True)
def marked_trades_used_up(quantity, price):
    """Tuples with a text in them, whose cotangents are lists and change."""
    trades = [("BS"[i in (2, 4)], q, p) for i, (q, p) in enumerate(zip(quantity, price))]
    lots, gain = [], 0.0
    for side, q, p in trades:
        if side == "B":
            lots.append([q, p])
            continue
        while q > 0 and lots:
            lot = lots[0]
            used = min(q, lot[0])
            gain += used * (p - lot[1])
            q -= used
            lot[0] -= used
            if lot[0] <= 1e-12:
                lots.pop(0)
    return gain**2


class Link:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.children = name, parent, []
        if parent is not None:
            parent.children.append(self)

    def turned(self, angle):
        return angle + 0.5

    def poses(self, angles, at):
        here = at + np.array([math.cos(self.turned(angles[self.name])), angles[self.name]])
        yield self.name, here
        for child in self.children:
            yield from child.poses(angles, here)


class Twisted(Link):
    def turned(self, angle):
        return angle**2


@program(normal(4), second=True)
def arm_of_links_that_know_their_parents(q):
    base = Link("base")
    arm = Twisted("arm", base)
    Link("slide", arm)
    tool = Twisted("tool", arm)
    poses = dict(base.poses(dict(zip(("base", "arm", "slide", "tool"), q)), np.zeros(2)))
    return poses["slide"] @ poses[tool.name] + poses[tool.parent.name][0]


@dataclass
class Ray:
    start: np.ndarray
    way: np.ndarray


@dataclass
class Ball:
    centre: np.ndarray
    radius: float

    def met(self, ray):
        off = ray.start - self.centre
        b = off @ ray.way
        rest = b * b - (off @ off - self.radius**2)
        if rest < 0:
            return None
        t = -b - math.sqrt(rest)
        return t if t > 1e-4 else None

    def normal(self, point):
        return (point - self.centre) / self.radius


@dataclass
class Floor:
    height: float

    def met(self, ray):
        t = (self.height - ray.start[1]) / ray.way[1]
        return t if t > 1e-4 else None

    def normal(self, point):
        return np.array([0.0, 1.0, 0.0])


@program(np.array([0.1, 0.2, 3.0, 0.9, 0.3]))
def rays_made_by_a_recursion(p):
    """Rays are linked objects here, kept in a list for each field, which all calls add to."""
    scene = [Ball(p[:3], p[3]), Floor(-1.0)]

    def trace(ray, depth=0):
        nearest, thing = math.inf, None
        for one in scene:
            if (t := one.met(ray)) is not None and t < nearest:
                nearest, thing = t, one
        if thing is None:
            return 0.2 + 0.1 * ray.way[1]
        point = ray.start + nearest * ray.way
        n = thing.normal(point)
        colour = 0.1 + max(0.0, n @ np.array([0.5, 0.8, -0.3]))
        if depth < 2:
            back = ray.way - 2 * (ray.way @ n) * n
            colour += p[4] * trace(Ray(point + 1e-3 * n, back), depth + 1)
        return colour

    total = 0.0
    for x, y in ((0.0, 0.02), (0.2, -0.3), (-0.1, -0.6)):
        way = np.array([x, y, 1.0])
        total += trace(Ray(np.zeros(3), way / np.sqrt(way @ way))) ** 2
    return total


@program(normal(3, 2), normal(2, 2), wrt=(0, 1), jit=True)
def dicts_of_rows_copied_and_merged(poses, marks):
    first = {f"x{i}": row for i, row in enumerate(poses)}
    second = {f"m{i}": np.sin(row) for i, row in enumerate(marks)}
    both = first | second
    late = dict(both)
    late["x0"] = both["m1"] * 2.0
    return both["x0"] @ late["m0"] + np.sum(late["x0"] ** 3) + both["x2"][1]


class Holding:
    def __init__(self, count, price):
        self.count, self.price = count, price

    @property
    def value(self):
        return self.count * self.price

    def __add__(self, other):
        count = self.count + other.count
        return Holding(count, (self.value + other.value) / count)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __lt__(self, other):
        return self.value < other.value


class Book:
    def __init__(self):
        self._held = {}

    def __getitem__(self, name):
        return self._held[name]

    def __setitem__(self, name, holding):
        self._held[name] = holding

    def __contains__(self, name):
        return name in self._held

    def __iter__(self):
        return iter(self._held.values())


@program(positive(4), positive(4), wrt=(0, 1), jit=True)
def holdings_summed_and_ordered(counts, prices):
    """`max` of what an object goes through, after a sum of objects that begins with a number."""
    book = Book()
    for name, count, price in zip("abac", counts, prices):
        new = Holding(count, price)
        book[name] = book[name] + new if name in book else new
    total = sum(book)
    return total.value * max(book).price + sum((h.value / total.value) ** 2 for h in book)


@program(positive(4), second=True, jit=True)
def objects_of_a_list_summed(x):
    parts = [Holding(v, 2.0 - v) for v in x]
    return sum(parts).price * sum(h.value for h in parts)


@program(normal(6), second=True, jit=True)
def lists_of_calls_taken_apart(x):
    """What a call may give back as it is, though nobody else has it."""

    def ordered(items):
        if len(items) < 2:
            return items
        half = len(items) // 2
        left, right = ordered(items[:half]), ordered(items[half:])
        out = []
        while left and right:
            out.append((left if left[0] <= right[0] else right).pop(0))
        return out + left + right

    return sum((i + 1) * v**2 for i, v in enumerate(ordered(list(x))))


class Branch:
    def __init__(self, point, axis, left, right):
        self.point, self.axis, self.left, self.right = point, axis, left, right


@program(normal(6, 2), normal(3, 2), wrt=(0, 1))
def trees_that_hold_rows(points, queries):
    """Nodes made by a recursion hold views of rows: their lists are others than those it gives."""

    def build(places, depth=0):
        if not places:
            return None
        axis = depth % 2
        places = sorted(places, key=lambda i: points[i][axis])
        half = len(places) // 2
        left, right = build(places[:half], depth + 1), build(places[half + 1 :], depth + 1)
        return Branch(points[places[half]], axis, left, right)

    def nearest(node, q, best):
        if node is None:
            return best
        best = min(best, np.sum((node.point - q) ** 2))
        gap = q[node.axis] - node.point[node.axis]
        near, far = (node.left, node.right) if gap < 0 else (node.right, node.left)
        best = nearest(near, q, best)
        return nearest(far, q, best) if gap**2 < best else best

    tree = build(list(range(len(points))))
    return sum(nearest(tree, q, math.inf) for q in queries) + tree.point[0]
