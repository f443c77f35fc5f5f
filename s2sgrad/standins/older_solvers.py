"""Floor 8: scipy.optimize's older names for its solvers, those for large systems, and one that
looks for the least of many minima; see solving.py and minimizing.py for how what they find is
followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.api import grad, stop_gradient
from s2sgrad.standins.minimizing import (
    ends_of,
    half_square,
    minimize,
    minimize_scalar,
    settled,
    settled_within,
)
from s2sgrad.standins.solving import Slope, Solution, root_of_system
from s2sgrad_runtime import outcome_of, root_of, scalar_root_of

Function = Callable[..., Any]


# --- minima of functions of a vector --------------------------------------------------------------
def _found_by(solver: str, f: Function, x0: Any, args: Any, options: Any) -> Any:
    if options.get("full_output"):
        raise NotImplementedError("older solvers with full_output: use minimize")
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


def fmin_ncg(
    f: Function, x0: Any, fprime: Function, fhess_p: Any = None, fhess: Function | None = None,
    args: Any = (), avextol: float = 1e-5, disp: Any = 1,
) -> Any:  # fmt: skip
    """scipy.optimize.fmin_ncg."""
    if fhess_p is not None:
        raise NotImplementedError("fmin_ncg with fhess_p: give fhess")
    options = {"xtol": avextol}
    return minimize(f, x0, args, "Newton-CG", fprime, fhess, options=options).x


def fmin_l_bfgs_b(
    func: Function, x0: Any, fprime: Function | None = None, args: Any = (),
    approx_grad: Any = 0, bounds: Any = None, m: int = 10, factr: float = 1e7,
    pgtol: float = 1e-5,
) -> Any:  # fmt: skip
    """scipy.optimize.fmin_l_bfgs_b: x, its value, a dict."""
    both = fprime is None and not approx_grad
    options = {"maxcor": m, "ftol": factr * float(np.finfo(float).eps), "gtol": pgtol}
    slope = True if both else fprime
    found = minimize(func, x0, args, "L-BFGS-B", slope, None, bounds, options=options)
    return found.x, found.fun, {"warnflag": 0 if found.success else 1}


def fmin_slsqp(
    func: Function, x0: Any, eqcons: Any = (), f_eqcons: Any = None, ieqcons: Any = (),
    f_ieqcons: Any = None, bounds: Any = (), fprime: Function | None = None, args: Any = (),
    acc: float = 1e-6, iprint: int = 1, disp: Any = None,
) -> Any:  # fmt: skip
    """scipy.optimize.fmin_slsqp between bounds."""
    if len(eqcons) > 0 or f_eqcons is not None or len(ieqcons) > 0 or f_ieqcons is not None:
        raise NotImplementedError("fmin_slsqp with constraints: use minimize")
    within = bounds if len(bounds) > 0 else None
    return minimize(func, x0, args, "SLSQP", fprime, None, within, options={"ftol": acc}).x


def leastsq(func: Function, x0: Any, args: Any = (), Dfun: Slope = None, **options: Any) -> Any:
    """scipy.optimize.leastsq: x, and a number from 1 to 4 for success."""
    if options.get("full_output"):
        raise NotImplementedError("leastsq with full_output: use least_squares")
    start = np.asarray(stop_gradient(x0)) * 1.0
    found = outcome_of("leastsq", func, start, args=args, Dfun=Dfun, **options)
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


def fminbound(func: Function, x1: Any, x2: Any, args: Any = (), xtol: float = 1e-5) -> Any:
    """scipy.optimize.fminbound, of a minimum between the bounds."""
    bounds = (stop_gradient(x1), stop_gradient(x2))
    options = {"xatol": xtol}
    return minimize_scalar(func, None, bounds, args, "bounded", None, options).x


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


def diagbroyden(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.diagbroyden."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("diagbroyden", F, start, args=args, **options), args)


def excitingmixing(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.excitingmixing."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("excitingmixing", F, start, args=args, **options), args)


def linearmixing(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.linearmixing."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("linearmixing", F, start, args=args, **options), args)


def newton_krylov(F: Function, xin: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.newton_krylov."""
    start = stop_gradient(xin)
    return root_of_system(F, root_of("newton_krylov", F, start, args=args, **options), args)


# --- the least of many minima ---------------------------------------------------------------------
def least_of(solver: str, func: Function, bounds: Any, args: Any, options: Any) -> Solution:
    """What a solver finds between bounds, without constraints."""
    if options.get("constraints") is not None or "integrality" in options:
        raise NotImplementedError("the least of many minima with constraints or integrality")
    low, high = ends_of(bounds)
    pairs = np.stack([stop_gradient(low), stop_gradient(high)], axis=1)
    found = outcome_of(solver, func, pairs, args=args, **options)
    x = settled_within(func, found[:-1], args, low, high, False)
    return Solution(x, func(x, *args), found[-1] > 0.0)


def differential_evolution(func: Function, bounds: Any, args: Any = (), **options: Any) -> Solution:
    """scipy.optimize.differential_evolution."""
    return least_of("differential_evolution", func, bounds, args, options)


def dual_annealing(func: Function, bounds: Any, args: Any = (), **options: Any) -> Solution:
    """scipy.optimize.dual_annealing."""
    return least_of("dual_annealing", func, bounds, args, options)


def shgo(func: Function, bounds: Any, args: Any = (), **options: Any) -> Solution:
    """scipy.optimize.shgo."""
    return least_of("shgo", func, bounds, args, options)


def basinhopping(func: Function, x0: Any, args: Any = (), **options: Any) -> Solution:
    """scipy.optimize.basinhopping with its minimizer as it is."""
    if options.get("minimizer_kwargs") is not None:
        raise NotImplementedError("basinhopping with minimizer_kwargs: let the function read them")
    start = np.atleast_1d(stop_gradient(x0))
    given = {"args": stop_gradient(args)}
    found = outcome_of("basinhopping", func, start, minimizer_kwargs=given, **options)
    x = settled(func, np.reshape(found[:-1], np.shape(start)), args, False)
    return Solution(x, func(x, *args), found[-1] > 0.0)


# --- Rosenbrock's function ------------------------------------------------------------------------
def rosen_hess(x: Any) -> Any:
    """scipy.optimize.rosen_hess."""
    x = np.atleast_1d(x)
    side = -400.0 * x[:-1]
    inner = np.concatenate((1200.0 * x[:-1] ** 2 - 400.0 * x[1:] + 2.0, np.full(1, 200.0)))
    inner = inner + np.concatenate((np.zeros(1), np.full(len(x) - 2, 200.0), np.zeros(1)))
    return np.diag(inner) + np.diag(side, 1) + np.diag(side, -1)


def rosen_hess_prod(x: Any, p: Any) -> Any:
    """scipy.optimize.rosen_hess_prod."""
    return rosen_hess(x) @ np.asarray(p)


READ = (
    "anderson", "basinhopping", "brent", "broyden1", "broyden2", "diagbroyden",
    "differential_evolution", "dual_annealing", "excitingmixing", "fmin", "fmin_bfgs", "fmin_cg",
    "fmin_l_bfgs_b", "fmin_ncg", "fmin_powell", "fmin_slsqp", "fminbound", "golden", "leastsq",
    "linearmixing", "newton_krylov", "rosen_hess", "rosen_hess_prod", "shgo",
)  # fmt: skip
