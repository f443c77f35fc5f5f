"""Floor 8: scipy.optimize's solvers as functions that the compiler can read.

The solver runs once, for the value alone. Then the root takes three steps of the chord method,
`x = x - (f(x, *args) - rest) / slope`, where slope and rest are those at the root, held fixed.
They leave the value as it is, and their derivative is that of the implicit function theorem,
dx = -df / slope; each further step makes one more order of derivative exact, so that three
orders are.

What the root shall be differentiated by must be given in `args`.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.api import grad, opaque, stop_gradient
from s2sgrad.derivatives.higher import hessian, jacobian
from s2sgrad_runtime import outcome_of, root_of, scalar_root_of, settled_result

Function = Callable[..., Any]
Slope = Callable[..., Any] | str | bool | None  # True: the function gives it beside its value


class Result:
    """What a solver of SciPy gives: `found.x` is `found["x"]`."""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


@dataclass
class ScalarRoot(Result):
    """What scipy.optimize.root_scalar gives, as far as it may be differentiated."""

    root: Any
    converged: bool = True


@dataclass
class Solution(Result):
    """What scipy.optimize.root and minimize give, as far as it may be differentiated."""

    x: Any
    fun: Any
    success: bool = True


_jacobian, _hessian = functools.lru_cache(jacobian), functools.lru_cache(hessian)


@opaque
def jacobian_at(f: Function, x: Any, *args: Any) -> Any:
    """The Jacobian of f by its first argument, as a constant."""
    return _jacobian(f)(x, *args)


@opaque
def hessian_at(f: Function, x: Any, *args: Any) -> Any:
    """The Hessian of f by its first argument, as a constant."""
    return _hessian(f)(x, *args)


def scalar_root(f: Function, x: Any, args: Any) -> Any:
    """The root x of a function of one number, as a function of `args`."""
    slope = stop_gradient(grad(f)(x, *args))
    rest = stop_gradient(f(x, *args))
    for _ in range(3):
        x = x - (f(x, *args) - rest) / slope
    return x


def total(x: Any, f: Function, args: Any) -> Any:
    """The sum of a function's entries, each of which depends on its own entry of x alone."""
    return np.sum(f(x, *args))


def roots_by_entry(f: Function, x: Any, args: Any) -> Any:
    """Roots x of a function that acts entry by entry, as a function of `args`."""
    slope = stop_gradient(grad(total)(x, f, args))
    rest = stop_gradient(f(x, *args))
    for _ in range(3):
        x = x - (f(x, *args) - rest) / slope
    return x


@opaque
def near_root(slope: Any, rest: Any, x: Any) -> bool:
    """Whether a step of Newton's method from x would be short. Where none can be made, it is."""
    try:
        step = np.linalg.solve(slope, rest)
    except np.linalg.LinAlgError:
        return True
    return bool(np.all(np.abs(step) <= 1e-3 * (1.0 + np.abs(x))))


def raveled(x: Any, f: Function, shape: Any, args: Any) -> Any:
    """A function of an array, or one that gives a number, as a vector of a vector."""
    return np.ravel(f(np.reshape(x, shape), *args))


def _root_of_vector(f: Function, x: Any, args: Any, rest: Any) -> Any:
    slope = jacobian_at(f, x, *args)
    near = near_root(slope, rest, x)
    for _ in range(3):
        x = x - np.linalg.solve(slope, f(x, *args) - rest)
    return settled_result(x, near)


def root_of_system(f: Function, x: Any, args: Any) -> Any:
    """The root x of a function of a vector, as a function of `args`."""
    rest = stop_gradient(f(x, *args))
    if np.ndim(x) == 1 and np.ndim(rest) == 1:
        return _root_of_vector(f, x, args, rest)
    given = (f, np.shape(x), args)
    return np.reshape(_root_of_vector(raveled, np.ravel(x), given, np.ravel(rest)), np.shape(x))


def value_alone(x: Any, f: Function, args: Any) -> Any:
    """The value of a function that gives further derivatives beside it."""
    return f(x, *args)[0]


def _bracketed(solver: str, f: Function, a: Any, b: Any, args: Any, options: Any) -> Any:
    a, b = stop_gradient(a), stop_gradient(b)
    x = scalar_root(f, float(scalar_root_of(solver, f, a, b, args=args, **options)), args)
    return (x, ScalarRoot(x)) if options.get("full_output") else x


def brentq(f: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.brentq."""
    return _bracketed("brentq", f, a, b, args, options)


def brenth(f: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.brenth."""
    return _bracketed("brenth", f, a, b, args, options)


def ridder(f: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.ridder."""
    return _bracketed("ridder", f, a, b, args, options)


def bisect(f: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.bisect."""
    return _bracketed("bisect", f, a, b, args, options)


def toms748(f: Function, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.toms748."""
    return _bracketed("toms748", f, a, b, args, options)


def newton(
    func: Function, x0: Any, fprime: Function | None = None, args: Any = (), tol: Any = 1.48e-08,
    maxiter: int = 50, fprime2: Function | None = None, **options: Any,
) -> Any:  # fmt: skip
    """scipy.optimize.newton, for one number or entry by entry."""
    start = stop_gradient(x0)
    given = {"fprime": fprime, "fprime2": fprime2, "tol": tol, "maxiter": maxiter}
    if np.ndim(x0) > 0:
        if options.get("full_output"):
            raise NotImplementedError("newton of an array with full_output: leave it out")
        x = root_of("newton", func, start, args=args, **given, **options)
        return roots_by_entry(func, x, args)
    x = scalar_root_of("newton", func, start, args=args, **given, **options)
    x = scalar_root(func, float(x), args)
    return (x, ScalarRoot(x)) if options.get("full_output") else x


def root_scalar(
    f: Function, args: Any = (), method: Any = None, bracket: Any = None,
    fprime: Slope = None, fprime2: Slope = None, **options: Any,
) -> ScalarRoot:  # fmt: skip
    """scipy.optimize.root_scalar."""
    given = {"method": method, "bracket": bracket, "fprime": fprime, "fprime2": fprime2}
    found = outcome_of("root_scalar", f, args=args, **given, **options)
    if fprime is True or fprime2 is True:
        x = scalar_root(value_alone, float(found[0]), (f, args))
    else:
        x = scalar_root(f, float(found[0]), args)
    return ScalarRoot(x, found[1] > 0.0)


def fsolve(func: Function, x0: Any, args: Any = (), fprime: Slope = None, **options: Any) -> Any:
    """scipy.optimize.fsolve; with full_output the dict holds `fvec` alone."""
    start = np.ravel(stop_gradient(x0))
    if options.get("full_output"):
        found = outcome_of("fsolve", func, start, args=args, fprime=fprime, **options)
        x = root_of_system(func, found[:-1], args)
        good = found[-1] > 0.0
        text = "The solution converged." if good else "The iteration made no good progress."
        return x, {"fvec": func(x, *args)}, 1 if good else 5, text
    x = root_of("fsolve", func, start, args=args, fprime=fprime, **options)
    return root_of_system(func, x, args)


def root(
    fun: Function, x0: Any, args: Any = (), method: str = "hybr", jac: Slope = None,
    **options: Any,
) -> Solution:  # fmt: skip
    """scipy.optimize.root; MINPACK's methods see x as a vector."""
    start = np.ravel(stop_gradient(x0)) if method in ("hybr", "lm") else stop_gradient(x0)
    found = outcome_of("root", fun, start, args=args, method=method, jac=jac, **options)
    x = np.reshape(found[:-1], np.shape(start))
    if jac is True:
        x = root_of_system(value_alone, x, (fun, args))
        return Solution(x, fun(x, *args)[0], found[-1] > 0.0)
    x = root_of_system(fun, x, args)
    return Solution(x, fun(x, *args), found[-1] > 0.0)


def fixed_point(func: Function, x0: Any, args: Any = (), **options: Any) -> Any:
    """scipy.optimize.fixed_point, for a vector or a number."""
    start = stop_gradient(x0)
    x = root_of("fixed_point", func, start, args=args, **options)
    if np.ndim(x0) == 0:
        x = x + 0.0  # SciPy gives an array without axes
        steepness = 1.0 - stop_gradient(grad(func)(x, *args))
        left = stop_gradient(x - func(x, *args))
        for _ in range(3):
            x = x - (x - func(x, *args) - left) / steepness
        return x
    slope = np.eye(len(x)) - jacobian_at(func, x, *args)
    rest = stop_gradient(x - func(x, *args))
    for _ in range(3):
        x = x - np.linalg.solve(slope, x - func(x, *args) - rest)
    return x


READ = (
    "bisect", "brenth", "brentq", "fixed_point", "fsolve", "newton", "ridder", "root",
    "root_scalar", "toms748",
)  # fmt: skip


def table() -> dict[Any, Function]:
    """SciPy's function -> what is read in its place."""
    optimize = sys.modules["scipy.optimize"]
    found = {getattr(optimize, name): globals()[name] for name in READ}
    for name in ("minimizing", "constraining", "linear_problems", "older_solvers"):
        module = importlib.import_module(f"s2sgrad.standins.{name}")
        found |= {getattr(optimize, n): getattr(module, n) for n in module.READ}
    return found
