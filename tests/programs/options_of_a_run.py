"""Axes, shapes, modes and functions that loops choose."""

import argparse
import enum
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from programs.registry import normal, positive, program

X = np.array([0.31, 0.72, 0.53, 0.44])


def mk(x):
    return np.einsum("i,j,k->ijk", x, x + 1, x[:3])


@program(X, second=True)
def axis_of_a_loop(x):
    A = mk(x)
    t = 0.0
    for ax in range(3):
        t = t + np.sum(A, axis=ax).max()
        t = t + np.cumsum(A, axis=ax)[0, 1, 2]
        t = t + A.mean(axis=ax)[0, 0] * A.std(axis=ax).sum()
        A = np.swapaxes(A, 0, ax) * 1.1 if ax != 2 else A
        t = t + np.sort(A, axis=ax)[0, 1, 2]
        t = t + np.take(A, 1, axis=ax).sum()
        t = t + np.concatenate([A, A], axis=ax).shape[ax] * x[ax]
        t = t + np.roll(A, 1, axis=ax)[0, 0, 0]
        t = t + np.flip(A, axis=ax)[0, 0, 1]
        t = t + np.diff(A, axis=ax).sum()
        t = t + np.expand_dims(A, ax)[0, 0, 0].sum()
    return t


@program(X, second=True)
def dtype_of_a_loop(x):
    t = 0.0
    for dt in (np.float64, float, "float64", np.complex128):
        y = np.zeros(4, dtype=dt)
        y += x
        t = t + np.sum(y * y).real
        t = t + x.astype(dt).sum().real
    return t


@program(X, second=True)
def shape_of_a_loop(x):
    t = 0.0
    for sh in ((2, 2), (4, 1), (1, 4), 4, (-1,), (2, -1)):
        y = x.reshape(sh)
        t = t + (y * y.sum(axis=0)).sum()
        z = np.zeros(y.shape)
        z += y
        t = t + z[0].sum()
        w = np.broadcast_to(x, (3, 4)).reshape(
            -1, *(sh if isinstance(sh, tuple) and -1 not in sh else (4,))
        )
        t = t + w[0].sum() ** 2
    return t


@program(X, second=True)
def growing_matrices(x):
    t = 0.0
    for n in range(1, 4):
        y = np.ones((n, n + 1)) * x[0]
        y[n - 1, n] = x[1]
        t = t + np.sum(y @ np.arange(n + 1)) + np.sum(np.outer(y[0], x[:n]))
        y = np.vstack([y, x[: n + 1][None]])
        t = t + np.linalg.norm(y) + np.trace(y)
        e = np.eye(n) * x[2] + np.diag(np.ones(n - 1), 1)
        t = t + np.linalg.det(e) + np.linalg.inv(e).sum()
    return t


@program(X, second=True)
def keywords_of_a_loop(x):
    t = 0.0
    for kw in ({"axis": 0}, {"axis": 1, "keepdims": True}, {}):
        t = t + (np.sum(np.outer(x, x), **kw) ** 2).sum()
    o = {"ord": 2, "axis": 0}
    t = t + np.linalg.norm(np.outer(x, x), **o).sum()
    a = (np.outer(x, x), 1)
    return t + np.sum(*a)[0]


@program(X, second=True)
def modes_of_a_loop(x):
    t = 0.0
    for mode in ("constant", "edge", "reflect", "wrap", "symmetric"):
        t = t + (np.pad(x, 2, mode=mode) * np.arange(8)).sum()
    for mode in ("full", "same", "valid"):
        t = t + np.convolve(x, x[:2], mode).sum()
    for s in ("ij,jk->ik", "ij,jk->ki", "ij,kj->ik"):
        t = t + np.einsum(s, np.outer(x, x), np.outer(x, x**2))[0, 1]
    for o in ("C", "F"):
        t = (
            t
            + np.outer(x, x * x).ravel(order=o)[1]
            * np.reshape(np.outer(x, x**2), (2, 8), order=o)[0, 1]
        )
    return t


@program(X, second=True)
def operators_by_name(x):
    import operator

    t = 0.0
    for op in ("add", "mul", "sub", "truediv", "pow"):
        t = t + getattr(operator, op)(x, x[::-1] + 1).sum()
    ops = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "m": max}
    for k in "+*m":
        t = t + ops[k](x[0], x[1])
    prog = [("+", 1), ("*", 2), ("m", 0)]
    acc = x[0]
    for o, i in prog:
        acc = ops[o](acc, x[i])
    return t + acc


@program(X, second=True)
def stack_machine(x):
    st = []
    for tok in "01+2*3-s":
        if tok.isdigit():
            st.append(x[int(tok)])
        elif tok == "s":
            st.append(np.sin(st.pop()))
        else:
            b = st.pop()
            a = st.pop()
            st.append(a + b if tok == "+" else a * b if tok == "*" else a - b)
    return st[-1]


@program(X, second=True)
def stack_machine_by_match(x, prog=("0", "1", "+", "2", "*", "s")):
    st = []
    i = 0
    while i < len(prog):
        tok = prog[i]
        i += 1
        match tok:
            case "+":
                st.append(st.pop() + st.pop())
            case "*":
                st.append(st.pop() * st.pop())
            case "s":
                st.append(np.sin(st.pop()))
            case _:
                st.append(x[int(tok)])
    return st.pop() * len(st) + x[0]


class Power(IntEnum):
    """How a term enters."""

    ONE = 0
    TWO = 1
    THREE = 2


@program(normal(6), jit=True, second=True)
def members_made_from_numbers(x):
    """`Power(k)` of a k that only a run knows."""
    total, k = 0.0, 0
    while k < x.size and total < 100.0:
        power = Power(k % 3)
        if power == Power.TWO:
            total += x[k] ** 2
        elif power is Power.THREE:
            total += x[k] ** 3 * power.value
        else:
            total += x[k] * (power + 1)
        k += 1
    return total


class Phase(enum.Enum):
    GROW = enum.auto()
    HOLD = enum.auto()


@dataclass(frozen=True)
class Stage:
    size: float
    phase: Phase = Phase.GROW


@program(positive(5))
def stages_with_members_of_an_enumeration(x):
    """Records in a list, of which a field is a member that a run chooses."""
    stages = [Stage(x[0])]
    for food in x:
        last = stages[-1]
        if last.phase is Phase.GROW and last.size < 2.0:
            stages.append(replace(last, size=last.size * (1.0 + food)))
        else:
            stages.append(Stage(last.size * np.exp(-food), Phase.HOLD))
    return stages[-1].size + sum(s.size**2 for s in stages if s.phase is Phase.HOLD)


@program(1.5)
def namespaces_made_again(x):
    options = argparse.Namespace(rate=0.1, kind="plain")
    for k in range(4):
        x = x - options.rate * x**2 if options.kind == "plain" else x
        if k == 2:
            options = argparse.Namespace(**{**vars(options), "rate": 0.2 * x})
    return x + options.rate
