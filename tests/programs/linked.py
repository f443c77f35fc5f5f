"""Linked lists and trees as long and as deep as the values want them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from programs.registry import positive, program


@program(positive(4), second=True)
def list_of_pairs(x):
    node = None
    for i in range(len(x)):
        node = (x[i] * x[i], node)
    total, weight = 0.0, 1.0
    while node is not None:
        total += weight * np.sin(node[0])
        weight *= 1.5
        node = node[1]
    return total


@program(positive(5), 3, second=True)
def list_as_long_as_asked_for(x, n):
    node = None
    for i in range(n):
        node = (x[i] * x[i + 1], node)
    total = 0.0
    while node:
        total = total * 0.5 + node[0] ** 2
        node = node[1]
    return total


@program(positive(4), second=True)
def list_turned_round_by_a_loop(x):
    head, back = None, None
    for v in x:
        head = (v, head)
    while head is not None:
        back = (head[0] ** 2, back)
        head = head[1]
    total = 0.0
    while back is not None:
        total = 0.5 * total + back[0]
        back = back[1]
    return total


def _folded(node):
    return 0.0 if node is None else np.exp(node[0]) + 0.5 * _folded(node[1])


@program(positive(4), second=True)
def list_walked_by_recursion(x):
    node = None
    for i in range(len(x)):
        node = (x[i] * 2.0, node)
    return _folded(node)


@program(positive(4))
def list_of_dicts(x):
    node = None
    for i in range(len(x)):
        node = {"value": x[i] ** 2, "next": node}
    total = 0.0
    while node is not None:
        total = total * 1.3 + node["value"] ** 2
        node = node["next"]
    return total


@dataclass
class _Node:
    value: Any
    next: Any = None


@program(positive(4))
def list_of_objects(x):
    node = None
    for v in x:
        node = _Node(v * 2.0, node)
    total = 0.0
    while node is not None:
        total = total * 1.3 + node.value**2
        node = node.next
    return total


@program(positive(4))
def arrays_in_nodes(x):
    node, i = None, 0
    while i < 4 and x[i] > 0.1:
        node = (x * x[i], node)
        i += 1
    total = np.zeros(4)
    while node is not None:
        total = total * 0.7 + np.sin(node[0])
        node = node[1]
    return np.sum(total**2)


@program(positive(4), second=True)
def two_lists_with_one_end(x):
    end = (x[0], (x[1], None))
    first, second = (x[2], end), (x[3], end)
    total = 0.0
    for k in range(2):
        node = first if k == 0 else second
        while node is not None:
            total = total * 1.2 + node[0] ** 2 * (k + 1.0)
            node = node[1]
    return total


@program(positive(4), second=True)
def descent_into_a_tree(x):
    tree = (x[0], (x[1], None, (x[2], None, None)), (x[3], None, None))
    total = 0.0
    while tree is not None:
        total = total * 0.5 + tree[0] ** 2
        tree = tree[1] if tree[0] < 1.2 else tree[2]
    return total


@program(positive(4), second=True)
def nodes_on_a_stack(x):
    stack = [(x[0], (x[1], None, (x[2], None, None)), (x[3], None, None))]
    total, weight = 0.0, 1.0
    while stack:
        node = stack.pop()
        if node is None:
            continue
        total += weight * node[0] ** 2
        weight *= 0.8
        stack.append(node[1])
        stack.append(node[2])
    return total


def _halves(x, lo, hi):
    if lo >= hi:
        return None
    middle = (lo + hi) // 2
    return (x[middle], _halves(x, lo, middle), _halves(x, middle + 1, hi))


def _weighed(tree, weight):
    if tree is None:
        return 0.0
    here = weight * tree[0] ** 2
    return here + _weighed(tree[1], weight * 0.5) + _weighed(tree[2], weight * 0.7)


@program(positive(6))
def balanced_tree(x):
    return _weighed(_halves(x, 0, len(x)), x[0])


def _inserted(tree, value):
    if tree is None:
        return (value, None, None)
    if value < tree[0]:
        return (tree[0], _inserted(tree[1], value), tree[2])
    return (tree[0], tree[1], _inserted(tree[2], value))


@program(positive(6))
def search_tree(x):
    tree = None
    for v in x:
        tree = _inserted(tree, v * v)
    return _weighed(tree, 1.0)


def _branch(x, lo, hi):
    if hi - lo < 1:
        return {"value": x[lo % 4], "parts": []}
    middle = (lo + hi) // 2
    parts = [_branch(x, lo, middle), _branch(x, middle + 1, hi)]
    return {"value": x[middle % 4] * 0.5, "parts": parts}


def _sum_of_branch(branch):
    total = branch["value"] ** 2
    for part in branch["parts"]:
        total = total + 0.5 * _sum_of_branch(part)
    return total


@program(positive(4))
def branches_with_lists_of_parts(x):
    return _sum_of_branch(_branch(x, 0, 3))


def _cells(places, masses, lo, hi):
    if len(masses) == 0:
        return None
    total = np.sum(masses)
    centre = np.sum(masses * places) / total
    if len(masses) == 1:
        return (total, centre, None, None)
    middle = 0.5 * (lo + hi)
    left = places < middle
    below = _cells(places[left], masses[left], lo, middle)
    above = _cells(places[~left], masses[~left], middle, hi)
    return (total, centre, below, above)


def _pull(cell, place, size, angle):
    if cell is None:
        return 0.0
    mass, centre, below, above = cell
    d = centre - place
    if (below is None and above is None) or size < angle * abs(d):
        return mass * d / (d * d + 0.1) ** 1.5
    return _pull(below, place, size / 2, angle) + _pull(above, place, size / 2, angle)


@program(np.array([0.31, 0.72, 1.13, 1.46, 1.87]), np.array([1.0, 2.0, 1.0, 0.5, 1.5]))
def forces_by_cells(places, masses):
    tree = _cells(places, masses, 0.0, 2.0)
    total = 0.0
    for i in range(len(places)):
        total += _pull(tree, places[i], 2.0, 0.7) ** 2
    return total
