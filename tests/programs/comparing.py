"""Sorting, min and max of objects and by comparisons; sets."""

import functools
import heapq
import math
from dataclasses import dataclass, field

import numpy as np

from programs.registry import normal, program


@dataclass
class Item:
    cost: float
    value: float

    def __lt__(self, other):
        return self.cost < other.cost


@dataclass(order=True)
class Job:
    cost: float
    number: int = field(compare=False)


@functools.total_ordering
class Level:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v


@program(normal(6), second=True)
def least_of_known_objects(x):
    items = [Item(x[i], x[i] ** 2) for i in range(4)]
    return min(items).value * max(items).cost


@program(normal(6), second=True)
def least_of_objects_in_a_list(x):
    items = []
    for i in range(len(x)):
        items.append(Item(x[i], x[i] ** 2))
    return min(items).value * max(items).cost + sorted(items)[1].cost


@program(normal(6), second=True)
def dataclasses_in_order(x):
    jobs = [Job(x[i], i) for i in range(6)]
    jobs.sort()
    total = 0.0
    for k, job in enumerate(jobs):
        total += (k + 1) * job.cost**2 * (job.number + 1)
    return total


@program(normal(6), second=True)
def heap_of_dataclasses(x):
    heap = []
    for i in range(6):
        heapq.heappush(heap, Job(x[i], i))
    total, k = 0.0, 1
    while heap:
        job = heapq.heappop(heap)
        total += k * job.cost**2
        k += 1
    return total


@program(normal(6), second=True)
def total_ordering(x):
    a, b, c = Level(x[0]), Level(x[1]), Level(x[2])
    total = 0.0
    if a > b:
        total += a.v**2
    if a >= c:
        total += c.v**3
    if b <= c:
        total += b.v
    if a != b:
        total += a.v * b.v
    return total + max(a, b, c).v


@program(normal(6), second=True)
def comparison_as_key(x):
    items = list(x)
    items.sort(key=functools.cmp_to_key(lambda a, b: int(a > b) - int(a < b)), reverse=True)
    top = max(items, key=functools.cmp_to_key(lambda a, b: abs(a) - abs(b)))
    return sum((i + 1) * v**2 for i, v in enumerate(items)) * top


@program(normal(6), second=True)
def by_angle(x):
    """The comparison contradicts itself, so that the order is that of Python's own algorithm."""
    points = [(x[i], x[(i + 1) % 6]) for i in range(6)]
    turn = functools.cmp_to_key(lambda p, q: -1 if p[0] * q[1] - p[1] * q[0] > 0 else 1)
    total = 0.0
    for i, (a, b) in enumerate(sorted(points, key=turn)):
        total += (i + 1) * a * b * b
    return total


@program(normal(6), second=True)
def operators_of_sets(x):
    a, b = {0, 1, 2}, {2, 3}
    total = 0.0
    for i in sorted(a | b):
        total += x[i] ** 2
    for i in sorted(a & b):
        total += x[i]
    for i in sorted(a - b):
        total += np.sin(x[i])
    for i in sorted(a ^ b):
        total += np.cos(x[i])
    return total


@program(normal(6), 5, second=True)
def what_is_left_of_a_set(x, n):
    seen = {i % 3 for i in range(n)}
    left = set(range(n)) - seen
    total = 0.0
    for i in sorted(left):
        total += x[i] ** 2
    while left:
        j = min(left)
        left.remove(j)
        total += x[j] ** 3
    return total


@program(normal(6), second=True)
def walk_until_seen(x):
    done, total, here = set(), 0.0, 0
    while here not in done:
        done.add(here)
        total += x[here] ** 2
        here = int(np.argmax(x)) if here == 0 else (here + 1) % 6
    for i in sorted(set(range(6)) - done):
        total += x[i]
    if done.issuperset({0}) and not done.isdisjoint({0, 9}):
        done |= {11}
    return total + x[1] * len(done & {1, 2, 11})


@program(normal(6), second=True)
def functions_and_fewer_numbers(x):
    functions = [lambda v: v**2, np.sin, lambda v: v * 3, math.exp]
    total = 0.0
    for i, (function, v) in enumerate(zip(functions, x[x > 0.0])):
        if v > 2.5:
            break
        if i == 1:
            continue
        total += function(v) * (i + 1)
    else:
        total *= 2.0
    table = dict(zip(["a", "b", "c"], [v for v in x if v < 0]))
    return total + sum(f(v) for f, v in zip(functions, x[x < 0.0])) * table.get("a", 1.0)


@program(normal(6), second=True)
def numbers_and_fewer_numbers(x):
    chosen = x[x > 0]
    total = 0.0
    for w, v in zip([1.0, 2.0, 3.0, 4.0, 5.0], chosen):
        total += w * v * v
    for name, v in zip(("u", "v", "w", "k"), chosen):
        if name == "v":
            total *= v
    return total


TENTHS = np.array([0.1, 0.2, 0.3], dtype=np.float32)


@program(normal(3), TENTHS, 0.3, jit=True)
def tenths_of_few_digits(x, tenths, top):
    """Beside a float32 one of Python's floats is one, too."""
    total = np.sum(np.where(tenths <= 0.1, x, x * x)) + np.sum(x[tenths == 0.2])
    for i in range(3):
        if tenths[i] == top:
            total += np.sin(x[i])
        if tenths[i] == np.float64(0.2):
            total *= x[i]
    return total * (1 + (0.1 in tenths) + (0.4 not in tenths)) + 7 * (np.float64(0.1) in tenths)


THIRDS = TENTHS * 0.3 + 1 / 3


@program(normal(3), TENTHS, THIRDS, jit=True)
def thirds_of_few_digits(x, tenths, thirds):
    """A product with one of Python's floats has few digits, too; what float() gives has many."""
    halves = tenths.copy()
    halves *= 0.7
    total = np.sum(np.where(tenths * 0.3 + 1 / 3 == thirds, x, x * x))
    for i in range(3):
        if tenths[i] * 0.3 + 1 / 3 == thirds[i]:
            total += np.sin(x[i])
        if halves[i] == tenths[i] * 0.7:
            total *= x[i]
    wide = float(tenths[2]) * 0.7 * 1e9 + math.exp(tenths[1]) * 1e9
    return total * (wide - np.float64(tenths[2]) * 0.7e9 - np.exp(np.float64(tenths[1])) * 1e9 + 1)


@program(normal(3), TENTHS, 0.1, jit=True)
def sums_of_few_digits(x, tenths, few):
    """What begins as one of Python's floats has few digits from its first meeting on."""
    s, power = 0.1, few
    for t in tenths:
        s = s * few + t
        power = power * few
    found = s - ((tenths[0] + np.float32(0.01)) * few + tenths[1]) * few - tenths[2]
    return np.sum(x**2) * (1 + 1e7 * found) + 1e17 * (power - 0.1 * 0.1 * 0.1 * 0.1) * x[0]


@program(np.array([0.5, 1.3, -2.0]), jit=True)
def larger_of_numbers_of_python(x):
    a, b = float(x[0]), float(x[1])
    count = (max(0, a) > 0) + (max(0, b) > 0)
    return count * np.sum(x) + max(x[2], 0) * min(1, a) + max(0, 1, x[1])


@program(normal(3), second=True)
def orders_of_what_was_none_at_first(x):
    limit, total = None, 0.0
    for k in range(3):
        if k:
            total += np.sum(np.where(np.array([0.1, 0.4, 0.3]) <= limit, x[0], x[1])) ** 2
        limit = 0.35 * (k + 0.5)
    return total
