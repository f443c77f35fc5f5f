"""Branches that are not taken where their slope is infinite: they contribute nothing."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program, using


def at(*values):
    """These very numbers: zeros, negative and huge ones among them."""
    return using(lambda rng: np.array(values))


SIGNS = at(-1.5, 0.0, 0.0, 2.0, 0.7)


@program(SIGNS, jit=True, second=True)
def logarithm_of_positive(x):
    return np.sum(np.where(x > 1e-3, np.log(x), 0.0))


@program(SIGNS, jit=True, second=True)
def chain_of_steep_functions(x):
    y = np.sqrt(x) * np.cos(x)
    return np.sum(np.where(x > 1e-3, np.exp(y) / y, 0.0))


@program(at(-1.5, 0.0, 0.0, 2.0, 0.7, 1.3), jit=True, second=True)
def choice_within_a_choice(x):
    y = np.where(x > 1e-3, np.where(x < 1.0, np.log(x), 2.0 * x), 0.0)
    t = np.where(x < 1.0, np.cos(np.sqrt(x)), x)
    return np.sum(y**2) + np.sum(np.where(x > 1e-3, t * x, 1.0))


@program(at(-2.0, 3.0, 800.0), jit=True, second=True)
def softplus(x):
    return np.sum(np.where(x > 30.0, x, np.log1p(np.exp(x))))


@program(SIGNS, second=True)
def select_of_steep_functions(x):
    return np.sum(np.select([x > 1.0, x > 1e-3], [np.log(x), x**0.5], 0.0))


@program(SIGNS, second=True)
def choose_of_steep_functions(x):
    return np.sum(np.choose((x > 1e-3).astype(int), [np.zeros(5), 1.0 / x]))


@program(at(0.0, 0.0, 2.0), jit=True, second=True)
def bounded_below(x):
    return np.sum(np.maximum(np.log(np.abs(x)), -1.0) ** 2)


@program(at(0.0, 0.5, 2.0), second=True)
def clipped(x):
    return np.sum(np.clip(1.0 / np.abs(x), 0.0, 3.0) ** 2)


@program(SIGNS, jit=True)
def entries_by_mask(x):
    y = np.sqrt(x)
    chosen = x > 1e-3
    return np.sum(y[chosen] * x[chosen])


@program(SIGNS, second=True)
def sum_where(x):
    return np.sum(np.arcsin(np.sqrt(x) / 2.0), where=x > 1e-3)


@program(SIGNS, jit=True)
def masked_in_loop(x):
    s = 0.0
    for i in range(3):
        y = x[i:] ** 0.5
        s = s + np.sum(np.where(x[i:] > 1e-3, y * np.log(x[i:]), 0.0))
    return s


@program(SIGNS, jit=True)
def distances_without_own(x):
    square = (x[:, None] - x[None, :]) ** 2
    near = np.where(square > 1e-6, 1.0 / np.sqrt(square), 0.0)
    return np.sum(near)


@program(at(0.0, 1.0, 4.0), second=True)
def largest_of_steep_functions(x):
    return np.max(np.log(np.abs(x))) ** 2


@program(normal(4, 4), jit=True)
def inverse_distances_in_place(x):
    # the diagonal is left alone: its slope would be infinite
    r2 = (x[:, :1] - x[:, :1].T) ** 2
    near = r2 > 0
    part = r2[near]
    root = np.sqrt(part)
    r2[near] = 1.0 / (0.1 + root)
    return np.sum(r2 * x) + 0.5 * np.sum(np.exp(-part))


@program(normal(6), jit=True)
def mask_that_changes_between_its_uses(x):
    total = 0.0
    positive = x > 0.0
    for k in range(3):
        part = x[positive] * 2.0
        y = x * x
        y[positive] = part**2
        positive = ~positive
        y[positive] += 3.0 * x[positive]
        total = total + (k + 1.0) * np.sum(y)
    return total


@program(normal(5), jit=True)
def selected_and_counted(x):
    part = x[x > -0.5]
    return np.sum(part**2) / part.size + np.sum(x[x > 0.0] ** 3)


@program(normal(6), jit=True)
def selected_through_a_view(x):
    y = x * 1.0
    v = y[1:5]
    small = v < 0.5
    v[small] = np.sin(v[small]) * v[small]
    y[0] = y[2] * y[3]
    return np.sum(y**2)


@program(normal(5), positive(5), jit=True)
def selected_with_a_dear_function(x, a):
    y = np.zeros(5)
    inside = x > 0.0
    part = np.log(x[inside]) * a[inside]
    y[inside] = part + 1.0
    y[inside] *= part
    return np.sum(y)


@program(SIGNS, jit=True, second=True)
def guard_that_is_none(x):
    """Not every constant leaves out what is not finite: x < 1 lets -1.5 and 0 through."""
    y = np.where(x < 1.0, np.log(x), 0.0)
    return np.sum(np.where(x > 1e-3, y * x, x)) + np.sum(np.where(x > 1e-3, y**2, 1.0))


@program(SIGNS, second=True)
def floor_that_is_none(x):
    y = np.maximum(np.log(x), -5.0)
    return np.sum(np.where(x > 1e-3, y * x, x))


@program(SIGNS, jit=True)
def guards_in_a_loop(x):
    r = x * x
    for _ in range(3):
        r = np.where(x > 1e-3, np.where(x < 1.0, np.log(x), 0.5) * r, 1.0)
    return np.sum(r)


@program(SIGNS)
def chosen_entries_that_are_none(x):
    y = np.log(x)
    z = y[x < 1.0]
    return np.sum(np.where(z > -2.0, z * x[x < 1.0], 0.0))


GAPS = np.array([0.1, np.nan, 0.4, np.nan])


@program(np.array([0.31, -0.52, 0.73, 0.25]), GAPS, second=True)
def data_with_gaps(x, data):
    """What NaN in the data leaves out has the derivative 0, whatever it is multiplied with."""
    there = ~np.isnan(data)
    left = np.nansum((data - x) ** 2) + np.nanmean(data * x) + np.nanmax(GAPS * x)
    left += np.sum(((data - x)[there]) ** 2) + np.sum(np.where(there, data * np.sin(x), 0.0))
    left += np.nanvar(np.array([1.0, np.nan, 0.5, np.nan]) * x)
    rest = data * x**2
    rest[np.isnan(rest)] = 0.0
    return left + np.sum(rest**2) + np.nan_to_num(GAPS * x).sum()


@program(at(-1.5, 0.0, -0.3, 2.0, 0.7), second=True)
def rows_with_a_steep_entry(x):
    """What an entry that is not taken was reduced from is left out, whole."""
    pairs = np.stack([np.log(x), x])
    chosen = np.linalg.norm(pairs, axis=0) * np.var(pairs, axis=0)
    return np.sum(np.where(x > 1e-3, chosen, 0.0)) + np.std(np.log(x), where=x > 1e-3)


@program(at(-1.5, -0.3, 2.0, 0.7), second=True)
def products_with_a_steep_entry(x):
    return np.sum(np.where(x > 1e-3, np.prod(np.stack([np.log(x), x]), axis=0), 0.0))


@program(at(0.3, -1.0, 2.0), second=True)
def triangles_of_differences(x):
    """The diagonal, where numbers are equal, is left out by np.triu."""
    gaps = x[:, None] - x[None, :]
    return np.sum(np.triu(1.0 / gaps**2, 1)) + np.sum(np.tril(np.log(np.abs(gaps)), -1))


@program(at(0.0, 2.0, 0.7, 1.1), second=True)
def middle_of_steep_entries(x):
    return np.median(np.log(np.abs(x)) ** 2) + np.quantile(1.0 / np.abs(x), 0.4)
