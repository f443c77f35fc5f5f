"""Code that asks what it was given: numbers, lists, arrays of any rank; names found late."""

from collections.abc import Iterable

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53])
FLOATS = np.float32 | np.float64
NUMBERS = (int, np.integer, float, np.floating)


class Namespace:
    """A module whose names may have moved."""

    def __init__(self, module):
        self._module, self._moved = module, {"sine": "sin"}

    def __getattr__(self, name):
        return getattr(self._module, self._moved.get(name, name))


fn = Namespace(np)


class Table:
    def __init__(self, columns):
        self.columns, self.scale = columns, 2.0

    def __getattr__(self, name):
        if name.endswith("_squared"):
            return getattr(self, name.removesuffix("_squared")) ** 2
        return self.columns[name] * self.scale


def as_floats(values, dtype=np.float64):
    assert dtype in FLOATS.__args__
    return np.asarray(values, dtype)


def vector(v, size=None, dtype=np.float64):
    if isinstance(v, NUMBERS):
        v = [v]
    if isinstance(v, list | tuple):
        return np.array(v, dtype=dtype)
    if size is not None and not (v.shape == (size,) or v.shape == (1, size)):
        raise ValueError(f"{size} numbers are needed")
    v = v.flatten()
    if v.dtype.kind == "O":
        dtype = "O"
    return v.astype(dtype)


def in_radians(v, unit="rad"):
    if not isinstance(v, Iterable):
        return v if unit == "rad" else np.deg2rad(v)
    return vector(v)


def turn(angle):
    angle = in_radians(angle)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def turned(first, *others):
    angles = [first, *others] if np.isscalar(first) else vector(first, 3)
    return turn(angles[0]) @ turn(angles[1] * angles[2])


def product(p, q):
    p, q = vector(p, 4), vector(q, 4)
    v, w = p[1:4], q[1:4]
    return np.r_[p[0] * q[0] - np.dot(v, w), p[0] * w + q[0] * v + np.cross(v, w)]


def to_columns(parts):
    return np.concatenate([part[..., np.newaxis] for part in as_floats(parts)], axis=-1)


@program(X, second=True)
def quaternion_power(x):
    q, power = vector([x[0], *x]), np.array([1, 0, 0, 0])
    for _ in range(3):
        power = product(power, q)
    total = np.sum(turned(x)) + turned(x[0], x[1], x[2])[0, 1]
    return total + power @ np.arange(4.0) + to_columns([x[0] * x[1], x[2]]) @ x[1:]


def log_of_turn(T, depth=0):
    if T.shape == (3, 3):
        R, t = T[:2, :2], T[:2, 2]
        S = log_of_turn(R, depth + 1)
        return np.r_[t * S[1, 0], S[1, 0]]
    if T.shape != (2, 2):
        raise ValueError("a matrix of two or three rows")
    return (T - T.T) * np.arccos(T[0, 0]) / 2


@program(X, second=True)
def names_found_late(x):
    table = Table({"a": x * x[0], "b": fn.sine(x)})
    total = np.sum(table.a_squared * table.b) * fn.pi
    T = np.eye(3)
    T[:2, :2], T[:2, 2] = turn(x[0]), x[1:]
    return total + np.sum(log_of_turn(T) ** 2)


@program(X, second=True)
def numbers_or_arrays(x):
    total = 0.0
    for k in range(4):
        v = x[0] * 2.0 if k % 2 else x * k
        if np.isscalar(v):
            total += v**2
        elif np.iterable(v):
            total += len(v) * v[1]
        if not isinstance(v, Iterable):
            v = [v]
        for each in v:
            total += np.sin(each) * each[..., None][0]
    return total


@program(X, second=True)
def integers_at_first(x):
    a, b = np.array([1]), np.array([1, 2, 3])
    total = x[0]
    for j in range(1, 3):
        gamma = -np.sum(x[1 : j + 1] * a[::-1]) / total
        a = np.concatenate((a, np.zeros(1))) + gamma * np.concatenate((np.zeros(1), a[::-1]))
    if x[0] > 0.9:
        b = b * x
    assert b[0] <= b[1] and b[1] <= b[2] and total <= b[2], (
        "the three numbers must not \
    become smaller"
    )
    return a @ x + b[1] * x[1] + np.sum(b[1:] * x[1:]) + np.sum(b)


class Weighted:
    kinds = [int, float]

    def __init__(self, weight):
        self.weight = weight
        if type(weight) not in self.kinds:
            raise TypeError("%s is none of %s" % (repr(self), self.kinds))

    def __call__(self, x):
        assert x[0] < 5.0, (self, "cannot weigh", x)
        if x[1] < 0.0:
            raise ValueError(f"{type(self)} weighs no {x[1]}", self)
        return self.weight * np.sin(x)


@program(X, second=True)
def errors_that_tell_of_objects(x):
    dtype = x.dtype if np.issubdtype(x.dtype, np.floating) else np.float32
    return np.sum(np.maximum(Weighted(2.0)(x), 0.1).astype(dtype) ** 2)


@program(X, second=True)
def integers_on_some_paths(x):
    a, total = np.array([1, 2, 3]), x[1] ** 2 * 0.3
    if x[0] > 0.9:
        a = a * x
    y = x.copy()
    y[1] = x[1] ** 2
    rows = [np.array([k, 2, 3]) if k % 2 else x * k for k in range(3)]
    p = np.array([0, 0, 0])
    for k in range(3):
        p = p + x * 0.1
        p[0] = x[1] * k
        total += p @ x
    return total + np.sum(a * x) + np.sum(a * y) + sum(row @ x + x[0] * 0.3 for row in rows)
