"""Solvers of SciPy, called for the value alone; what follows from it is generated code."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = [
    "integration_cells",
    "minimum_of",
    "root_of",
    "scalar_root_of",
    "time_mesh",
]


def _solver(name: str) -> Any:
    return getattr(importlib.import_module("scipy.optimize"), name)


def scalar_root_of(solver: str, f: Callable[..., Any], *given: Any, **options: Any) -> float:
    """The root of a function of one number, by the solver of that name."""
    found = _solver(solver)(f, *given, **options)
    return float(getattr(found, "root", found))


def root_of(solver: str, f: Callable[..., Any], x0: Any, **options: Any) -> Any:
    """The root (or fixed point) of a function of an array, in the shape of x0."""
    found = _solver(solver)(f, x0, **options)
    return np.reshape(np.asarray(getattr(found, "x", found), float), np.shape(x0))


def minimum_of(solver: str, f: Callable[..., Any], x0: Any, **options: Any) -> Any:
    """Where a function is least, in the shape of x0."""
    return np.reshape(_solver(solver)(f, x0, **options).x, np.shape(x0))


def integration_cells(f: Callable[..., Any], a: float, b: float, **options: Any) -> Any:
    """The cells into which scipy.integrate.quad cuts [a, b]: rows (start, length), as fractions."""
    if not np.isfinite(a) or not np.isfinite(b):
        raise ValueError(
            "the derivative of quad needs finite bounds: substitute, as x = t / (1 - t)"
        )
    quad = importlib.import_module("scipy.integrate").quad
    info = quad(f, a, b, full_output=1, **options)[2]
    start, end = (info[key][: info["last"]] for key in ("alist", "blist"))
    return np.stack([(start - a) / (b - a), (end - start) / (b - a)], axis=1)


def time_mesh(fun: Callable[..., Any], t_span: Any, y0: Any, t_eval: Any, **options: Any) -> Any:
    """The times at which scipy.integrate.solve_ivp stops, those of t_eval among them."""
    if options.get("method", "RK45") not in ("RK45", "RK23", "DOP853"):
        raise ValueError(
            "the derivative of solve_ivp goes through explicit steps: method='RK45', 'RK23' or "
            "'DOP853'; for a stiff equation write the implicit step"
        )
    solve = importlib.import_module("scipy.integrate").solve_ivp
    found = solve(fun, t_span, np.asarray(y0), **options)
    if not found.success:
        raise ValueError(f"solve_ivp: {found.message}")
    times = found.t if t_eval is None else np.union1d(found.t, np.asarray(t_eval))
    return times if t_span[1] >= t_span[0] else times[::-1] if t_eval is not None else times
