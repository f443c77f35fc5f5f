"""Attributes that objects get in a loop."""

from __future__ import annotations

import types

import numpy as np

from programs.registry import normal, positive, program


class _Filter:
    """Estimates a level and a slope; keeps what its last step has computed."""

    def __init__(self, noise):
        self.x, self.P = np.zeros(2), 10.0 * np.eye(2)
        self.F, self.H = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
        self.R = np.eye(1) * noise
        self.inv = np.linalg.inv
        self.score = 0.0

    def update(self, z, R=None):
        self.x, self.P = self.F @ self.x, self.F @ self.P @ self.F.T + 0.1 * np.eye(2)
        if z is None:
            return
        R = self.R if R is None else np.eye(1) * R if np.isscalar(R) else R
        self.y = np.atleast_1d(z) - self.H @ self.x
        self.S = self.H @ self.P @ self.H.T + R
        self.K = self.P @ self.H.T @ self.inv(self.S)
        self.x = self.x + self.K @ self.y
        self.P = (np.eye(2) - self.K @ self.H) @ self.P
        self.score -= 0.5 * (self.y @ self.inv(self.S) @ self.y + np.log(np.linalg.det(self.S)))


@program(normal(5), jit=True, second=True)
def innovations_kept_by_a_filter(x):
    kalman = _Filter(np.exp(x[0]))
    for i, z in enumerate(x[1:]):
        kalman.update(z if i != 2 else None, R=0.5 if i == 1 else None)
    return kalman.score + kalman.x @ kalman.P[0] + kalman.K[0, 0] * kalman.y[0]


class _Network:
    def __init__(self, W):
        self.W = W
        self.cache = {}

    def forward(self, v):
        self.v = v
        self.h = np.tanh(self.W @ v)
        self.cache["h"] = self.h
        return self.h

    def backward(self, g):
        self.gW = np.outer(g * (1.0 - self.h**2), self.v)
        return self.W.T @ (g * (1.0 - self.h**2))


class _Running:
    def __init__(self):
        self.count = 0


@program(positive(4), jit=True, second=True)
def what_the_first_turns_set(x):
    net = _Network(np.outer(x, x) / 4.0)
    for turn in range(3):
        net.backward(net.forward(x * (turn + 1)) - 1.0)
        net.W = net.W - 0.1 * net.gW
        net.history = [net.W[0, 0]] if turn == 0 else net.history + [net.W[0, 0]]
    one, other, total = _Running(), _Running(), _Running()
    for i in range(int(4.0 + x[0] / 100)):
        one.v = x[i] * (i + 1)
        one, other = other, one
        other.v = other.v * x[0]
        total.sum = other.v if total.count == 0 else total.sum + other.v * total.last
        total.last, total.count = x[i] ** 2, total.count + 1
    total = total.sum * total.last + one.v + other.v**2
    return total + np.sum(net.W**2) + sum(net.history) + np.sum(net.cache["h"])


class _Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __iter__(self):
        yield self.first
        yield self.second


class _Field:
    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values.copy() if copy else self.values


@program(positive(6), jit=True, second=True)
def objects_that_unpack_and_are_arrays(x):
    a, b = _Pair(x[0], x[1] ** 2)
    field = _Field(x.reshape(2, 3))
    other = np.array(field)
    other[0] = a
    y = x * 2.0
    y[1] //= 0.37
    y[2:] //= 0.37
    y[0] -= 1.0
    total = sum([*_Pair(a * b, x[2])]) + np.sum(np.sin(field) * other) + np.mean(field)
    total += np.sum(np.stack([field, other]) ** 2) + np.concatenate((other, field))[3, 1]
    return total + np.sum(y * x) + np.asarray(field)[1, 0] ** 2


class _Settings:
    """Attributes from keywords, others from a default."""

    def __init__(self, **given):
        self.__dict__.update(given)

    def __getattr__(self, name):
        return 1.5

    def __contains__(self, name):
        return name in self.__dict__


class _Counted:
    """Hands on what another object has, and counts how often."""

    def __init__(self, other):
        self.other, self.asked = other, 0

    def __getattr__(self, name):
        self.__dict__["asked"] += 1
        return getattr(self.other, name)


@program(positive(3), jit=True, second=True)
def dict_of_an_object_that_answers_for_others(x):
    settings = _Settings(a=x[0], b=x[1])
    settings.b = settings.b * 2.0
    handed = _Counted(x)
    both = handed.sum() * handed.mean() + handed.asked * handed.size * x[0]
    known = ("a" in settings) * x[1] + ("other" in settings)
    return settings.a * settings.b + settings.other * x[2] + known + both


@program(positive(3), jit=True, second=True)
def attribute_of_a_namespace_deleted(x):
    state = types.SimpleNamespace(a=x[0], cache=x[1])
    total = state.a * state.cache
    del state.cache
    return total * x[2] + hasattr(state, "cache")


class _Tally:
    """What its objects begin with stands in the class."""

    total = 0.0
    count = 0
    state = "idle"

    def add(self, value):
        self.total += value
        self.count += 1
        if self.total > 1.5:
            self.state = "full"
        return self

    def __eq__(self, other):
        return isinstance(other, _Tally) and self.total == other.total

    def __hash__(self):
        return id(self)


def _tally_from(begin):
    class Begun(_Tally):
        total = begin

    return Begun


@program(positive(4), jit=True, second=True)
def attributes_that_the_class_begins(x):
    one, other, begun = _Tally(), _Tally(), _tally_from(x[0] ** 2)()
    for v in x:
        one.add(v)
        begun.add(2.0 * v)
    other.add(x[0])
    same = (one == other) + (one.state == "full") * x[1]
    return one.total**2 * one.count + other.total * begun.total + same + _Tally.total


class _Split:
    """A tree over values: leaves have a mean, the others a place where they are cut."""

    def __init__(self, depth, values):
        self.low = self.high = None
        if depth == 0 or len(values) <= 2:
            self.mean = values.mean()
            self.facts = {"sum": values.sum()}
            return
        self.cut = np.median(values)
        below = values <= self.cut
        self.low, self.high = _Split(depth - 1, values[below]), _Split(depth - 1, values[~below])

    def predict(self, at):
        if self.low is None:
            return self.mean + 0.1 * self.facts["sum"]
        return (self.low if at <= self.cut else self.high).predict(at)


@program(normal(9), normal(5))
def leaves_and_forks_have_other_attributes(values, places):
    tree = _Split(2, values)
    return sum(tree.predict(v) ** 2 * (i + 1) for i, v in enumerate(places))


class _Piece:
    __slots__ = ("slope", "value", "vector")

    def __init__(self, values):
        self.value = values.sum()
        if self.value > 0.5:
            self.vector, self.slope = values * 2.0, values[0]


@program(normal(7))
def slots_that_some_have(x):
    pieces = [_Piece(x[x > 0.3 * k - 1.0]) for k in range(4)]
    total = 0.0
    for piece in pieces:
        total += piece.value
        if piece.value > 0.5:
            piece.vector[0] *= 3.0
            total += np.sum(piece.vector**2) * piece.slope
    return total
