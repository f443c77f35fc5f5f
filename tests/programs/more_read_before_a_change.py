"""More of what an expression reads before one of its parts changes an array."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


def bump(z, k):
    z[k] += 1
    return 1


@program(X, second=True)
def subscript_parts_in_order(x):
    z = np.array([0, 0, 0, 0])
    y = np.outer(x, x * x)
    return y[z[1], bump(z, 1)] * y[bump(z, 0), z[0]]


@program(X, second=True)
def bounds_in_order(x):
    z = np.array([0, 2, 3, 4])
    return (x * x)[z[1] : z[1] + bump(z, 1) + 1].sum() + (x**3)[z[0] : bump(z, 0) + z[0] : 1].sum()


@program(X, second=True)
def places_before_values(x):
    z = np.array([0, 2, 3, 4])
    y = np.outer(x, x)
    y[z[0], bump(z, 0) : z[0] + 2] = x[:2] * 3
    y[z[0], bump(z, 0)] += x[z[0]]
    return (y * y).sum()


@program(X, second=True)
def values_before_places(x):
    z = np.array([0, 2, 3, 4])
    y = x * 2

    def g():
        z[0] += 1
        return x[z[0]]

    y[z[0]] = g()
    y[z[0]] += g()
    return (y * y).sum()


@program(X, second=True)
def keys_in_order(x):
    z = [0]
    d = {0: x[0], 1: x[1], 2: x[2]}

    def g():
        z[0] += 1
        return x[z[0]]

    d[z[0]] = g() * d[z[0]]
    d[z[0]] *= g()
    return d[0] * d[1] * d[2] + d[1] ** 2


@program(X, second=True)
def places_unpacked_in_order(x):
    z = [0]
    y = x * 1.0

    def g():
        z[0] += 1
        return z[0]

    y[g()], y[g()] = (x[g()] * 2, x[0] * 5)
    return (y * y * np.arange(1, 5)).sum()


@program(X, second=True)
def loop_test_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 1.5
        return y[0]

    t = 0.0
    while y[0] * g() < 3 * g():
        t = y[1] + g() + t * y[2]
    return t


@program(X, second=True)
def minimum_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 1.5
        return y[0]

    return max(y[0], g(), y[1]) + min(y[3] * 9, g(), y[1] * 8) + sum([y[0], g(), y[0]])


@program(X, second=True)
def defaults_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 1.5
        return y[0]

    def h(a=y[0], b=g(), c=y[0]):
        return a * b * c

    return h() + h(g())


@program(X, second=True)
def generator_begun_before(x):
    z = x * 1.0
    it = (v * 2 for v in z * 3)
    z[:] = z * z
    return sum(it) * z[0]


@program(X, second=True)
def partial_made_before(x):
    from functools import partial

    z = x * 1.0
    h = partial(lambda a, b: a.sum() * b[0], z * 2)
    z[:] = z * z
    return h(z)


@program(X, second=True)
def slice_made_before(x):
    z = np.array([0, 2, 3, 4])
    s = slice(z[0], z[1])
    z[:2] += 1
    return (x[s] ** 2).sum()


@program(X, second=True)
def zip_made_before(x):
    z = x * 1.0
    s = zip(z * 2, z[1:])
    z[:] = z * z
    return sum((a * b for a, b in s))


@program(X, second=True)
def place_changes_the_value(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return 0

    y[g()] = y[1] * 2
    a = y[g() + 1] = y[2] * 3
    return (y * y).sum() * a


@program(X, second=True)
def owner_changes_the_value(x):

    class P:
        pass

    p = P()
    y = x * 1.0

    def g():
        y[:] = y * 2
        return p

    g().a = y[0] * y[1]
    p.b = y[0] * g().a
    return p.a * p.b


@program(X, second=True)
def method_taken_before(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return 1

    m = (y * 2).sum
    g()
    return m() * y[0] + (y * 2).reshape(2, 2)[g()].sum() + np.multiply(y * 2, (y * 3)[g()]).sum()


@program(X, second=True)
def chained_comparisons_stop(x):
    y = x * 1.0
    n = [0]

    def g(k):
        n[0] += 1
        y[:] = y * k
        return y[0]

    t = 0.0
    for i in range(3):
        if y[0] < g(1.1) < g(0.9) < 5:
            t = t + y[1]
        if 0 < g(2) < g(0.5) < g(3):
            t = t * y[2]
        if 0 < i < 2 <= n[0]:
            t = t + y[3]
    return t + n[0] * y[0]


@program(X, second=True)
def deleted_in_order(x):
    d = {0: x[0], 1: x[1], 2: x[2]}
    k = [0]

    def g():
        k[0] += 1
        return k[0]

    del d[k[0]], d[g()]
    return sum(d.values()) * len(d)


@program(X, second=True)
def starred_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return y[0]

    return [y[0] * 2, g(), *y * 3, *[g(), y[1]]][3] * sum((y[0], g(), *y))


@program(X, second=True)
def dict_display_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return y[0]

    d = {"a": y[0], "b": g(), **{"c": y[0], "d": g()}, "e": y[1] * 3, "f": g()}
    h = dict(a=y[0], b=g(), **d) if False else dict(d, g=y[0], h=g())
    return sum((v * (i + 1) for i, v in enumerate(h.values())))


@program(X, second=True)
def comprehension_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return y[0]

    l = [y[0] * g() for _ in range(3)]
    m = {i: (y[0], g()) for i in range(2)}
    n = [(y[1], g(), y[1]) for _ in range(x.size)]
    return sum(l) + m[0][0] * m[1][1] + sum((a * b * c for a, b, c in n)) * 1e-06


@program(X, second=True)
def branches_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return y[0]

    a = y[0] if y[1] > g() else y[0] * 2
    b = (y[0], g())[1] if g() > 1 else y[2]
    c = y[0] * 2 if x[0] > 100 else g() * y[1]
    return a * b * c


@program(X, second=True)
def lambda_called_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return y[0]

    return (lambda a, b, c=y[0]: a * b * c)(y[0], g()) + (lambda *a, **k: sum(a) * k["u"])(
        y[0], g(), *[y[0]], u=g()
    )


@program(X, second=True)
def scattered_in_order(x):
    y = x * 1.0

    def g():
        y[:] = y * 2
        return y[0]

    z = np.zeros(4)
    np.add.at(z, [0, 1, 0], y[:3] * g())
    z[[0, 0, 1]] += y[0] * g()
    z[y > g()] += y[0]
    return (z * y).sum()
