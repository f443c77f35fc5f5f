"""`try` where it is known while compiling what is raised: by keys, attributes, kinds and types."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program

TABLE = {"a": 1.5, "b": 2.5}
WHITES = {"D65": {"2": (0.95, 1.0, 1.08), "10": (0.94, 1.0, 1.07)}}


class Options:
    rate = 2.0

    def __init__(self, v):
        self.v = v

    def get(self, name):
        try:
            return getattr(self, name)
        except AttributeError:
            return self.v


def looked_up(kind):
    try:
        return TABLE[kind]
    except KeyError:
        raise ValueError(kind) from None


def first(items, default=1.0):
    try:
        return items[0]
    except IndexError:
        return default


def as_array(v):
    try:
        v.shape  # noqa: B018
        return v
    except AttributeError:
        return np.array(v)


def size(v):
    try:
        return len(v)
    except TypeError:
        return 1


def number(v):
    try:
        return float(v)
    except (TypeError, ValueError):
        return 0.5


@program(normal(3), 2, wrt=(0,), second=True, jit=True)
def by_keys(x, n):
    total = looked_up("a") * x[0] + x[1] * looked_up("b")
    for key in ("a", "z", "b"):
        try:
            total = total + TABLE[key] * x[n]
        except KeyError:
            total = total * x[1]
            continue
        total = total * 2
    try:
        white = WHITES["D65"]["3"]
    except KeyError:
        white = WHITES["D65"]["2"]
    return total * white[n]


@program(normal(3), 1, wrt=(0,))
def by_entries_that_are_set(x, n):
    held = {"a": x[0]}
    for key in ("a", "b"):
        try:
            held[key] += 1
        except KeyError:
            held[key] = x[n]
    rows = []
    try:
        rows.append(x[0])
        rows.missing(3)
    except AttributeError:
        rows.append(x[2])
    return held["a"] * held["b"] + rows[0] * rows[1]


@program(normal(3), wrt=(0,))
def by_attributes(x):
    options = Options(x[1])
    total = x[0] * options.get("rate") + options.get("missing") * options.get("v")
    y = x * 2
    try:
        y[0] = 5.0
        y.missing = 3
    except AttributeError:
        y[1] = y[0] * x[2]
    return total * y[0] * y[1] * y[2]


@program(normal(3), wrt=(0,))
def by_kinds(x):
    total = first([x[0], x[1]]) * first([], 2.0) + first((x[2],))
    total += np.sum(as_array([x[0], 2.0])) * np.sum(as_array(x))
    total += x[0] * size(x) + x[1] * size(x[1]) + size([1, 2]) * x[2] + size("abc")
    return total * number("1.5") + x[1] * number("q") + number(None) * x[2]


@program(normal(3), wrt=(0,))
def by_modules(x):
    try:
        import no_such_module_at_all as special

        scale = special.scale
    except ImportError:
        scale = 2.0
    try:
        from math import cbrt_of_another_version as root
    except ImportError:
        from math import sqrt as root
    try:
        try:
            scale = scale * TABLE["q"]
        except ValueError:
            scale = 1.0
    except KeyError:
        scale = scale + 1.0
    else:
        scale = 0.0
    return root(2.0) * x[0] * scale * x[1]


def parsed(kind):
    if kind == "a":
        return 1.5
    raise ValueError(kind)


class NotFound(KeyError):
    pass


def found(table, key):
    if key not in table:
        raise NotFound(key)
    return table[key]


class Stack:
    def __init__(self):
        self.held = []

    def pop(self):
        if not self.held:
            raise IndexError("empty")
        return self.held.pop()


@program(normal(3), 2, wrt=(0,), jit=True)
def by_what_functions_raise(x, n):
    try:
        scale = parsed("b") * parsed("a")
    except ValueError:
        scale = 3.0
    table, total = {"p": x[0]}, 0.0
    for key in ("p", "q"):
        try:
            v = found(table, key)
        except KeyError as error:  # noqa: F841
            v = x[1]
        total = total + v * v
    stack = Stack()
    try:
        v = stack.pop()
    except IndexError:
        stack.held.append(x[n])
    try:
        raise ValueError("never seen")
    except TypeError:
        scale = 1.0
    except (KeyError, ValueError):
        scale = scale * 2.0
    return total * scale + v * len(stack.held)


class Derived:
    def __init__(self, **given):
        self.__dict__["given"] = given

    def __getattr__(self, name):
        if name == "twice":
            return self.given["p"] * 2
        try:
            return self.given[name]
        except KeyError:
            raise AttributeError(name) from None


@program(normal(3), wrt=(0,))
def asked_of_attributes_that_are_computed(x):
    made = Derived(p=x[0], q=x[1])
    total = made.p * hasattr(made, "q") * made.q + hasattr(made, "z") * x[2]
    total += hasattr(made, "twice") * made.twice
    return total * getattr(made, "missing", x[2])
