"""Floor 8: scipy.integrate's solvers as functions that the compiler can read.

The solver runs once, to find where it steps; the steps are then taken again by a formula that
the derivative goes through: the fifth-order step of Dormand and Prince for differential
equations, that of Radau for stiff ones, Gauss and Legendre's rule for integrals. So the
derivative is that of the numbers computed (discretise, then differentiate).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.api import opaque, stop_gradient
from s2sgrad.standins.solving import Result, jacobian_at
from s2sgrad_runtime import integration_nodes, time_mesh

Function = Callable[..., Any]
FunctionOfTwo = Callable[..., Any]
ROOT = np.sqrt(6.0)
RADAU = np.array(
    [
        [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225, (4 - ROOT) / 10],
        [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225, (4 + ROOT) / 10],
        [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9, 1.0],
    ]
)  # weights of the slopes for each stage of Radau IIA, and its time


@dataclass
class Path(Result):
    """What scipy.integrate.solve_ivp gives, as far as it may be differentiated."""

    t: Any
    y: Any
    success: bool = True
    sol: Any = None


class Interpolant:
    """The `sol` of a solution: solved again, with the given times in t_eval."""

    def __init__(
        self, fun: Any, t_span: Any, y0: Any, method: Any, args: Any, options: Any
    ) -> None:
        self.fun, self.t_span, self.y0, self.method = fun, t_span, y0, method
        self.args, self.options = args, options

    def __call__(self, t: Any) -> Any:
        times = np.atleast_1d(t)
        order = np.argsort(times if self.t_span[1] > self.t_span[0] else -times)
        given = {"method": self.method, "t_eval": times[order], "args": self.args, **self.options}
        found = solve_ivp(self.fun, self.t_span, self.y0, **given).y[:, np.argsort(order)]
        return found[:, 0] if np.ndim(t) == 0 else found


def _step(f: Function, t: Any, y: Any, h: Any, args: Any) -> Any:
    """One step of Dormand and Prince (1980), of fifth order."""
    k1 = np.asarray(f(t, y, *args))
    k2 = np.asarray(f(t + h / 5, y + h * (k1 / 5), *args))
    k3 = np.asarray(f(t + 3 * h / 10, y + h * (3 / 40 * k1 + 9 / 40 * k2), *args))
    y4 = y + h * (44 / 45 * k1 - 56 / 15 * k2 + 32 / 9 * k3)
    k4 = np.asarray(f(t + 4 * h / 5, y4, *args))
    y5 = y + h * (19372 / 6561 * k1 - 25360 / 2187 * k2 + 64448 / 6561 * k3 - 212 / 729 * k4)
    k5 = np.asarray(f(t + 8 * h / 9, y5, *args))
    y6 = 9017 / 3168 * k1 - 355 / 33 * k2 + 46732 / 5247 * k3 + 49 / 176 * k4
    k6 = np.asarray(f(t + h, y + h * (y6 - 5103 / 18656 * k5), *args))
    slope = 35 / 384 * k1 + 500 / 1113 * k3 + 125 / 192 * k4 - 2187 / 6784 * k5 + 11 / 84 * k6
    return y + h * slope


def radau_gap(k: Any, f: Function, t: Any, y: Any, h: Any, args: Any) -> Any:
    """By how much the slopes k at the three stages of a Radau step fail to be those of f."""
    n = len(y)
    first = np.asarray(f(t + RADAU[0, 3] * h, y + h * (RADAU[0, :3] @ k.reshape((3, n))), *args))
    second = np.asarray(f(t + RADAU[1, 3] * h, y + h * (RADAU[1, :3] @ k.reshape((3, n))), *args))
    third = np.asarray(f(t + h, y + h * (RADAU[2, :3] @ k.reshape((3, n))), *args))
    return k - np.concatenate((first, second, third))


@opaque
def radau_slopes(f: Function, t: Any, y: Any, h: Any, args: Any) -> Any:
    """The slopes at the stages, by Newton's method."""
    k = np.tile(np.asarray(f(t, y, *args), float), 3)
    for _ in range(30):
        change = np.linalg.solve(
            jacobian_at(radau_gap, k, f, t, y, h, args), radau_gap(k, f, t, y, h, args)
        )
        k = k - change
        if np.max(np.abs(change)) <= 1e-12 * (1.0 + np.max(np.abs(k))):
            break
    return k


def _stiff_step(f: Function, t: Any, y: Any, h: Any, args: Any) -> Any:
    """One implicit step of Radau IIA, of fifth order; its slopes are a root, see solving.py."""
    k = radau_slopes(f, t, y, h, args)
    slope = jacobian_at(radau_gap, k, f, t, y, h, args)
    rest = stop_gradient(radau_gap(k, f, t, y, h, args))
    for _ in range(3):
        k = k - np.linalg.solve(slope, radau_gap(k, f, t, y, h, args) - rest)
    return y + h * (RADAU[2, :3] @ k.reshape((3, len(y))))


def _along(f: Function, mesh: Any, y0: Any, args: Any, stiff: bool) -> Any:
    """The states at all times of the mesh, as rows."""
    y = np.asarray(y0) * 1.0
    states = [y]
    for i in range(len(mesh) - 1):
        if stiff:
            y = _stiff_step(f, mesh[i], y, mesh[i + 1] - mesh[i], args)
        else:
            y = _step(f, mesh[i], y, mesh[i + 1] - mesh[i], args)
        states.append(y)
    return np.stack(states)


def _mesh(times: Any, cells: Any) -> Any:
    """The times at which to stop: they move with the given ones between which they lie."""
    before = cells[:, 0].astype(int)
    after = np.minimum(before + 1, len(times) - 1)
    return times[before] + cells[:, 1] * (times[after] - times[before])


def solve_ivp(
    fun: FunctionOfTwo, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
    dense_output: bool = False, events: Any = None, vectorized: bool = False, args: Any = (),
    **options: Any,
) -> Path:  # fmt: skip
    """scipy.integrate.solve_ivp without events, for those see integrating_events.py."""
    sol = Interpolant(fun, t_span, y0, method, args, options) if dense_output else None
    stiff = method in ("Radau", "BDF", "LSODA")
    formula = "Radau" if stiff else "RK45"
    asked = t_span[1:] if t_eval is None else t_eval
    times = np.concatenate((np.array([t_span[0]]), np.array(asked))) * 1.0
    cells = time_mesh(
        fun, stop_gradient(times), stop_gradient(y0), stop_gradient(t_span[1]),
        args=args, method=formula, **options
    )  # fmt: skip
    mesh = _mesh(times, cells)
    states = _along(fun, mesh, y0, args, stiff)
    if t_eval is None:
        return Path(mesh, states.T, True, sol)
    places = np.flatnonzero(cells[:, 1] == 0.0)[1:]
    return Path(t_eval, states[places].T, True, sol)


def odeint(
    func: FunctionOfTwo, y0: Any, t: Any, args: Any = (), tfirst: bool = False,
    full_output: bool = False, rtol: Any = 1.49012e-8, atol: Any = 1.49012e-8, **options: Any,
) -> Any:  # fmt: skip
    """scipy.integrate.odeint, by Dormand and Prince's steps."""
    if full_output:
        raise NotImplementedError("odeint with full_output: leave it out")
    fun = func if tfirst else _time_first
    given = args if tfirst else (func, *args)
    y0, times = np.atleast_1d(y0), np.array(t) * 1.0
    cells = time_mesh(
        fun, stop_gradient(times), stop_gradient(y0), stop_gradient(times[len(times) - 1]),
        args=given, method="RK45", rtol=rtol, atol=atol
    )  # fmt: skip
    states = _along(fun, _mesh(times, cells), y0, given, False)
    return states[np.flatnonzero(cells[:, 1] == 0.0)]


def _time_first(t: Any, y: Any, func: Function, *args: Any) -> Any:
    """A function of odeint as one of solve_ivp."""
    return func(y, t, *args)


def quad(func: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.integrate.quad of a smooth function; the error counts as 0."""
    nodes = integration_nodes(func, stop_gradient(a), stop_gradient(b), args=args, **options)
    return _sum_over(nodes, func, a, b, args), 0.0


def _sum_over(nodes: Any, func: Function, a: Any, b: Any, args: Any) -> Any:
    """An integral by the rows of `integration_nodes`."""
    low, high = np.where(np.isinf(a), 0.0, a), np.where(np.isinf(b), 0.0, b)
    total = 0.0
    for i in range(len(nodes)):
        x = nodes[i, 0] * low + nodes[i, 1] * high + nodes[i, 2]
        weight = nodes[i, 3] * (high - low) + nodes[i, 4]
        total = total + weight * func(x, *args)
    return total


def quad_vec(
    f: Function, a: Any, b: Any, epsabs: Any = 1e-200, epsrel: Any = 1e-8, norm: Any = "2",
    cache_size: Any = 1e8, limit: int = 10000, workers: Any = 1, points: Any = None,
    quadrature: Any = None, full_output: bool = False, *, args: Any = (),
) -> Any:  # fmt: skip
    """scipy.integrate.quad_vec of a smooth function, by cells that suit the norm of its values."""
    if full_output or points is not None:
        raise NotImplementedError("quad_vec with full_output or points: leave them out")
    ends = stop_gradient(a), stop_gradient(b)
    nodes = integration_nodes(_size, *ends, args=(f, *args), epsabs=1e-12, epsrel=epsrel)
    return _sum_over(nodes, f, a, b, args), 0.0


def _size(x: Any, f: Function, *args: Any) -> Any:
    """The norm of what a function gives."""
    return np.sqrt(np.sum(np.abs(f(x, *args)) ** 2))


def fixed_quad(func: Function, a: Any, b: Any, args: Any = (), n: int = 5) -> Any:
    """scipy.integrate.fixed_quad."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    x = 0.5 * (b - a) * (nodes + 1.0) + a
    return 0.5 * (b - a) * np.sum(weights * func(x, *args), axis=-1), None


READ = ("fixed_quad", "odeint", "quad", "quad_vec", "solve_ivp")


def table() -> dict[Any, Function]:
    """SciPy's function -> what is read in its place."""
    integrate = sys.modules["scipy.integrate"]
    several = importlib.import_module("s2sgrad.standins.integrating_several")
    found = {getattr(integrate, name): globals()[name] for name in READ}
    events = importlib.import_module("s2sgrad.standins.integrating_events")
    found[integrate.solve_ivp] = events.solve_ivp
    return found | {getattr(integrate, name): getattr(several, name) for name in several.READ}


def further() -> dict[Any, Function]:
    """The same for arguments that the function's rule does not serve."""
    integrate = sys.modules["scipy.integrate"]
    samples = importlib.import_module("s2sgrad.standins.samples")
    return {getattr(integrate, name): read for name, read in samples.FURTHER.items()}
