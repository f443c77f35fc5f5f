"""Objects that are linked while the program runs: lists, trees, graphs, queues of events."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from programs.registry import positive, program

X = np.array([0.7, 0.3, 1.4, 0.9])


class _Node:
    seen = 0

    def __init__(self, value, before=None):
        self.value, self.before = value, before
        self.after = None


class _Chain:
    def __init__(self):
        self.head, self.tail, self.size = None, None, 0

    def append(self, value):
        node = _Node(value, self.tail)
        if self.tail is None:
            self.head = node
        else:
            self.tail.after = node
        self.tail = node
        self.size += 1
        return node

    def remove(self, node):
        if node.before is not None:
            node.before.after = node.after
        else:
            self.head = node.after
        if node.after is not None:
            node.after.before = node.before
        else:
            self.tail = node.before
        self.size -= 1

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.after

    def __len__(self):
        return self.size


@program(X, second=True)
def chain_that_changes(x):
    chain, table = _Chain(), {}
    for i, v in enumerate(x):
        table[i] = chain.append(v**2)
    node = chain.head
    while node:
        node.value *= 2.0
        node.seen += 1
        node.extra = node.value if hasattr(node, "before") else 0.0
        if node.after is not None:
            node.after.value += 0.3 * node.value**2
        following = node.after
        if node.value < 0.8:
            chain.remove(node)
        node = following
    last = table[3]
    other = None or last.before
    total = 0.0
    for i, v in enumerate(chain):
        total += (i + 1) * np.sqrt(v)
    return (
        total * len(chain)
        + last.extra * last.seen
        + last.value * other.value * (last is chain.tail)
    )


class _Branch:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def insert(self, key):
        if key < self.key:
            if self.left is None:
                self.left = _Branch(key)
            else:
                self.left.insert(key)
        elif self.right is None:
            self.right = _Branch(key)
        else:
            self.right.insert(key)

    def total(self, depth):
        found = depth * self.key**2
        if self.left:
            found += self.left.total(depth + 1)
        if self.right:
            found += self.right.total(depth + 1)
        return found


def _put(root, key):
    if root is None:
        return _Branch(key)
    node = root
    while True:
        side = "left" if key < node.key else "right"
        if side == "left" and node.left is None:
            node.left = _Branch(key)
            break
        if side == "right" and node.right is None:
            node.right = _Branch(key)
            break
        node = node.left if side == "left" else node.right
    return root


@program(X, second=True)
def search_trees_by_method_and_loop(x):
    root = _Branch(x[0])
    for v in x[1:]:
        root.insert(v)
    other = None
    for v in x:
        other = _put(other, v * v)
    stack, total = [(other, 1)], 0.0
    while stack:
        node, depth = stack.pop()
        total += depth * node.key**3
        for kid in (node.left, node.right):
            if kid is not None:
                stack.append((kid, depth + 1))
    return root.total(1) * total


class _Shape:
    def double(self):
        return 2.0 * self.area()


class _Disc(_Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius**2


class _Box(_Shape):
    def __init__(self, width, height):
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height


@dataclass
class _Split:
    column: int
    at: float
    below: Any
    above: Any


@dataclass
class _Leaf:
    value: Any


@program(X, second=True)
def objects_of_several_classes(x):
    shapes = []
    for k in range(int(x.sum() * 2)):
        if x[k % 4] > 0.8:
            shapes.append(_Disc(x[k % 4]))
        else:
            shapes.append(_Box(x[k % 4], 2.0))
    tree = _Split(0, 0.5, _Leaf(x[1] * 2), _Split(1, 0.2, _Leaf(x[2]), _Leaf(x[3] * x[0])))
    total = 0.0
    for shape in shapes:
        total += shape.double() ** 1.5
        if isinstance(shape, _Disc):
            total += shape.radius
    for row in ([0.2, 0.1], [0.9, 0.1], [0.9, 0.7]):
        node = tree
        while isinstance(node, _Split):
            node = node.below if row[node.column] < node.at else node.above
        total += node.value**2
    return total


class _Event:
    def __init__(self, time, kind, size):
        self.time, self.kind, self.size = time, kind, size

    def __lt__(self, other):
        return self.time < other.time


class _Bank:
    def __init__(self, assets):
        self.assets, self.debts, self.failed = assets, [], False


@program(X, second=True)
def events_and_debts(x):
    queue = []
    for v in x:
        heapq.heappush(queue, _Event(v, "arrive", v * v))
    clock = work = cost = 0.0
    while queue:
        event = heapq.heappop(queue)
        cost += work * (event.time - clock)
        clock = event.time
        if event.kind == "arrive":
            work += event.size
            heapq.heappush(queue, _Event(clock + 0.5 * event.size, "leave", event.size))
        else:
            work -= event.size
    banks = [_Bank(v) for v in x]
    for i in range(4):
        banks[i].debts.append((banks[(i + 1) % 4], 0.3 * x[i]))
    for bank in banks:
        if not bank.failed and bank.assets < 0.5:
            bank.failed = True
            for creditor, owed in bank.debts:
                creditor.assets -= 0.5 * owed
    return cost * sum(bank.assets**2 for bank in banks if not bank.failed)


class _Value:
    def __init__(self, data, parts=(), slopes=()):
        self.data, self.parts, self.slopes, self.slope = data, parts, slopes, 0.0

    def __add__(self, other):
        return _Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, _Value) else _Value(other)
        return _Value(self.data * other.data, (self, other), (other.data, self.data))

    def tanh(self):
        t = np.tanh(self.data)
        return _Value(t, (self,), (1 - t * t,))

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for part in value.parts:
                    visit(part)
                order.append(value)

        visit(self)
        self.slope = 1.0
        for value in reversed(order):
            for part, slope in zip(value.parts, value.slopes, strict=True):
                part.slope += slope * value.slope


@program(X, second=True)
def derivatives_by_a_graph_of_objects(x):
    a, b, c, d = (_Value(v) for v in x)
    out = (a * b + c).tanh() * d + a * 2.0
    out.backward()
    return a.slope**2 + b.slope * c.slope + d.slope


@dataclass(eq=False)
class _Body:
    place: Any
    speed: Any
    next: Any = None


@program(positive(4), second=True)
def arrays_in_linked_bodies(x):
    head = None
    for i in range(4):
        head = _Body(np.array([x[i], 1.0]), np.array([0.0, x[0]]), head)
    for _ in range(2):
        body = head
        while body is not None:
            body.speed += -0.1 * body.place
            body.place = body.place + 0.1 * body.speed
            other = body.next
            while other is not None:
                apart = body.place - other.place
                force = 0.01 * apart / (np.sum(apart * apart) + 0.1)
                body.speed += force
                other.speed -= force
                other = other.next
            body = body.next
    total, body = 0.0, head
    while body:
        total += np.sum(body.place**2) + body.speed @ body.place
        body = body.next
    return total


class _Choice:
    def __init__(self, column=None, at=None, below=None, above=None, value=None):
        self.column, self.at, self.value = column, at, value
        self.below, self.above = below, above

    def predict(self, row):
        if self.below is None:
            return self.value
        return (self.below if row[self.column] < self.at else self.above).predict(row)


def _grown(a, b, c):
    return _Choice(0, 0.5, _Choice(value=a), _Choice(1, 0.6, _Choice(value=b), _Choice(value=c)))


class _Segment:
    def __init__(self, x, lo, hi):
        self.lo, self.hi = lo, hi
        if hi - lo == 1:
            self.left = self.right = None
            self.total = x[lo]
        else:
            self.left = _Segment(x, lo, (lo + hi) // 2)
            self.right = _Segment(x, (lo + hi) // 2, hi)
            self.total = self.left.total + self.right.total

    def over(self, lo, hi):
        if hi <= self.lo or lo >= self.hi:
            return 0.0
        if lo <= self.lo and self.hi <= hi:
            return self.total
        return self.left.over(lo, hi) + self.right.over(lo, hi)


@program(X)
def tree_that_its_constructor_builds(x):
    tree = _Segment(x**2, 0, int(x.sum()))
    return tree.over(0, 3) ** 2 + tree.over(1, 3)


FOREST = [_grown(1.0, 2.0, 3.0), _grown(0.5, 0.1, 0.2)]


@program(X, _grown(0.3, 0.7, 0.1), second=True)
def trees_from_outside(x, own):
    class Seen:
        def __init__(self, value):
            self.value, self.next = value, None

    total, last = 0.0, None
    for tree in FOREST:
        node = tree
        while node.value is None:
            node = node.below if x[node.column] < node.at else node.above
        seen = Seen(node.value * x[0] ** 2)
        seen.next, last = last, seen
    while last is not None:
        total = 0.5 * total + last.value
        last = last.next
    return total * x[1] + sum(tree.predict(x) for tree in FOREST) * own.predict(x) * x[2]


class _Cell:
    """A part of a line, that holds a body or two halves."""

    def __init__(self, low, high):
        self.low, self.high = low, high
        self.body = self.halves = None
        self.mass = 0.0

    def insert(self, place, mass):
        if self.mass == 0.0:
            self.body = (place, mass)
        else:
            middle = 0.5 * (self.low + self.high)
            if self.halves is None:
                self.halves = [_Cell(self.low, middle), _Cell(middle, self.high)]
                first, its_mass = self.body
                self.halves[int(first > middle)].insert(first, its_mass)
                self.body = None
            self.halves[int(place > middle)].insert(place, mass)
        self.mass += mass

    def pull(self, x):
        if self.halves is not None:
            return sum(half.pull(x) for half in self.halves)
        return 0.0 if self.body is None else self.body[1] / (1.0 + (x - self.body[0]) ** 2)


@program(np.array([0.1, 0.6, 0.35, 0.8]), np.array([1.0, 0.5, 2.0, 0.7]), wrt=(0, 1))
def pairs_that_nodes_hold_for_a_while(places, masses):
    """Cotangents of None or a pair, as a run decides, are added in place."""
    root = _Cell(0.0, 1.0)
    for place, mass in zip(places, masses, strict=True):
        root.insert(place, mass)
    return root.pull(0.3) * root.mass
