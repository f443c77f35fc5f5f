"""Numbers put into dicts by keys that only a run knows: groups, sums, tables of what was seen."""

import numpy as np

from programs.registry import program

V = np.array([0.7, 1.1, 0.45, 1.6, 0.9, 1.35])
LABELS = np.array([2, 0, 2, 1, 0, 2])


@program(V, LABELS, second=True, jit=True)
def lists_extended_by_groups(x, labels):
    groups = {}
    for k, v in zip(labels, x):
        if k not in groups:
            groups[k] = []
        groups[k] += [v]
    total = 0.0
    for i, k in enumerate(sorted(groups)):
        total += (i + 1) * max(groups[k]) ** 2
    for k in groups:
        total += len(groups[k]) * groups[k][0]
    return total / len(groups)


@program(V, LABELS, second=True, jit=True)
def parts_of_lists_that_are_put_back(x, labels):
    held, before, tails = {}, [], []
    for k, v in zip(labels, x):
        before.append(held.get(k))
        held[k] = [v, x[0] * v, v**2]
    for k in reversed(labels):
        tail = held[k][1:]
        tails.append(tail)
        old = before.pop()
        if old is None:
            held.pop(k)
        else:
            held[k] = old
    for tail in tails:
        tail[0] *= 2.0
    return sum(tail[0] * tail[1] for tail in tails)
