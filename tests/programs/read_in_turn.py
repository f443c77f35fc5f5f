"""What iterators and views read when its turn has come: a view of a dict shows what the dict holds
by then, and zip, map and enumerate take each item when the calls before it have run."""

import numpy as np

from programs.registry import normal, positive, program


class Shown:
    def __init__(self, values):
        self.values = values

    def total(self):
        return sum(self.values)


@program(positive(4), second=True, jit=True)
def views_held_in_containers(x):
    stock = {"a": x[0], "b": x[1]}
    shown = Shown(stock.values())
    pair = (stock.values(), stock.items())
    table = {"values": stock.values(), "rows": []}
    stock["c"] = x[0] ** 2
    table["rows"].append(zip(stock.values(), x, strict=False))
    stock["b"] = x[2] * x[3]
    s = shown.total() * len(table["values"]) + sum(pair[0])
    s += sum(v * len(k) for k, v in pair[1])
    return s + sum(p * q for p, q in table["rows"][0])


@program(positive(4), second=True, jit=True)
def steps_through_views(x):
    stock = {"a": x[0], "b": x[1]}
    prices = iter(stock.values())
    rows = iter(stock.items())
    doubled = map(lambda v: 2.0 * v, stock.values())
    beside = zip(stock.values(), x)
    s = next(prices) * next(rows)[1] + next(doubled) * next(beside)[0]
    stock["b"] = s * x[2]
    return s * next(prices) + next(rows)[1] ** 2 + next(doubled) + sum(a * b for a, b in beside)


def scale(d, x, k):
    d[k] = x[2] * x[3] * d[k]
    return d[0]


def doubling(d, x, n):
    for k in range(n):
        d[1] = x[2] * x[3] * (k + 1)
        yield x[k]


@program(positive(4), second=True, jit=True)
def beside_generators_that_change(x):
    d = [x[0], x[1]]
    s = sum(a * b for a, b in zip(d, doubling(d, x, 2), strict=True))
    y = x.copy()
    for a, b, c in zip(y, doubling(y, x, 3), y, strict=False):
        s += a * b * c
    return s


@program(positive(4), second=True, jit=True)
def beside_calls_that_change(x):
    d = [x[0], x[1]]
    s = sum(a * b for a, b in zip(d, (scale(d, x, k) for k in (1, 0)), strict=True))
    y = x.copy()
    s += sum(a * b for a, b in zip(y, (scale(y, x, k) for k in (1, 0, 2, 3)), strict=True))
    for a, b in zip(y, (scale(y, x, k) for k in (1, 0, 2, 3) if k != 1), strict=False):
        s += a * b
    return s


@program(positive(4), second=True, jit=True)
def map_over_a_list_that_changes(x):
    d = [x[0], x[1]]

    def put(v):
        d[1] = d[1] + v * x[3]
        return v * 2.0

    s = sum(list(map(put, d)))
    first, *rest = map(put, d)
    s += sum(list(map(put, (3.0 * v for v in d))))
    return s + first * rest[0] + sum(list(map(lambda r: put(r[1]) * r[0], enumerate(d, 1))))


@program(positive(4), second=True, jit=True)
def map_over_a_list_that_grows(x):
    d = [x[0], x[1]]

    def put(v):
        if len(d) < 5:
            d.append(v * x[3])
        return v * v

    return np.sqrt(sum(list(map(put, d))))


@program(positive(4), jit=True)
def backwards_from_the_length_it_had(x):
    short = [x[0], x[1], x[2]]
    back = reversed(short)
    grown = []
    for v in x:
        grown.append(v * 2.0)
    other = reversed(grown)
    first = next(other)
    short[1] = x[3] * 2.0
    short.append(x[0] * x[1])
    grown.append(x[2] ** 2)
    grown[0] *= 3.0
    return sum(v * (k + 1) for k, v in enumerate(back)) + first * sum(other)


def _grown_and_left(a):
    a[0] += 1.0
    a[1] *= 2.0
    return a[1]


def _weighed(*values, last=1.0):
    total = last
    for i, v in enumerate(values):
        total = 0.5 * total + v * (i + 1)
    return total


@program(normal(4), 3, wrt=0, second=True)
def spread_before_a_call_that_changes_it(x, n):
    kept, a, total = [], 2.0 * x, 0.0
    for k in range(2 * n):
        kept.append(x[k % 4] * k)
    for _ in range(n - 1):
        for i, v in enumerate([*kept, kept.pop(), *kept, *a, _grown_and_left(a), *a]):
            total = 0.9 * total + v * (i + 1)
        total += _weighed(*kept, kept.pop()) + _weighed(*a, last=_grown_and_left(a))
        total += len((*kept, kept.append(x[0]) or 1.0, *kept)) * x[1]
    return total + sum(kept)


@program(normal(3), 2, wrt=0)
def nothing_given_back_by_remove(x, n):
    kept = [x[0], x[1], x[2]]
    first = kept.remove(x[n]) or kept[-1]
    second = 2.0 if kept.remove(x[0]) is None else x[0]
    return first * second + kept[0] ** 2


@program(normal(3), second=True)
def keys_that_count_how_often_they_are_asked(x):
    asked = []

    def key(k):
        asked.append(k)
        return -k

    first = sorted([0, 2, 1], key=key)[0]
    asked_first = asked[:]
    second = sorted([2, 0, 1], key=lambda k: x[k] if key(k) < 0 else 9.0)[-1]
    return x[first] * len(asked) + x[second] * asked_first[1] + x[asked[3]]
