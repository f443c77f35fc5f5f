"""Calls of the standard library and of NumPy in forms that are less common."""

import functools
import itertools
import math
import operator

import numpy as np

from programs.registry import normal, program


@program(normal(6), second=True)
def groups_of_numbers(x):
    total = 0.0
    for k, group in itertools.groupby(range(6), key=lambda i: i // 2):
        squares = 0.0
        for i in group:
            squares += x[i] ** 2
        total += np.sqrt(squares) * (k + 1)
    for positive, group in itertools.groupby(x, key=lambda v: v > 0):
        members = list(group)
        total += np.prod(np.array(members)) if positive else sum(members) ** 2
    return total


@program(normal(6), second=True)
def groups_of_sorted_pairs(x):
    data = [(i % 2, x[i]) for i in range(6)]
    data.sort(key=operator.itemgetter(0))
    total = 0.0
    for k, group in itertools.groupby(data, key=operator.itemgetter(0)):
        values = [v for _, v in group]
        total += (k + 1) * np.prod(values) + sum(values) ** 2
    return total


@program(normal(6), second=True)
def method_callers(x):
    add_up = operator.methodcaller("sum")
    middle = operator.methodcaller("mean", axis=0)
    return add_up(x**2) + middle(x) * operator.attrgetter("T")(x).dot(x)


class Parameters:
    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, name, value)


@program(normal(6), second=True)
def attributes_by_name(x):
    p = Parameters(a=x[0], b=x[1])
    setattr(p, "c", p.a * p.b)
    for name in ("a", "b"):
        setattr(p, name, getattr(p, name) * 2.0)
    return p.a * p.b + p.c**2


@program(normal(6), second=True)
def unpacked_ranges(x):
    first, *_, last = range(5)
    a, *rest = range(1, 4)
    (p, q), (r, t) = zip((x[0], x[1]), (x[2], x[3]))
    return x[first] * x[last] + x[a] * sum(x[i] for i in rest) + p * q * q + r * t


@program(normal(6), second=True)
def ufuncs_at_places(x):
    y = x.copy()
    np.negative.at(y, [0, 2, 0])
    z = np.zeros(3) - 5.0
    np.maximum.at(z, np.array([0, 1, 2, 0, 1, 2]), x)
    w = np.ones(3)
    np.multiply.at(w, np.array([0, 1, 2, 0, 1, 2]), x)
    return np.sum(y * x**2) + np.sum(z**2) + np.sum(w * z)


@program(normal(6), second=True)
def ufuncs_at_places_of_a_matrix(x):
    a = x.reshape(2, 3) * 1.0
    np.multiply.at(a, (np.array([0, 0, 1]), np.array([1, 1, 2])), x[:3])
    np.divide.at(a, 0, 2.0)
    np.square.at(a, (slice(None), 0))
    return np.sum(a * x.reshape(2, 3))


@program(normal(6), second=True)
def shapes_that_are_set(x):
    y = x.copy()
    y.shape = (2, -1)
    y.shape = y.shape[::-1]
    z = x * 1.0
    z.resize(8)
    w = np.array(x)
    w.resize((2, 2))
    return np.sum((y @ y.T) ** 2) + np.sum(z**2) + w[1] @ w[0]


@program(normal(6), second=True)
def products_of_generators(x):
    total = math.prod(v**2 + 1 for v in x) + math.prod([x[0], x[1]])
    total += math.prod(x[i] - x[j] for i in range(3) for j in range(i))
    return total + math.prod((v for v in x[:3]), start=2.0)


@program(normal(6), second=True)
def einsum_of_sublists(x):
    a = x.reshape(2, 3)
    total = np.einsum(a, [0, 1], a, [0, 1], [])
    return total + np.sum(np.einsum(a, [0, 1], a, [2, 1], [0, 2]) ** 2)


def twice(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs) * 2.0

    return inner


def scaled(function, scale=1.0):
    @functools.wraps(function)
    def inner(*args):
        return scale * function(*args)

    return inner


double_sine = twice(np.sin)
columns = functools.partial(np.sum, axis=0)
power_of_two = functools.partial(np.power, 2.0)
weighted = functools.partial(np.matmul, np.array([[0.3, -1.2, 0.4]]))
times_four = functools.partial(scaled, scale=4.0)


@times_four
def cube(v):
    return v**3


@program(normal(6), second=True)
def wrapped_ufuncs(x):
    return np.sum(double_sine(x) ** 2) + np.sum(cube(x))


@program(normal(6), second=True)
def partials_outside(x):
    total = columns(x.reshape(2, 3))[1] + np.sum(power_of_two(x))
    return total + np.sum(weighted(x.reshape(3, 2)) ** 2)


@program(normal(6), second=True)
def axes_from_a_generator(x):
    a = x.reshape(1, 2, 3)
    axes = tuple(i for i in range(a.ndim) if i != 1)
    rest = a.mean(axis=tuple(i for i in range(3) if i > 0))
    return np.sum(np.sum(a**2, axis=axes) ** 2) + np.sum(rest**2)
