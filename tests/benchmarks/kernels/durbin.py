"""Durbin's recursion for a Toeplitz system."""

import numpy as np


def primal(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return np.sum(y)


SIZES = {"test": 6, "S": 1000, "M": 6000}
argnums = (0,)


def arguments(rng, size="S"):
    n = SIZES[size]
    return (0.5 * rng.uniform(0.5, 1.0, size=n) * 0.9 ** np.arange(n),)
