"""Work lists of records with names in them, other lists beside them; functions that remember."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4), positive(4), wrt=(0, 1), jit=True)
def queue_of_tuples_and_of_places(x, s):
    waiting = [(a, "c") for a in x]
    places = []
    total = 0.0
    for n in range(6):
        if not waiting:
            break
        now, _ = waiting.pop()
        total += now
        if places:
            waiting.append((now + s[places.pop()], "a"))
        if n == 1:
            places.append(2)
    return total


@program(positive(4), positive(4), wrt=(0, 1), jit=True)
def the_last_that_is_left(x, s):
    waiting = [(a, "a") for a in x]
    places = []
    while waiting:
        now, kind = waiting.pop()
        if len(waiting) == 7:
            places.append(1)
        elif places:
            waiting.append((now + s[places.pop()], kind))
    return now


@program(positive(4), positive(4), wrt=(0, 1), jit=True)
def customers_served(arrivals, services):
    events = []
    t = 0.0
    for k, gap in enumerate(arrivals):
        t = t + gap
        heapq.heappush(events, (t, "arrives", k))
    queue = deque()
    busy, waited = False, 0.0
    while events:
        now, kind, k = heapq.heappop(events)
        if kind == "arrives":
            queue.append((now, k))
        else:
            busy = False
        if queue and not busy:
            since, who = queue.popleft()
            waited = waited + (now - since) ** 2
            busy = True
            heapq.heappush(events, (now + services[who], "leaves", who))
    return waited + now


@program(normal(3, 2), second=True, jit=True)
def rows_kept_and_put_in_again(points):
    shape = [tuple(p) for p in points]
    for _ in range(2):
        out = []
        for current in shape:
            out.append((current[0] * current[1], current[1]))
            out.append(current)
        shape = out
    return sum(x * y for x, y in shape)


@program(normal(4), jit=True)
def methods_as_keys(x):
    squares = [v * v for v in x]
    order = sorted(range(4), key=squares.__getitem__)
    named = {"a": x[0], "b": x[1] ** 2}
    least = min(named, key=named.__getitem__)
    size = squares.__len__() if named.__contains__("a") else 0
    return sum(k * squares[i] for k, i in enumerate(order)) + named[least] * size


@program(normal(3), jit=True)
def book_of_two_sides(prices):
    bids, asks = [], []
    for side, p in zip([0, 0, 1], prices, strict=True):
        mine, other = (bids, asks) if side else (asks, bids)
        if p > -9.0 and other and p > other[0][0]:
            p -= 5.0
        if p and mine is not other:
            mine.append((p, 2.0))
    return sum(b[0] * b[1] for b in bids) + sum(b[0] ** 2 for b in asks)


@program(normal(3), jit=True)
def totals_beside_a_range(x):
    x = itertools.accumulate(x)
    total = 0.0
    for a, b in zip(x, range(3), strict=True):
        total += a * a * b
    return total


class Node:
    """A number, and what it was made of."""

    def __init__(self, data: Any, made_of: tuple[Node, ...] = ()) -> None:
        self.data, self.made_of, self.slope = data, made_of, 0.0

    def __mul__(self, other: Node) -> Node:
        return Node(self.data * other.data, (self, other))

    def in_order(self) -> list[Node]:
        out, seen = [], set()

        def visit(node: Node) -> None:
            if id(node) not in seen:
                seen.add(id(node))
                for part in node.made_of:
                    visit(part)
                out.append(node)

        visit(self)
        return out


@program(normal(2))
def own_backward_pass(x):
    a, b = Node(x[0]), Node(x[1])
    c = a * b
    d = c * c * a
    order = d.in_order()
    d.slope = 1.0
    for node in reversed(order):
        if node.made_of:
            left, right = node.made_of
            left.slope += right.data * node.slope
            right.slope += left.data * node.slope
    return a.slope + 2.0 * b.slope


@program(positive(3), 6, jit=True)
def option_on_a_tree(x, n):
    @functools.lru_cache(maxsize=None)
    def value(i: int, j: int) -> Any:
        if i == n:
            return np.maximum(x[0] * np.exp(x[1] * (2 * j - i)) - 0.7 * x[2], 0.0)
        return 0.9 * (0.5 * value(i + 1, j + 1) + 0.5 * value(i + 1, j))

    return value(0, 0)


@program(normal(3))
def soft_edit_distance(x):
    y = x[::-1] * 1.3

    @functools.cache
    def distance(i: int, j: int) -> Any:
        if i == 0:
            return float(j)
        if j == 0:
            return float(i)
        ways = distance(i - 1, j) + 1, distance(i, j - 1) + 1
        both = distance(i - 1, j - 1) + (x[i - 1] - y[j - 1]) ** 2
        return -np.log(np.exp(-ways[0]) + np.exp(-ways[1]) + np.exp(-both))

    return distance(len(x), len(y))


def smoothed(items: Any, a: float) -> Iterator[Any]:
    state = None
    for v in items:
        state = v if state is None else a * v + (1.0 - a) * state
        yield state


@program(normal(5), jit=True)
def neighbours_of_smoothed_values(x):
    it = iter(smoothed(x, 0.3))
    before = next(it)
    total = 0.0
    for v in it:
        total += before * v
        before = v
    return total


@program(positive(6))
def operands_from_a_stack(x):
    stack = list(x)
    signs = {"+": operator.add, "*": operator.mul, "^": lambda a, b: a**b}
    for sign in "*+^*+":
        stack.append(signs[sign](*[stack.pop() for _ in range(2)]))
    return stack[0] + math.atan2(*stack * 2)
