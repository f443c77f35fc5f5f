"""Random programs that take derivatives themselves (of functions that read what is around them),
and call functions with rules of the user's or that are only called.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HELPERS = """import numpy as np
import s2sgrad


def squared(u, w):
    return u * u * w


def squared_dot(y, u, w, *, u_dot, w_dot):
    return 2.0 * u * w * u_dot + u * u * w_dot


@s2sgrad.rule(squared, jvp=squared_dot)
def squared_rule(y_bar, y, u, w):
    u_bar = y_bar * 2.0 * u * w
    w_bar = y_bar * u * u
    return u_bar, w_bar


@s2sgrad.opaque
def level(u):
    return np.floor(3.0 * u)


def energy(u, w):
    total = 0.0
    for k in range(len(u)):
        total += u[k] * u[k - 1] * w[k]
    return total


def relaxed(u, w):
    z = u * 1.0
    for k in range(1, len(z)):
        z[k] += 0.3 * z[k - 1] * w[k]
    z *= w
    return z
"""
HEAD = (
    "v = np.tanh(x + a)", "w = y * 0.5", "q = m @ x", "A = 0.5 * m", "s = 0.3 * a", "k = 0",
    "rows = [v, q]", "found = {'u': v * 0.5, 't': s}",
)  # fmt: skip
HOLES = {
    "v": ("v", "w", "q", "x", "y"),
    "o": ("v", "w", "q", "y", "rows[0]", "found['u']", "{v}[::-1]"),
    "e": ("s", "a", "{v}[1]", "0.4 * {v}[k % 3]", "found['t']"),
    "h": (  # a number, of a vector u
        "np.sum(u ** 2 * {o})", "np.sum(np.sin(u)) * {e}", "energy(u, {o})", "u @ A @ u * 0.3",
        "np.sum(squared(u, {o})) * 0.2", "np.sum(relaxed(u, {o}) ** 2)",
        "np.sum(u * {o}) ** 2 * 0.2",
        "np.sum(np.where(u > 0.137, u ** 3, {e} * u))", "energy(relaxed(u, {o}), u)",
        "np.sum(s2sgrad.grad(lambda z: np.sum(z ** 3 * u))({o})) * 0.2",
        "s2sgrad.grad(lambda t: t * t * np.sum(u ** 2 * {o}))({e}) * 0.2",
    ),
    "g": (  # a vector, of a vector u
        "np.sin(u) * {o}", "relaxed(u, {o})", "squared(u, {o})", "A @ u + u * u", "u * {e} * u[0]",
        "0.3 * s2sgrad.grad(lambda z: energy(z, u))({o})", "u ** 2 * level({o}) * 0.2",
        "np.cumsum(u * {o})",
    ),
    "i": (  # a number, of a number t
        "t ** 2 * {e}", "np.sin(t) * np.sum({o})", "energy({o} * t, {o})", "t * t * t + {e} * t",
        "np.sum(squared({o}, t * {o})) * 0.3",
        "s2sgrad.grad(lambda r: r * r * t)({e}) * t",
    ),
    "test": ("s > 0.137", "k == 1", "{v}[2] > 0.219", "n > 1"),
}  # fmt: skip
STATEMENTS = (
    "{v} = 0.3 * s2sgrad.grad(lambda u: {h})({o})", "s = 0.3 * s2sgrad.grad(lambda t: {i})({e})",
    "{v} = 0.3 * s2sgrad.grad(lambda u: {h})({v} * 1.0)",
    "t, {v} = s2sgrad.value_and_grad(lambda u: {h})({o})\ns = 0.3 * t",
    "{v} = s2sgrad.jvp(lambda u: {g}, ({o},), ({o},))[1] * 0.4",
    "z, back = s2sgrad.vjp(lambda u: {g}, {o})\n{v} = back({o})[0] * 0.3 + z",
    "z, back = s2sgrad.vjp(lambda u: {g}, {v})\n{v} *= 0.8\n{v} += back({o})[0] * 0.3",
    "A = 0.3 * s2sgrad.jacobian(lambda u: {g})({o})",
    "A = 0.2 * s2sgrad.hessian(lambda u: {h})({o})",
    "{v} = 0.3 * s2sgrad.hvp(lambda u: {h})({o}, {o})",
    "def inner(u):\n    return {h}\n{v} *= 0.9\n{v} = 0.4 * s2sgrad.grad(inner)({o})",
    "def inner(u, t):\n    z = u * t\n    z[0] = t\n    return np.sum(z ** 2 * {o})\n"
    "{v}, s = s2sgrad.grad(inner, argnums=(0, 1))({o}, {e})\n{v} = {v} * 0.3\ns *= 0.3",
    "def inner(d):\n    return np.sum(d['u'] ** 2 * {o}) * d['t']\n"
    "found = s2sgrad.grad(inner)(dict(u={o} * 0.6, t={e}))",
    "push = s2sgrad.linearize(lambda u: {g}, {o})[1]\n{v} = 0.3 * push({o})",
    "{v} = squared({v}, {o}) * 0.6", "rows[k % 2] = squared({o}, rows[0]) * 0.7",
    "s = s + 0.2 * np.sum(level({o}) * {o})", "{v} = {o} + 0.1 * level({o})",
    "with s2sgrad.cotangent({v}) as bar:\n    bar += 0.0",
    "{v}[k % 3] = {e}", "{v} += 0.2 * {o}", "{v} = {o}", "{v}[1:] *= 0.7", "rows.append({v})",
    "rows[-1][0] = {e}", "v, w = w, v", "k += 1", "s += 0.2 * np.sum({o})", "A[k % 3] = {o}",
    "found['u'] = {o}", "found['t'] = {e}", "{v} = {o} * 0.9",
)  # fmt: skip
LOOPS = ("for k in range(n):", "for k in range(2, -1, -1):", "for k in range(3):")
LAST = (
    "np.sum(v * [0.4, 1.3, 0.7])", "np.sum(w ** 2)", "s", "np.sum(q)", "np.sum(np.tanh(A))",
    "np.sum(rows[-1] * x)", "np.sum(found['u'])", "np.sum(y)", "found['t'] * a",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return HELPERS + "\n\n" + Body(draw).text(HEAD, LAST, (2, 5))


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops = HOLES, STATEMENTS, LOOPS
