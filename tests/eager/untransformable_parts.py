"""What programs of `untransformable` find in another module: functions, classes, objects."""

# ruff: noqa
# mypy: ignore-errors

import abc
import contextlib
import dataclasses
import functools

import numpy as np

COUNTS = {"calls": 0}


def squares(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] ** 2
    return out


@contextlib.contextmanager
def scaled(x):
    buffer = np.zeros(2)
    buffer[0] = x[0]
    buffer[1] = 3.0
    yield buffer


@np.vectorize
def bent(v, w=2.0):
    return v * v if v > 0 else w * v


class Base(abc.ABC):
    made = 0

    def __init__(self, w):
        Base.made += 1
        self.w = np.array([w[0], w[1] * 2])

    @abc.abstractmethod
    def __call__(self, v): ...

    def __getattr__(self, name):
        if name.startswith("squared_"):
            return np.array([getattr(self, name[8:])]) ** 2
        raise AttributeError(name)

    @property
    def total(self):
        return np.array([self.w[0], 1.0]) @ np.array([2.0, self.w[1]])

    @functools.cached_property
    def kept(self):
        return np.array([self.w.sum()])

    @classmethod
    def of(cls, x):
        return cls(np.float64(x[0]) * x)


class Model(Base):
    def __call__(self, v):
        out = np.empty(2)
        out[0] = self.w[0] * v
        out[1] = self.w[1]
        return out


class Other(Model):
    __slots__ = ("extra",)

    def __call__(self, v):
        self.extra = np.array([v, 1.0])
        return super().__call__(v) * self.extra


WHOLE = Model(np.array([1.5, 0.5]))
HELD = [WHOLE]


@dataclasses.dataclass(frozen=True)
class Label:
    name: str

    def zeros(self):
        return np.zeros(2)


LABELS = [Label("a")]
