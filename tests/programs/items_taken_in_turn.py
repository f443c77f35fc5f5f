"""Objects that change as their items are taken: how many are taken tells."""

import numpy as np

from programs.registry import positive, program


class Reader:
    """Hands out its values, each once."""

    def __init__(self, values):
        self.values, self.at = values, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.values):
            raise StopIteration
        self.at += 1
        return self.values[self.at - 1] * 2.0


class Counted:
    """Counts the items that were taken."""

    def __init__(self, values):
        self.values, self.taken = values, 0

    def __iter__(self):
        for v in self.values:
            self.taken += 1
            yield v


@program(np.array([0.7, 1.3, 0.4, 2.1, 0.9]), second=True)
def searches_in_a_reader(x):
    """Each search goes on where the one before has stopped."""
    found = any(v > 1.5 for v in Reader(x))
    r = Reader(x)
    first = next(v for v in r if v > 2.0)
    small = all(v < 1.0 for v in r)
    return first * x[0] + sum(v**2 for v in r) * (2 if found else 1) * (3 if small else 1)


@program(np.array([0.7, 1.3, 0.4, 2.1, 0.9]), second=True)
def asked_for_items_that_come(x):
    r = Reader(x)
    begun = any(r) + (77.0 in Counted(x))
    c = Counted(x)
    inside = any(v > 1.0 and w for v, w in zip(c, [1, 1, 1], strict=False))
    inner = all(small for small in (v < 1.0 for v in c))
    return sum(r) * x[0] ** 2 * (1 + begun) * c.taken + x[1] ** 2 * inside + inner


@program(positive(4))
def a_zip_takes_one_item_more_than_it_pairs(x):
    c = Counted(x)
    total = sum(v * w for v, w in zip(c, [1.0, 2.0], strict=False)) * c.taken
    for w, v in zip([1.0, 2.0], c, strict=False):
        total += v * w * c.taken
    return total


@program(positive(4))
def next_of_a_generator_that_counts(x):
    taken = [0]

    def counted():
        for v in x:
            taken[0] += 1
            yield v

    large = next((v for v in counted() if v > 5.0), x[1] ** 2)
    first = next(v for v in counted() if v > 0.1)
    hits = (77.0 in counted()) + (x[1] in (v for v in x)) + (77.0 in map(float, x))
    return large * first * taken[0] + x[2] ** 2 * hits


@program(positive(4))
def searches_in_objects_of_a_list(x):
    total = 0.0
    for c in [Counted(x), Counted(x**2)]:
        if any(v > 0.1 for v in c):
            total += c.taken * x[0]
        total += c.taken * x[1] ** 2 * (1 if 77.0 in c else 2)
    return total
