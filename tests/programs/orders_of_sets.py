"""Loops over sets that operators give, or of which items were taken out: in CPython's own order."""

from __future__ import annotations

from programs.registry import normal, positive, program


def _weighed(items, x):
    t = 0.0
    for k in items:
        t = t * 0.9 + k * x[k % 3] ** 2
    return t


@program(normal(3), second=True)
def of_literals(x):
    a, b = {1, 8, 3}, {16, 24, 2, 3}
    return _weighed(a | b, x) + 2.0 * _weighed(a - b, x) * _weighed(a & b, x) + _weighed(b ^ a, x)


@program(normal(3))
def changed_by_operators(x):
    a = {33, 8, 3}
    a |= {16, 24, 2, 65, 128}
    b = frozenset([64, 3, 9, 17])
    c = set(range(0, 40, 3))
    c -= {3, 9, 12}
    return _weighed(a, x) + _weighed(b.union({8, 64, 128}), x) * _weighed(c, x)


@program(positive(3), [4, 33, 8, 65, 17, 4], [8, 16, 64, 33])
def of_what_a_run_finds(x, first, second):
    a, b = set(), set()
    for v in first:
        a.add(v)
    for v in second:
        b.add(v + 1 if x[0] < 0.0 else v)
    return _weighed(a | b, x) + _weighed(a & b, x) * _weighed(a.difference(b), x)


@program(positive(3), [4, 33, 8, 65, 17, 4])
def taken_out_at_last(x, places):
    left = set(places)
    left.discard(8)
    left.remove(65)
    return _weighed(left, x)


@program(positive(4), 3, wrt=(0,), jit=True)
def taken_out_of_a_work_list(x, n):
    todo, seen, total = {0}, set(), 0.0
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        total = total * 0.5 + x[place % 4] * place
        for k in (place + 1, place + 2, 7 * place):
            if k < 3 * n:
                todo.add(k)
    for place in seen:
        total = total * 0.9 + x[place % 4]
    return total


@program(positive(3), 4, wrt=(0,))
def popped_cleared_and_filled_again(x, n):
    left, total = set(range(n + 5)), x[0]
    for k in range(n):
        total = total * 0.7 + x[left.pop() % 3] * len(left)
        left.update([k * 9, k + 17])
        left.discard(k + 2)
        if k == 2:
            left.clear()
            left.add(12)
            left.add(5)
        for place in left:
            total = total * 0.9 + x[place % 3] * place
    while left:
        total = total * 0.8 + x[left.pop() % 3]
    return total
