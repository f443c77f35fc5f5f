"""Objects that say how they are written: texts that choose formulas, and name parameters."""

from collections import Counter, namedtuple
from dataclasses import dataclass
from enum import IntEnum
from types import SimpleNamespace

import numpy as np

from programs.registry import normal, positive, program


class Bend:
    def __init__(self, slope=0.0):
        self.slope = slope

    def __call__(self, z):
        return np.where(z > 0, z, self.slope * z)

    def __str__(self):
        return "kinked" if self.slope == 0.0 else f"leaky({self.slope:.1f})"


class Wave:
    def __init__(self, pitch):
        for name, value in (("pitch", pitch), ("seen", 0)):
            self.__setattr__(name, value)
        if self.__getattribute__("pitch") is None:
            raise TypeError("a wave has a pitch")

    def __call__(self, z):
        return np.sin(self.pitch * z)

    def __repr__(self):
        return "Wave(pitch={})".format(self.pitch)

    def __format__(self, spec):
        return repr(self) if not spec else f"{self.__class__.__name__}:{spec}"


def start_weights(bend, shape):
    text = str(bend).lower()
    if text == "kinked":
        return np.full(shape, 0.5)
    if text.startswith("leaky("):
        return np.full(shape, float(text[6:-1]))
    return np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape) / 7.0


@program(normal(2, 3), jit=True)
def layers_named_by_their_bends(x):
    params, order = {}, []
    for k, bend in enumerate([Bend(), Bend(0.3), Wave(2)]):
        name = f"{bend}_{k}"
        params[name + "/w"] = start_weights(bend, (3, 3))
        order.append((name, bend))
    h = x
    for name, bend in order:
        h = bend(h @ params[f"{name}/w"])
    first = params["kinked_0/w"][0, 0] * params["leaky(0.3)_1/w"][0, 0]
    return first * np.sum(h**2) + params["Wave(pitch=2)_2/w"][1, 1]


@program(normal(4), jit=True)
def texts_that_choose(x):
    wave, bend, steps = Wave(3), Bend(0.5), x.shape[0] / 8
    np.testing.assert_allclose(x - x, 0.0)
    y = x
    if f"{wave!r:>15}" == "  Wave(pitch=3)" and f"{wave:short}" == "Wave:short":
        y = wave(y) + x
    if "%s|%s" % (bend, wave) == "leaky(0.5)|Wave(pitch=3)":
        y = y * bend(x)
    if "{} and {last}".format(bend, last=repr(wave)) == "leaky(0.5) and Wave(pitch=3)":
        y = y + x**3
    if f"{steps}" == "0.5" and str(x.shape) == "(4,)" and f"{[1, 2.5]}" == "[1, 2.5]":
        y = y * 2.0
    return np.sum(y)


class Reading:
    def __init__(self, level, unit=""):
        self.level, self.unit = level, unit

    def __repr__(self):
        return f"{self.level:.0f}'{self.unit}{' high' if self.level > 1.0 else ''}"


@program(positive(3), jit=True)
def texts_within_texts(x):
    """A text made in the place of another one's part, that has quotes of its own."""
    label = f"{Reading(x[0], 'kg')} and {Reading(4.0)!r:>9}"
    return np.sum(x**2) * len(label) + (x[1] if label.endswith("4' high") else 0.0)


Cell = namedtuple("Cell", "row column")


class Unit(IntEnum):
    ONE = 1


@dataclass
class Size:
    width: int
    names: tuple = ()


@program(normal(4))
def texts_of_what_containers_hold(x):
    seen, counts = {}, Counter("abb")
    cell, size = Cell(1, 2), Size(2, ("u",))
    for k, thing in enumerate(({"a": k_of(x)}, [cell], (size,), counts, SimpleNamespace(n=1))):
        seen[f"{thing!r}"] = seen.get(repr(thing), 0.0) + x[k % 4] ** 2
        seen["%s" % (thing,)] = seen[str(thing)] * x[0]
    total = sum(len(key) * value for key, value in seen.items())
    return total + len("{} {}".format(cell, range(3))) * x[1] + len("%r" % (Unit.ONE,)) * x[2]


def k_of(x):
    return 2 if x.size > 3 else 1


class Leaf:
    def __init__(self, number):
        self.number = number

    def __repr__(self):
        return f"Leaf({self.number})"


@program(normal(4), jit=True)
def texts_of_objects_in_containers(x):
    first, second = Leaf(1), Leaf(20)
    texts = [
        f"{[first, second]}",
        str({"a": first}),
        "%s" % ((second,),),
        repr([Size(2, (first,))]),
    ]
    texts.append("{}".format([first]))
    return sum(len(text) * x[k % 4] ** 2 for k, text in enumerate(texts))
