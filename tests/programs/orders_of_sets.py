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
