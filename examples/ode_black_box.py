"""A solver that can't be read, with a rule: SciPy's LSODA for a predator and its prey.

`simulate` calls compiled Fortran. Its rule integrates the adjoint equation backwards, from
observation to observation, with the same solver: lambda' = -(df/du)^T lambda.
"""

from itertools import pairwise

import numpy as np
from scipy.integrate import LSODA
from scipy.optimize import minimize

import s2sgrad

TIMES = np.linspace(0.0, 8.0, 17)
START = np.array([1.0, 0.5])
TRUTH = np.array([1.1, 0.6, 0.9, 0.4])


def growth(u, p):
    """What happens to prey and predator."""
    prey, predator = u
    return np.array(
        [p[0] * prey - p[1] * prey * predator, p[3] * prey * predator - p[2] * predator]
    )


def advance(slope, t, end, u):
    """The state at `end`, by a solver without Python source."""
    solver = LSODA(slope, t, u, end, rtol=1e-10, atol=1e-10)
    while solver.status == "running":
        solver.step()
    return solver.y


def simulate(p):
    """The states at TIMES, (17, 2)."""
    states = [START]
    for t, end in pairwise(TIMES):
        states.append(advance(lambda t, u: growth(u, p), t, end, states[-1]))
    return np.array(states)


def adjoint(states_bar, states, p):
    """The cotangent of p: state, adjoint and p_bar are integrated backwards together."""

    # one pullback of `growth` gives both products with its Jacobians
    def slope(t, w):
        u, bar = w[:2], w[2:4]
        value, pullback = s2sgrad.vjp(growth, u, p)
        u_bar, p_bar = pullback(bar)
        return np.concatenate([value, -u_bar, -p_bar])

    bar, p_bar = np.zeros(2), np.zeros(4)
    for k in range(len(TIMES) - 1, 0, -1):
        bar = bar + states_bar[k]
        w = advance(slope, TIMES[k], TIMES[k - 1], np.concatenate([states[k], bar, p_bar]))
        bar, p_bar = w[2:4], w[4:]
    return p_bar


@s2sgrad.rule(simulate)
def simulate_rule(states_bar, states, p):
    """By the adjoint equation; it is called as it is, once for each reverse sweep."""
    return adjoint(states_bar, states, p)


def loss(p, seen):
    """How far the simulated animals are from those that were counted."""
    return np.mean((np.log(simulate(p)) - np.log(seen)) ** 2)


seen = simulate(TRUTH)
start = np.array([0.9, 0.7, 1.0, 0.5])
gradient = s2sgrad.grad(loss)
s2sgrad.check_grad(lambda p: loss(p, seen), start)
found = minimize(s2sgrad.value_and_grad(loss), start, args=(seen,), jac=True, method="L-BFGS-B",
                 options={"ftol": 1e-15, "gtol": 1e-9})  # fmt: skip
print("gradient at the start:", np.round(gradient(start, seen), 4))
print("found:", np.round(found.x, 4), "in", found.nfev, "evaluations; truth:", TRUTH)
assert np.allclose(found.x, TRUTH, atol=1e-3)
