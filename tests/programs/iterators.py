"""Iterators with names: gone through twice, taken from one by one, left halfway; names of
comprehensions that are also names outside."""

import contextlib
import functools
import heapq
import itertools
import math
import types
from collections import deque
from itertools import accumulate, pairwise

import numpy as np

from programs.registry import normal, positive, program

RATE = 3.0


@program(normal(4), second=True)
def generator_made_before_its_list_is_bound_anew(x):
    squares = (v * v for v in x)
    x = x * 3.0
    return sum(squares) + x[0]


@program(normal(4), second=True)
def generator_that_reads_a_number_late(x):
    rate = 2.0
    scaled = (math.sin(v) * rate for v in x)
    rate = 3.0 * x[0]
    return sum(scaled) + rate


@program(normal(4), second=True)
def generators_in_a_loop(x):
    total = 0.0
    for k in range(3):
        weighted = (v * v * k for v in x)
        x = np.sin(x)
        total += sum(weighted)
    return total


@program(normal(4), normal(3), second=True)
def counters_inside_zips(x, y):
    total = 1.0
    for a, (i, b) in zip(x, enumerate(y), strict=False):
        total = total * np.sin(a) * b + i * a
    for k, (a, (i, b)) in enumerate(zip(x[1:], enumerate(y, start=2), strict=False)):
        i += 1
        total = total * a * i + b * k
    return total + sum(a * i * np.sin(b) for (i, a), b in zip(enumerate(x), y, strict=False))


@program(normal(3), normal(2))
def ranges_kept_by_a_loop(x, signs):
    total = 0.0
    for sign in signs:
        order = range(len(x)) if sign > 0 else range(len(x) - 1, -1, -1)
        for k in order:
            total = total * np.sin(x[k]) + x[k]
    links = [types.SimpleNamespace(mass=x[0]), types.SimpleNamespace(mass=2.0)]
    for k in range(1, -1, -1):
        total = total * x[1] + links[k].mass ** 2
    return total


@program(normal(2, 3))
def pairs_of_ranges(x):
    rows, columns = x.shape
    best = np.zeros((rows + 1, columns + 1))
    for i, j in itertools.product(range(1, rows + 1), range(1, columns + 1)):
        best[i, j] = x[i - 1, j - 1] ** 2 + np.sin(best[i, j - 1]) * best[i - 1, j]
    return best[rows, columns] + np.linalg.norm(best - 1.0, "fro")


@program(normal(5), second=True)
def name_of_a_comprehension_is_its_list(x):
    a = list(x)
    b = [a * a for a in a]
    return sum(q - a for a, q in zip(a, a[1:], strict=False)) ** 2 + a[2] * sum(b)


@program(positive(4), second=True)
def name_of_a_comprehension_is_a_global(x):
    scaled = [RATE * v for RATE in (1.0, 2.0) for v in x]
    return sum(scaled) * RATE * x[0]


@program(normal(4), second=True)
def name_of_a_comprehension_is_one_outside(x):
    v = x * 2.0

    def spread():
        return sum(v * v for v in x) + v[0] ** 2

    return spread() + v[1]


@program(normal(4), second=True)
def iterators_are_used_up(x):
    squares = map(lambda v: v * v, x)
    cubes = (v**3 for v in x)
    once = sum(squares) + sum(cubes)
    return once + 10.0 * sum(squares) + 10.0 * sum(cubes)


@program(normal(5), second=True)
def first_item_apart(x):
    items = iter(x)
    first = next(items)
    return first * sum(v * v for v in items)


@program(normal(6), second=True)
def two_at_a_time(x):
    items = iter(x.tolist())
    total = 0.0
    for v in items:
        total += v * v
        other = next(items, None)
        if other is not None:
            total += v * other
    return total


@program(normal(6), 0.4, second=True)
def loop_goes_on_where_another_stopped(x, limit):
    pairs = zip(x, x[1:], strict=False)
    total = 0.0
    for a, b in pairs:
        total += a * b
        if abs(total) > limit:
            break
    for a, b in pairs:
        total += 10.0 * a * a * b
    return total


@program(normal(5), second=True)
def numbered_items_left_halfway(x):
    numbered = enumerate(x)
    total = 0.0
    for i, v in numbered:
        total += v * i
        if i == 1:
            break
    for i, v in numbered:
        total += 10.0 * v * v * i
    return total


@program(normal(4), second=True)
def backwards_and_used_up(x):
    turned = reversed(x.tolist())
    top = next(turned)
    rest = list(turned)
    return top * sum(v * k for k, v in enumerate(rest)) + len(list(turned))


@program(normal(7), second=True)
def parameters_taken_one_by_one(x):
    given = iter(x.tolist())

    def tree(depth):
        if depth == 0:
            return {"leaf": next(given)}
        return {"w": next(given), "left": tree(depth - 1), "right": tree(depth - 1)}

    def value(node, v):
        if "leaf" in node:
            return node["leaf"]
        share = 1.0 / (1.0 + math.exp(-node["w"] * v))
        return share * value(node["left"], v) + (1.0 - share) * value(node["right"], v)

    made = tree(2)
    return sum((value(made, v) - v) ** 2 for v in (0.1, -0.7, 1.0))


@program(normal(5), second=True)
def rest_of_an_iterator_unpacked(x):
    items = iter(x)
    first, second, *rest = items
    return first * second + functools.reduce(lambda a, b: a * b, rest)


@program(positive(5), second=True)
def running_totals_taken_one_by_one(x):
    totals = itertools.accumulate(x)
    first = next(totals)
    return first * sum(totals)


@program(positive(5), 0.9, second=True)
def witness_of_any(x, limit):
    total = 0.0
    if any((big := v * v) > limit for v in x):
        total += big
    if all((small := v) < 10.0 * limit for v in x if v > 0.1):
        total *= small
    return total + sum((last := v) for v in x) * last


@program(positive(4), second=True)
def lambdas_of_a_comprehension_read_late(x):
    steps = [lambda v: v * x[k] for k in range(4)]
    return sum(step(v) for step, v in zip(steps, x, strict=True))


@program(positive(4), second=True)
def merged_in_a_local_context(x):
    y = x * 1.0

    @contextlib.contextmanager
    def scaled(part, k):
        part *= k
        yield part
        part /= k

    with scaled(y, 2.0) as z:
        total = np.sum(z**3)
        with scaled(z[:2], x[0]):
            total += np.sum(y**2)
    lists = sorted(x[:2]), sorted(y[2:] * 1.1), [x[0] * 1.2]
    for i, v in enumerate(heapq.merge(*lists)):
        total += (i + 1) * v**2
    for i, v in enumerate(heapq.merge(lists[0][::-1], lists[1][::-1], reverse=True)):
        total += (i + 1) * v**3
    return total + next(heapq.merge(*lists[:2], key=lambda v: v * v)) + y @ x


@program(normal(5), second=True)
def filters_of_names_bound_anew(x):
    least, y = -5.0, x * 1.0
    kept = filter(lambda v: v > least, x)
    rest = itertools.filterfalse(lambda v: v > y[1], x)
    first = itertools.takewhile(lambda v: v < least, x * x)
    grown = itertools.accumulate(x, lambda a, b: a * least + b)
    least, y[1] = x[0], x[2] * 0.7
    return sum(kept) * 2 + sum(v * v for v in rest) + sum(first) + sum(grown)


@program(positive(4), second=True)
def pairs_taken_before_a_change(x):
    y, rows = [v * v for v in x], [x * 1.0, x * 2.0, x * 3.0]
    pairs, both = itertools.combinations(y, 2), itertools.product(y, [1.0, 2.0])
    turned = itertools.permutations(y[:3], 2)
    some = itertools.combinations_with_replacement(rows, 2)
    y[0], rows[0] = 5 * x[1], x
    rows[1][2] *= x[3]
    rows.pop()
    total = sum(a * b for a, b in pairs) + sum(a * b for a, b in both)
    return total + sum(a * b * b for a, b in turned) + sum(np.sum(a * b * b) for a, b in some)


@program(positive(5), second=True)
def calls_counted_until_something_is_found(x):
    """Functions that count their calls: what is found early is not looked for further."""
    count, seen = 0, []

    def large(v):
        nonlocal count
        count += 1
        return v > 0.4

    def noted(v):
        seen.append(v * v)
        return v > 0.4

    total = next(filter(large, x)) * count
    total += x[0] * count * any(map(large, x)) + x[1] ** 2 * count
    total += next((v for v in x if noted(v)), 0.0) * len(seen)
    return total * count + all(map(lambda v: not noted(v), x)) + sum(seen)


@program(normal(6), second=True)
def neighbours_of_what_may_be_nothing(x):
    total = x[0]
    for bound in (10.0, -0.2, -10.0):
        kept = [v for v in x if v > bound]
        for a, b in pairwise(kept):
            total = total + a * b
        for part in accumulate(kept, lambda p, q: p * q):
            total = total + part**2
        total = total + sum(accumulate(kept))
    for part in accumulate([]):
        total = total + part
    left, right = deque([x[0], x[1]]), deque([x[1], x[0]])
    return total * (2.0 if left < right else 3.0) * (2.0 if left >= right else 5.0)


class _Samples:
    """Python takes its items by number, until there is an IndexError."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, k):
        twice = self.x[k] * 2.0
        return twice, self.y[k]


class _First:
    def __init__(self, x, n):
        self.x, self.n = x, n

    def __len__(self):
        return self.n

    def __getitem__(self, k):
        if k < 0 or k >= self.n:
            raise IndexError("out of range")
        return self.x[k] ** 2


@program(normal(4), jit=True, second=True)
def items_by_number(x):
    total = sum(_First(x, len(x) - 1))
    for k, (a, b) in enumerate(_Samples(x, x[::-1])):
        total += a * b * b * k
    if x[1] ** 2 in _First(x, 2):
        total *= x[0]
    return total + (x[3] ** 3 if x[3] ** 2 in _First(x, 3) else x[2] ** 3)


@program(normal(5), 3, wrt=0, second=True)
def answers_of_lazy_iterators(x, n):
    makers = (
        itertools.accumulate(x),
        itertools.takewhile(lambda v: v > -9.0, x),
        itertools.dropwhile(lambda v: v > 9.0, x),
        itertools.islice(x, n),
        itertools.zip_longest(x, x[:n]),
        itertools.repeat(x[0], n),
        np.ndindex(n),
    )
    total = 1.0
    for k, made in enumerate(makers):
        total += x[k % 5] * (2.0 if isinstance(made, list) else 1.0)
        total *= 1.5 if made and hasattr(made, "__next__") else 3.0
        total += hasattr(made, "append") * x[3]
    names = type(itertools.accumulate(x)).__name__ + type(np.ndindex(n)).__name__
    return total * x[2] + len(names) * x[3]


@program(normal(4), 4, wrt=0)
def lengths_of_iterators_compared(x, n):
    makers = (
        itertools.accumulate,
        iter,
        reversed,
        lambda v: (2.0 * t for t in v),
        lambda v: (2.0 * t for t in v if t < 9.0),
        lambda v: map(np.sin, v),
        lambda v: itertools.chain(v[:2], v[2:]),
    )
    total = 0.0
    for k, make in enumerate(makers):
        for a, b in zip(make(x), x[:n], strict=True):
            total += (k + 1.0) * a * b * b
    one = iter(x)
    for a, b in zip(one, one, strict=True):
        total += a * b
    return total


@program(normal(6), 3, 1, wrt=0)
def pieces_of_unknown_number(x, few, one):
    total = x[5] * np.array_split(x, few - 2)[0][0]
    total += x[4] * np.array_split(x, one + 1)[0][1]
    for piece in np.array_split(x, few - one):
        total += piece[0] * piece[-1]
    return total * np.array_split(x, 2 * few - 1)[1][0]


@program(normal(4), 0.3, wrt=0)
def functions_of_a_library_zipped(x, a):
    return sum(s * c for s, c in zip(map(np.sin, x), map(math.cos, x[1:]), strict=False)) + a
