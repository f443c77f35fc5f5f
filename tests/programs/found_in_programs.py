"""Idioms of published programs of objects: sorted edges, nodes that are given kids while a name
walks over them, enumerations of texts, copies by `self.__class__`."""

from __future__ import annotations

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
