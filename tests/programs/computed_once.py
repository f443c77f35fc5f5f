"""Cached properties: what an object computes once is one array, whoever asks for it and when."""

from functools import cached_property

import numpy as np

from programs.registry import normal, program


class Material:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    @cached_property
    def matrix(self):
        return self.stiffness * np.array([1.0, 2.0])

    @cached_property
    def steps(self):
        return [self.stiffness, 2.0 * self.stiffness]


@program(1.5)
def asked_twice_it_is_the_same(x):
    m = Material(x)
    old = m.matrix
    m.stiffness = m.stiffness * 2.0
    return np.sum(old) * m.stiffness if m.matrix is old else 0.0


@program(1.5)
def changed_by_a_loop_over_objects(x):
    materials = [Material(x * k) for k in range(1, 4)]
    for m in materials:
        row = m.matrix
        row[1] *= 2.0
    total = 0.0
    for m in materials:
        row = m.matrix
        total += m.matrix[1] * m.stiffness if m.matrix is row else 0.0
    return total


@program(1.5)
def computed_in_some_turn_and_kept(x):
    m = Material(x)
    total = 0.0
    for k in range(4):
        if k % 2:
            m.matrix[0] += k
            total += m.matrix[0] * m.matrix[1]
        m.stiffness = m.stiffness * 1.5
    return total


@program(1.5)
def list_that_grows_while_a_run_decides(x):
    m = Material(x)
    total = 0.0
    while total < 30.0:
        m.steps.append(x)
        total += sum(m.steps)
    return total


@program(1.5)
def computed_on_one_path(x):
    m = Material(x)
    total = m.matrix[0] if x > 0.0 else 0.0
    m.stiffness = m.stiffness * 3.0
    return total + m.matrix[1] * m.stiffness


class Vector:
    """An object of which an attribute is computed once."""

    def __init__(self, v):
        self.v = v

    @cached_property
    def norm(self):
        return np.sqrt(np.sum(self.v**2))


@program(normal(5))
def asked_in_each_turn(x):
    thing, y = Vector(x), 0.0
    for v in x:
        y += thing.norm * v
        thing.v = thing.v + 1.0
    return y
