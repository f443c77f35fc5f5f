"""Solvers of SciPy whose values are too coarse for central differences, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import s2sgrad

TIMES = np.linspace(0.0, 2.0, 9)


def test_minimum_on_a_line() -> None:
    def place(a: float, b: float) -> float:
        return optimize.minimize_scalar(lambda x: (x - a) ** 2 + b * x**2).x

    found = s2sgrad.grad(place, argnums=(0, 1), fallback="error")(2.0, 0.5)
    assert found == pytest.approx((1.0 / 1.5, -2.0 / 1.5**2), rel=1e-6)


def line(t: np.ndarray, height: float, slope: float) -> np.ndarray:
    return height + slope * t


def test_fitted_line() -> None:
    def fit(y: np.ndarray) -> float:
        p, _ = optimize.curve_fit(line, TIMES, y)
        return p[0] * p[1]

    y = np.exp(TIMES)
    inverse = np.linalg.pinv(np.stack([np.ones(9), TIMES], axis=1))
    p = inverse @ y
    expected = p[1] * inverse[0] + p[0] * inverse[1]
    np.testing.assert_allclose(s2sgrad.grad(fit, fallback="error")(y), expected, rtol=1e-6)
    weights = np.linspace(1.0, 2.0, 9)

    def weighted(y: np.ndarray) -> float:
        p, _ = optimize.curve_fit(line, TIMES, y, p0=[1.0, 1.0], sigma=1.0 / weights)
        return p[1]

    inverse = np.linalg.pinv(weights[:, None] * np.stack([np.ones(9), TIMES], axis=1))
    np.testing.assert_allclose(s2sgrad.grad(weighted)(y), inverse[1] * weights, rtol=1e-6)


def spread_of_fit(y: np.ndarray, s: np.ndarray) -> float:
    """Covariances, by the data and by their uncertainties: numbers, or a matrix of them."""
    p, found = optimize.curve_fit(line, TIMES, y, sigma=s)
    q, other = optimize.curve_fit(line, TIMES, y, sigma=np.diag(s) + 0.1, absolute_sigma=True)
    return np.sum(p * q) + found[0, 1] + np.sum(np.sqrt(np.diag(other)))


def by_entries(a: np.ndarray) -> float:
    x = optimize.newton(
        lambda z: z**3 - a, np.ones(2), fprime=lambda z: 3.0 * z**2, fprime2=lambda z: 6.0 * z
    )
    y, info, good, _ = optimize.fsolve(lambda z: z**3 - a, np.ones(2), full_output=True)
    z, report = optimize.brentq(lambda z: z**3 - a[0], 0.0, 9.0, full_output=True)
    wave = integrate.quad(lambda t: np.exp(1j * a[1] * t), 0.0, 1.0, complex_func=True)[0]
    reached = good == 1 and report.converged
    return np.sum(x * y**2) + z * abs(wave) + np.sum(info["fvec"]) if reached else 0.0


def test_seldom_outputs_of_solvers() -> None:
    s2sgrad.check_grad(
        spread_of_fit, np.exp(TIMES), np.linspace(1.0, 2.0, 9), argnums=(0, 1), rtol=1e-4
    )
    s2sgrad.check_grad(by_entries, np.array([2.0, 3.0]))


def stopped_early(a: np.ndarray) -> float:
    return np.sum(optimize.minimize(_bowl, np.ones(2), args=(a,), options={"maxiter": 1}).x)


def _bowl(x: np.ndarray, a: np.ndarray) -> float:
    return np.sum((x**2 - a) ** 2)


def test_where_a_minimiser_gives_up_there_is_no_derivative() -> None:
    with pytest.raises(ValueError, match="stopped far from a solution"):
        s2sgrad.grad(stopped_early, fallback="error")(np.array([2.0, 3.0]))


def least_of_complex(a: float) -> float:
    return optimize.fminbound(lambda z: (1.0 + 0.5j) * (z - a) ** 2, 0.0, 2.0)


def test_complex_numbers_have_no_least() -> None:
    with pytest.raises(TypeError, match="complex numbers have no least one"):
        s2sgrad.grad(least_of_complex)(0.3)


def whole_numbers(c: np.ndarray) -> float:
    return np.sum(optimize.milp(c, integrality=np.ones(2), bounds=(0, 1)).x)


def linear_problems(a: np.ndarray, b: np.ndarray) -> float:
    """Constraints that hold and others that do not, in each of the three."""
    x, distance = optimize.nnls(a, b)
    within = optimize.lsq_linear(a, b, bounds=(-0.1 * b[0], 0.2))
    vertex = optimize.linprog(-(a[0] ** 2), A_ub=np.abs(a), b_ub=1.0 + b**2)
    return np.sum(x**2) + distance + within.cost + np.sum(within.x**3) + vertex.x[0] * vertex.fun


def test_linear_problems() -> None:
    rng = np.random.default_rng(3)
    given = (rng.standard_normal((5, 3)), rng.standard_normal(5))
    s2sgrad.check_grad(linear_problems, *given)
    u, v = rng.standard_normal((5, 3)), rng.standard_normal((5, 3))
    slope = s2sgrad.grad(linear_problems, fallback="error")
    moved = [slope(given[0] + s * 1e-5 * v, given[1]) for s in (1.0, -1.0)]
    found = s2sgrad.hvp(linear_problems, fallback="error")(*given, v)
    np.testing.assert_allclose(np.sum(found * u), np.sum((moved[0] - moved[1]) * u) / 2e-5, 1e-5)


@pytest.mark.parametrize(
    ("function", "x", "text"),
    [
        (whole_numbers, np.array([-1.0, 2.0]), "whole numbers do not move"),
    ],
)
def test_refused(function: object, x: np.ndarray, text: str) -> None:
    with pytest.raises(s2sgrad.S2sgradError, match=text):
        s2sgrad.grad(function, fallback="error")(x)


# Their values differ from SciPy's by its tolerance.
def end_of_a_swing_by_odeint(k: np.ndarray) -> float:
    times = np.linspace(0.0, 2.0, 5)
    states = integrate.odeint(
        lambda y, t, stiffness: [y[1], -stiffness * y[0] - k[1] * y[1]], k, times, args=(k[0],),
        rtol=1e-11, atol=1e-11,
    )  # fmt: skip
    return np.sum(states[-1]) + states[2, 0] ** 2


def end_of_a_stiff_equation(k: np.ndarray) -> float:
    path = integrate.solve_ivp(
        lambda t, y: [-50.0 * k[0] * (y[0] - np.cos(t)), y[0] - k[1] * y[1]],
        (0.0, 0.5), np.array([0.0, 1.0]), method="BDF", rtol=1e-9, atol=1e-9,
    )  # fmt: skip
    return np.sum(path.y[:, -1] ** 2)


def ground(t: float, y: np.ndarray, drag: float) -> float:
    return y[0] - 0.1 * drag


def top(t: float, y: np.ndarray, drag: float) -> float:
    return y[1]


ground.terminal, ground.direction = True, -1  # type: ignore[attr-defined]


def throw(k: np.ndarray) -> float:
    path = integrate.solve_ivp(
        lambda t, y, drag: np.array([y[1], -9.81 * k[0] - drag * y[1]]),
        (0.0, 10.0), np.array([1.0, 3.0 * k[1]]), events=[top, ground], args=(k[1],),
        rtol=1e-10, atol=1e-10,
    )  # fmt: skip
    top_t, top_y = path.t_events[0][0], path.y_events[0][0]
    return path.t[-1] * 2.0 + path.y[1, -1] * 0.3 + top_t + top_y[0] * k[0] + path.status


def throw_at_times(k: np.ndarray) -> float:
    path = integrate.solve_ivp(
        lambda t, y, drag: np.array([y[1], -9.81 * k[0] - drag * y[1]]),
        (0.0, 10.0), np.array([1.0, 3.0 * k[1]]), events=[top, ground], args=(k[1],),
        rtol=1e-10, atol=1e-10, t_eval=[0.0, 0.1, 0.2, 4.0, 5.0],
    )  # fmt: skip
    return np.sum(path.y**2) + path.t_events[1][0] + np.sum(path.y_events[1] ** 2)


def zeros_of_a_pendulum(k: np.ndarray) -> float:
    path = integrate.solve_ivp(
        lambda t, y: np.array([y[1], -k[0] * np.sin(y[0])]), (0.0, 10.0), k,
        events=lambda t, y: y[0] - 0.1 * k[1], rtol=1e-10, atol=1e-10, t_eval=[1.0, 2.0],
    )  # fmt: skip
    return np.sum(path.t_events[0]) + np.sum(path.y_events[0] ** 2) + np.sum(path.y)


def end_of_a_stiff_decay(k: np.ndarray) -> float:
    path = integrate.solve_ivp(
        lambda t, y, drag: -k[0] * y, (0.0, 20.0), np.array([5.0, 1.0]), events=(ground,),
        method="Radau", rtol=1e-7, atol=1e-9, args=(k[1],),
    )  # fmt: skip
    return path.t[-1] * 3.0 + np.sum(path.y[:, -1])


EVENTS = [throw, throw_at_times, zeros_of_a_pendulum, end_of_a_stiff_decay]


@pytest.mark.parametrize(
    "function",
    [throw, *(pytest.param(f, marks=pytest.mark.slow) for f in EVENTS[1:])],
)
def test_events(function: Any) -> None:
    """Times and states of events, and where one ends the solution."""
    k, v = np.array([0.7, 0.9]), np.array([1.0, 2.0])
    value, gradient = s2sgrad.value_and_grad(function, fallback="error")(k)
    assert value == pytest.approx(function(k), rel=1e-6)
    slopes = [(function(k + d) - function(k - d)) / 2e-4 for d in 1e-4 * np.eye(2)]
    np.testing.assert_allclose(gradient, slopes, rtol=2e-5)
    _, tangent = s2sgrad.jvp(function, (k,), (v,), fallback="error")
    assert tangent == pytest.approx(gradient @ v)


@pytest.mark.slow
@pytest.mark.parametrize("function", [f for f in EVENTS if f is not end_of_a_stiff_decay])
def test_events_twice(function: Any) -> None:
    k, v = np.array([0.7, 0.9]), np.array([1.0, 2.0])
    slope = s2sgrad.grad(function, fallback="error")
    bend = (slope(k + 1e-4 * v) - slope(k - 1e-4 * v)) / 2e-4
    np.testing.assert_allclose(s2sgrad.hvp(function)(k, v), bend, rtol=1e-4)


@pytest.mark.parametrize(
    "function",
    [end_of_a_swing_by_odeint, pytest.param(end_of_a_stiff_equation, marks=pytest.mark.slow)],
)
def test_differential_equations(function: object) -> None:
    k = np.array([0.7, 0.9])
    value, gradient = s2sgrad.value_and_grad(function, fallback="error")(k)
    assert value == pytest.approx(function(k), rel=1e-7)  # type: ignore[operator]
    steps = 1e-4 * np.eye(2)
    slopes = [(function(k + d) - function(k - d)) / 2e-4 for d in steps]  # type: ignore[operator]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-5)
    _, tangent = s2sgrad.jvp(function, (k,), (np.array([1.0, 2.0]),), fallback="error")
    assert tangent == pytest.approx(gradient @ [1.0, 2.0])


# Minima under constraints: SLSQP's values are good to about 1e-8.
TIGHT = {"tol": 1e-13, "options": {"maxiter": 1000}}


def on_a_line(a: np.ndarray) -> float:
    line = {"type": "eq", "fun": lambda x: x[0] + x[1] - a[2]}
    found = optimize.minimize(
        lambda x: np.sum((x - a[:2]) ** 2), np.zeros(2), constraints=line, **TIGHT
    )
    return np.sum(found.x**3) + found.fun


def on_a_circle_in_a_half_plane(a: np.ndarray) -> float:
    rules = [
        {"type": "eq", "fun": lambda x, r: x[0] ** 2 + x[1] ** 2 - r, "args": (a[2],)},
        {"type": "ineq", "fun": lambda x: np.array([x[0] - a[1], 5.0 - x[1]])},
    ]
    found = optimize.minimize(
        lambda x: np.sum((x[:2] - a[:2]) ** 2) + np.exp(x[2] * a[0]) + x[2] ** 2,
        np.ones(3), constraints=rules, method="SLSQP", **TIGHT,
    )  # fmt: skip
    return np.sum(found.x**3 * np.arange(1.0, 4.0))


def height(x: np.ndarray, a: np.ndarray) -> float:
    return (x[0] - a[0]) ** 2 + (x[1] - a[1]) ** 2 + x[0] * x[1] * a[2]


def room(x: np.ndarray, a: np.ndarray) -> float:
    return a[2] - x[0] - x[1] ** 2


def below_a_parabola_between_bounds(a: np.ndarray) -> float:
    found = optimize.minimize(
        height, np.ones(2), args=(a,), bounds=[(0.0, a[1]), (None, 3.0)],
        constraints=({"type": "ineq", "fun": room, "args": (a,)},), **TIGHT,
    )  # fmt: skip
    return np.sum(found.x**2)


@pytest.mark.parametrize(
    ("function", "a"),
    [
        pytest.param(on_a_line, np.array([2.0, 0.7, 1.2]), marks=pytest.mark.slow),
        pytest.param(
            on_a_circle_in_a_half_plane, np.array([2.0, 0.7, 1.5]), marks=pytest.mark.slow
        ),
        (below_a_parabola_between_bounds, np.array([2.0, 1.1, 0.5])),
    ],
)
def test_minimum_under_constraints(function: object, a: np.ndarray) -> None:
    gradient = s2sgrad.grad(function, fallback="error")(a)
    steps = 3e-3 * np.eye(3)
    weights = {-2: 1.0, -1: -8.0, 1: 8.0, 2: -1.0}
    slopes = [
        sum(w * function(a + k * d) for k, w in weights.items()) / (12 * 3e-3)  # type: ignore[operator]
        for d in steps
    ]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(s2sgrad.jacfwd(function)(a), gradient, rtol=1e-9)
    curvature = s2sgrad.hessian(function, fallback="error")(a)
    again = s2sgrad.grad(function)
    rows = [(again(a + d) - again(a - d)) / 6e-3 for d in steps]
    np.testing.assert_allclose(curvature, rows, rtol=1e-3, atol=1e-4)


WEIGHTS = np.array([1.0, -2.0, 3.0])


def nearest(a: np.ndarray, rule: object) -> np.ndarray:
    return optimize.minimize(lambda x: np.sum((x - a) ** 2), a, constraints=rule, tol=1e-12).x


def on_a_plane(a: np.ndarray) -> float:
    """An equation, an inequality that holds with room, and one without a lower bound."""
    rows, room = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]), np.array([1.0, 50.0])
    rule = optimize.LinearConstraint(rows, np.array([1.0, -np.inf]), room)
    return np.sum(WEIGHTS * nearest(a, rule))


def below_a_plane(a: np.ndarray) -> float:
    return np.sum(WEIGHTS * nearest(a, [optimize.LinearConstraint(np.ones(3), ub=1.0)]))


def in_a_ball(a: np.ndarray, r: float) -> float:
    rule = optimize.NonlinearConstraint(lambda x: np.sum(x**2), -np.inf, r**2)
    return np.sum(WEIGHTS * nearest(a, rule))


@pytest.mark.filterwarnings("ignore:.*same element of the constraint list")
@pytest.mark.slow
@pytest.mark.parametrize("jit", [False, True])
def test_constraints_as_objects(jit: bool) -> None:
    a, expected = np.array([1.2, 0.3, 0.8]), WEIGHTS - np.mean(WEIGHTS)
    for f in (on_a_plane, below_a_plane):
        found = s2sgrad.grad(f, jit=jit, fallback="error")(a)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    size = np.linalg.norm(a)
    by_a, by_r = s2sgrad.grad(in_a_ball, (0, 1), jit=jit, fallback="error")(a, 0.5)
    np.testing.assert_allclose(by_r, WEIGHTS @ a / size, rtol=1e-5)
    along = 0.5 / size * (WEIGHTS - a * (WEIGHTS @ a) / size**2)
    np.testing.assert_allclose(by_a, along, rtol=1e-4, atol=1e-6)
    dot = s2sgrad.jvp(in_a_ball, (a, 0.5), (a, None), fallback="error")[1]
    np.testing.assert_allclose(dot, along @ a, atol=1e-4)


def decay(t, y, rate):
    return -rate * y * t


def ends_of_paths(v):
    """By the ends of the time and by the times looked at, in both directions."""
    rate, start, end = v
    options = {"args": (rate,), "rtol": 1e-9, "atol": 1e-9}
    last = integrate.solve_ivp(decay, (start, end), [1.0], **options).y[0, -1]
    times = np.linspace(start, end, 4)
    seen = integrate.solve_ivp(decay, (start, end), [1.0], t_eval=times, **options).y[0]
    some = integrate.solve_ivp(decay, [start, 3.0], [1.0], t_eval=times[1:3], **options).y[0]
    back = integrate.odeint(decay, [2.0], times[::-1], (rate,), tfirst=True)[:, 0]
    return last + seen @ np.array([0.3, 1.0, 2.0, 0.5]) + some[0] * some[1] + np.sum(back**2)


def ends_of_integrals(v):
    """Also from the larger end to the smaller, and from one end to itself."""
    x, a, b = v
    up, down, none = (
        integrate.quad(lambda t: np.exp(-x * (t - 0.3) ** 2), *ends)[0]
        for ends in ((a, b), (b, a - 1.0), (b, b + 0.0 * a))
    )
    twice = integrate.dblquad(lambda y, t: np.exp(-x * t * y), b, a, lambda t: x, lambda t: t)[0]
    return up * down + 2.0 * none + twice


def test_ends_of_integrals_and_of_paths() -> None:
    s2sgrad.check_grad(ends_of_integrals, np.array([1.3, 0.2, 1.4]))
    for v in (np.array([1.3, 0.2, 1.4]), np.array([0.7, 0.5, 1.0])):
        s2sgrad.check_grad(ends_of_paths, v, rtol=1e-4)
    at_one_point = s2sgrad.grad(lambda v: integrate.quad(np.cos, v[0], v[1])[0])
    np.testing.assert_allclose(at_one_point(np.array([0.5, 0.5])), np.cos(0.5) * np.array([-1, 1]))


def where_a_ball_lands(v):
    """One nested function, handed to a solver inside another solver and to one outside."""

    def rhs(t, s, drag):
        speed = np.sqrt(s[2] ** 2 + s[3] ** 2)
        return np.array([s[2], s[3], -drag * speed * s[2], -9.81 - drag * speed * s[3]])

    start = np.array([0.0, 1.0, 5.0 + v[0], 6.0 + v[1]])
    options = {"args": (0.05,), "rtol": 1e-8, "atol": 1e-8}

    def height(end):
        return integrate.solve_ivp(rhs, (0.0, end), start, **options).y[1, -1]

    end = optimize.brentq(height, 0.3, 3.0)
    return integrate.solve_ivp(rhs, (0.0, end), start, **options).y[0, -1]


def test_a_path_to_where_it_ends() -> None:
    s2sgrad.check_grad(where_a_ball_lands, np.array([0.3, -0.2]), rtol=1e-4)
