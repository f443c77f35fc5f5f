"""Iterators that are kept in containers, attributes and parameters: a second loop finds what the
first has left, mostly nothing."""

import collections
import collections.abc
import functools
import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from programs.registry import normal, positive, program


class Pairs:
    def __init__(self, x):
        self.pairs = zip(x, x[1:], strict=False)

    def loss(self, k):
        return sum(k * a * b for a, b in self.pairs)


@program(normal(5), second=True)
def attribute_gone_through_by_the_first_call(x):
    pairs = Pairs(x)
    return sum(pairs.loss(k) for k in (1.0, 2.0, 3.0))


def twice(values):
    return 2.0 * sum(values) + 3.0 * sum(values)


@program(normal(5), second=True)
def parameter_read_twice(x):
    return twice(v * v for v in x) + twice([v**3 for v in x])


def rest_twice(*values, **named):
    return sum(values[0]) + sum(values[0]) * 2.0 + sum(named["z"]) + sum(named["z"]) * 2.0


@program(normal(5), second=True)
def in_rest_and_keywords(x):
    return rest_twice((v * v for v in x), z=map(np.sin, x))


@program(normal(5), second=True)
def in_dicts_and_lists(x):
    table = {"squares": (v * v for v in x)}
    table["cubes"] = (v**3 for v in x)
    rows = [map(abs, x)]
    rows.append(zip(x, x[2:], strict=False))
    made = dict(sines=map(np.sin, x))
    total = 0.0
    for k in (1.0, 10.0):
        total += k * (sum(table["squares"]) + sum(table["cubes"]) + sum(rows[0]))
        total += k * (sum(a * b for a, b in rows[1]) + sum(made["sines"]))
    return total


@dataclass
class Held:
    items: Any
    scale: float = 1.0


class Named(NamedTuple):
    items: Any


@program(normal(5), second=True)
def in_records(x):
    held = Held(zip(x, x[1:], strict=False))
    named = Named(v * v for v in x)
    first = sum(a * b for a, b in held.items) + sum(named.items)
    return first + sum(a + b for a, b in held.items) + 2.0 * sum(named.items)


def both(x):
    return zip(x, x[1:], strict=False), (v * v for v in x)


def neighbours(x):
    return zip(x, x[1:], strict=False)


@program(normal(5), second=True)
def handed_back(x):
    made, alone = both(x), neighbours(x)
    s = sum(a * b for a, b in made[0]) + sum(made[1]) + sum(a * a * b for a, b in alone)
    return s + sum(a + b for a, b in made[0]) + 5.0 * sum(made[1]) + sum(a for a, _ in alone)


@program(normal(5), second=True)
def one_statement_for_both(x):
    a, b = (v * v for v in x), map(np.sin, x)
    return sum(a) + 2.0 * sum(b) + sum(a) + sum(b)


def mean(values):
    s = n = 0
    for v in values:
        s += v
        n += 1
    return s / n


def shares(values):
    values = list(values)
    total = sum(values)
    return [v / total for v in values]


@program(normal(5), second=True)
def parameter_read_once(x):
    """Here nothing has to be remembered."""
    return mean(v**3 for v in x) * mean(map(abs, x)) + shares(v * v for v in x)[1]


class Squares:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            yield v * v


@program(normal(5), second=True)
def objects_that_lists_are_extended_by(x):
    items = [x[0] * x[1]]
    items.extend(Squares(x))
    items += Squares(x[1:])
    more = []
    for k in range(3):
        more.extend(Squares(x[k:]))
    return sum(k * v for k, v in enumerate(items)) + sum(k * v for k, v in enumerate(more))


@program(normal(5), second=True)
def in_defaults_and_partials(x):
    def scaled(k, items=zip(x, x[1:], strict=False)):
        return sum(k * a * b for a, b in items)

    alone = lambda items=map(np.sin, x): sum(items)  # noqa: E731
    given = functools.partial(lambda items, k: k * sum(items), (v**3 for v in x))
    first = scaled(1.0) + alone() + given(1.0)
    return first + scaled(2.0) + 2.0 * alone() + 3.0 * alone(x) + given(2.0)


def generators(x):
    for k in (1.0, 2.0):
        yield (v * v * k for v in x)


@program(normal(5), second=True)
def handed_out_by_loops(x):
    total = 0.0
    for values in map(lambda k: (np.sin(v) * k for v in x), (1.0, 2.0)):
        total += sum(values) + 3.0 * sum(values)
    for values in generators(x):
        total += sum(values) + 3.0 * sum(values)
    return total


class Neighbours:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def kept(self):
        return zip(self.x, self.x[1:], strict=False)

    @property
    def fresh(self):
        return zip(self.x, self.x[1:], strict=False)


@program(normal(5), second=True)
def in_properties(x):
    n = Neighbours(x)
    kept = sum(a * b for a, b in n.kept) + 2.0 * sum(a * b for a, b in n.kept)
    return kept + sum(a * a * b for a, b in n.fresh) + sum(a * b * b for a, b in n.fresh)


def both_ways(items):
    return 2.0 * sum(v for _, v in items) + sum(k * v for k, v in items)


@program(normal(5), second=True)
def views_and_ranges_begin_again(x):
    table = {k: v * v for k, v in enumerate(x)}
    values = table.values()
    table[9] = x[0]
    held = [table.items(), range(3)]
    places = sum(x[k] for k in held[1]) + sum(x[k] ** 2 for k in held[1])
    return both_ways(table.items()) + both_ways(held[0]) + sum(values) * sum(values) + places


@program(positive(4))
def asked_for_an_item(x):
    """`in` takes items up to the one that is found."""
    names = enumerate(["a", "b", "c", "d"])
    found = (1, "b") in names
    total = sum(x[i] ** 2 for i, _ in names)
    squares = (v**2 for v in x)
    missing = 77.0 not in squares
    return total * (2 if found else 1) + x[0] * (3 if missing else 1) + sum(squares)


@program(positive(4))
def chained_lists_gone_through_once(x):
    items = itertools.chain.from_iterable([x, x**2])
    kinds = [isinstance(items, list), hasattr(items, "__len__"), hasattr(items, "__next__")]
    first = next(items)
    return sum(items) * x[0] + sum(items) + first * kinds.count(True)


@program(positive(3))
def what_classes_are_asked_for(x):
    """Containers and numbers that are read in place of Python's own."""
    z = complex(x[0], 1.0)
    asked = [
        isinstance(collections.Counter("ab"), dict), hasattr(z, "dtype"), hasattr(range(3), "x"),
        hasattr(range(3), "__len__"), hasattr({1, 2}, "__iter__"), isinstance(z, np.generic),
        isinstance(iter(x), collections.abc.Iterator), hasattr(collections.deque(), "__array__"),
    ]  # fmt: skip
    return sum(x[k % 3] * 2.0**k for k, yes in enumerate(asked) if yes)
