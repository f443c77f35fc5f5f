"""Programs as courses have them: np.frompyfunc, dataclasses that call the written __init__ of their
base, chains of frames by itertools.accumulate."""

import functools
import itertools
import math
from dataclasses import dataclass, field, replace

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6), second=True)
def functions_made_ufuncs(x):
    h = np.frompyfunc(lambda a, b: a * b + 1 if a > 0.05 else a**2, 2, 1)
    mean = np.frompyfunc(lambda s, v: 0.9 * s + 0.1 * v, 2, 1)
    both = np.frompyfunc(lambda v: (np.sin(v), v * v), 1, 2)
    smooth = mean.accumulate(x, dtype=object).astype(float)
    rows = mean.accumulate(x.reshape(2, 3), axis=1)
    s, q = both(x)
    total = h(x, 2.0).astype(float).sum() + np.sum(h(x.reshape(2, 3), x[:3]) ** 2) + h(x[0], x[1])
    return total + smooth @ smooth + rows.sum() * mean.reduce(x) + np.sum(mean.outer(x, s)) + s @ q


@dataclass
class Rectangle:
    w: float
    h: float = 2.0
    log: list = field(default_factory=list)

    def __post_init__(self):
        self.log.append(self.w * self.h)


class Square(Rectangle):
    def __init__(self, s, tag):
        super().__init__(s, s * s)
        self.tag = tag


@dataclass
class Box(Rectangle):
    d: float = 1.0

    def __init__(self, w, d):
        Rectangle.__init__(self, w)
        self.d = d

    def __post_init__(self):
        super().__post_init__()
        self.log.append(self.w**2)


@functools.singledispatch
def area(shape):
    raise NotImplementedError(type(shape).__name__)


@area.register
def _(shape: Rectangle):
    return shape.w * shape.h


@area.register(list)
@area.register(tuple)
def _(shapes):
    return sum(map(area, shapes))


@program(positive(4), second=True)
def init_of_a_base(x):
    square, box = Square(x[0], x[1]), Box(x[2], x[3])
    total = square.tag * sum(square.log) + box.d * sum(box.log)
    return total + area([square, (box, Rectangle(x[0], x[3]))])


@dataclass(frozen=True)
class Link:
    a: float
    alpha: float = 0.0
    slides: bool = False

    def frame(self, q):
        th, d = (0.0, q) if self.slides else (q, 0.1)
        ct, st, ca, sa = math.cos(th), math.sin(th), math.cos(self.alpha), math.sin(self.alpha)
        return np.array(
            [
                [ct, -st * ca, st * sa, self.a * ct],
                [st, ct * ca, -ct * sa, self.a * st],
                [0, sa, ca, d],
                [0, 0, 0, 1],
            ]
        )


class Arm:
    def __init__(self, links):
        self.links = list(links)

    def __len__(self):
        return len(self.links)

    def __getitem__(self, j):
        return self.links[j]

    def jacobian(self, q):
        """The generator's name `j` is also that of a loop below."""
        frames = list(
            itertools.accumulate(
                (self[j].frame(q[j]) for j in range(len(self))), np.matmul, initial=np.eye(4)
            )
        )
        jac = np.zeros((3, len(self)))
        for j, frame in enumerate(frames[:-1]):
            z, p = frame[:3, 2], frame[:3, 3]
            jac[:, j] = z if self[j].slides else np.cross(z, frames[-1][:3, 3] - p)
        return jac


@program(normal(3), second=True)
def manipulability(q):
    arm = Arm([Link(0.2, np.pi / 2), Link(0.43), replace(Link(0.3), slides=True, alpha=0.4)])
    jac = arm.jacobian(q)
    return np.sqrt(np.linalg.det(jac @ jac.T + 0.1 * np.eye(3)))
