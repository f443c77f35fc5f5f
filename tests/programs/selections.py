"""Arrays whose lengths only a run can tell: selections by values."""

import numpy as np

from programs.registry import normal, program, using

LEVELS = using(lambda rng: np.array([0.1, 0.2, 0.9, 1.5]))


@program(normal(3), normal(9, 3), normal(9), using(lambda rng: 4), second=True)
def nearest_neighbours(x, data, labels, k):
    d = np.sqrt(((data - x) ** 2).sum(axis=1))
    idx = np.argsort(d)[:k]
    w = 1 / (d[idx] + 0.001)
    return (w * labels[idx]).sum() / w.sum()


@program(normal(6), using(lambda rng: np.array([-1.0, 0.0, 0.5])), second=True)
def selections_by_a_comprehension(x, ts):
    rows = [x[x > t] * t for t in ts]
    return sum(((r * rows[-1][:1]).sum() for r in rows)) + (rows[0] ** 2).sum()


@program(LEVELS, using(lambda rng: [2.0, 1.0, 0.5, 0.0]), second=True)
def selections_of_one_entry_beside_others(x, ts):
    rows = [x[x > t] * 2 for t in ts]
    return (rows[1] * rows[3]).sum() + rows[0].sum() + (rows[2] * rows[1]).sum()


@program(LEVELS, using(lambda rng: [1.0, 0.5, 0.0]), second=True)
def selections_in_a_list(x, ts):
    rows = []
    for t in ts:
        u = x[x > t]
        rows.append(u)
    return (rows[0] * rows[2]).sum() + (rows[0] * rows[1]).sum()


@program(LEVELS, using(lambda rng: [1.0, 0.5, 0.0]), second=True)
def selection_beside_the_one_before(x, ts):
    old = x[:1]
    s = 0.0
    for t in ts:
        u = x[x > t]
        s += (u * old).sum()
        old = u
        if t > 0.6:
            old = old[:1]
        else:
            old = old.sum(keepdims=True)
    return s


@program(LEVELS, using(lambda rng: [1.0, 0.5, 0.0]), second=True)
def longest_selection_so_far(x, ts):
    best = x[x > 1.2]
    w = best * 1.0
    s = 0.0
    for t in ts:
        u = x[x > t]
        if len(u) > len(best):
            s += (best * u).sum() if len(best) == 1 else 0.0
            best = u
            w = u**2
        s += (best * w).sum()
    return s + (w - best).sum()


@program(LEVELS, using(lambda rng: [1.0, 0.5, 0.0]), second=True)
def selection_by_a_branch(x, ts):
    s = 0.0
    for t in ts:
        if t > 0.7:
            u = x[x > t]
            v = u * 3
        else:
            u = x[x < 1.2]
            v = u[:1]
        s += (u * v).sum()
    return s


@program(LEVELS, second=True)
def selections_in_a_dict(x):
    d = {}
    for i, t in enumerate([1.0, 0.5, 0.0]):
        sel = np.flatnonzero(x > t)
        d[i] = x[sel] * x[sel]
    return (d[0] * d[2]).sum() + (d[0] * d[1]).sum()


@program(LEVELS, second=True)
def means_of_groups(x):
    g = np.array([0, 1, 0, 2])
    u = np.unique(g)
    m = np.array([x[g == k].mean() for k in u])
    return (m * u).sum() + (m**2).sum()


@program(LEVELS, second=True)
def selections_by_a_function(x):

    def pick(t):
        i = np.where(x > t)[0]
        return x[i] * np.ones(len(i))

    a = pick(1.0)
    b = pick(0.0)
    return (a * b).sum() + (a * pick(1.0)).sum() + (b * pick(0.0)).sum()


@program(LEVELS, second=True)
def selections_under_one_name(x):
    u = x[x > 1.0]
    a = u * 2
    u = x[x > 0.0]
    b = u * 3
    return (a * b).sum() + (u * a).sum()


@program(LEVELS, second=True)
def selection_until_nothing_is_left(x):
    m = x > 0.0
    t = 0.0
    s = 0.0
    while m.any():
        u = x[m]
        s += (u * u[::-1]).sum() * (u[:1] * u).sum()
        t += 0.37
        m = x > t
    return s


@program(LEVELS, second=True)
def sorted_by_recursion(x):

    def quick(v):
        if len(v) <= 1:
            return v
        p = v[0]
        a = v[1:][v[1:] < p]
        b = v[1:][v[1:] >= p]
        return np.concatenate([quick(a), v[:1], quick(b)])

    return (quick(x) * np.arange(4)).sum()


@program(LEVELS, second=True)
def selections_in_generators(x):
    return sum(((x[x > t] * x[x > t]).sum() * t for t in [0.0, 0.5, 1.0])) + max(
        (x[x > t].sum() for t in [0.0, 0.5])
    )


@program(LEVELS, second=True)
def selections_by_map(x):
    rows = list(map(lambda t: x[x > t], [1.0, 0.5, 0.0]))
    return (rows[0] * rows[1]).sum() + (rows[0] * rows[2]).sum()


@program(LEVELS, second=True)
def selection_joined_to_the_one_before(x):
    keep = [x[x > 1.0]]
    for t in [0.5, 0.0]:
        keep[0] = np.concatenate([keep[0][:1], x[x > t] * 2])
        keep.append(keep[0][:1])
    return (keep[1] * keep[0]).sum() + (keep[-1] * keep[1]).sum()
