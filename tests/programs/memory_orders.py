"""Arrays whose layout in memory decides whether a later write reaches them."""

import numpy as np

from programs.registry import normal, program


@program(normal(16), jit=True, second=True)
def every_other_column_in_one_row(x):
    """Equal distances from one row to the next: the reshaped columns are a view."""
    a = np.zeros((4, 4))
    a += x.reshape(4, 4)
    s, t = a[:, ::2].reshape(-1), a[::-1, ::-2].reshape(-1)
    s *= 2.0
    t[3] = x[0] * x[1]
    v, w = a[:, 1:3].reshape(-1), a[:, ::2].ravel()
    v[1] += x[3]
    w[0] *= 5.0
    return np.sum(a**2 * x[:4]) + v @ w


@program(normal(2, 3, 4), second=True)
def every_other_column_of_planes(t):
    a = t * 1.0
    odd = a[:, :, 1::2].reshape(-1)
    odd[1:] *= odd[0]
    wide = a[:, :, ::3].reshape(2, -1)
    wide[0] += t[1, 0, 0]
    return np.sum(a**3)
