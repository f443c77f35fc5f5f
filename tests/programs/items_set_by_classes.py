"""`m[k] += a` of classes that say what getting and setting an item does: Python calls both."""

import numpy as np

from programs.registry import normal, program


class Scaled:
    """Gives new arrays, in other units."""

    def __init__(self, entries):
        self.entries = entries

    def __getitem__(self, k):
        return self.entries[k] * 2

    def __setitem__(self, k, value):
        self.entries[k] = value / 2


class Counted:
    """Gives views, or the lists that it holds, and counts how often an item was set."""

    def __init__(self, entries):
        self.entries, self.times = entries, 0

    def __getitem__(self, k):
        return self.entries[k]

    def __setitem__(self, k, value):
        self.entries[k] = value
        self.times += 1


@program(normal(2, 3), second=True)
def items_in_other_units(a):
    m = Scaled(a * 1.0)
    m[1] += a[0]
    m[0] *= m[1]
    return np.sum(m.entries**2)


@program(normal(2, 3), second=True)
def told_of_changes_in_place(a):
    m = Counted(a * 1.0)
    for k in range(2):
        m[k] *= a[1]
    m[1] += m[0]
    return np.sum(m.entries**2) * m.times


@program(normal(2, 3))
def told_of_lists_that_grow(a):
    m = Counted([[a[0]], [a[1]]])
    m[1] += [a[0] * 2.0]
    m[0] += m[1]
    return np.sum(sum(m.entries[0]) ** 2) * m.times
