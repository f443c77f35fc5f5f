"""Programs as they stand in notebooks: settings, tables of functions, small classes."""

import enum
import functools
import math
from dataclasses import dataclass, field

import numpy as np

from programs.registry import normal, positive, program


@dataclass(frozen=True)
class Gains:
    """All with defaults."""

    kp: float = 1.0
    ki: float = 0.1
    kd: float = 0.05


@dataclass
class PID:
    gains: Gains
    limit: float = 2.0
    integral: float = field(default=0.0, init=False)
    last: float | None = field(default=None, init=False)
    history: list = field(default_factory=list)

    def __call__(self, error, dt):
        self.integral += error * dt
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        u = self.gains.kp * error + self.gains.ki * self.integral + self.gains.kd * slope
        if u > self.limit:
            u = self.limit + 0.1 * (u - self.limit)
        self.history.append(u)
        return u


@program(positive(3), 0.05, second=True)
def gains_from_an_array(k, dt):
    controller = PID(Gains(*k), limit=1.5)
    x, v, cost = 0.0, 0.0, 0.0
    for step in range(7):
        ref = 1.0 if step > 3 else 0.3 * step
        v += dt * (controller(ref - x, dt) - 0.4 * v)
        x += dt * v
        cost += (ref - x) ** 2
    area = np.trapezoid(k) if hasattr(np, "trapezoid") else 0.0
    return cost + 1e-2 * sum(h * h for h in controller.history) + area


class Terms(enum.Flag):
    """What an energy is made of."""

    DATA = enum.auto()
    SMOOTH = enum.auto()
    ALL = DATA | SMOOTH


def _energy(u, data, terms=Terms.ALL, *, weight=0.3):
    e = 0.0
    if Terms.DATA in terms:
        e += np.sum((u - data) ** 2)
    if terms & Terms.SMOOTH:
        e += weight * np.sum(np.diff(u) ** 2 * u[1:])
    return e


@program(normal(5), normal(5), positive(3), second=True)
def energies_by_flags(u, data, slopes):
    table = {
        f"leaky{i:>{2}d}": (lambda v, s=s: np.where(v > 0, v, s * v)) for i, s in enumerate(slopes)
    }
    table["soft"] = functools.partial(np.logaddexp, 0.0)
    table |= {"cube": lambda v: v**3}
    total = _energy(u, data) * _energy(u, data, Terms.DATA)
    for name, f in sorted(table.items(), key=lambda pair: pair[0]):
        total += np.sum(f(u)) * len(name)
    return total + _energy(u, data, Terms.ALL & ~Terms.DATA, weight=math.pi)


def _layer(x, *, w, b):
    return np.tanh(x @ w + b)


@program(
    {"h1": {"w": normal(3, 2), "b": normal(2)}, "h0": {"w": normal(2, 3), "b": normal(3)}},
    normal(4, 2),
    4,
    second=True,
)
def merged_tables(params, x, n):
    merged = {**params, "h1": {**params["h1"], "b": 2.0 * params["h1"]["b"]}}
    for _, p in sorted(merged.items()):
        x = _layer(x, **p)
    powers = {}
    for i in range(n):
        powers[i] = x[i] * i
    held = powers
    powers |= {1: x[0] ** 3}
    other = held | {2: x[1]}
    return np.sum(held[1] * held[2]) + np.sum(other[1] * other[2] ** 2)


def _first_of(items):
    match items:
        case [a]:
            return a * a
        case [a, *mid, b] if a < b:
            return a - b * sum(mid) + len(mid)


@program(np.array([2.0, 1.0, 0.5, 2.2, 0.4]), second=True)
def groups_matched(x):
    s, group, cache, text = 0.0, [], {}, "abcab"
    for j, v in enumerate(x):
        group.append(v)
        r = _first_of(group)
        s += 0.1 * v * v if r is None else r * v
        match (j % 3, v):
            case (0, w) if w > 1.5:
                s += w * w
            case (1 | 2 as rest, w) if rest == 1:
                cache[j % 2] = w**3
            case (_, w) if w < 0.45:
                s *= 1.0 + w
                cache.clear()
        s += cache.pop(1, 0.5) * v
        if len(group) > 3:
            group = []
    for c in text[::-2]:
        s = s * (1.1 if c == "b" else 0.9)
    return s


class Sums:
    """What has been added up, in place once there is something."""

    def __init__(self):
        self.total = None
        self.last = None

    def add(self, v):
        if self.total is None:
            self.total = v
        else:
            self.total += v
        self.last = v


@program(normal(3, 2), second=True)
def begun_as_none(x):
    sums, y, z, held = Sums(), x * 1.0, None, []
    for k, row in enumerate(y):
        sums.add(row)
        z = y if k == 1 else y.copy()
        held.append(z)
    chosen = None
    if x[0, 0] > -100.0:
        chosen = y
    chosen += x**3
    chosen[1:] *= x[0, 0]
    np.add.at(chosen, (0, [1, 1]), x[1, 0])
    np.multiply(chosen, x, out=chosen)
    z += x**2
    s = sum(np.sum(h * h) * (k + 1) for k, h in enumerate(held))
    if isinstance(z, np.ndarray):
        z += sums.last
    return s + np.sum(y**2) + sums.total @ sums.last + np.sum(z * x)


@program(normal(5), 0.5, wrt=0, second=True)
def keyword_only_behind_the_rest(x, *rest, seed=3, scale=2.0, **opts):
    noise = np.random.default_rng(seed).normal(size=x.shape)
    tag = "{:>3}|{name!r}".format("a", name="b")
    return scale * np.sum((x + 0.1 * noise) ** 3) + sum(rest) * x[0] + len(opts) + len(tag)
