"""Entries taken in another order than they lie in memory, from arrays that are written."""

import numpy as np

from programs.registry import normal, program


@program(normal(3, 4), second=True)
def transposed_and_flat(m):
    y = m * 2
    y[0] *= m[1]
    c = y.T.ravel()
    return c @ np.arange(12) + y.T.ravel()[3] ** 2 + y.T.reshape(-1)[2:] @ np.arange(10)


@program(normal(3, 4), second=True)
def columns_first(m):
    y = m * 2
    y[0] *= m[1]
    c, d = y.ravel(order="F"), y.reshape((4, 3), order="F")
    e = np.reshape(y.T, (6, 2), "F")
    return c @ np.arange(12) + d[1] @ d[2] + np.sum(e**2) * m[0, 0]


@program(normal(3, 4), second=True)
def columns_first_and_written(m):
    y = m * 2
    y[0] *= m[1]
    c = y.ravel(order="F")
    c[0] = 5 * m[0, 0]
    return c @ np.arange(12) + np.sum(y**2)


@program(normal(3, 4), second=True)
def parts_of_rows(m):
    y = m * 2
    y[0] *= m[1]
    d, e = y[:, ::2].ravel(), y[:, 1:3].reshape(2, 3)
    return d @ np.arange(6) + e[0] @ m[0, :3] + np.ascontiguousarray(y.T)[0] @ m[:, 0]


@program(normal(2, 3, 4), second=True)
def turned_axes(t):
    y = t * 2
    y[0] *= t[1]
    a = y.transpose(2, 0, 1).reshape(4, -1)
    b = np.moveaxis(y, 1, 2).ravel()
    c, d = y[:, 1].ravel(), y[..., 0].reshape(-1)
    e = y.reshape(2, 12).T.ravel()
    f = y[0].T.reshape(12)
    return np.sum(a**2) + b @ np.arange(24) + c @ c + d @ np.arange(6) + e[1] * e[2] + f @ f


@program(normal(3, 4), second=True)
def turned_in_a_loop(m):
    y, total = m * 2, 0.0
    for k in range(3):
        y[k] *= m[1]
        v, w = y.T.ravel(), y.swapaxes(0, 1).reshape(2, 6)
        u = y[::-1].ravel()
        total += v @ np.arange(12) + w[0] @ w[1] + u[0] * u[-1]
    return total


@program(normal(6), jit=True, second=True)
def layouts_that_a_run_decides(x):
    """Each pass finds another array where the same line gives a view or a copy."""
    total = 0.0
    for k, a in enumerate(
        [x.reshape(2, 3) * 1.0, (x.reshape(3, 2) ** 2).T, x.reshape(2, 3).T + k_of(x)]
    ):
        v = a.reshape(-1)
        v[k] *= x[0]
        w = a.ravel(order="F") if k else np.asfortranarray(a)
        w[1] += x[2]
        a[1, 1] += v[2]
        total = total + np.sum(a**2) * np.sum(np.sin(v)) + np.sum(w**3)
    return total


def k_of(x):
    return x[5] * 0.5


@program(normal(6), jit=True, second=True)
def turned_fields_written_flat(x):
    """New arrays lie as what they were computed from: entries of the flat views are theirs."""
    field = x.reshape(2, 3).T + 1.0
    flat = field.T.reshape(-1)
    flat *= x
    column = np.asarray(np.full((2, 3), x[0], order="F"), order="F")
    column[:] *= x.reshape(2, 3)
    along = column.ravel(order="K")
    along += field.T.ravel()
    rows = np.outer(x, x[:3]) + 1.0
    held = [np.ascontiguousarray(field.T), rows.ravel("F")]
    held[0][1] += x[:3]
    held[1][2] *= x[1]
    for row in rows.T.reshape(3, 6):
        row *= x[1]
    return np.sum(field**2) + np.sum(column**3) + np.sum(rows**2) + np.sum(held[0] * column)


@program(normal(6), second=True)
def written_and_read_as_it_lies(x):
    a = x.reshape(3, 2).T + x[0]
    a[0] *= x[5]
    return np.sum(np.sin(np.ravel(a, order="K")) * np.arange(6.0)) + np.sum(a**2)


@program(normal(3, 4), jit=True)
def orders_given_by_position(m):
    y = m * 2
    c, d = np.ravel(y, "F"), np.reshape(np.ravel(y.T, "F"), (6, 2), "F")
    w = np.reshape(y, (4, 3), "F")
    y[0] *= m[1]
    return c @ np.arange(12) ** 2 + d[1] @ d[2] * w[1, 2] + np.sum(y)


@program(normal(), normal(16), normal(4), 4, wrt=(0, 1))
def sides_that_a_run_knows(shift, entries, w, n):
    moved = np.reshape(entries, (n, n)) + shift
    scaled = np.reshape(entries, (-1, n)) * shift
    means = scaled.mean(axis=1)
    return (moved @ w).sum() + np.sum(scaled.sum(0) * w) + means @ means


@program(normal(5, 3))
def turned_about_a_listed_axis(x):
    turned = np.cross(x, [0.5, 0.2, 0.3])
    products = turned @ x.T
    np.fill_diagonal(products, 1.0)
    return np.sum(products**2)


@program(normal(3, 4), second=True)
def asked_for_in_lists(m):
    y = m * 2
    v = np.require(y, requirements=["F", "W"])
    v[1] = v[0] ** 2
    w = np.require(y, None, ["C"])
    w[0] = v[2]
    t = np.require(y.T, None, "W")
    t[0] *= w[1, 2]
    return np.sum(y**3 * m) + np.sum(v * t.T)


@program(normal(3, 4), second=True)
def arrays_of_arrays_without_a_copy(m):
    y = m * 2
    v = np.array(y, ndmin=3, copy=None)
    v[0, 1] = v[0, 0] ** 2
    w = np.array(y, order="F", copy=None)
    w[1] = v[0, 2] ** 2
    y[0] *= y[1]
    return np.sum(v**3 * m) + np.sum(w**2)


@program(normal(12, 2), second=True)
def reshaped_by_the_function_after_turning(t):
    w, cube = np.arange(24.0), t.reshape(2, 3, 4)
    a = np.reshape(t.T, cube.shape)
    z = np.transpose(cube, (2, 0, 1))
    total = np.sum(a * a * w.reshape(2, 3, 4)) + np.sum(np.reshape(z, (4, 6)) ** 2)
    for shape in ((2, 12), (3, 8), (24,)):
        total = total + np.sum(np.reshape(np.asfortranarray(t), shape) * w.reshape(shape))
    return total + np.sum(np.reshape(t[::2, ::-1], (4, -1)) ** 3) + np.ravel(t.T) @ w


@program(normal(12, 2), second=True)
def reshaped_by_the_function_in_a_loop(t):
    y, s = t * 2.0, np.zeros((2, 3, 4))
    for k in range(3):
        s = s + np.reshape(y.reshape(12, 2).T, s.shape) * (k + 1.0)
        y = np.reshape(np.reshape(s, (2, 12)).T * t, y.shape) * 0.1
    return np.sum(s * s * np.arange(24.0).reshape(2, 3, 4)) + np.sum(y)


@program(normal(6), second=True)
def read_as_it_lies_round_a_loop(x):
    total = 0.0
    for k in range(2):
        turned = x.reshape(3, 2).T + x[k]
        turned[0] *= x[5]
        total += np.sum(np.ravel(turned, order="K") ** 2 * np.arange(6.0))
    return total
