"""Arrays of dtype object that hold numbers, or texts that decide."""

import numpy as np

from programs.registry import normal, program


@program(normal(3))
def labels(x):
    kinds = np.empty(3, dtype=object)
    kinds[0], kinds[1], kinds[2] = "a", "b", "a"
    total = 0.0
    for i in range(3):
        if kinds[i] == "a":
            total += x[i] ** 2
        else:
            total += np.sin(x[i])
    return total


@program(normal(3))
def numbers_put_one_by_one(x):
    y = np.zeros(3, dtype=object)
    y[0] = x[0]
    y[1] = x[1] * x[0]
    y[2] = 1.0
    return y[0] * y[1] + y.sum() ** 2


@program(normal(3))
def chosen_by_labels(x):
    kinds = np.array(["a", "b", None], dtype=object)
    return np.sum(x[kinds == "a"] ** 2) + x[2] * x[1]
