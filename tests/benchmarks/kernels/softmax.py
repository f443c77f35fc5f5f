"""Softmax over the last axis, weighted."""

import numpy as np


def softmax(x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    return tmp_out / tmp_sum


def primal(x, W):
    return np.sum(softmax(x) * W)


SIZES = {"test": (2, 2, 5), "S": (16, 16, 128), "M": (32, 8, 256)}
argnums = (0,)


def arguments(rng, size="S"):
    n, heads, length = SIZES[size]
    shape = (n, heads, length, length)
    return rng.uniform(size=shape), rng.uniform(size=shape)
