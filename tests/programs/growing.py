"""Tuples whose length a run decides, lists of records that are read while they grow, hypotheses
that are kept with their histories."""

import bisect
import dataclasses
import functools
import math
from typing import NamedTuple

import numpy as np

from programs.registry import normal, positive, program, using


@program(normal(4), second=True)
def tuple_that_grows(x):
    seen = ()
    for v in x:
        seen = seen + (v * v,)
    return sum(seen) * seen[-1]


@program(positive(3), second=True)
def tuple_that_grows_in_place(x):
    chain = (x[0],)
    while sum(chain) < 6.0:
        chain += (chain[-1] * x[1] + x[2],)
    return sum(v * v for v in chain) * len(chain)


@program(normal(4), 0.1, second=True)
def tuple_with_or_without(x, limit):
    chosen = (x[0], x[1])
    if x[2] > limit:
        chosen = chosen + (x[2],)
    best = ()
    for k in range(4):
        best = (*best, x[k] * x[k]) if x[k] > -limit else best
    first, *rest = chosen
    return first * sum(rest) + sum(v * i for i, v in enumerate(best, 1))


@program(positive(4), second=True)
def tuple_that_a_recursion_grows(x):
    def grown(chain, n):
        return chain if n == 0 else grown(chain + (chain[-1] * x[n],), n - 1)

    return math.prod(grown((x[0],), 3))


class Pillar(NamedTuple):
    """A point of a curve."""

    t: float
    factor: float

    def weight(self):
        return self.t * self.factor


def _factor(curve, t):
    times = [p.t for p in curve]
    i = bisect.bisect_left(times, t)
    if i == 0:
        return curve[0].factor ** (t / curve[0].t)
    if i == len(curve):
        return curve[-1].factor ** (t / curve[-1].t)
    a, b = curve[i - 1], curve[i]
    w = (t - a.t) / (b.t - a.t)
    return math.exp((1 - w) * math.log(a.factor) + w * math.log(b.factor))


@program(using(lambda rng: rng.uniform(0.01, 0.05, size=4)))
def curve_read_while_it_grows(rates):
    curve = []
    for year, r in enumerate(rates, start=1):
        annuity = sum(_factor(curve, float(k)) for k in range(1, year)) if curve else 0.0
        curve.append(Pillar(float(year), (1 - r * annuity) / (1 + r)))
    return sum(_factor(curve, t) * t for t in (0.5, 1.5, 2.25, 6.0))


@program(using(lambda rng: rng.uniform(0.01, 0.05, size=4)), second=True)
def methods_of_records_that_come_late(rates):
    curve = []
    for r in rates:
        carried = sum(p.weight() for p in curve)
        curve.append(Pillar(1.5, (1 - r * carried) / (1 + r)))
    return sum(p.factor for p in curve)


@program(normal(4, 3), 2, second=True)
def beam_search(scores, width):
    beams = [(0.0, [])]
    for row in scores:
        logs = row - np.log(np.exp(row).sum())
        found = [
            (s + logs[k] - 0.1 * (k in path), path + [k])
            for s, path in beams
            for k in range(len(logs))
        ]
        found.sort(key=lambda pair: -pair[0])
        beams = found[:width]
    best, path = beams[0]
    return best + 0.5 * sum(s for s, _ in beams[1:]) + len(set(path))


@program(using(lambda rng: np.array([1.0, 0.3, 0.05])), 5, second=True)
def option_by_remembered_recursion(x, n):
    s0, vol, rate = x
    dt = 1.0 / n
    up = math.exp(vol * math.sqrt(dt))
    p = (math.exp(rate * dt) - 1 / up) / (up - 1 / up)

    @functools.lru_cache(maxsize=None)
    def value(i, j):
        payoff = max(1.05 - s0 * up ** (2 * j - i), 0.0)
        if i == n:
            return payoff
        hold = math.exp(-rate * dt) * (p * value(i + 1, j + 1) + (1 - p) * value(i + 1, j))
        return max(hold, payoff)

    return value(0, 0)


@dataclasses.dataclass
class Clipped:
    """A controller between two limits."""

    low: float
    high: float

    def __call__(self, u):
        return min(max(u, self.low), self.high)


@program(normal(6), 1.0, second=True)
def clipped_numbers(x, target):
    limit = Clipped(-0.5, 0.7)
    state, cost = 0.0, 0.0
    for gain in x:
        push = limit(gain * (target - state))
        state = state + 0.3 * push
        cost += (state - target) ** 2 + max(push, 0.2 * push) ** 2
    return cost


@program(normal(4), second=True)
def lists_rebuilt_and_gone_through_backwards(x):
    total = 1.0
    for j in range(2):
        terms = [v * k * (j + 1) for k, v in enumerate(x)]
        for term in reversed(terms):
            total = total * 0.5 + term * total
        for term in reversed(terms[1:]):
            total = total * 0.9 + math.sin(term)
            if term > 2.0:
                break
    return total


class Polynomial:
    """Coefficients from the lowest on."""

    def __init__(self, *c):
        self.c = list(c)

    def __call__(self, t):
        value = 0
        for a in reversed(self.c):
            value = value * t + a
        return value

    def __mul__(self, other):
        made = [0.0] * (len(self.c) + len(other.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                made[i + j] += a * b
        return Polynomial(*made)

    def slope(self):
        return Polynomial(*[k * a for k, a in enumerate(self.c)][1:])

    def __pow__(self, n):
        made = Polynomial(1.0)
        while n:
            if n & 1:
                made = made * self
            self, n = self * self, n >> 1
        return made


@program(using(lambda rng: np.array([0.5, 1.5, 0.7])), second=True)
def newton_on_a_polynomial_of_many_arguments(x):
    p = Polynomial(x[0], x[1], 1.0)
    r = (p * Polynomial(x[2], -1.0) * p).slope()
    t = 0.5
    for _ in range(3):
        t -= r(t) / r.slope()(t)
    return r(1.0) + t * len(p.c)


@program(normal(3), 3)
def powers_of_many_arguments(x, n):
    return (Polynomial(*x.tolist()) ** n).slope()(0.7)


@program(normal(4), 3, second=True)
def rows_that_change_names_after_a_loop(x, n):
    half = [[x[1], x[2]], [x[0], 1.0]]
    half.append([x[0], x[1]])
    square = []
    for row in half:
        square.append([row[0] * row[1], row[1]])
    if n % 2:
        made = []
        i = 0
        while i < len(square):
            row = square[i]
            i += 1
            for j in range(len(row)):
                made.append([row[j], row[0] * x[2]])
    else:
        made = square
    made[0][0] *= 2.0
    return made[0][0] * made[1][1]


def _product(a, b):
    return [[sum(p * q for p, q in zip(row, column)) for column in zip(*b)] for row in a]


@program(normal(4), 5, second=True)
def power_of_a_matrix_of_lists(x, n):
    def power(m, k):
        if k == 0:
            return [[1.0 if i == j else 0.0 for j in range(len(m))] for i in range(len(m))]
        half = power(m, k // 2)
        square = _product(half, half)
        return _product(square, m) if k % 2 else square

    p = power([[x[0], x[1]], [x[2], x[3]]], n)
    turned = list(map(list, zip(*p)))
    return sum(p[i][i] for i in range(2)) + turned[0][1] ** 2


@program(normal(4), 2, second=True)
def entries_replaced_by_longer_ones(x, n):
    rows = []
    table = {}
    for k in range(n):
        rows.append(x[: k + 1] * 2.0)
        table[k] = [x[k], x[0]]
    total = np.sum(np.sin(rows[0])) + sum(table[0]) * table[1][0]
    rows[0] = x * 3.0
    table[0] = [x[2] * x[1]]
    return total + np.sum(rows[0] * x) + rows[1][0] + sum(table[0]) ** 2


@program(normal(4), second=True)
def lists_replaced_by_sorted_ones(x):
    r = [x[1], x[2] * x[0], 0.3]
    m = []
    for i in range(2):
        m.append([x[i], x[i + 1] * x[i]])
    for _ in range(2):
        m[0] = sorted(r)
        if len(r) > 2:
            r.pop()
        r[0] = r[0] * m[0][0] + m[1][1]
    return sum(r) * m[0][-1] + m[1][0]


@program(normal(3), second=True)
def longer_pairs(c):
    found = c
    for _ in range(2):
        term = np.concatenate((found, found[:1]))
        before = 0.5 * term
        for k in range(2):
            before, term = term, c[k] * term - 0.3 * before
        found = term
    return np.sum(found**2)


@program(normal(4), second=True)
def turned_round_inside_a_list(x):
    g = [[x[0], 1.0], [x[1], x[2]]]
    for i in range(1, 4):
        g.append([x[i], x[0]])
    for _ in range(3):
        g[-2].append(g[-2].pop(0) * x[3])
    return g[0][0] * g[-2][0]
