"""A network of any depth: layers are pairs in a list."""

import numpy as np


def primal(params, x, t):
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    return np.mean((x @ w + b - t) ** 2)


def target(params, x, t):
    """params: [(float64[d, e], float64[e]), ...], x: [n, d], t: [n, last e]; x and t are
    inactive. Returns the value and params_bar.
    """
    layers = params[:-1]
    saved = []
    for w, b in layers:
        saved.append(x)
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    difference = x @ w + b - t
    value = np.mean(difference**2)

    y_bar = 2.0 * difference / difference.size
    params_bar = [None] * len(params)
    params_bar[-1] = (x.T @ y_bar, np.sum(y_bar, axis=0))
    x_bar = y_bar @ w.T
    for k in reversed(range(len(layers))):
        w, _ = layers[k]
        y = x
        x = saved.pop()
        y_bar = x_bar * (1.0 - y * y)
        params_bar[k] = (x.T @ y_bar, np.sum(y_bar, axis=0))
        x_bar = y_bar @ w.T
    return value, params_bar


def arguments(rng):
    sizes = ((4, 5), (5, 6), (6, 3))
    params = [(rng.normal(size=s), rng.normal(size=s[1])) for s in sizes]
    return params, rng.normal(size=(7, 4)), rng.normal(size=(7, 3))


wrt = (0,)
