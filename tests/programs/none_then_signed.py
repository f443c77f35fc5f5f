"""Entries that are None until a loop sets them: what is taken off their cotangents is taken off."""

import numpy as np

from programs.registry import normal, program


@program(normal(3), second=True)
def cosines_of_entries_filled_when_asked(x):
    kept = [None] * 3
    total = 0.0
    for i in range(3):
        if kept[i] is None:
            kept[i] = x[i] ** 2
        total += np.cos(kept[i]) * x[1]
    return total


@program(normal(3), normal(3))
def slots_subtracted_in_turn(x, y):
    slots = {"a": None, "b": None}
    total = y[0]
    for k in range(4):
        name = "ab"[k % 2]
        if slots[name] is None:
            slots[name] = x * y[k % 3]
        total = y[k % 3] - np.sum(slots[name] ** 2) * total - slots[name] @ x
    return total


class Lazy:
    def __init__(self, v):
        self.v = v
        self.kept = None

    @property
    def size(self):
        if self.kept is None:
            self.kept = np.sum(self.v**2)
        return self.kept


@program(normal(3), second=True)
def lazy_sizes_of_listed_objects(x):
    regions = []
    total = 0.0
    for k in range(3):
        regions.append(Lazy(x * k))
    for r in regions:
        total -= np.cos(r.size) / (1.0 + r.size) * x[1]
    return total + sum(r.size for r in regions)
