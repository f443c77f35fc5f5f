"""super() with arguments, in class methods, and of a class that a decorator made anew."""

from __future__ import annotations

import abc

from programs.registry import normal, program


def remade(metaclass):
    def wrapper(cls):
        body = dict(vars(cls))
        body.pop("__dict__", None)
        body.pop("__weakref__", None)
        return metaclass(cls.__name__, cls.__bases__, body)

    return wrapper


class Base:
    gain = 2.0

    def __init__(self, a):
        self.a = a

    @staticmethod
    def square(v):
        return v * v

    @classmethod
    def scale(cls, v):
        return v * cls.gain

    @property
    def twice(self):
        return self.a * 2

    def value(self):
        return self.a


class Middle(Base):
    gain = 3.0

    @classmethod
    def scale(cls, v):
        return super().scale(v) + super().square(v) * super().gain

    @property
    def twice(self):
        return super().twice * 3

    def value(self):
        return super().value() * 3


class Last(Middle):
    def __init__(self, a):
        super(Middle, self).__init__(a * 2)

    @classmethod
    def scale(cls, v):
        return super(Last, cls).scale(v) * super(Middle, cls).square(v)

    @property
    def twice(self):
        return super(Middle, self).twice * 5

    def value(self):
        above = super(Middle, self)
        return above.value() * 7

    def beside(self, other):
        return super(Middle, other).value() + super(Last, other).value()


@remade(abc.ABCMeta)
class Remade(Base):
    def __init__(self, a, b):
        super(Remade, self).__init__(a)
        self.b = b


@program(normal(4), wrt=0, jit=True)
def super_of_a_class_that_is_named(x):
    last, other = Last(x[0]), Last(x[1])
    return last.value() + last.twice * x[2] + last.beside(other) * x[3]


@program(normal(4), wrt=0, jit=True)
def super_in_class_methods(x):
    return Last.scale(x[0]) + Middle.scale(x[1]) * Last(x[2]).scale(x[3])


@program(normal(4), wrt=0, jit=True)
def super_of_a_class_that_was_made_anew(x):
    made = Remade(x[0], x[1])
    return made.value() * made.b
