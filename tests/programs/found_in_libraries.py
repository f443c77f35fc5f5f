"""Idioms of published code: placeholders of None, generators that are asked for, sparse or dense
matrices, names that only another version has, attributes that no path sets."""

from __future__ import annotations

import math
import numbers

import numpy as np
import scipy.optimize
from scipy import sparse

from programs.registry import normal, positive, program


class Filter:
    def __init__(self, dim_z):
        self.x = np.zeros(2)
        self.z = np.array([[None] * dim_z]).T

    def update(self, z):
        if z is None:
            self.z = np.array([[None] * 1]).T
            return
        self.x = self.x + z * 0.5
        self.z = z.copy()


class Chain:
    def __init__(self, p):
        if sparse.issparse(p):
            self.p = sparse.csr_matrix(p)
        else:
            self.p = np.asarray(p)
        if len(self.p.shape) != 2:
            raise ValueError("a square matrix, please")


class Steps:
    def __init__(self, step):
        self.step = step


def check_random_state(seed):
    if isinstance(seed, (numbers.Integral, np.integer)):
        return np.random.RandomState(seed)
    if isinstance(seed, (np.random.RandomState, np.random.Generator)):
        return seed
    raise ValueError(seed)


def course(lengths, modes):
    s = 0.0
    for mode, length, i in zip(modes, lengths, range(len(modes))):  # noqa: B905
        if i >= 1:
            s += lengths[i - 1]
        if mode == "S":
            s += length * 2.0
    return s


@program(normal(4), 3, wrt=0, jit=True)
def a_placeholder_of_none(x, n):
    k = Filter(1)
    for i in range(n):
        k.update(x[:2] * i if i % 2 else None)
    k.update(x[1:3])
    return np.sum(k.x**2) + k.z[0] * x[3]


@program(normal(4), wrt=0, jit=True)
def a_matrix_that_may_be_sparse(x):
    return np.sum(Chain(np.outer(x, x)).p ** 2)


@program(normal(4), wrt=0)
def a_generator_that_is_asked_for(x):
    rs = check_random_state(check_random_state(1))
    kept = rs.choice(range(4))
    return np.sum(x * rs.standard_normal(4)) + x[kept] ** 2


@program(normal(4), 1, wrt=0, jit=True)
def modes_that_are_none_on_some_paths(x, n):
    modes = None
    if n > 0:
        modes = ["L", "S"]
    return course([x[0], x[1]], modes)


@program(normal(4), 2, wrt=0, jit=True)
def what_is_not_there_is_not_come_to(x, n):
    k, total = Steps(np.inf), 0.0
    for v in x:
        if v > k.step:
            if k.clip is None:
                continue
            v = k.clip
        total = total + v**2
    if n > 5:
        return total * math.no_such_constant
    return total * (x[0] if n < 9 else k.other)


@program(normal(4), wrt=0, jit=True)
def the_shape_of_a_number(x):
    a = np.array([x[k] * 3.0 for k in range(2)])
    r = a[0] ** 2 + a[1]
    return r * len(np.zeros(r.shape).shape) + r * r.size + np.asanyarray(r) * (r.ndim + 1)


@program(positive(4), wrt=0)
def a_game_solved_with_limits_in_a_column(x):
    a = np.hstack((-x.reshape(2, 2).T - np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones((2, 1))))
    found = scipy.optimize.linprog(
        c=np.array([0, 0, -1.0]), A_ub=a, b_ub=np.zeros((2, 1)), A_eq=np.array([[1.0, 1, 0]]),
        b_eq=[1.0], bounds=[(0, None), (0, None), (None, None)],
    )  # fmt: skip
    return found.x[0] * 2.0 + found.x[2]
