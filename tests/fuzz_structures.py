"""Random programs of objects, dicts, lists in lists and helper functions, which are changed,
exchanged and held in several places, in loops and branches that may be left early.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HELPERS = """import numpy as np


class Body:
    def __init__(self, pos, vel, mass, tags=None):
        self.pos = pos
        self.vel = vel
        self.mass = mass
        self.tags = tags if tags is not None else [0.3 * mass]

    def energy(self):
        return 0.5 * self.mass * np.sum(self.vel**2)

    def kick(self, force):
        self.vel = self.vel + 0.1 * force / (1.0 + self.mass**2)
        return self

    def drift(self, h=0.1):
        self.pos += h * self.vel
        return self.pos

    def __add__(self, other):
        return Body(self.pos + other.pos, 0.5 * self.vel, self.mass + 0.1 * other.mass, self.tags)


def rotated(v, s, *more, scale=1.0):
    out = scale * np.array([v[1] * s, v[2], v[0]])
    for w in more:
        out = out + 0.3 * w
    return out


def pair(v, s):
    if s > 0.137:
        return v * s, s
    t = np.tanh(s)
    return v + t, t * 0.5


def total(items, key=None, start=0.0):
    for item in items:
        start = start + (key(item) if key else np.sum(item))
    return start


def damp(v, k=0):
    v *= 0.8
    return damp(v, k - 1) * 0.9 if k > 0 else v + 0.1


"""
HEAD = (
    "s = 0.3 * a", "t = x[0] + 0.2", "z = x * y", "b1 = Body(x * 1.0, 0.5 * y, a)",
    "b2 = Body(0.7 * m[0], m[1] * 1.0, 0.4, [s])", "bodies = [b1, b2]", "b = b2",
    "table = dict(p=0.5 * x, q=0.3 * y)", "lists = [[s, a], [x[1]]]", "parts = [t]",
    "local = lambda v: v * s + 0.1", "count = 0",
)  # fmt: skip
HOLES = {
    "v": ("x", "y", "z"),
    "s": ("s", "t"),
    "b": ("b1", "b2", "b", "bodies[0]", "bodies[-1]"),
    "i": ("0", "1", "2", "-1"),
    "e": (
        "s", "t", "a", "{v}[{i}]", "{b}.mass", "{b}.tags[-1]", "{b}.pos[{i}]", "lists[0][-1]",
        "np.tanh({b}.energy())", "0.2 * sum(parts)", "0.3 * np.sum({v})", "np.tanh(total(parts))",
        "0.1 * len(bodies)", "0.1 * count", "0.5 * max({s}, {b}.mass)", "lists[-1][0]",
        "0.2 * sum(o.mass for o in bodies)", "np.tanh(total(bodies, key=lambda o: o.mass))",
        "0.2 * sum(sum(row) for row in lists)", "min(parts)", "np.sin(table['p'][{i}])",
    ),
    "u": (
        "{v}", "{v}", "0.7 * {v}", "{b}.pos", "{b}.vel * 0.6", "np.tanh({v})", "table['p']",
        "table['q'] * {e}", "rotated({v}, {e})", "rotated({v}, {e}, {b}.pos, scale=0.4)",
        "{v} * {e}",
        "local({v})", "pair({v}, {e})[0]", "damp({v} * 1.0)", "damp({v}, 2)", "{b}.drift()",
        "np.array([{e}, 0.4, {e}])", "np.where({v} > 0.137, {v}, 0.2)", "m[{i}]", "{v}.copy()",
        "{b}.drift(h={e})", "0.2 * sum([o.pos for o in bodies], np.zeros(3))", "(b1 + b2).pos",
        "np.array([np.sum(o.vel) for o in bodies] + [s, t])[:3]", "np.tanh({b}.pos @ m)",
    ),
    "test": (
        "{e} > 0.137", "np.sum({v}) > 0.219", "count % 2 == 0", "len(bodies) > 2", "b1 is b2",
        "b is bodies[0]", "{b}.mass < 0.551", "len(parts) < 3", "count > 1 and {e} < 0.4",
    ),
}  # fmt: skip
STATEMENTS = (
    "{s} = {e}", "{s} += 0.5 * {e}", "{v} = {u}", "{v} *= 0.7", "{v}[{i}] = {e}",
    "{v} += 0.3 * {u}",
    "{b}.pos = {u}", "{b}.pos[{i}] += {e}", "{b}.vel *= 0.7", "{b}.vel = {u}", "{b}.kick({u})",
    "{v} = {b}.kick({u}).vel", "{v} = {b}.drift()", "{b}.mass = {e}", "{b}.mass += 0.1 * {e}",
    "{b}.tags.append({e})", "{b}.tags = [{e}]", "{b}.tags[0] *= 0.6", "parts = {b}.tags", "b = {b}",
    "bodies.append(Body({u}, {u}, {e}))", "bodies.append({b})",
    "bodies[0], bodies[-1] = bodies[-1], bodies[0]",
    "b1 = bodies[-1]", "b2 = Body(b1.pos, b1.vel * 0.5, {e}, b1.tags)", "b1, b2 = b2, b1",
    "b1 = b1 + b2",
    "bodies[-1] = Body({u}, b1.vel, {e}, [{e}])",
    "bodies = [Body(o.pos * 0.5, o.vel, o.mass) for o in bodies]",
    "bodies = bodies[::-1]", "bodies = sorted(bodies, key=lambda o: o.mass)", "bodies = bodies[:2]",
    "t = max(bodies, key=lambda o: o.mass).mass", "table['p'] = {u}", "table['q'] += 0.3 * {u}",
    "table = dict(table, q={u})", "table.update(p={u})", "table['p'][{i}] = {e}",
    "{v} = table['q']",
    "table = {k: 0.5 * w for k, w in table.items()}", "{v} = table.get('w', {u})",
    "table['w'] = {u}",
    "lists[0].append({e})", "lists.append([{e}])", "lists[-1][0] *= 0.5", "lists[0] = [{e}, {e}]",
    "{s} = lists[0].pop() if len(lists[0]) > 1 else {e}",
    "lists = [[0.5 * e for e in row] for row in lists]",
    "{v}, {s} = pair({u}, {e})", "s, t = pair({v}, {e})[1], {e}", "parts.append({e})",
    "parts = [{e}, *parts]",
    "local = lambda v: 0.5 * v * {s}", "{s} = total(lists[0], start={e})", "count += 1",
    "parts[0] = {e}",
    "x, y = y, x", "x, y = {u}, {u}", "*parts, s = {u}", "parts, t = parts[:1], {e}",
)  # fmt: skip
LOOPS = (
    "for b in bodies[:3]:", "for count, b in enumerate(bodies[:3]):", "for count in range(n):",
    "for p, q in zip(bodies[:3], bodies[1:]):", "for row in lists[:2]:", "for s in parts[:3]:",
    "for w in table.values():", "for key, w in table.items():", "for b in (b1, b2):",
    "for t in {u}:",
)  # fmt: skip
INSIDE = {
    "p, q": ("p.kick(q.pos - p.pos)", "p.pos = 0.5 * q.vel", "q.mass = q.mass * 0.5 + p.mass"),
    "row": ("row[0] *= 0.7", "s = s + row[-1]", "row.append({e})", "lists[0] = row"),
    " w ": ("z = z + 0.3 * w", "w *= 0.7", "y = w", "s = np.sum(w) * 0.3"),
}
LAST = (
    "np.sum(x * [0.4, 1.3, 0.7])", "np.sum(y)", "s + 1.3 * t", "b1.energy()",
    "np.sum(b2.pos) * 0.6",
    "total(bodies, key=lambda o: np.sum(o.pos) * o.mass)", "sum(parts)", "np.sum(table['p'] ** 2)",
    "total(table.values())", "sum(sum(row) for row in lists)", "sum(sum(o.tags) for o in bodies)",
    "b.mass * 0.7", "np.sum(z)",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return HELPERS + Body(draw).text(HEAD, LAST, terms=7)


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops, inside = HOLES, STATEMENTS, LOOPS, INSIDE
