"""Generators without end, of which items are taken one by one."""

import numpy as np

from programs.registry import positive, program


def newton(a, y):
    while True:
        y = 0.5 * (y + a / y)
        yield y


@program(positive(2), jit=True, second=True)
def newton_until_it_stands(x):
    steps = newton(x[0], x[1])
    old = next(steps)
    while True:
        new = next(steps)
        if abs(new - old) < 1e-9:
            return new * x[1]
        old = new


@program(positive(3), jit=True)
def sequence_of_products(x):
    def products():
        a, b = x[0], x[1]
        while True:
            yield a
            a, b = b, a * b + x[2]

    items = products()
    next(items)
    total = 0.0
    for k in range(5):
        total += next(items) * k
    return total + next(items)


def congruential(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed / 2**31


@program(positive(4), jit=True)
def two_streams_of_numbers(x):
    first, second = congruential(1), congruential(2)
    total = 0.0
    for v in x:
        total += v * next(first)
        if v > 1.0:
            total += v**2 * next(second)
    return total


@program(positive(4))
def beside_an_array(x):
    def angles(t):
        while True:
            yield t
            t = np.sin(t) * x[1]

    t = angles(x[0])
    total = 0.0
    for v, angle in zip(x, t):  # noqa: B905
        total += v * angle
    return total * next(t)


@program(positive(4))
def read_when_it_is_taken(x):
    y = x.copy()

    def entries():
        k = 0
        while True:
            yield y[k]
            k += 1

    items = entries()
    a = next(items)
    y[1] = 5.0 * x[0]
    return a * next(items)


class Pendulum:
    def __init__(self, x):
        self.x, self.angle = x, 0.0

    def run(self):
        while True:
            self.angle = self.angle + self.x[0] * np.cos(self.angle)
            yield self.angle


@program(positive(2))
def method_of_an_object(x):
    pendulum = Pendulum(x)
    run = pendulum.run()
    total = 0.0
    for _ in range(4):
        total += next(run) * pendulum.angle
    return total * x[1]
