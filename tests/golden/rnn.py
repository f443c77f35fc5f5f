"""A Python list built in a loop, a called function of the user's own, and a closure."""

import numpy as np


def cell(h, x, w, u):
    return np.tanh(h @ w + x @ u)


def primal(w, u, xs, h0):
    h = h0
    states = []
    for x in xs:
        h = cell(h, x, w, u)
        states.append(h)
    return np.sum(np.stack(states) ** 2)


def cell_forward(h, x, w, u):
    y = np.tanh(h @ w + x @ u)
    return y, y


def cell_backward(y_bar, y, h, x, w, u):
    pre_bar = y_bar * (1.0 - y * y)
    return pre_bar @ w.T, np.outer(h, pre_bar), np.outer(x, pre_bar)


def target(w, u, xs, h0):
    """w: float64[m, m], u: [d, m], xs: [t, d] (inactive), h0: [m] (inactive).

    Returns the value and (w_bar, u_bar).
    """
    h = h0
    states = []
    h_saved = []
    y_saved = []
    for x in xs:
        h_saved.append(h)
        h, y = cell_forward(h, x, w, u)
        y_saved.append(y)
        states.append(h)
    stacked = np.stack(states)
    value = np.sum(stacked**2)

    states_bar = list(2.0 * stacked)
    h_bar = np.zeros_like(h)
    w_bar = np.zeros_like(w)
    u_bar = np.zeros_like(u)
    for x in reversed(xs):
        h_bar = h_bar + states_bar.pop()
        h = h_saved.pop()
        h_bar, dw, du = cell_backward(h_bar, y_saved.pop(), h, x, w, u)
        w_bar += dw
        u_bar += du
    return value, (w_bar, u_bar)


def arguments(rng):
    return (
        rng.normal(size=(4, 4)),
        rng.normal(size=(3, 4)),
        rng.normal(size=(5, 3)),
        rng.normal(size=4),
    )


wrt = (0, 1)
