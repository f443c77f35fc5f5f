"""Recursion that grows trees and tables while names hold parts of them; groups and sets."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from programs.registry import normal, positive, program

_FREE = frozenset({0, 2, 5})


@dataclass
class _Cell:
    center: Any
    half: float
    mass: float = 0.0
    place: Any = None
    children: list = field(default_factory=list)


def _build(indices, places, masses, center, half, depth=0):
    cell = _Cell(center, half)
    cell.mass = sum(masses[i] for i in indices)
    cell.place = sum((masses[i] * places[i] for i in indices), np.zeros(2)) / cell.mass
    if len(indices) == 1 or depth > 3:
        return cell
    quarters = defaultdict(list)
    for i in indices:
        quarters[(places[i][0] > center[0], places[i][1] > center[1])].append(i)
    for (right, top), inner in sorted(quarters.items()):
        step = half / 2 * np.array([1 if right else -1, 1 if top else -1])
        cell.children.append(_build(inner, places, masses, center + step, half / 2, depth + 1))
    return cell


def _force(cell, at, theta=0.5):
    d = cell.place - at
    r = np.sqrt(d @ d + 1e-2)
    if not cell.children or 2 * cell.half / r < theta:
        return cell.mass * d / r**3
    return sum(_force(child, at, theta) for child in cell.children)


@program(normal(2))
def forces_by_a_tree_of_cells(x):
    places = np.array([[0.1, 0.2], [0.7, 0.1], [-0.4, 0.8], [0.5, -0.7]]) + 0.01 * x
    masses = 1.0 + 0.1 * places[:, 0] ** 2
    root = _build(list(range(4)), places, masses, np.zeros(2), 1.0)
    return np.sum(np.array([_force(root, p) for p in places[:2]]) ** 2)


def _into_rows(rows, k, x):
    if k == 0 or x[k] > 50.0:
        return x[0]
    rows[k % 2].append(x[k] ** 2)
    rows[0].append(_into_rows(rows, k - 1, x) * 2.0)
    return x[k] * len(rows[0])


def _into_table(table, k, x):
    if k <= 0:
        return x[k]
    table["a"].append(x[k] * _into_table(table, k - 1, x))
    table["b"].append(_into_table(table, k - 2, x))
    return table["a"][-1] ** 2


@program(positive(5), jit=True, second=True)
def lists_in_lists_that_names_hold_too(x):
    rows = [[x[0]], [x[1] * 2.0]]
    first = rows[0]
    first.append(_into_rows(rows, int(3.0 + x[4] / 100), x))
    first[0] = first[-1] * x[2]
    table = {"a": [], "b": []}
    mine = table["a"]
    mine.append(_into_table(table, int(3.0 + x[4] / 100), x))
    mine[0] *= 2.0
    total = sum(map(sum, rows)) + first[2] ** 2
    return total + sum(table["a"]) + sum(table["b"]) * mine[-1]


@program(normal(6), jit=True)
def means_of_groups_by_distinct_numbers(x):
    steps = np.digitize(x, [-0.5, 0.5])
    found, place, count = np.unique(steps, return_inverse=True, return_counts=True)
    means = np.zeros(len(found))
    np.add.at(means, place, x)
    means /= count
    values, again = np.unique(np.append(x, x[:2]), return_inverse=True)
    chosen = {i for i, v in enumerate(x) if v > 0.0}
    total = sum(x[i] ** 2 for i in sorted(chosen & _FREE)) + (x[0] if 5 in chosen - _FREE else 0.0)
    return total + means @ means + np.sum(values**2) + np.append(x, x[:2]) @ again


PLACES = np.random.default_rng(4).normal(size=(6, 2))


@program(normal(6), 4)
def the_best_split_holds_lists_of_places(y, n):
    best = None
    for t in range(1, n):
        low = [i for i in range(t) if y[i] < 99]
        spread = np.var(y[low]) * t
        if best is None or spread < best[0]:
            best = (spread, low)
    if best is None:
        return np.mean(y)
    spread, low = best
    return np.mean(y[low]) + spread


@program(normal(6), 2)
def a_tree_of_decisions(y, depth):
    def grow(places, d):
        if d == 0 or len(places) < 2:
            return {"leaf": True, "value": np.mean(y[places])}
        best = None
        for j in range(2):
            for t in PLACES[places, j]:
                low = [i for i in places if PLACES[i, j] <= t]
                high = [i for i in places if PLACES[i, j] > t]
                if not low or not high:
                    continue
                spread = np.var(y[low]) * len(low) + np.var(y[high]) * len(high)
                if best is None or spread < best[0]:
                    best = (spread, j, t, low, high)
        if best is None:
            return {"leaf": True, "value": np.mean(y[places])}
        _, j, t, low, high = best
        below, above = grow(low, d - 1), grow(high, d - 1)
        return {"leaf": False, "j": j, "t": t, "below": below, "above": above}

    def predict(node, x):
        while not node["leaf"]:
            node = node["below"] if x[node["j"]] <= node["t"] else node["above"]
        return node["value"]

    tree = grow(list(range(len(y))), depth)
    return sum(predict(tree, x) ** 2 for x in PLACES)
