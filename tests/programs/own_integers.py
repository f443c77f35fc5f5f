"""Python's own integers: they have no end, and truths of theirs are no NumPy ones."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


@program(normal(3), 2, wrt=0, jit=True)
def sorted_integers(x, n):
    t = x[0]
    for k in sorted({j % 3 for j in range(n)}):
        t = t * (2 if (n > k) is True else 3) + ~(k > 0) * x[1] + ((k > 0) - 1) * x[2]
        t = t + np.sum(x[: n > 1 + k]) + [0.5, x[1]][n > k] * isinstance(k, int)
    for k in sorted([n, 1, 5], reverse=True):
        t = t * 0.5 + k * x[1] - (k > 1) * x[2]
    return t


@program(normal(3), 2, wrt=0)
def largest_of_a_list(x, n):
    counts = [1, 2]
    for k in range(n):
        counts.append(k)
    most, least = max(counts), min(set(counts))
    far = ((most + 2) * 10**10) ** 2 / 1e20 * x[0] + ((least + 2) * 10**10) ** 2 / 1e20 * x[1]
    return far + isinstance(most, int) * x[2] + hasattr(least, "dtype") * x[0] + ~(most > 0) * x[1]


@program(normal(3), 2, wrt=0)
def places_as_a_list(x, n):
    order = x.argsort().tolist()
    far = ((order[n] + 2) * 10**10) ** 2 / 1e20
    return (
        far * x[0] + len(str([order[0]])) * x[1] + sum(x[k] * (i + 1) for i, k in enumerate(order))
    )
