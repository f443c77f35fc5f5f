"""Floor 8: scipy.optimize's minimisers as functions that the compiler can read.

A minimum is a root of the gradient; see solving.py for how a root is followed. Where a bound
holds, its variable is the bound. Sums of squares are minimised as what they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.api import grad, opaque, stop_gradient
from s2sgrad.derivatives.higher import jvp
from s2sgrad.standins.constraining import at_bounds, settled_under
from s2sgrad.standins.solving import Result, Slope, Solution, hessian_at, near_root, value_alone
from s2sgrad_runtime import minimum_of, outcome_of, scalar_minimum_of, settled_result

Function = Callable[..., Any]
Model = Callable[..., Any]


@dataclass
class ScalarMinimum(Result):
    """What scipy.optimize.minimize_scalar gives, as far as it may be differentiated."""

    x: Any
    fun: Any
    success: bool = True


@opaque
def system_within(slope: Any, side: Any) -> Any:
    """The matrix of a step that leaves what is at a bound there."""
    return np.where(np.expand_dims(side, 1) != 0, np.eye(len(side)), slope)


def settled(fun: Function, x: Any, args: Any, success: Any = True) -> Any:
    """A minimum x of a function of a vector, as a function of `args`."""
    slope = hessian_at(fun, x, *args)
    rest = stop_gradient(grad(fun)(x, *args))
    near = True if success else near_root(slope, rest, x)
    for _ in range(3):
        x = x - np.linalg.solve(slope, grad(fun)(x, *args) - rest)
    return settled_result(x, near)


def settled_within(fun: Function, x: Any, args: Any, low: Any, high: Any, success: Any) -> Any:
    """The same between bounds, which may be active too."""
    side = at_bounds(x, stop_gradient(low), stop_gradient(high))
    slope = system_within(hessian_at(fun, x, *args), side)
    rest = stop_gradient(grad(fun)(x, *args))
    edge = np.where(side < 0, low, high)
    near = True if success else near_root(slope, np.where(side == 0, rest, 0.0), x)
    for _ in range(3):
        gap = np.where(side == 0, grad(fun)(x, *args) - rest, x - edge)
        x = x - np.linalg.solve(slope, gap)
    return settled_result(x, near)


class Bounds:
    """scipy.optimize.Bounds."""

    def __init__(self, lb: Any = -np.inf, ub: Any = np.inf, keep_feasible: Any = False) -> None:
        self.lb, self.ub, self.keep_feasible = lb, ub, keep_feasible


def ends_of(bounds: Any) -> Any:
    """The bounds of `minimize`, an object or pairs of numbers or None, as two arrays."""
    if hasattr(bounds, "lb"):
        return np.asarray(bounds.lb), np.asarray(bounds.ub)
    low = np.array([-np.inf if pair[0] is None else pair[0] for pair in bounds])
    high = np.array([np.inf if pair[1] is None else pair[1] for pair in bounds])
    return low, high


def minimize(
    fun: Function, x0: Any, args: Any = (), method: Any = None, jac: Slope = None,
    hess: Slope = None, bounds: Any = None, constraints: Any = (), tol: Any = None,
    options: Any = None,
) -> Solution:  # fmt: skip
    """scipy.optimize.minimize; constraints as pairs of a kind ('eq', 'ineq') and a function."""
    start = np.atleast_1d(stop_gradient(x0))
    given = {"method": method, "jac": jac, "hess": hess, "tol": tol, "options": options}
    if bounds is None and len(constraints) == 0:
        found = outcome_of("minimize", fun, start, args=args, **given)
        x, success = np.reshape(found[:-1], np.shape(start)), found[-1] > 0.0
        if jac is True:
            place = (fun, args)
            return _found(value_alone, settled(value_alone, x, place, success), place, success)
        return _found(fun, settled(fun, x, args, success), args, success)
    low, high = (-np.inf, np.inf) if bounds is None else ends_of(bounds)
    low, high = low + 0.0 * start, high + 0.0 * start
    pairs = None if bounds is None else np.stack([stop_gradient(low), stop_gradient(high)], axis=1)
    found = outcome_of(
        "minimize", fun, start, args=args, bounds=pairs, constraints=constraints, **given
    )
    x, success = np.reshape(found[:-1], np.shape(start)), found[-1] > 0.0
    if jac is True and len(constraints) > 0:
        raise NotImplementedError("minimize under constraints with jac=True: give jac a function")
    if jac is True:
        place = (fun, args)
        x = settled_within(value_alone, x, place, low, high, success)
        return _found(value_alone, x, place, success)
    if len(constraints) == 0:
        return _found(fun, settled_within(fun, x, args, low, high, success), args, success)
    return _found(fun, settled_under(fun, x, args, constraints, low, high), args, success)


def _found(fun: Function, x: Any, args: Any, success: Any) -> Solution:
    return Solution(x, fun(x, *args), success)


def minimize_scalar(
    fun: Function, bracket: Any = None, bounds: Any = None, args: Any = (), method: Any = None,
    tol: Any = None, options: Any = None,
) -> ScalarMinimum:  # fmt: skip
    """scipy.optimize.minimize_scalar, of a minimum between the bounds."""
    given = {"bracket": bracket, "bounds": bounds, "method": method, "tol": tol}
    x = scalar_minimum_of(fun, args=args, options=options, **given)
    slope = stop_gradient(grad(grad(fun))(x, *args))
    rest = stop_gradient(grad(fun)(x, *args))
    for _ in range(3):
        x = x - (grad(fun)(x, *args) - rest) / slope
    return ScalarMinimum(x, fun(x, *args))


@dataclass
class Fitted(Result):
    """What scipy.optimize.least_squares gives, as far as it may be differentiated."""

    x: Any
    fun: Any
    cost: Any
    success: bool = True


def half_square(x: Any, fun: Function, args: Any) -> Any:
    """What scipy.optimize.least_squares minimises."""
    r = np.asarray(fun(x, *args))
    return 0.5 * np.sum(r * r)


def softened(z: Any, loss: str) -> Any:
    """scipy.optimize.least_squares' functions of a squared residual."""
    if loss == "soft_l1":
        return 2.0 * (np.sqrt(1.0 + z) - 1.0)
    if loss == "huber":
        return np.where(z <= 1.0, z, 2.0 * np.sqrt(np.maximum(z, 1.0)) - 1.0)
    if loss == "cauchy":
        return np.log1p(z)
    if loss == "arctan":
        return np.arctan(z)
    raise NotImplementedError("no derivative of least_squares with a loss function of one's own")


def half_sum(x: Any, fun: Function, args: Any, loss: str, scale: Any) -> Any:
    """What scipy.optimize.least_squares minimises with another loss than 'linear'."""
    r = np.asarray(fun(x, *args)) / scale
    return 0.5 * scale**2 * np.sum(softened(r * r, loss))


def _between(bounds: Any, start: Any) -> Any:
    """The bounds of least_squares and curve_fit, for each variable."""
    low, high = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else (bounds[0], bounds[1])
    return np.asarray(low) + 0.0 * start, np.asarray(high) + 0.0 * start


def least_squares(
    fun: Function, x0: Any, jac: Slope = "2-point", bounds: Any = (-np.inf, np.inf),
    method: Any = "trf", ftol: Any = 1e-8, xtol: Any = 1e-8, gtol: Any = 1e-8, args: Any = (),
    loss: str = "linear", f_scale: Any = 1.0,
) -> Fitted:  # fmt: skip
    """scipy.optimize.least_squares."""
    start = np.asarray(stop_gradient(x0)) * 1.0
    low, high = _between(bounds, start)
    given = {"method": method, "ftol": ftol, "xtol": xtol, "gtol": gtol, "jac": jac}
    ends = (stop_gradient(low), stop_gradient(high))
    if loss == "linear":
        found = outcome_of("least_squares", fun, start, args=args, bounds=ends, **given)
        x, success = np.reshape(found[:-1], np.shape(start)), found[-1] > 0.0
        x = settled_within(half_square, x, (fun, args), low, high, success)
        return Fitted(x, np.asarray(fun(x, *args)), half_square(x, fun, args), success)
    found = outcome_of(
        "least_squares", fun, start, args=args, bounds=ends, loss=loss,
        f_scale=stop_gradient(f_scale), **given,
    )  # fmt: skip
    x, success = np.reshape(found[:-1], np.shape(start)), found[-1] > 0.0
    x = settled_within(half_sum, x, (fun, args, loss, f_scale), low, high, success)
    cost = half_sum(x, fun, args, loss, f_scale)
    return Fitted(x, np.asarray(fun(x, *args)), cost, success)


def misfit(p: Any, f: Model, count: int, xdata: Any, ydata: Any, sigma: Any, args: Any) -> Any:
    """Half the sum of squares that scipy.optimize.curve_fit minimises."""
    r = weighted_misfit(p, f, count, xdata, ydata, sigma, args)
    return 0.5 * np.sum(r * r)


def weighted_misfit(
    p: Any, f: Model, count: int, xdata: Any, ydata: Any, sigma: Any, args: Any
) -> Any:
    """What the model misses at each point over its uncertainty; a matrix sigma is a covariance."""
    r = f(xdata, *[p[i] for i in range(count)], *args) - ydata
    if np.ndim(sigma) == 2:
        return np.linalg.solve(np.linalg.cholesky(sigma), r)
    return r / sigma


def covariance(p: Any, place: Any, absolute: bool) -> Any:
    """What the uncertainty of the data makes of the parameters p (Gauss and Newton's matrix)."""
    f, count, xdata, ydata, sigma, args = place
    given = (p, f, count, xdata, ydata, sigma, args)
    units = np.eye(count)
    slopes = [jvp(weighted_misfit, given, (units[k], *(None,) * 6))[1] for k in range(count)]
    rows = np.stack(slopes, axis=-1)
    found = np.linalg.pinv(rows.T @ rows)
    spare = len(rows) - len(p)
    if absolute:
        return found
    return found * (2.0 * misfit(p, *place) / spare) if spare > 0 else np.full_like(found, np.inf)


@opaque
def parameters_of(f: Model) -> int:
    """How many parameters a model has behind the places that it is asked at."""
    return len(inspect.signature(f).parameters) - 1


def curve_fit(
    f: Model, xdata: Any, ydata: Any, p0: Any = None, sigma: Any = None,
    absolute_sigma: Any = False, check_finite: Any = None, bounds: Any = None, *,
    jac: Model | None = None, args: Any = (), count: int = 0, **options: Any,
) -> Any:  # fmt: skip
    """scipy.optimize.curve_fit."""
    if count == 0:  # on tensors
        count = parameters_of(f) if p0 is None else np.size(p0)
    scale = 1.0 if sigma is None else sigma
    start = np.ones(count) if p0 is None else np.asarray(stop_gradient(p0)) * 1.0
    place = (f, count, xdata, np.asarray(ydata), scale, args)
    data = (xdata, ydata, sigma)
    given = {"data": data, "jac": jac, "args": args, "check_finite": check_finite}
    if bounds is None:
        p = settled(misfit, minimum_of("curve_fit", f, start, **given, **options), place)
    else:
        low, high = _between(bounds, start)
        ends = (stop_gradient(low), stop_gradient(high))
        p = minimum_of("curve_fit", f, start, bounds=ends, **given, **options)
        p = settled_within(misfit, p, place, low, high, True)
    return p, covariance(p, place, absolute_sigma)


READ = ("Bounds", "curve_fit", "least_squares", "minimize", "minimize_scalar")
