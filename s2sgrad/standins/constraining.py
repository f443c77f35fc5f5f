"""Floor 8: a minimum under constraints, as a function of what it depends on.

There the conditions of Karush, Kuhn and Tucker hold: the gradient of the Lagrange function is
zero, and so is each constraint that is active. They are a system for x and the multipliers, and
its root is followed as any root is; see solving.py. An inequality that is not active leaves its
multiplier at zero, a variable at a bound stays there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.api import grad, opaque, stop_gradient
from s2sgrad.standins.solving import jacobian_at

Function = Callable[..., Any]


def NonlinearConstraint(
    fun: Function, lb: Any, ub: Any, jac: Any = None, hess: Any = None, keep_feasible: Any = False,
    finite_diff_rel_step: Any = None, finite_diff_jac_sparsity: Any = None,
) -> Any:  # fmt: skip
    """scipy.optimize.NonlinearConstraint as constraints of minimize: where the bounds are equal, an
    equation; else an inequality for each finite bound."""

    def equal(x: Any) -> Any:
        values = np.atleast_1d(fun(x))
        low, high = lb + 0.0 * values, ub + 0.0 * values
        return (values - low)[np.flatnonzero(stop_gradient(low) == stop_gradient(high))]

    def above(x: Any) -> Any:
        values = np.atleast_1d(fun(x))
        low, high = stop_gradient(lb + 0.0 * values), stop_gradient(ub + 0.0 * values)
        return (values - lb)[np.flatnonzero((low > -np.inf) & (low != high))]

    def below(x: Any) -> Any:
        values = np.atleast_1d(fun(x))
        low, high = stop_gradient(lb + 0.0 * values), stop_gradient(ub + 0.0 * values)
        return (ub - values)[np.flatnonzero((high < np.inf) & (low != high))]

    return [
        {"type": "eq", "fun": equal}, {"type": "ineq", "fun": above}, {"type": "ineq", "fun": below}
    ]  # fmt: skip


def LinearConstraint(
    A: Any, lb: Any = -np.inf, ub: Any = np.inf, keep_feasible: Any = False
) -> Any:
    """scipy.optimize.LinearConstraint: bounds of A @ x."""
    matrix = np.atleast_2d(A)

    def products(x: Any) -> Any:
        return matrix @ x

    return NonlinearConstraint(products, lb, ub)


@opaque
def at_bounds(x: Any, low: Any, high: Any) -> Any:
    """-1 where x is at its lower bound, 1 at its upper one, 0 between."""
    reach = 1e-7 * (1.0 + np.abs(x))
    return np.where(x <= low + reach, -1, np.where(x >= high - reach, 1, 0))


def constraint_values(x: Any, rules: Any, args: Any) -> Any:
    """The values of all constraints, one after the other."""
    return np.concatenate([np.ravel(rule(x, *args)) for _, rule in rules])


def lagrange_function(x: Any, multipliers: Any, fun: Function, rules: Any, args: Any) -> Any:
    """What is stationary at the minimum."""
    return fun(x, *args) - np.sum(multipliers * constraint_values(x, rules, args))


def optimality_gap(
    z: Any, fun: Function, rules: Any, args: Any, side: Any, edge: Any, held: Any
) -> Any:
    """By how much x and its multipliers, one after the other in z, fail the conditions."""
    n = len(side)
    x, multipliers = z[:n], z[n:]
    slope = grad(lagrange_function)(x, multipliers, fun, rules, args)
    values = constraint_values(x, rules, args)
    return np.concatenate(
        (np.where(side == 0, slope, x - edge), np.where(held, values, multipliers))
    )


@opaque
def active_constraints(x: Any, rules: Any, args: Any) -> Any:
    """Which entries of the constraints hold as equations at x."""
    values = constraint_values(x, rules, args)
    equations = [np.full(np.size(rule(x, *args)), kind == "eq") for kind, rule in rules]
    return np.concatenate(equations) | (values < 1e-6)


@opaque
def multipliers_at(x: Any, fun: Function, rules: Any, args: Any, side: Any, held: Any) -> Any:
    """The multipliers of a minimum."""
    slopes = jacobian_at(constraint_values, x, rules, args)
    free = side == 0
    found = np.zeros(len(held))
    goal = grad(fun)(x, *args)[free]
    found[held] = np.linalg.lstsq(slopes[held][:, free].T, goal, rcond=None)[0]
    return found


def settled_under(fun: Function, x: Any, args: Any, rules: Any, low: Any, high: Any) -> Any:
    """A minimum x under constraints and between bounds, as a function of `args`."""
    side = at_bounds(x, stop_gradient(low), stop_gradient(high))
    held = active_constraints(x, rules, args)
    edge = np.where(side < 0, low, np.where(side > 0, high, 0.0))
    z = np.concatenate((x, multipliers_at(x, fun, rules, args, side, held)))
    fixed = stop_gradient(edge)
    slope = jacobian_at(optimality_gap, z, fun, rules, args, side, fixed, held)
    rest = stop_gradient(optimality_gap(z, fun, rules, args, side, fixed, held))
    for _ in range(3):
        z = z - np.linalg.solve(slope, optimality_gap(z, fun, rules, args, side, edge, held) - rest)
    return z[: len(x)]


READ = ("LinearConstraint", "NonlinearConstraint")
