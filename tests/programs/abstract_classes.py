"""Classes that get methods from `collections.abc`, and dicts that make what is missing."""

import functools
import operator
from collections import Counter, OrderedDict
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

from programs.registry import normal, program, using


class Row(Sequence):
    def __init__(self, values):
        self.values = values

    def __getitem__(self, i):
        return self.values[i]

    def __len__(self):
        return len(self.values)


class Table(Mapping):
    def __init__(self, entries):
        self.entries = entries

    def __getitem__(self, key):
        return self.entries[key]

    def __len__(self):
        return len(self.entries)

    def __iter__(self):
        return iter(self.entries)


class Settings(MutableMapping):
    def __init__(self):
        self.held = {}

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value * 2.0

    def __delitem__(self, key):
        del self.held[key]

    def __len__(self):
        return len(self.held)

    def __iter__(self):
        return iter(self.held)


class Stack(MutableSequence):
    def __init__(self):
        self.held = []

    def __getitem__(self, i):
        return self.held[i]

    def __setitem__(self, i, value):
        self.held[i] = value

    def __delitem__(self, i):
        del self.held[i]

    def __len__(self):
        return len(self.held)

    def insert(self, i, value):
        self.held.insert(i, value)


class Twice(dict):
    def __missing__(self, key):
        return 2.0 * key


class Kept(dict):
    def __missing__(self, key):
        value = self[key] = key * 3.0
        return value


@program(normal(5), second=True, jit=True)
def sequence(x):
    row, s = Row(x), 0.0
    for v in row:
        s += v**2
    for v in reversed(row):
        s = s * 0.5 + v
    return s + row[2] * len(row) + row.index(x[3]) * x[0] + row.count(x[1]) * row[-1] ** 2


@program(normal(5), second=True, jit=True)
def mapping(x):
    table, s = Table({"a": x[0], "b": x[1]}), 0.0
    for key in table:
        s += table[key] ** 2
    for key, value in table.items():
        s = s * value + len(key)
    s += table.get("c", 2.0) * sum(table.values()) * ("a" in table) * ("z" not in table)
    return s * len(list(table.keys()))


@program(
    normal(5), using(lambda rng: Row([1.0, 2.0, 3.0])), using(lambda rng: Table({0: 2.0, 2: 3.0}))
)
def arguments(x, row, table):
    s = 0.0
    for i, v in enumerate(row):
        s += v * x[i] ** 2
    for key, value in table.items():
        s += value * x[key]
    return s * (2 in table) + len(table) * x[4]


@program(normal(5), second=True)
def mappings_that_change(x):
    settings = Settings()
    settings["a"] = x[0]
    settings.update({"b": x[1], "c": x[2]}, d=x[3])
    first = settings.setdefault("a", 7.0) * settings.setdefault("e", x[4])
    taken = settings.pop("b") + settings.pop("zz", 0.5)
    del settings["c"]
    return first * taken + sum(v**2 for v in settings.values()) * len(settings)


@program(normal(5), second=True)
def sequences_that_change(x):
    stack = Stack()
    stack.append(x[0] * x[1])
    stack.extend([x[2], x[3] ** 2])
    stack.insert(0, x[4])
    last = stack.pop()
    stack += [last * 2.0]
    stack.reverse()
    return sum((i + 1) * v**2 for i, v in enumerate(stack)) * len(stack)


@program(normal(5), second=True, jit=True)
def missing_entries(x):
    plain, kept = Twice({1: x[0]}), Kept({1: x[0]})
    a = plain[1] * plain[3] * x[1]
    b = kept[2] * x[1]
    kept[2] = x[2]
    return a + b * kept[2] * kept[1] * len(kept) * (len(plain) + (3 in plain))


@program(normal(5), second=True)
def counters_and_ordered_dicts(x):
    counted, letters = Counter(), Counter("abca")
    for i in range(5):
        counted[i % 2] += x[i] ** 2
    ordered = OrderedDict()
    ordered["a"] = x[0]
    ordered["b"] = x[1] * x[2]
    ordered.move_to_end("a")
    s = sum(k * v for k, v in enumerate(ordered.values()))
    _, first = ordered.popitem(last=False)
    return s * first + counted[0] * counted[1] * letters["a"] + letters["z"]


class Cell:
    def __init__(self, v):
        self.v = v

    def moved(self, by, v, factor=1.0):
        return type(self)(by(self.v, v) * factor)

    plus = functools.partialmethod(moved, operator.add)
    doubled = functools.partialmethod(moved, operator.mul, factor=2.0)


class Warm(Cell):
    rate = 0.5


class Cold(Cell):
    rate = -0.5


@program(normal(3), "cold", second=True)
def methods_with_some_arguments_given_and_subclasses_by_name(x, kind):
    found = {c.__name__.lower(): c for c in Cell.__subclasses__()}
    cells = [found[kind](v).plus(1.0).doubled(v) for v in x]
    return sum(k * c.v**2 * c.rate for k, c in enumerate(cells)) + cells[0].v * len(found)
