"""What a display or call computes before something in it, or in its use, changes an array."""

import numpy as np

from programs.registry import normal, positive, program


def added(z, t):
    z[1:] += t
    return np.sum(z)


@program(positive(3), second=True)
def comprehension_of_a_display(x):
    z = x * 2
    q = [added(v, x[0]) for v in [z, z * 2]]
    return q[0] * q[1]


@program(positive(3), second=True)
def loop_over_a_display(x):
    z = x * 2
    q = 0.0
    for v in [z, z * 2]:
        q = q + added(v, x[0])
    return q * q


@program(positive(3), second=True)
def loop_writes_its_items(x):
    z = x * 2
    for v in (z, z * 2, z[0] * x):
        v += z
    return np.sum(z * z) + np.sum(v)


@program(positive(3), second=True)
def display_of_calls(x):
    z = x * 2
    parts = (z * 2, added(z, x[0]), z * 3)
    return np.sum(parts[0] * parts[1] * parts[2])


@program(positive(3), second=True)
def mapped(x):
    z = x * 2
    q = list(map(lambda v: added(v, x[0]), (z, z * 2, z[::-1])))
    return q[0] * q[1] * q[2]


@program(positive(3), second=True)
def values_of_a_dict(x):
    z = x * 2
    d = {"a": z * 2, "b": added(z, x[0]), "c": z[1] * 2}
    return np.sum(d["a"] * d["b"] * d["c"])


@program(positive(3), second=True)
def unpacked_at_once(x):
    z = x * 2
    a, b = z * 2, added(z, x[0])
    return np.sum(a * b)


@program(positive(3), second=True)
def summed_generator(x):
    z = x * 2
    total = sum(added(v, x[0]) for v in [z, z * 2])
    return total * total


@program(positive(3), second=True)
def arguments_of_a_lambda(x):
    z = x * 2
    product = (lambda a, b, c: a * b * c)(z * 2, added(z, x[0]), z * 3)
    return np.sum(product)


@program(positive(3), second=True)
def results_of_functions_in_a_list(x):
    z = x * 2
    made = [f(z) for f in (lambda v: v * 3, lambda v: added(v, x[0]), lambda v: v[0] * 2)]
    return np.sum(made[0] * made[1] * made[2])


@program(positive(3), second=True)
def lists_that_are_popped(x):
    items = [v * 2 for v in x]
    pairs = [items[0] * 3, items.pop(0), items[0], len(items)]
    return pairs[0] * pairs[1] * pairs[2] * pairs[3]


@program(normal(3, 4))
def value_of_two_targets_computed_once(x):
    n = x.shape[1]
    c = np.zeros((n, n))
    for i in range(n - 1):
        c[i + 1 :, i] = c[i, i + 1 :] = x[:, i] @ x[:, i + 1 :]
    return np.sum(c**3)


@program(normal(4))
def value_of_two_targets_reads_the_first(x):
    y = x * 1.0
    y[0] = y[1] = y[0] * y[1] + x[2]
    a = y[2] = np.sin(y[2]) * x[3]
    return np.sum(y**2) * a
