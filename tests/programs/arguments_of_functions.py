"""Functions of NumPy with arguments of all kinds: lists of arrays, axes in lists, options."""

import random

import numpy as np

from programs.registry import normal, positive, program

W = np.linspace(-1.0, 2.0, 12)


@program([normal(3), normal(3)])
def cosines_of_a_list_of_arrays(rows):
    return np.sum(np.cos(rows) * W[:6].reshape(2, 3))


@program([normal(3), normal(3)], normal(2, 3), wrt=(0, 1))
def list_of_arrays_beside_an_array(rows, y):
    return np.sum(np.arctan2(rows, y) * W[:6].reshape(2, 3))


@program(normal(3), positive(3), wrt=(0, 1))
def display_of_arrays_in_a_ufunc(x, y):
    return np.sum(np.arctan([x * y, y]) * W[:6].reshape(2, 3)) + np.sum(np.hypot([x, y], 1.5))


@program([0.4, -1.2, 0.7], normal(3), wrt=(0, 1))
def list_of_numbers_among_stacked_arrays(x, y):
    return np.sum(np.stack([x, y, x]) * W[:9].reshape(3, 3)) + np.sum(np.concatenate([y, x]) ** 3)


@program(1.3, second=True)
def number_where_an_array_is_meant(x):
    return np.nansum(x * x) + np.roll(x, 1) ** 3 + np.sum(np.repeat(x, 2, axis=0))


@program(normal(2, 3, 4), second=True)
def axes_in_a_list(x):
    return np.sum(np.median(x, axis=[0, 2]) ** 2) + np.sum(np.average(x, axis=(0,)) ** 3)


@program(normal(3, 4))
def columns_drawn(x):
    rng = np.random.default_rng(3)
    taken = rng.choice(x, 2, axis=1) * rng.choice(x, (3, 2), True, None, 1)[:, 0]
    return np.sum(taken * W[:6].reshape(3, 2)) + np.sum(rng.permutation(x, axis=1)[:, 0] ** 2)


@program(normal(3, 4))
def columns_shuffled(x):
    rng = np.random.default_rng(5)
    y = x * 2.0
    rng.shuffle(y, axis=1)
    return np.sum(y * W.reshape(3, 4)) + rng.choice([x[0, 0], x[1, 1], 2.0], 2)[0]


@program(positive(4))
def times_until_failure(shape):
    rng = np.random.default_rng(7)
    heavy = rng.pareto(shape + 2.0) + rng.power(shape[0] + 1.0, 4)
    return np.sum(rng.weibull(shape) * W[:4]) + np.sum(heavy * W[4:8])


@program(normal(5))
def sampled_by_python(x):
    rng = random.Random(3)
    first, second = rng.sample(list(x), 2)
    return first * second + sum(rng.choices(x, k=4)) + random.Random(1).choice(x)


@program(normal(4))
def truths_of_numbers_so_far(x):
    so_far = np.logical_and.accumulate(x)
    both = np.logical_and(x[0], x[1])
    kept = np.empty_like(x, dtype=both.dtype)
    kept[...] = x
    return np.sum(so_far * x) + np.sum(kept * W[:4] * x)


@program(normal(3), [0.3, 1.2, 2.1, 2.9], wrt=(0, 1))
def table_from_a_function_of_places(x, heights):
    table = np.fromfunction(lambda i, j, s: i * x[0] + j * s, (3, 2), dtype=int, s=x[1])
    line = np.polyfit([0.0, 1.0, 2.0, 3.0], heights, 1, w=[1.0, 2.0, 1.0, 0.5])
    return np.sum(table**2) * line[0] + line[1] * x[2]


@program(normal(2, 3), second=True)
def copies_that_look_like_views(x):
    x = x * 1.0
    table, part, order = np.reshape(x, (3, 2), copy=True), x.flat[1:4], x.ravel(order="K")
    table *= 2.0
    part *= 3.0
    order += 0.5
    return np.sum(table**2) + np.sum(part**3) + np.sum(x**3)
