"""Dicts whose keys are computed numbers, and are only sorted; a plain dict before another kind."""

from __future__ import annotations

from collections import Counter, defaultdict

from programs.registry import normal, positive, program


@program(positive(4))
def read_in_the_order_of_keys(x):
    values = {}
    for v in x:
        values[v * v] = v**3
    t = 0.0
    for k in sorted(values):
        t = t * 0.5 + values[k]
    return t


@program(positive(4))
def places_in_the_order_of_keys(x):
    places = {v: i for i, v in enumerate(x)}
    t = 0.0
    for n, k in enumerate(sorted(places, reverse=True)):
        t += x[places[k]] ** 2 * (n + 1)
    return t


@program(normal(3))
def a_plain_dict_and_then_a_counter(x):
    found = {}
    found = Counter(["a", "b", "a"])
    t = sum(x[0] * n for n in found.values())
    table = {0: 0.0}
    for i in range(3):
        wider = defaultdict(float)
        for k, v in table.items():
            wider[k + 1] += v * x[i] + 1.0
            wider[k] += v
        table = wider
    return t + sum(v * (k + 1) for k, v in table.items())
