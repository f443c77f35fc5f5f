"""Objects of classes in dicts whose keys only a run knows, and the operators of their classes."""

from collections import Counter, defaultdict, deque

import numpy as np

from programs.registry import program

V = np.array([0.7, 1.1, 0.45, 1.6, 0.9, 1.35])
LABELS = np.array([2, 0, 2, 1, 0, 2])


class Tally:
    """Adds squares in place."""

    def __init__(self, v=0.0):
        self.v, self.n = v, 0

    def __add__(self, other):
        return Tally(self.v + other)

    def __iadd__(self, other):
        self.v = self.v + other * other
        self.n += 1
        return self


class Pair:
    """Two numbers that are added side by side."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)


class Table:
    """A dict with zeros for what it lacks."""

    def __init__(self):
        self.entries = {}

    def __getitem__(self, k):
        return self.entries.get(k, 0.0)

    def __setitem__(self, k, v):
        self.entries[k] = v

    def __delitem__(self, k):
        self.entries.pop(k)

    def total(self):
        return sum(self.entries.values())


@program(V, LABELS, second=True, jit=True)
def changed_in_place_under_two_names(x, labels):
    tallies = {}
    for k, v in zip(labels, x):
        if k not in tallies:
            tallies[k] = Tally()
        same = tallies[k]
        tallies[k] += v
        same += v
    return sum(t.v * t.n for t in tallies.values())


@program(V, LABELS, second=True, jit=True)
def sums_of_pairs(x, labels):
    pairs = {}
    for k, v in zip(labels, x):
        pairs[k] = pairs[k] + Pair(v, v * v) if k in pairs else Pair(v, 1.0)
        pairs[k] += Pair(0.5, v)
    return sum(p.a * p.b for p in pairs.values())


@program(V, LABELS, second=True, jit=True)
def pairs_by_a_test(x, labels):
    pairs = {}
    for k, v in zip(labels, x):
        if k in pairs:
            new = Pair(v, v * v) + pairs[k]
        else:
            new = Pair(v, 1.0)
        pairs[k] = new
    return sum(p.a * p.b for p in pairs.values())


@program(V, LABELS, second=True, jit=True)
def entries_deleted_by_a_class(x, labels):
    tables = {}
    for i, (k, v) in enumerate(zip(labels, x)):
        if k not in tables:
            tables[k] = Table()
        tables[k][i % 2] += v
        if i == 3:
            del tables[k][1]
    return sum(t.total() ** 2 for t in tables.values())


@program(V, LABELS, second=True, jit=True)
def entries_deleted_in_groups(x, labels):
    table = defaultdict(lambda: defaultdict(float))
    for i, (k, v) in enumerate(zip(labels, x)):
        table[k][i % 2] += v
        if i == 4:
            del table[k][0]
    return sum(sum(inner.values()) ** 2 for inner in table.values())


@program(V, LABELS, second=True, jit=True)
def counters_in_groups(x, labels):
    table = defaultdict(Counter)
    for i, (k, v) in enumerate(zip(labels, x)):
        table[k][i % 2] += v
        table[k].update({5: v * v})
    return sum(sum(c.values()) ** 2 * len(c) for c in table.values())


@program(V, LABELS, second=True, jit=True)
def queues_in_groups(x, labels):
    table = defaultdict(deque)
    for k, v in zip(labels, x):
        table[k].append(v)
        table[k] += [v * v]
        if len(table[k]) > 3:
            table[k].popleft()
    return sum(sum(q) ** 2 for q in table.values())


@program(V, LABELS, second=True, jit=True)
def sets_in_groups(x, labels):
    parities = defaultdict(set)
    for i, k in enumerate(labels):
        parities[k].add(i % 2)
    total = 0.0
    for k, v in zip(labels, x):
        total += v**2 * len(parities[k])
        if 1 in parities[k]:
            total += v
    return total
