"""Generator functions that call themselves, over trees that a run builds."""

from dataclasses import dataclass

import numpy as np

from programs.registry import normal, program


@dataclass
class Tree:
    value: float
    left: "Tree | None" = None
    right: "Tree | None" = None

    def insert(self, v):
        if v < self.value:
            if self.left is None:
                self.left = Tree(v)
            else:
                self.left.insert(v)
        elif self.right is None:
            self.right = Tree(v)
        else:
            self.right.insert(v)

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right

    def nodes(self, depth=0):
        yield self, depth
        for child in (self.left, self.right):
            if child is not None:
                yield from child.nodes(depth + 1)

    def total(self, power):
        return sum(v**power for v in self)

    def scale(self, by):
        for node, _ in self.nodes():
            node.value = node.value * by

    @property
    def depth(self):
        return 1 + max((c.depth for c in (self.left, self.right) if c), default=0)


def built(x):
    root = Tree(x[0])
    for v in x[1:]:
        root.insert(v)
    return root


@program(normal(6), second=True)
def in_order(x):
    root = built(x)
    values = list(root)
    gaps = sum((b - a) ** 2 for a, b in zip(values, values[1:], strict=False))
    stack = [(root, 0)]
    while stack:
        node, d = stack.pop()
        gaps += node.value * d
        for child in (node.left, node.right):
            if child is not None:
                stack.append((child, d + 1))
    return gaps * root.depth


@program(normal(6), second=True)
def left_halfway(x):
    total = 0.0
    for v in built(x):
        if v > 0.5:
            break
        total += v * v
    return total


@program(normal(6), second=True)
def nodes_that_are_changed(x):
    root = built(x)
    for node, depth in root.nodes():
        node.value = node.value * (1.0 + depth)
    return sum(k * v for k, v in enumerate(root))


@program(normal(6), second=True)
def built_before_and_changed_after(x):
    root = built(x)
    first = root.total(2)
    root.scale(x[1])
    root.insert(x[2] * x[3])
    return first * root.total(1) + max(root) * sum(k * v for k, v in enumerate(root))


def walk(node, depth=0):
    if node is None:
        return
    for item in walk(node.left, depth + 1):
        yield item
    yield node.value, depth
    yield from walk(node.right, depth + 1)


@program(normal(6), second=True)
def by_a_function(x):
    root = built(x)
    steps = walk(root)
    first = next(steps)[0]
    return first * sum(v * d for v, d in steps) + max(v for v, _ in walk(root))


def pieces(v, least):
    if v < least:
        yield v
        return
    yield v / 2
    yield from pieces(v / 3, least)


@program(normal(4), second=True)
def numbers_end_it(x):
    return sum(w**2 for v in x for w in pieces(np.abs(v), 0.2))
