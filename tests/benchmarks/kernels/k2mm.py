"""Two matrix products in a row."""

import numpy as np


def primal(alpha, beta, A, B, C, D):
    return np.sum(alpha * A @ B @ C + beta * D)


SIZES = {"test": (3, 4, 5, 6), "S": (400, 425, 450, 475), "M": (800, 850, 900, 950)}
argnums = (2, 3, 4, 5)


def arguments(rng, size="S"):
    ni, nj, nk, nl = SIZES[size]
    shapes = ((ni, nk), (nk, nj), (nj, nl), (ni, nl))
    return 1.5, 1.2, *(rng.uniform(size=shape) for shape in shapes)
