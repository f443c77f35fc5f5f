"""Classes defined inside of the function that uses them."""

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from programs.registry import normal, program


@program(normal(6), second=True)
def accumulator(x):
    class Accumulator:
        scale = 2.0

        def __init__(self, value):
            self.value = value

        def add(self, other):
            self.value = self.value + other * self.scale
            return self

    total = Accumulator(0.0)
    for v in x:
        total.add(v**2)
    return total.value


@program(normal(6), second=True)
def inheritance_and_names_of_the_function(x):
    size = x.size
    a = x[0] * 2

    class Base:
        def __init__(self, value):
            self.value = value

        def scaled(self):
            return self.value * a

        @property
        def square(self):
            return self.value**2

        @staticmethod
        def times(q):
            return q * size

        @classmethod
        def double(cls, q):
            return cls(q * 2)

    class Child(Base):
        k = 3.0

        def __init__(self, value, weight=1.0):
            super().__init__(value)
            self.weight = weight

        def scaled(self):
            return super().scaled() + self.k * self.weight + Base.times(self.value)

    a = a * x[1]  # methods read it when they are called
    child = Child(x[2], x[3])
    return child.scaled() + child.square + Child.double(x[4]).scaled() * Base(x[5]).scaled()


@program(normal(6), second=True)
def records_and_enums(x):
    @dataclass
    class Point:
        a: float
        b: float = 2.0
        c: list = field(default_factory=list)

        def __add__(self, other):
            return Point(self.a + other.a, self.b * other.b)

    class Color(enum.Enum):
        RED = 1
        BLUE = 2

    class Pair(NamedTuple):
        u: float
        w: float = 1.0

    p = Point(x[0]) + Point(x[1], x[2])
    p.c.append(x[3])
    pair = Pair(x[4])
    total = p.a * p.b + p.c[0] ** 2 + pair.u * pair.w
    for color in Color:
        if color is Color.BLUE:
            total *= x[5]
    return total


def make_cell(w):
    class Cell:
        scale = w

        def __init__(self):
            self.h = 0.0

        def step(self, v):
            self.h = np.tanh(w * v + self.h)
            return self.h

    return Cell()


@program(normal(6), second=True)
def made_by_another_function(x):
    first, second = make_cell(x[0]), make_cell(x[1])
    total = 0.0
    for v in x:
        total += first.step(v) * second.step(v)
    return total + first.scale * second.scale


@program(normal(6), second=True)
def in_a_loop(x):
    total = 0.0
    for v in x:

        class Term:
            def __init__(self, q):
                self.q = q * v

        total += Term(v).q

    class Stack:
        def __init__(self):
            self.items = []

        def push(self, item):
            self.items.append(item)

        def pop(self):
            return self.items.pop()

        def __len__(self):
            return len(self.items)

    stack = Stack()
    for v in x:
        if v > 0:
            stack.push(v)
    while len(stack):
        total += stack.pop() ** 2
    return total


@program(normal(5), 3, jit=True, second=True)
def a_list_of_nodes_adds_itself_up_with_a_name_from_around(x, n):
    scale = x[0] * 2

    class Node:
        def __init__(self, v, after=None):
            self.v, self.after = v, after

        def total(self):
            if self.after is None:
                return self.v * scale
            return self.v * scale + self.after.total() * x[1]

    head = None
    for i in range(n):
        head = Node(x[i] ** 2, head)
    return head.total() if head is not None else x[0]


@program(normal(3), 3)
def an_adaptive_rule_as_a_class_beside_its_integrand(x, depth):
    tol = 1e-3

    def f(t):
        return np.sin(t * x[0]) + x[1] * t**2 + x[2]

    class Simpson:
        def rule(self, a, b):
            return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

        def integrate(self, a, b, level=0):
            middle = (a + b) / 2
            left, right = self.rule(a, middle), self.rule(middle, b)
            if level >= depth or abs(left + right - self.rule(a, b)) < tol:
                return left + right
            return self.integrate(a, middle, level + 1) + self.integrate(middle, b, level + 1)

    return Simpson().integrate(0.0, 2.0)
