"""What is asked of values that are no numbers: truth, equality, callable, hasattr, isinstance."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from programs.registry import normal, program


class Gain:
    def __init__(self, a):
        self.a = a

    def scaled(self, v):
        return self.a * v


class Shifted(Gain):
    scaled = 3.0


class Squared:
    def scaled(self, v):
        return v * v


@dataclass
class Edge:
    cost: float


class Equal:
    """Equal to whatever it is compared with."""

    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return True


def _ranges_that_may_be_empty(x, n):
    later = range(n - 1)
    total = x[0] if range(n) else x[1]
    total += x[2] * (3.0 if not later else 1.0) + x[3] * bool(range(1, n))
    for k in range(4):
        if later and range(k):
            total += x[k]
    return total + (x[1] if all([range(n), later]) else x[2])


@program(normal(4), 0, 2, wrt=0, jit=True)
def ranges_that_may_be_empty(x, few, more):
    return _ranges_that_may_be_empty(x, few) + _ranges_that_may_be_empty(x, more)


def _views_that_may_be_empty(x, n):
    held = {}
    for k in range(n):
        held[k] = x[k]
    values, items = held.values(), held.items()
    total = x[0] if not values else x[1]
    total += (x[2] if items else x[3]) + len(values) * x[3]
    return total + x[0] * hasattr(values, "__next__") + x[1] * isinstance(items, set)


@program(normal(4), 3, 0, wrt=0, jit=True)
def views_that_may_be_empty(x, few, more):
    return _views_that_may_be_empty(x, few) + _views_that_may_be_empty(x, more)


def _methods_and_fields_of_one_of_two(x, n):
    one = Gain(x[0]) if n > 1 else Squared()
    other = Shifted(x[1]) if n > 1 else Gain(x[1])
    scaled = one.scaled
    total = scaled(x[2]) if callable(scaled) else x[3]
    total += x[0] * callable(other.scaled) + x[3] * callable(x.sum) + x[1] * callable([].append)
    return total + x[2] * callable({}.get) * (not callable(x))


@program(normal(4), 1, 3, wrt=0)
def methods_and_fields_of_one_of_two(x, few, more):
    return _methods_and_fields_of_one_of_two(x, few) + _methods_and_fields_of_one_of_two(x, more)


@program(normal(4), wrt=0, jit=True)
def what_classes_have(x):
    gain, items, numbers = Gain(x[0]), [x[1]], [1, 2]
    total = x[0] * hasattr(gain, "__name__") + x[1] * hasattr(gain, "a")
    total += x[2] * hasattr(items, "__call__") + x[3] * hasattr(numbers, "append")
    total += x[0] * hasattr(x, "__dict__") + x[1] * hasattr(range(3), "append")
    return total + x[2] * hasattr(filter(None, items), "__len__") + x[3] * hasattr(x, "T")


@program(normal(4), 3, wrt=0)
def lists_and_tuples_differ(x, n):
    grown = [k for k in range(n)]
    fixed = tuple(grown)
    total = x[0] * (grown == fixed) + x[1] * (sorted(fixed) != fixed)
    total += x[2] * (list(fixed) == grown) + x[3] * (x.shape == (4,)) + x[0] * (x.shape == [4])
    held = {"a": n, "b": 1}
    again = {"b": 1, "a": n}
    total += x[1] * (held.items() == again.items()) + x[2] * (held.values() == again.values())
    return total + x[3] * (list(held.items()) == held.items()) + x[0] * (held.keys() == {"a", "b"})


@program(normal(4), 2, wrt=0)
def objects_that_say_what_they_equal(x, n):
    edges = [Edge(x[0]), Edge(x[1])]
    total = x[0] * (edges == [Edge(x[0]), Edge(x[1])]) + x[1] * (edges[:1] == [Edge(x[1])])
    total += x[2] * ({"a": edges[0]} == {"a": Edge(x[0])}) + x[3] * (Edge(x[0]) == Equal(n))
    total += x[0] * ("a" in [Equal(x[0])]) + x[1] * (Edge(x[1]) in edges) + x[2] * (n in edges)
    return total + x[3] * ((Equal(1), n) == (3, n)) + x[2] * (Edge(x[2]) in (n, edges[0]))


def _objects_by_place_and_numbers(x, n):
    last = None
    for k in range(n):
        last = Gain(x[k])
    total = x[0] * (last == 0) + x[1] * (last in [0, 1, 2]) + x[2] * ([last] == [0])
    total += x[3] * (0 in (last, n)) + x[0] * (last != n) + x[1] * ({"a": last} == {"a": 0})
    return total + (x[2] if last is None else last.scaled(x[3]))


@program(normal(4), 0, 3, wrt=0)
def objects_by_place_and_numbers(x, few, more):
    return _objects_by_place_and_numbers(x, few) + _objects_by_place_and_numbers(x, more)


@program(normal(4), wrt=0, jit=True)
def iterators_are_true(x):
    kept = filter(lambda v: v > 1e6, x)
    joined = itertools.chain([], [])
    total = (x[0] if kept else x[1]) + (x[2] if joined else x[3])
    return total + sum(kept) + sum(joined)


@program(normal(4), wrt=0)
def what_methods_know(x):
    gain = Gain(x[0])
    scaled = gain.scaled
    double = lambda v: 2.0 * v  # noqa: E731
    total = scaled.__self__.a * x[1] + scaled.__func__(Gain(x[2]), x[3])
    total += x[0] if double.__doc__ is None and scaled.__name__ == "scaled" else x[1]
    return total + double(x[2]) * range(2, 5).start + x[3] * (np.iterable(x.tolist()))


@program(normal(3), 0, wrt=0)
def one_pair_or_none(x, n):
    first, found = (x[0], 2 * x[1]), None
    for k in range(n):
        found = (x[k], 1.0)
    pairs = [found or first] + ([found] if found is not None else [])
    return sum([a * b for a, b in pairs])


@program(normal(4), 3, wrt=0)
def products_of_rows(x, n):
    table = np.outer(x, x)
    rows = [x * (k + 1) for k in range(n)]
    total = np.sum(math.prod(table)) + np.sum(math.prod(rows)) + math.prod([x, x, x[0]])[1]
    return total + math.prod(x) + math.prod([v + k for k, v in enumerate(x)])


@program(normal(4), 3, wrt=0)
def lists_where_numpy_takes_arrays_by_name(x, n):
    values, weights = [], []
    for k in range(n):
        values.append(x[k] * x[k + 1])
        weights.append(1.0 + x[k] ** 2)
    total = np.average(values, weights=weights) + np.average(weights, weights=weights)
    return total + np.einsum("i,i->", values, values) + np.einsum("i,j->", values, weights)


@program(normal(4), 3, wrt=0, jit=True)
def truths_of_numpy_stay_so(x, n):
    above = x[0] > -9.0
    total = ~(above > 1) * x[1] + ~(above == 1) * x[2] + (~(n > 1)) * x[3]
    return total + ~(1 > above) * x[0] + (~above) * x[1]


@program(normal(4), 3, wrt=0)
def lists_spread_into_extremes(x, n):
    grown = [x[k] for k in range(n)]
    none = [v for v in grown if v > 9.0]
    return max(*grown, 0.1) + min(*none, x[3], x[2]) * max(*none, x[0], x[1], 0.2)


def kept_by(test, values):
    return (v for v in values if test(v))


@program(normal(4), wrt=0)
def asked_of_what_other_functions_give(x):
    test = lambda v: v > 9.0  # noqa: E731
    total = x[0] if any(filter(test, x)) else x[1]
    total = total + (x[2] if all(kept_by(lambda v: v < 9.0, x)) else x[3])
    return total + (x[0] if all(itertools.filterfalse(test, x)) else x[1])


class Level:
    """Equal to those of its height."""

    def __init__(self, height):
        self.height = height

    def __eq__(self, other):
        return self.height == other.height

    def __hash__(self):
        return hash(self.height)


@program(normal(3), 3, wrt=0)
def places_of_what_says_it_is_equal(x, n):
    first, second = Level(1), Level(1)
    levels = [first, second, Level(2)]
    by_name = {"second": second}
    for k in range(n):
        levels.append(Level(k))
    total = x[0] * levels.index(second) + x[1] * levels.count(by_name["second"])
    levels.remove(second)
    return total + x[2] * len(levels) * levels.index(Level(1), 1)


@program(normal(3), 0, 2, wrt=0)
def classes_of_comparisons_by_path(x, few, many):
    total = 0.0
    for n in (few, many):
        a = 1.0 if n > 1 else x[0]
        larger = a > -9.0
        total += x[1] * (2.0 if isinstance(larger, bool) else 5.0)
        total += x[2] * (larger if isinstance(larger, int) else 3.0)
    return total * x[0]


@program(normal(3), 2, wrt=0)
def places_of_objects_that_are_alike(x, n):
    first, second = Gain(1.0), Gain(1.0)
    kept = [first, second]
    total = x[0] * kept.index(second) + [1, 2, 1].index(1, 1) * x[1]
    kept.remove(second)
    for _ in range(n):
        kept.append(Gain(1.0))
    kept.append(second)
    return total * (kept[0] is first) + x[2] * kept.index(second)


class Shown:
    def __init__(self, name, values):
        self.name, self.values = name, values

    def __str__(self):
        return "shown"

    def __repr__(self):
        return f"Shown({self.name})"

    def __format__(self, spec):
        return "as " + spec


@program(normal(3), 12, wrt=0)
def templates_that_ask_for_more(x, n):
    one = Shown("one", [1, 22])
    text = "{} {!s} {!r:>14} {:wide}".format(one, one, one, one)
    text += "{0.name} {0.values[1]:>{1}} {k.name!r}".format(one, n, k=one)
    text += "{:8.2f}|{:<{}}|{{}}".format(2.5, "a", n)
    return x[0] * len(text) + x[1] * text.count(" ") + x[2] ** 2


PAIRS = frozenset([(1, 2), (0, 1)])


@program(normal(4), 4, 1, wrt=0, second=True, jit=True)
def members_of_sets_written_out(x, n, which):
    total = x[3] ** 2
    for k in range(n):
        if k in {0, 2}:
            total += x[k] * x[0]
        elif k not in {1, 5}:
            total *= x[k]
    name = "a" if which > 0 else "b"
    total += x[0] * (name in {"a", "z"}) + x[1] * ((which > 0) in {True})
    return total + x[2] * (which in {1.0, 2.5}) + x[1] * ((which, 2) in {(1, 2), (3, 4)})


@program(normal(3), 1, wrt=0)
def members_of_sets_from_outside(x, n):
    total = x[0] if (n, 2) in PAIRS else x[1]
    kept = frozenset({"b", "a", "c"})
    return total * x[2] + x[1] * (("a" if n else "z") in kept)


@program(normal(3), 0, 2, wrt=0, jit=True)
def or_of_an_or(x, none, some):
    total = (x[0] or x[1]) or x[2]
    for n in (none, some):
        total += x[1] * ((n or 2) or 5) + x[2] * ((n or 0) or (n - 1) or 4)
        total += x[0] * ((n and 3) or 7) + x[1] * ((n or 2) and 3)
    return total


@program(normal(3), 0, 2, wrt=0)
def dicts_merged_with_what_a_run_makes(x, none, some):
    total = x[2]
    for n in (none, some):
        both = {} | {n: x[1]}
        more = {0: x[0]} | {n: x[1], 7: x[2]}
        total += 3.0 * x[0] if both.get(2) is None else x[1]
        total += sum(more.values()) * len(more)
    return total


@program(normal(3), 2, wrt=0, jit=True)
def lists_joined_to_themselves(x, n):
    kept, total = [x[2], x[0]], x[1]
    for _ in range(n):
        total += sum(v * v for v in kept)
        for _ in range(2):
            kept = kept + kept
    kept = kept + [x[1]]
    kept = kept + kept + kept[:2]
    return total * 0.1 + sum(v**3 * k for k, v in enumerate(kept)) * 0.01


@program(normal(3), 2, wrt=0)
def lists_looked_for_among_tuples(x, n):
    one, other, nan = [1, 2], (1, 2), float("nan")
    total = x[0] * (5.0 if one in [other] else 1.0) + x[1] * (one in [other, one])
    total += x[2] * (([1], 2) not in [((1,), 2), "a"]) + x[0] * (nan in (1.0, nan))
    total += x[1] * ([1, 2] in {"k": (1, 2)}.values()) + x[2] * ([x[0], n] in [(x[0], n)])
    return total + x[0] * x[1]
