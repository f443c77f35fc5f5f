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


@program(normal(3, 3), second=True)
def reshaped_to_the_shape_it_has(x):
    """It stays in the order that it has, whatever order is asked for."""
    a = np.zeros((3, 3))
    a[...] = x
    b, c = a.reshape((3, 3), order="F") * 1.0, a.T.reshape((3, 3)) * 2.0
    b.ravel()[1] *= 5.0
    c.ravel()[1] = x[0, 0]
    turned = a.T
    squares = turned.reshape((3, 1, 3)) ** 2
    a[0] *= 3.0
    squares.ravel()[2] *= a[0, 1]
    return np.sum(b**2) + np.sum(c**3) + np.sum(squares * a)


@program(normal(3, 3), second=True)
def converted_in_an_order(a):
    b, c = a.T.astype(np.float64, order="C"), a.astype(float, "F")
    b.ravel()[1] *= a[0, 0]
    c.ravel()[1] *= a[0, 0]
    d = a.astype(np.float64, order="K", copy=False) * 2.0
    d.ravel()[3] = a[1, 1]
    return np.sum(b**2) + np.sum(c**3 * d)


@program(normal(3, 3))
def largest_so_far_of_turned_rows(a):
    b, c = np.maximum.accumulate(a.T, axis=0), np.minimum.accumulate(a.T, axis=1)
    b.ravel()[1] *= a[0, 0]
    c.ravel(order="F")[1] *= a[0, 0]
    return np.sum(b**2) + np.sum(c**3)


@program(normal(3, 3), second=True)
def a_function_of_each_turned_entry(a):
    doubled = np.vectorize(lambda t, s: t * 2.0 * s)
    b = doubled(a.T, 3.0)
    b.ravel()[1] = 5.0
    c = np.frompyfunc(lambda t: t * t, 1, 1)(a.T).astype(float)
    c.ravel()[1] *= a[0, 0]
    low, high = np.frompyfunc(lambda t, s: (t - s, t + s), 2, 2)(a, a.T)
    low = low.astype(float)
    low.ravel()[2] *= a[1, 1]
    return np.sum(b**2) + np.sum(c * a) + np.sum(low**2 * high.astype(float))


@program(normal(2, 2), second=True)
def between_ends_along_other_axes(a):
    b = np.linspace(a[0], a[1], 2, axis=1)
    b.ravel()[2] *= 3.0
    c = np.linspace(a.T, a.T + a[0, 0], 3)
    c.ravel()[5] *= a[0, 0]
    d = np.linspace(a[0], a[1], 3)
    d.ravel()[2] *= a[1, 1]
    stacked = np.zeros((2, 3, 2, 2))
    stacked[...] = a
    stacked = stacked.transpose(1, 0, 2, 3)
    e = np.matmul(stacked, stacked)
    e.ravel()[5] *= a[0, 1]
    return np.sum(b**2 * a) + np.sum(c**2) + np.sum(d * d) + np.sum(e**2 * a)


@program(normal(3, 3))
def reshaped_on_two_paths(x):
    a = np.zeros((3, 3))
    a[...] = x
    turned = a.T
    d = turned.reshape((3, 1, 3)) if x[0, 0] > 0 else turned.reshape((3, 3), order="A")
    b = d * d
    a[0] *= 3.0
    b.ravel()[1] *= 5.0
    return np.sum(b**2) + np.sum(a**2)


@program(normal(3, 2))
def items_of_a_list_that_lie_otherwise(x):
    held = [x * 1.0, (x * 2.0).T.copy().T, np.asfortranarray(x) ** 2]
    total = 0.0
    h = None
    for k in range(3):
        h = held[k]
        h[0, 1] *= x[1, 0]
        h.ravel()[3] *= x[2, 1]
        total = total + np.sum(h * h) * (k + 1)
    return total + np.sum(h)


@program(normal(4, 3), jit=True)
def copies_by_the_function(a):
    """`np.copy` of a part, of a turned array, and of what is computed."""
    part, turned, made = np.copy(a[1:]), np.copy(a.T), np.copy(np.sin(a) * 2.0)
    part[0] *= 2.0
    turned[0] *= 3.0
    made[:, 1] = part[0, 1] * turned[2, 0]
    return np.sum(part * part) + np.sum(turned[0]) + np.sum(made * made)
