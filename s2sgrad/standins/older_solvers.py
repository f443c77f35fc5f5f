"""Floor 8: scipy.optimize's older names for its solvers, those for large systems, and one that
looks for the least of many minima; see solving.py and minimizing.py for how what they find is
followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.api import grad, stop_gradient
from s2sgrad.standins.minimizing import ends_of, half_square, settled, settled_within
from s2sgrad.standins.solving import Solution, root_of_system
from s2sgrad_runtime import outcome_of, root_of, scalar_root_of

Function = Callable[..., Any]


# --- minima of functions of a vector --------------------------------------------------------------
def _found_by(solver: str, f: Function, x0: Any, args: Any, options: Any) -> Any:
    if options.get("full_output"):
        raise NotImplementedError(f"{solver} with full_output: use minimize")
    x = root_of(solver, f, stop_gradient(x0), args=args, **options)
    return settled(f, x, args, False)


def fmin(func: Function, x0: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.fmin."""
    return _found_by("fmin", func, x0, args, options)


def fmin_powell(func: Function, x0: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.fmin_powell."""
    return _found_by("fmin_powell", func, x0, args, options)


def fmin_bfgs(
    f: Function, x0: Any, fprime: Function | None = None, args: Any = (), **options: Any
) -> Any:
    """scipy.optimize.fmin_bfgs."""
    return _found_by("fmin_bfgs", f, x0, args, {"fprime": fprime, **options})


def fmin_cg(
    f: Function, x0: Any, fprime: Function | None = None, args: Any = (), **options: Any
) -> Any:
    """scipy.optimize.fmin_cg."""
    return _found_by("fmin_cg", f, x0, args, {"fprime": fprime, **options})


def leastsq(func: Function, x0: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.leastsq: x, and a number from 1 to 4 for success."""
    if options.get("full_output"):
        raise NotImplementedError("leastsq with full_output: use least_squares")
    start = np.asarray(stop_gradient(x0)) * 1.0
    found = outcome_of("leastsq", func, start, args=args, **options)
    x, flag = np.reshape(found[:-1], np.shape(start)), int(found[-1])
    return settled(half_square, x, (func, args), 1 <= flag <= 4), flag


# --- minima of functions of a number --------------------------------------------------------------
def _bottom(f: Function, x: Any, args: Any) -> Any:
    slope = stop_gradient(grad(grad(f))(x, *args))
    rest = stop_gradient(grad(f)(x, *args))
    for _ in range(3):
        x = x - (grad(f)(x, *args) - rest) / slope
    return x


def brent(func: Function, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.brent."""
    return _bottom(func, float(scalar_root_of("brent", func, args=args, **options)), args)


def golden(func: Function, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.golden."""
    return _bottom(func, float(scalar_root_of("golden", func, args=args, **options)), args)


# --- roots of large systems -----------------------------------------------------------------------
def broyden1(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.broyden1."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("broyden1", F, start, args=args, **options), args)


def broyden2(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.broyden2."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("broyden2", F, start, args=args, **options), args)


def anderson(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.anderson."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("anderson", F, start, args=args, **options), args)


def newton_krylov(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.newton_krylov."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("newton_krylov", F, start, args=args, **options), args)


def differential_evolution(func: Function, bounds: Any, args: Any = (), **options: Any) -> Solution:
    """scipy.optimize.differential_evolution without constraints."""
    if "constraints" in options or "integrality" in options:
        raise NotImplementedError("differential_evolution with constraints or integrality")
    low, high = ends_of(bounds)
    pairs = np.stack([stop_gradient(low), stop_gradient(high)], axis=1)
    found = outcome_of("differential_evolution", func, pairs, args=args, **options)
    x = settled_within(func, found[:-1], args, low, high, False)
    return Solution(x, func(x, *args), found[-1] > 0.0)


READ = (
    "anderson", "brent", "broyden1", "broyden2", "differential_evolution", "fmin",
    "fmin_bfgs", "fmin_cg", "fmin_powell", "golden", "leastsq", "newton_krylov",
)  # fmt: skip
