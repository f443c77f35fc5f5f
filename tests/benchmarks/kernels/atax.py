"""A transposed times A times a vector."""

import numpy as np


def primal(A, x):
    return np.sum((A @ x) @ A)


SIZES = {"test": (4, 5), "S": (2000, 2500), "M": (4000, 5000)}
argnums = (0, 1)


def arguments(rng, size="S"):
    m, n = SIZES[size]
    return rng.uniform(size=(m, n)), rng.uniform(size=n)
