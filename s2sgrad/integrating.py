"""Floor 8: scipy.integrate's solvers as functions that the compiler can read.

The solver runs once, to find where it steps; the steps are then taken again by a formula that
the derivative goes through: the fifth-order step of Dormand and Prince for differential
equations, Gauss and Legendre's rule for integrals. So the derivative is that of the numbers
computed (discretise, then differentiate). What it goes by must be given in `args` or y0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad_runtime import integration_cells, time_mesh

Function = Callable[..., Any]
FunctionOfTwo = Callable[..., Any]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(21)


@dataclass
class Path:
    """What scipy.integrate.solve_ivp gives, as far as it may be differentiated."""

    t: Any
    y: Any
    success: bool = True


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


def _along(f: Function, mesh: Any, y0: Any, args: Any) -> Any:
    """The states at all times of the mesh, as rows."""
    y = np.asarray(y0) * 1.0
    states = [y]
    for i in range(len(mesh) - 1):
        y = _step(f, mesh[i], y, mesh[i + 1] - mesh[i], args)
        states.append(y)
    return np.stack(states)


def solve_ivp(
    fun: FunctionOfTwo, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
    args: Any = (), rtol: Any = 1e-3, atol: Any = 1e-6, max_step: Any = np.inf,
) -> Path:  # fmt: skip
    """scipy.integrate.solve_ivp by explicit methods, without events."""
    given = {"method": method, "rtol": rtol, "atol": atol, "max_step": max_step}
    mesh = time_mesh(fun, t_span, stop_gradient(y0), t_eval, args=args, **given)
    states = _along(fun, mesh, y0, args)
    if t_eval is None:
        return Path(mesh, states.T)
    places = np.argmin(np.abs(mesh[None, :] - np.asarray(t_eval)[:, None]), axis=1)
    return Path(t_eval, states[places].T)


def quad(func: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.integrate.quad of a smooth function between finite bounds; the error counts as 0."""
    low, high = stop_gradient(a), stop_gradient(b)
    cells = integration_cells(func, low, high, args=args, **options)
    total = 0.0
    for i in range(len(cells)):
        half = 0.5 * cells[i, 1] * (b - a)
        middle = a + cells[i, 0] * (b - a) + half
        for k in range(21):
            total = total + half * WEIGHTS[k] * func(middle + half * NODES[k], *args)
    return total, 0.0


def fixed_quad(func: Function, a: Any, b: Any, args: Any = (), n: int = 5) -> Any:
    """scipy.integrate.fixed_quad."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    x = 0.5 * (b - a) * (nodes + 1.0) + a
    return 0.5 * (b - a) * np.sum(weights * func(x, *args), axis=-1), None


READ = ("fixed_quad", "quad", "solve_ivp")


def table() -> dict[Any, Function]:
    """SciPy's function -> what is read in its place."""
    integrate = sys.modules["scipy.integrate"]
    return {getattr(integrate, name): globals()[name] for name in READ}
