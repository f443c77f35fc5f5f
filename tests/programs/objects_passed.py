"""Objects that the caller passes, which the function changes: attributes set anew, added to in
place, by methods and properties, of objects in lists and dicts. The caller's stay as they were."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy as np

from programs.registry import normal, positive, program, using


@dataclass
class Particle:
    x: np.ndarray
    mass: float
    seen: list = field(default_factory=list)


@dataclass
class World:
    particles: list
    pull: float = 1.0
    time: float = 0.0

    def step(self, dt):
        forces = [np.zeros(2) for _ in self.particles]
        for i, a in enumerate(self.particles):
            for j, b in enumerate(self.particles):
                if i < j:
                    d = b.x - a.x
                    f = self.pull * d / (d @ d + 0.5) ** 1.5
                    forces[i] += b.mass * f
                    forces[j] -= a.mass * f
        for p, f in zip(self.particles, forces, strict=True):
            p.x = p.x + dt * f
            p.seen.append(len(p.seen) * p.mass)
        self.time += dt


def _particles(rng):
    return [Particle(rng.normal(size=2), float(m)) for m in (1.0, 0.5, 2.0)]


@program(using(_particles), 1.2, 3, wrt=(0, 1), jit=True)
def particles_in_a_world(particles, pull, n):
    world = World(particles, pull)
    for _ in range(n):
        world.step(0.1)
    return sum(p.x @ p.x for p in particles) + sum(sum(p.seen) for p in particles) * world.time


@program(using(lambda rng: Particle(rng.normal(size=2), 1.5)), positive(), wrt=(0, 1), jit=True)
def attributes_set_anew(p, rate):
    before = p
    p.x = p.x * p.mass
    p.x[0] += rate
    p.mass += rate * before.x[1]
    return np.sum(before.x**2) * p.mass


class Net:
    def __init__(self, w):
        self.w, self.hidden, self.calls, self.sums = w, None, 0, []

    @property
    def half(self):
        return 0.5 * self.w

    @half.setter
    def half(self, value):
        self.w = 2.0 * value

    def loss(self, x):
        self.calls += 1
        self.hidden = np.tanh(self.w @ x)
        self.sums.append(self.hidden.sum())
        return self.hidden @ self.hidden * self.calls


@program(using(lambda rng: Net(rng.normal(size=(2, 2)))), normal(2), wrt=1, jit=True)
def a_model_that_keeps_its_state(net, x):
    s = net.loss(x) + net.loss(net.hidden)
    net.half = np.outer(x, net.hidden)
    return s * net.hidden[0] + sum(net.sums) + net.loss(x)


@program(
    using(lambda rng: {"one": Particle(rng.normal(size=2), 1.1), "all": _particles(rng)}),
    2.0,
    wrt=(0, 1),
    jit=True,
)
def objects_in_dicts(table, rate):
    for k in range(2):
        table["one"].mass += table["all"][0].mass * rate
        table["all"][k].x[k] *= table["one"].mass
        table["all"].append(Particle(table["one"].x * rate, rate))
    table["all"][-1].x = table["all"][-1].x * 2.0
    return sum(p.mass * p.x[0] for p in table["all"]) + table["one"].mass


@program(using(_particles), 3, jit=True)
def changed_by_recursion(particles, n):
    def settle(p, depth):
        if depth == 0:
            return p.mass
        p.mass *= 1.1
        p.x = p.x + p.mass
        return settle(p, depth - 1) + p.x[0]

    other = copy.deepcopy(particles[1])
    return settle(particles[1], n) * particles[1].x[1] + other.mass * other.x[0]
