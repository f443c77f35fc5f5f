"""A casebook: programs of many trades that once found a fault, kept as they were written."""

import enum
import itertools
import math
import re
import typing
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from programs.registry import normal, positive, program


def thomas(lower, diag, upper, rhs):
    n = len(diag)
    c, d = np.empty(n - 1), np.empty(n)
    c[0] = upper[0] / diag[0]
    d[0] = rhs[0] / diag[0]
    for i in range(1, n):
        den = diag[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / den
        d[i] = (rhs[i] - lower[i - 1] * d[i - 1]) / den
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


@program(0.25, 0.03, 100.0, wrt=(0, 1, 2))
def crank_nicolson_put(sigma, r, strike, *, smax=200.0, m=20, n=6, maturity=1.0):
    """Its result is a number of np.interp: the cotangent is a float of Python."""
    dt = maturity / n
    S = np.linspace(0.0, smax, m + 1)
    j = np.arange(1, m)
    V = np.maximum(strike + 0.37 - S, 0)
    a = 0.25 * dt * (sigma**2 * j**2 - r * j)
    b = -0.5 * dt * (sigma**2 * j**2 + r)
    c = 0.25 * dt * (sigma**2 * j**2 + r * j)
    for step in range(n):
        rhs = a * V[:-2] + (1 + b) * V[1:-1] + c * V[2:]
        bound = strike * np.exp(-r * (step + 1) * dt)
        rhs[0] += a[0] * bound
        V[0] = bound
        V[1:-1] = thomas(-a[1:], 1 - b, -c[:-1], rhs)
        V[1:-1] = np.maximum(V[1:-1], strike - S[1:-1] - 5.123)
    return np.interp(95.3, S, V)


@program(normal(5))
def values_named_by_letters(x):
    """The letters outnumber the values, which are a list."""
    named = dict(zip("abcdefgh", x.tolist()))
    return named["a"] ** 2 * named["e"] + sum(named.values()) ** 2


class Mode(enum.Enum):
    IDLE = "idle"
    HEAT = "heat"
    COOL = "cool"


@dataclass
class Thermostat:
    kp: float
    ki: float
    setpoint: float
    mode: Mode = Mode.IDLE
    integral: float = 0.0
    log: list = field(default_factory=list)

    def update(self, temp, dt):
        err = self.setpoint - temp
        match self.mode:
            case Mode.IDLE if err > 0.5:
                self.mode = Mode.HEAT
            case Mode.IDLE if err < -0.5:
                self.mode = Mode.COOL
            case Mode.HEAT | Mode.COOL if abs(err) < 0.2:
                self.mode = Mode.IDLE
                self.integral = 0.0
            case _:
                pass
        self.log.append(self.mode.value)
        if self.mode is Mode.IDLE:
            return 0.0
        self.integral += err * dt
        u = self.kp * err + self.ki * self.integral
        return min(max(u, -3.0), 3.0)


@program(np.array([1.2, 0.3]), 16.0, wrt=0, second=True)
def thermostat_of_modes(gains, outside):
    """Its gradient saves more values in one loop than a loop is tried again for its types."""
    ctl = Thermostat(*gains, setpoint=20.0)
    temp, cost = 18.0, 0.0
    for k in range(25):
        u = ctl.update(temp, 0.1)
        temp += 0.1 * (u - 0.2 * (temp - outside))
        cost += u**2 * 0.1 + (temp - 20) ** 2
    assert "heat" in ctl.log
    return cost


@program(positive(5), second=True)
def critical_path_by_sets(dur):
    names = list("ABCDE")
    deps = {"A": set(), "B": {"A"}, "C": {"A"}, "D": {"B", "C"}, "E": {"C"}}
    d = dict(zip(names, dur))
    order, ready = [], [n for n in names if not deps[n]]
    left = {n: set(s) for n, s in deps.items()}
    while ready:
        n = ready.pop(0)
        order.append(n)
        for m in names:
            if n in left[m]:
                left[m].discard(n)
                if not left[m]:
                    ready.append(m)
    finish = {}
    for n in order:
        finish[n] = d[n] + max((finish[p] for p in sorted(deps[n])), default=0.0)
    return max(finish.values()) ** 2 + finish["E"]


@program({"mass": 2.0, "length": 0.5}, 0.3)
def settings_in_a_chain(user, amp):
    defaults = {"g": 9.81, "mass": 1.0, "length": 1.0, "damping": 0.1}
    chosen = typing.ChainMap(user, defaults)
    w = math.sqrt(chosen["g"] / chosen["length"])
    period = 2 * math.pi / w * (1 + amp**2 / 16)
    assert "damping" in chosen and len(chosen) == 4
    return period * chosen["mass"] + chosen.new_child({"g": 1.0})["g"] * chosen.get("length", 2.0)


@program(normal(8), second=True)
def groups_of_letters(x):
    labels = "abacbcab"
    groups = typing.DefaultDict[str, list](list)
    for lab, v in zip(labels, x):
        groups[lab].append(v)
    counts = Counter(labels) + Counter(a=2, d=-1)
    counts.subtract({"b": 1})
    means = {k: sum(v) / counts[k] for k, v in groups.items()}
    ranked = sorted(means.items(), key=lambda kv: (-counts[kv[0]], kv[0]))
    total = 0.0
    for rank, (k, m) in enumerate(ranked, start=1):
        total += rank * m**2
    (top, n), *_ = counts.most_common(1)
    return total + n * means[top] + len(list(counts.elements()))


@program(positive(5), second=True)
def slices_of_a_cycle(x):
    tail = list(itertools.islice(itertools.cycle(x), 3, 13, 2))
    shares = itertools.islice(map(lambda k: 1.0 / k, itertools.count(2)), 5)
    return sum(t * s for t, s in zip(tail, shares)) ** 2


class Calc:
    """Recursive descent: expr := term (('+'|'-') term)*; term := factor (('*'|'/') factor)*"""

    def __init__(self, text, env):
        self.tokens = re.findall(r"\d+\.?\d*|[a-z]+|[-+*/()]", text)
        self.pos = 0
        self.env = env

    @property
    def current(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else ""

    def take(self):
        token = self.current
        self.pos += 1
        return token

    def factor(self):
        token = self.take()
        if token == "(":
            value = self.expr()
            self.take()
            return value
        if token == "-":
            return -self.factor()
        if token == "sin":
            return np.sin(self.factor())
        return self.env[token] if token in self.env else float(token)

    def term(self):
        value = self.factor()
        while self.current in ("*", "/"):
            if self.take() == "*":
                value = value * self.factor()
            else:
                value = value / self.factor()
        return value

    def expr(self):
        value = self.term()
        while self.current in ("+", "-"):
            if self.take() == "+":
                value = value + self.term()
            else:
                value = value - self.term()
        return value


@program(positive(4), positive(4), wrt=0, second=True)
def recursive_descent(x, y):
    """The text is parsed while compiling: its loops are written out where they call."""
    return np.sum(Calc("3*x*x - sin(x*y)/(1 + y) + -x*(2-y)", {"x": x, "y": y}).expr())


@program(normal(5), 0.3, 3, wrt=(0, 1), jit=True)
def implicit_heat_steps(u, k, steps):
    """Inner loops over lengths that are bound anew in each step."""
    for _ in range(steps):
        a = -k * np.ones(u.size - 1)
        u = thomas(a, 1 + 2 * k * np.ones(u.size), a, u)
    return np.sum(u**2)
