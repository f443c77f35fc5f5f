"""Lists of places that may be empty: an empty list of whole numbers is one of places still."""

import itertools

import numpy as np

from programs.registry import normal, program


@program(normal(5, 2))
def products_of_no_columns_too(x):
    kinds = [c for d in range(3) for c in itertools.combinations(range(x.shape[1]), d)]
    return np.sum(np.column_stack([np.prod(x[:, list(c)], axis=1) for c in kinds]) ** 2)


@program(normal(7, 2), [0, 1, 5])
def groups_without_members(x, groups):
    total = 0.0
    for g in groups:
        members = [k for k in range(len(x)) if k % 3 == g]
        total += np.sum(x[members]) ** 2
    return total
