"""Attributes of functions that are made inside, and attributes that objects lose."""

import functools

import numpy as np

from programs.registry import normal, program


@program(normal(3), second=True, jit=True)
def counted_calls(x):
    def square(v):
        square.calls += 1
        return v * v

    square.calls = 0
    s = 0.0
    for v in x:
        s += square(v)
    return s * square.calls


@program(normal(3), second=True, jit=True)
def factors_that_change(x):
    def scaled(v):
        return v * scaled.factor

    scaled.factor = x[0]
    first = scaled(x[1])
    scaled.factor = x[2] * 2
    twice = lambda v: v * 2.0  # noqa: E731
    twice.text = "twice"
    return first + scaled(x[1]) ** 2 + twice(x[0]) * len(twice.text) * hasattr(twice, "text")


@program(normal(3), second=True)
def a_decorator_with_a_cache(x):
    def remember(f):
        def wrapped(k):
            if k not in wrapped.cache:
                wrapped.cache[k] = f(k)
            return wrapped.cache[k]

        wrapped.cache = {}
        return wrapped

    @remember
    def term(k):
        return x[k] if k < 2 else term(k - 1) + term(k - 2) * x[2]

    return term(5) * len(term.cache)


@program(normal(3), 3, second=True)
def a_recursion_that_counts(x, n):
    def down(k):
        down.calls += 1
        return x[0] if k <= 0 else down(k - 1) * x[1] + down.calls

    down.calls = 0
    return down(n) * down.calls + down(1)


class Item:
    weight = 3.0

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __bool__(self):
        return bool(self.a > 0)

    def __lt__(self, other):
        return self.a < other.a


@program(normal(3), second=True, jit=True)
def deleted_attributes(x):
    item = Item(x[0], x[1])
    item.weight = x[2]
    first = item.b * item.weight
    del item.b, item.weight
    other = Item(x[1], x[2])
    delattr(other, "b")
    return first * item.a * item.weight * (not hasattr(item, "b")) + getattr(other, "b", x[0])


@program(normal(4), second=True)
def sorted_objects_asked_for_their_truth(x):
    items = sorted([Item(v, v * v) for v in x])
    s = 0.0
    for i, item in enumerate(items):
        if item:
            s += item.b * (i + 1)
        else:
            s -= item.a
    kept = [item for item in items if item]
    s += (items[-1] or items[0]).b * any(items) + sum(item.b for item in kept) * len(kept)
    return s + np.sum(x) * all(items)


@program(normal(4), second=True)
def all_any_and_bool_of_objects(x):
    items = [Item(v, v * v) for v in x]
    low = sorted([Item(v - 9.0, v) for v in x])
    s = any(items) * x[0] + all(items) * x[1] + bool(items[2]) * x[2] ** 2
    return s + (any(low) + 2.0 - bool(low[1])) * x[3] + (0.0 if all(low) else x[1])


@program(normal(4), "sine", second=True)
def a_table_of_functions_by_their_names(x, which):
    def square(v):
        return np.sum(v**2)

    def sine(v):
        return np.sum(np.sin(v))

    table = {f.__name__: f for f in (square, sine)}
    return table[which](x) * len(table)


@program(normal(3), second=True)
def names_of_what_was_decorated(x):
    called = []

    def logged(f):
        def inner(*args):
            called.append(f.__name__)
            return f(*args)

        return functools.update_wrapper(inner, f)

    @logged
    def square(v):
        return v**2

    @logged
    def cube(v):
        return v**3

    total = np.sum(square(x)) + np.sum(cube(x))
    return total * (1 + called.count("cube")) + x[0] * len(square.__name__ + cube.__name__)
