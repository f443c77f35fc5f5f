"""Floor 8: scipy.optimize's solvers for linear problems, as functions that the compiler can read.

The solver runs once, for the value alone, and says which constraints hold as equations. Those stay
active while the data moves a little: the others are solved for as functions of the data, from
linear systems, which have derivatives of every order. At a vertex of `linprog` nothing is left to
the costs: the solution does not move with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad.standins.constraining import at_bounds
from s2sgrad_runtime import linear_solution_of


@dataclass
class Fit:
    """What scipy.optimize.lsq_linear gives, as far as it may be differentiated."""

    x: Any
    fun: Any
    cost: Any
    success: bool = True
    status: int = 1


@dataclass
class Vertex:
    """What scipy.optimize.linprog gives, as far as it may be differentiated."""

    x: Any
    fun: Any
    slack: Any
    con: Any
    success: bool = True
    status: int = 0


@dataclass
class Isotonic:
    """What scipy.optimize.isotonic_regression gives."""

    x: Any
    weights: Any
    blocks: Any


def least_squares_within(A: Any, b: Any, x: Any, low: Any, high: Any) -> Any:
    """The least squares solution x between bounds, as a function of all of them."""
    side = at_bounds(x, stop_gradient(low), stop_gradient(high))
    free = side == 0
    x = np.where(free, x, np.where(side < 0, low, high))
    square = np.conjugate(A).T @ A
    square = np.where(free[:, None] & free, square, np.eye(len(x)))
    downhill = np.conjugate(A).T @ (b - A @ x)
    return x + np.linalg.solve(square, np.where(free, downhill, 0.0))


def nnls(A: Any, b: Any, maxiter: Any = None, atol: Any = None) -> Any:
    """scipy.optimize.nnls."""
    start = linear_solution_of("nnls", stop_gradient(A), stop_gradient(b), maxiter=maxiter)
    x = least_squares_within(A, b, start, np.zeros(len(start)), np.full(len(start), np.inf))
    return x, np.linalg.norm(A @ x - b)


def lsq_linear(
    A: Any, b: Any, bounds: Any = (-np.inf, np.inf), method: str = "trf", tol: float = 1e-10,
    lsq_solver: Any = None, lsmr_tol: Any = None, max_iter: Any = None, verbose: int = 0,
) -> Fit:  # fmt: skip
    """scipy.optimize.lsq_linear."""
    low, high = bounds[0] + np.zeros(np.shape(A)[1]), bounds[1] + np.zeros(np.shape(A)[1])
    ends = (stop_gradient(low), stop_gradient(high))
    given = {"bounds": ends, "method": method, "tol": tol, "max_iter": max_iter}
    start = linear_solution_of("lsq_linear", stop_gradient(A), stop_gradient(b), **given)
    x = least_squares_within(A, b, start, low, high)
    rest = A @ x - b
    return Fit(x, rest, 0.5 * np.sum(rest * rest))


def linprog(
    c: Any, A_ub: Any = None, b_ub: Any = None, A_eq: Any = None, b_eq: Any = None,
    bounds: Any = (0, None), method: str = "highs", callback: Any = None, options: Any = None,
) -> Vertex:  # fmt: skip
    """scipy.optimize.linprog: the vertex moves with the constraints that meet there."""
    cost = np.ravel(c)
    low, high = _ends(bounds, len(cost))
    matrix, limit = np.zeros((0, len(cost))), np.zeros(0)
    equations, goal = np.zeros((0, len(cost))), np.zeros(0)
    if A_ub is not None:
        matrix, limit = np.atleast_2d(A_ub), np.ravel(b_ub)
    if A_eq is not None:
        equations, goal = np.atleast_2d(A_eq), np.ravel(b_eq)
    system = (stop_gradient(matrix), stop_gradient(limit), stop_gradient(equations))
    ends = np.stack([stop_gradient(low), stop_gradient(high)], axis=1)
    given = {"bounds": ends, "method": method, "options": options}
    x = linear_solution_of("linprog", stop_gradient(cost), *system, stop_gradient(goal), **given)
    side = at_bounds(x, stop_gradient(low), stop_gradient(high))
    held = at_bounds(system[0] @ x, np.full(len(limit), -np.inf), system[1]) != 0
    stays = np.flatnonzero(side)
    rows = np.concatenate((matrix[np.flatnonzero(held)], equations, np.eye(len(x))[stays]))
    edge = np.where(side < 0, low, high)[stays]
    right = np.concatenate((limit[np.flatnonzero(held)], goal, edge))
    x = x + np.linalg.pinv(rows) @ (right - rows @ x)
    return Vertex(x, np.sum(cost * x), limit - matrix @ x, goal - equations @ x)


def isotonic_regression(y: Any, *, weights: Any = None, increasing: bool = True) -> Isotonic:
    """scipy.optimize.isotonic_regression: means of blocks, which stay while the data moves a
    little."""
    y = np.atleast_1d(y)
    each = np.ones(len(y)) if weights is None else np.atleast_1d(weights)
    given = {"weights": stop_gradient(each), "increasing": increasing}
    found = linear_solution_of("isotonic_regression", stop_gradient(y), **given)
    steps = np.flatnonzero(np.diff(found)) + 1
    starts = np.concatenate((np.array([0]), steps))
    whole = np.add.reduceat(each, starts)
    means = np.add.reduceat(each * y, starts) / whole
    blocks = np.append(starts, len(y))
    return Isotonic(np.repeat(means, np.diff(blocks)), whole, blocks)


def _ends(bounds: Any, count: int) -> Any:
    """The bounds of `linprog`, a pair or one for each variable, as two arrays."""
    if isinstance(bounds, tuple | list) and np.ndim(bounds[0]) == 0:
        low = -np.inf if bounds[0] is None else bounds[0]
        high = np.inf if bounds[1] is None else bounds[1]
        return low + np.zeros(count), high + np.zeros(count)
    low = np.array([-np.inf if pair[0] is None else pair[0] for pair in bounds])
    high = np.array([np.inf if pair[1] is None else pair[1] for pair in bounds])
    return low + np.zeros(count), high + np.zeros(count)


READ = ("isotonic_regression", "linprog", "lsq_linear", "nnls")
