"""Closure variables: read when called, active and inactive, counted and configured."""

import functools

import numpy as np

from programs.registry import normal, positive, program, register


def make_loss(target, weight):
    """A loss that closes over data."""

    def loss(x):
        r = x - target
        return weight * np.sum(r * r)

    return loss


register("closures.closed_over_data", make_loss(np.array([0.1, 0.2, 0.3]), 2.0), normal(3))


def make_polynomial(coefficients):
    """A closure with a loop over closed-over values."""

    def polynomial(x):
        y = 0.0
        for c in coefficients:
            y = y * x + c
        return y

    return polynomial


register("closures.closed_over_list", make_polynomial([1.0, -2.0, 0.5]), positive())


def make_composed(f, g):
    """Functions closed over."""

    def composed(x):
        return np.sum(f(g(x)))

    return composed


register("closures.closed_over_functions", make_composed(np.sin, lambda v: v * v), normal(3))


def make_late():
    """The closure reads `scale` as it is when called, after it was rebound."""
    scale = 1.0

    def late(x):
        return scale * np.sum(x**2)

    scale = 4.0
    return late


register("closures.read_when_called", make_late(), normal(3))


@program(normal(3), second=True)
def inner_closes_over_active(x):
    m = np.mean(x)

    def centred(v):
        return v - m

    return np.sum(centred(x) ** 2 * np.arange(3.0))


@program(normal(3))
def rebound_before_call(x):
    scale = 1.0

    def scaled(v):
        return scale * v

    scale = x[0]
    return np.sum(scaled(x))


@program(normal(3))
def rebound_between_calls(x):
    w = x[0]

    def f(v):
        return w * v

    a = f(x[1])
    w = x[2]
    return a * f(x[1])


@program(normal(3), normal(3), wrt=(0, 1))
def returns_closure(x, y):
    def adder(a):
        def add(b):
            return np.sin(a) * b

        return add

    return np.sum(adder(x)(y)) + np.sum(adder(y)(x * y))


@program(normal(3))
def list_of_closures(x):
    terms = [lambda v, p=p: v**p for p in (1, 2, 3)]
    s = 0.0
    for t in terms:
        s += np.sum(t(x)) * (1.0 + s)
    return s


@program(normal(4))
def closure_writes_buffer(x):
    out = np.zeros(4)

    def put(i, v):
        out[i] = v * v

    for i in range(4):
        put(i, x[i])
    return np.sum(out * x)


@program(normal(3))
def nonlocal_counter(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v

    for v in x:
        add(v)
    return total * x[0]


@program(normal(3), second=True)
def recursive_inner(x):
    def fold(i):
        if i == 3:
            return 1.0
        return x[i] * fold(i + 1) + 0.5

    return fold(0)


@program(normal(2), 4)
def integrator_with_field(y0, steps):
    def field(y, t):
        return np.array([y[1], -np.sin(y[0]) + 0.1 * t])

    def rk2(y, t, h):
        k1 = field(y, t)
        k2 = field(y + 0.5 * h * k1, t + 0.5 * h)
        return y + h * k2

    y = y0
    for n in range(steps):
        y = rk2(y, n * 0.1, 0.1)
    return y[0] * y[1]


@program(normal(2), positive(), wrt=(0, 1))
def newton_with_closure(x, a):
    def residual(v):
        return v**3 + a * v - x

    def slope(v):
        return 3.0 * v**2 + a

    v = np.zeros(2)
    for _ in range(6):
        v = v - residual(v) / slope(v)
    return np.sum(v**2)


@program(normal(4))
def lambda_that_returns_a_lambda_over_its_functions(x):
    composed = lambda *fs: lambda v: functools.reduce(lambda acc, g: g(acc), fs, v)  # noqa: E731
    return composed(np.sin, lambda z: z**2 + x[2])(x[3])


@program(positive(4), second=True)
def list_of_lambdas_from_a_loop(x):
    steps = []
    for i in range(5):
        steps.append(lambda v, i=i: np.sin(v) * x[i % 4] + i)
    y = x[3]
    for step in steps:
        y = step(y)
    return y


@program(positive(4), second=True)
def lambdas_that_read_the_counter_late(x):
    steps = []
    for i in range(3):
        steps.append(lambda v: v * x[i] + i)
    return steps[0](x[3]) + steps[2](x[0])


def _layer(w, b):
    def apply(v):
        return np.tanh(w * v + b)

    return apply


@program(positive(5), second=True)
def layers_made_by_a_function(x):
    layers = [_layer(x[i], x[i + 1]) for i in range(len(x) - 1)]
    y = x[3]
    for layer in layers:
        y = layer(y)
    return y


@program(positive(4), 3)
def layers_as_many_as_asked_for(x, n):
    layers = []
    for i in range(n):
        layers.append(_layer(x[i], x[i + 1]))
    y = x[3]
    for layer in reversed(layers):
        y = layer(y)
    return y


def _then(f, w):
    return lambda v: np.sin(f(v)) * w


@program(positive(4), second=True)
def function_made_of_the_last_one(x):
    f = np.exp
    for i in reversed(range(3)):
        f = _then(f, x[i])
    return f(x[3])


@program(np.array([0.9, 0.5, -0.2]), second=True)
def methods_of_what_calls_give(x):
    """What is called has side effects, and a method of its result is called: it runs once."""
    parts = [x[0]]

    def grow(e):
        parts.append(e)
        return np.array(parts) * 0.2

    first = grow(x[1]).sum()
    second = [grow(x[2])[0], 2.0].copy()
    third = {"a": np.sum(grow(x[0] * x[1]))}.get("a")
    return np.sum(grow(x[2]) ** 2) + first * second[0] + third * len(parts)


class Operator:
    def __init__(self, apply):
        self.apply = apply

    def __call__(self, v):
        return self.apply(v)

    def scaled(self, s):
        return Operator(lambda v: s * self(v))

    def __matmul__(self, other):
        return Operator(lambda v: self(other(v)))

    def __add__(self, other):
        return Operator(lambda v: self(v) + other(v))


@program(0.7, second=True)
def an_algebra_of_operators(x):
    square = Operator(lambda v: v * v)
    twice = square @ (square.scaled(x) + Operator(lambda v: x * v))
    return twice(x) + square.scaled(2.0)(x)


@program(normal(3), 3, jit=True, second=True)
def names_of_two_functions_around_declared_at_once(x, n):
    total = 0.0

    def make(k):
        w = x[k % 3] * k

        def step(d=1.0):
            nonlocal total, w
            w += d
            total += w * x[0]
            return step

        return step

    for k in range(n):
        step = make(k)
        step()(2.0)
        if total > 20.0:
            break
    else:
        total *= 2.0
    return total**2
