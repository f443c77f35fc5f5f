"""What an augmented assignment, call or subscript reads before its operands change an array."""

import functools

import numpy as np

from programs.registry import program

X = np.array([0.3, 0.7, 0.5, 0.4])


def bump(z, t):
    z *= t
    return z.sum()


@program(X, second=True)
def entries_read_first(x):
    z = x * 2
    z[1] += bump(z, x[2])
    z[-1] *= z[0] * bump(z, x[3])
    z[2] -= bump(z, x[0])
    return (z * z).sum()


@program(X, second=True)
def slices_see_the_change(x):
    z = x * 2
    z[1:3] += bump(z, x[2])
    z[::2] *= bump(z, x[1])
    return (z * z).sum()


@program(X, second=True)
def copies_read_first(x):
    z = x * 2
    z[[0, 2]] += bump(z, x[2])
    z[z > 0.1] *= bump(z, x[1])
    return (z * z).sum()


@program(X, second=True)
def rows_and_entries(x):
    A = np.outer(x, x)
    A[1] += bump(A, x[2])
    A[1, 2] *= bump(A, x[1])
    A[0, 1:] -= bump(A[0], x[3])
    return (A * A).sum()


@program(X, second=True)
def attribute_read_first(x):

    class Level:
        def __init__(self):
            self.v = x[0] * 2

        def h(self):
            self.v = self.v * x[1]
            return self.v

    o = Level()
    o.v += o.h()
    o.v *= o.h() + o.v
    return o.v


@program(X, second=True)
def list_entry_read_first(x):
    l = [x[0], x[1] * 2]

    def h():
        l[0] = l[0] * x[2]
        return l[0]

    l[0] += h()
    l[1] *= h() + l[0]
    return l[0] * l[1]


@program(X, second=True)
def dict_entries_read_first(x):
    d = {"a": x[0], "b": x * 1.0}

    def h():
        d["a"] = d["a"] * x[2]
        d["b"] *= 2
        return d["a"]

    d["a"] += h()
    d["b"] += h()
    d["b"][1] += h()
    return d["a"] * d["b"].sum()


@program(X, second=True)
def list_of_a_run_read_first(x):
    l = []
    for v in x:
        l.append(v * 2)

    def h():
        l[0] = l[0] * x[2]
        return l[0]

    l[0] += h()
    for i in range(3):
        l[i] *= h() + l[i + 1]
    return l[0] * l[1] + l[2]


@program(X, second=True)
def entries_in_a_loop(x):
    z = x * 2
    for i in range(4):
        z[i] += bump(z, x[i]) * 0.1
    return (z * z).sum()


@program(X, second=True)
def subscripts_in_order(x):
    z = x * 2
    k = [0]

    def nxt():
        k[0] += 1
        return k[0]

    z[nxt()] += z[nxt()] * x[nxt()]
    return (z * z).sum()


@program(X, second=True)
def keys_that_write(x):
    z = x * 2
    m = max([z[0] * 1, z[1] * 2, z[2] * 3], key=lambda v: v * bump(z, x[0]))
    return m * z.sum()


@program(X, second=True)
def filter_that_writes(x):
    z = x * 2
    q = list(filter(lambda v: bump(z, x[0]) > -1, [z[0] * 1, z[1] * 2, z[2] * 3]))
    return q[0] * q[1] + q[2]


@program(X, second=True)
def returned_tuple(x):
    z = x * 2

    def two():
        return (z * 3, bump(z, x[0]), z[0] * 1)

    a, b, c = two()
    return (a * b * c).sum()


@program(X, second=True)
def keywords_in_order(x):
    z = x * 2
    return (
        dict(a=z * 2, b=bump(z, x[0]))["a"].sum() * np.sum(z * 3, axis=0)
        + np.clip(z * 2, a_min=0.0, a_max=bump(z, x[0])).sum()
    )


@program(X, second=True)
def owner_of_a_method(x):
    z = x * 2
    return (z * 2).dot(np.ones(4) * bump(z, x[0])) + (z + 1).reshape(int(bump(z, x[0]) * 0) + 4)[1]


@program(X, second=True)
def base_of_a_subscript(x):
    z = x * 2
    return (z * 2)[int(bump(z, x[0]) * 0) + 1] * (z * 3)[1:][0]


@program(X, second=True)
def nested_displays(x):
    z = x * 2
    d = {"p": [z * 3, (z[0] * 2, bump(z, x[1]))], "q": z + 1}
    return d["p"][0].sum() * d["p"][1][0] * d["p"][1][1] + d["q"].sum()


@program(X, second=True)
def keyword_arguments_in_order(x):
    z = x * 2

    def g(a, *, b, c):
        return (a * b).sum() * c

    return g(z * 3, b=z + 0.0, c=bump(z, x[0])) + g(a=z * 2, c=bump(z, x[1]), b=z * 1.0)


@program(X, second=True)
def nested_unpacking(x):
    z = x * 2
    a, (b, *c) = (z * 3, [bump(z, x[0]), z * 2, z[::-1]])
    c[1][0] = x[1]
    return (a * b).sum() + (c[0] * c[1]).sum() + (z * z).sum()


@program(X, second=True)
def reduced_display(x):
    z = x * 2
    tot = functools.reduce(lambda p, q: p + bump(q, x[0]), [z, z * 2, z * 3], 0.0)
    return tot * tot + z.sum()
