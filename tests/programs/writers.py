"""Functions that write into their arguments, and numbers drawn by module generators."""

import operator
import random

import numpy as np

from programs.registry import normal, program


@program(normal(3, 4), second=True)
def put_in_every_way(m):
    y, z = m.copy(), m.copy()
    np.put(z, [[1, -2], [5, 5]], m[1])
    np.put(z, [20, -14], m[0, 0], mode="wrap")
    np.put(z, [90], m[0, 2], mode="clip")
    np.putmask(y, np.arange(12).reshape(3, 4) % 3 == 1, m[0, :2])
    np.place(y, np.arange(12).reshape(3, 4) % 4 == 2, [1.0, m[0, 0], m[1, 1] * 2])
    y.put([0, 7], m[2, :2] ** 2)
    return np.sum(y**2) + np.sum(z**3)


@program(normal(3, 4), second=True)
def put_along_an_axis(m):
    z = m.copy()
    np.put_along_axis(z, np.array([[0], [3], [1]]), m[:, 1:2] * m[0, 0], 1)
    np.put_along_axis(z, np.array([[2, 0, 1, 1]]), m[0] * m[0, 0], axis=0)
    np.put_along_axis(z, np.array([3, 4]), m[0, :2] ** 2, None)
    w = np.stack([m, m * 2])
    np.put_along_axis(w, np.array([[[0, 1, 2, 0]]]), m[1] ** 2, axis=1)
    return np.sum(z**3) + np.sum(w**2)


@program(normal(3, 4), second=True)
def fill_and_copy(m):
    y, z, w = m.copy(), m.copy(), np.stack([m[:, :3]] * 3)
    np.fill_diagonal(y.T, m[1])
    np.fill_diagonal(z, m[0, 0] * 2)
    np.fill_diagonal(w, m[0, :3] ** 2)
    np.copyto(y, m[0], where=np.arange(4) > 1)
    np.copyto(z[0], 3.0)
    return np.sum(y**2) + np.sum(z**3) + np.sum(w * w)


@program(normal(6), second=True)
def shuffled(x):
    y, items, order = x * 2, [v for v in x], np.arange(6)
    np.random.default_rng(3).shuffle(y)
    random.Random(4).shuffle(items)
    np.random.seed(0)
    np.random.shuffle(order)
    np.random.shuffle(y)
    random.seed(1)
    random.shuffle(items)
    z = x[order]
    return y @ np.arange(6) ** 2 + items[0] * items[1] ** 2 + z[0] * z[1] ** 3


@program(normal(6), second=True)
def drawn_by_the_module(x):
    np.random.seed(1)
    z, k, p = np.random.randn(6), np.random.randint(3), np.random.permutation(6)
    noisy = np.random.normal(x, 0.1 + x**2)
    return x @ z + x[k] + x[p][0] * np.random.rand(2, 3)[0, 1] + np.sum(noisy * x)


@program(normal(6), second=True)
def operators_in_place(x):
    y = x.copy()
    z = operator.iadd(y, x)
    operator.imul(z, x[::-1].copy())
    operator.setitem(y, 4, x[0] * x[1])
    y.__setitem__(2, x[5] ** 2)
    y.__isub__(x * 0.5)
    items = operator.iconcat([x[0]], [x[1] * 2])
    return np.sum(y**2 * x) + operator.getitem(z, slice(0, 2)).sum() + items[0] * items[1]


@program(normal(3, 4), second=True)
def places_in_lists_of_lists(m):
    k = m[[[0, 1], [2, 0]], [[1, 1], [0, 3]]]
    y = m.copy()
    y[:, [0, 2]] *= 2
    y[[[0], [2]], [1, 3]] += k
    return np.prod(k) + np.sum(y**3) + np.sum(m[1, [True, False, True, False]]) ** 2


@program(normal(6), second=True)
def slices_in_a_dict(x):
    parts = {"position": slice(0, 3), "speed": slice(3, 6)}
    state = np.zeros(6)
    state[parts["position"]] = x[parts["speed"]] * 2
    state[parts["speed"]] = x[parts["position"]] ** 2
    views = {k: state[v] for k, v in parts.items()}
    views["position"] += views["speed"]
    p, v = views.values()
    v *= p
    return np.sum(state) + p @ v


@program(normal(6), second=True)
def patterns_of_one_test(x):
    total = 1.0
    for i, v in enumerate(x):
        match (len(x), i % 3):
            case (6, 0):
                total *= v
            case (6, k) if v > 9:
                total -= k
            case _:
                total += v * v
    return total


@program(normal(4), second=True)
def drawn_by_python(x):
    draws, total = random.Random(3), 0.0
    for k in range(2):
        total += draws.uniform(x[0], x[k + 1]) + draws.gauss(x[1], x[2]) * draws.random()
    random.seed(5)
    total += random.uniform(-1, x[1]) * random.choice(x) + random.expovariate(2 + x[0] ** 2)
    return total + draws.lognormvariate(x[2], 0.5) * draws.normalvariate(mu=0.1, sigma=x[3])
