"""Calls of one kind that always raise, beside others that do not: flags, names, what is held."""

import numpy as np

from programs.registry import normal, program


def activation(z, kind):
    if kind == "relu":
        return np.where(z > 0, z, 0.1 * z)
    elif kind == "tanh":
        return np.tanh(z)
    raise ValueError(f"unknown activation {kind!r}")


@program(normal(3, 3), "tanh", jit=True, second=True)
def layers_of_a_named_kind(w, kind):
    h = np.ones(3)
    for row in w:
        h = activation(row * h, kind)
        h[0] += 1
    return (h @ h) * activation(h, kind).sum()


@program(normal(3), "cube", 0, jit=True, second=True)
def kinds_asked_for_on_a_path_that_is_not_taken(x, kind, n):
    y = x * 1.0
    if n > 1:
        y = activation(x, kind)
        y *= 2
    z = activation(y, kind) if n > 0 else y
    if n and activation(y, kind)[0] > 0:
        return y[1]
    return (y * z).sum()


@program(normal(3), 2.0, 0.5, jit=True, wrt=(0, 1, 2))
def parameters_called_as_builtins_are(x, len, range):
    def step(list, reversed, sum=1.0):
        if list.size < 2:
            return list.sum() * reversed
        return step(list[1:], reversed * len) + sum * step(list[:-1], reversed, sum * range)

    total = 0.0
    for i, v in enumerate(x):
        total = np.sin(total) * len + v * x[i] ** 2
    return total * step(x, range)


def by_place(a, b=1.0, /, c=2.0, **others):
    return a * b + c * others.get("a", 1.0) - others.get("b", 0.5) * sum(others.values())


@program(normal(3), 0.7, jit=True, wrt=(0, 1))
def keywords_called_as_parameters_without_names(x, w):
    s = by_place(x[0], a=w) + by_place(x[1], x[0], b=x[-1], c=w)
    return s + by_place(x[-1], **{"a": x[1], "b": w, "c": x[0]})
