"""SciPy's solvers: implicit functions, differential equations, integrals."""

from __future__ import annotations

import functools

import numpy as np
from scipy import integrate, optimize, signal

from programs.registry import positive, program

TIMES = np.linspace(0.0, 1.0, 8)
SIGNAL = np.exp(-TIMES) + 0.01 * np.sin(9.0 * TIMES)


def _cube(x, a):
    return x**3 - a


def _pair(x, a):
    return np.array([x[0] ** 2 + x[1] - a[0] - 1.0, x[0] - x[1] ** 3 + a[1]])


def _cost(x, a):
    return np.sum(np.array([1.0, 2.0]) * (x - a**2) ** 2) + x[0] * x[1] * np.sin(a[1])


def _cost_slope(x, a):
    return np.array([2.0, 4.0]) * (x - a**2) + x[::-1] * np.sin(a[1])


def _cost_curvature(x, a):
    return np.diag([2.0, 4.0]) + np.sin(a[1]) * np.array([[0.0, 1.0], [1.0, 0.0]])


def _damped(x, b):
    return 0.3 * np.cos(x) * b


def _swing(t, y, k):
    return [y[1], -k[0] * y[0] - k[1] * y[1] + 0.1 * t]


def _wave(x, a):
    return np.exp(-a[0] * x) * np.sin(a[1] * x)


@program(positive(), second=True)
def root_of_one_number(a):
    return optimize.brentq(_cube, 0.0, 5.0, args=(a,)) ** 2


@program(positive())
def roots_by_other_solvers(a):
    x = optimize.newton(_cube, 1.0, args=(a,))
    y = optimize.root_scalar(_cube, args=(2.0 * a,), bracket=(0.0, 5.0)).root
    return x * y


@program(positive(), second=True)
def root_of_a_lambda(a):
    return optimize.brentq(lambda x: x**3 - a, 0.0, 5.0) ** 2


@program(positive(2))
def root_of_a_nested_function(a):
    b = a[0] * a[1]

    def shifted(x, power=3):
        return x**power - b

    def twice(x):
        return shifted(x) * np.exp(a[1]) + shifted(x, 5)

    return optimize.root_scalar(twice, bracket=(0.0, 5.0)).root


def _solved(function, scale):
    return optimize.brentq(lambda x: scale * function(x) - 1.0, 0.0, 50.0, args=())


@program(positive(2))
def root_of_a_function_of_a_function(a):
    return _solved(lambda x: a[0] * x + np.sqrt(x), a[1]) + _solved(np.sqrt, a[0])


@program(positive(2))
def root_of_a_partial(a):
    cube = functools.partial(lambda c, x, shift: x**3 - c + shift, a[0], shift=-a[1])
    return optimize.newton(cube, 1.0, fprime=lambda x: 3.0 * x**2 + 0.0 * a[0])


@program(positive(2))
def end_of_a_swing_of_a_lambda(k):
    path = integrate.solve_ivp(
        lambda t, y: [y[1], -k[0] * y[0] - k[1] * y[1]], (0.0, 2.0), k, rtol=1e-11, atol=1e-11
    )
    return np.sum(path.y[:, -1] ** 2)


@program(positive(2))
def integral_of_a_lambda(a):
    return integrate.quad(lambda x: np.exp(-a[0] * x) * np.sin(a[1] * x), 0.0, a[1])[0]


@program(positive(2), second=True)
def root_of_a_system(a):
    return np.sum(optimize.root(_pair, np.ones(2), args=(a,), tol=1e-12).x ** 2)


@program(positive(2))
def fixed_point_of_a_map(a):
    return np.sum(optimize.fixed_point(_damped, np.ones(2), args=(a,), xtol=1e-13))


@program(positive(2), second=True)
def fixed_point_of_a_function_of_a_number(a):
    return a[1] * optimize.fixed_point(lambda t: np.cos(0.5 * a[0] * t), 0.5, xtol=1e-13)


@program(positive(2), second=True)
def minimum_of_a_cost(a):
    found = optimize.minimize(
        _cost, np.zeros(2), args=(a,), jac=_cost_slope, hess=_cost_curvature,
        method="trust-exact", options={"gtol": 1e-12},
    )  # fmt: skip
    return np.sum(np.sin(found.x))


@program(positive(2), rtol=1e-4)
def minimum_between_bounds(a):
    found = optimize.minimize(
        lambda x: np.sum((x - a) ** 2 * np.array([1.0, 2.0])) + x[0] * x[1],
        np.ones(2), bounds=[(0.0, 9.0), (a[0] + a[1], None)], tol=1e-13,
    )  # fmt: skip
    return found.x[0] ** 2 + 3.0 * found.x[1] + found.fun


@program(positive(2), rtol=1e-4)
def nonlinear_least_squares(a):
    found = optimize.least_squares(
        lambda p: p[0] * np.exp(-p[1] * TIMES) - a[0] * SIGNAL - a[1] * TIMES,
        np.ones(2), xtol=1e-15, ftol=1e-15, gtol=1e-15,
    )  # fmt: skip
    return np.sum(found.x**2)


@program(positive(2))
def end_of_a_swing(k):
    path = integrate.solve_ivp(_swing, (0.0, 2.0), k, args=(k,), rtol=1e-11, atol=1e-11)
    return np.sum(path.y[:, -1] ** 2)


@program(positive(2))
def swing_at_given_times(k):
    times = np.linspace(0.0, 2.0, 4)
    path = integrate.solve_ivp(
        _swing, (0.0, 2.0), np.ones(2), t_eval=times, args=(k,), rtol=1e-11, atol=1e-11
    )
    return np.sum(path.y**2)


@program(positive(2))
def integrals_without_end(a):
    bell = integrate.quad(lambda x: np.exp(-a[0] * x * x + a[1] * x), -np.inf, np.inf)[0]
    left = integrate.quad(lambda x: np.exp(a[0] * x), -np.inf, a[1])[0]
    return bell * left * integrate.quad(_wave, a[1], np.inf, args=(a,))[0]


@program(positive(2))
def integral_with_moving_end(a):
    return integrate.quad(_wave, 0.0, a[1], args=(a,))[0]


@program(positive(2), second=True)
def double_integral_with_moving_ends(a):
    return integrate.dblquad(
        lambda y, x: np.exp(-a[0] * x * y), 0.0, a[1], lambda x: -x, lambda x: a[0] + x * a[1]
    )[0]


@program(positive(2))
def double_integral_with_arguments(a):
    found, _ = integrate.dblquad(
        lambda y, x, k: np.exp(-k * x * y), 0, 1, 0, lambda x: x, args=(a[0],)
    )
    return found * a[1]


@program(positive(2))
def triple_integral(a):
    return integrate.tplquad(
        lambda z, y, x: np.cos(a[0] * x + y * z),
        0, 1, lambda x: x, 2.0, 0, lambda x, y: a[1] * x + y,
    )[0]  # fmt: skip


@program(positive(2))
def integral_over_ranges(a):
    return integrate.nquad(
        lambda y, x, k: np.exp(-k * x * y), [lambda x, k: (0.0, k * x), (0.0, a[1])], args=(a[0],)
    )[0]


@program(positive(2))
def integral_of_a_root(a):
    def root(x):
        return optimize.brentq(lambda y: y**3 + a[0] * y - x, -5.0, 5.0)

    return integrate.quad(root, 0.0, a[1])[0]


class _Spring:
    def __init__(self, stiffness, damping):
        self.stiffness = stiffness
        self.damping = damping

    def motion(self, t, y):
        return np.array([y[1], -self.stiffness * y[0] - self.damping * y[1]])

    def force(self, x):
        return self.stiffness * x + x**3

    def excess(self, x, load):
        return self.force(x) - load


STIFF = _Spring(3.0, 0.1)


@program(positive(2))
def methods_given_to_solvers(a):
    spring = _Spring(a[0], a[1])
    path = integrate.solve_ivp(spring.motion, (0.0, 2.0), np.ones(2), rtol=1e-11, atol=1e-11)
    rest = optimize.brentq(spring.excess, 0.0, 5.0, args=(a[1],))
    other = optimize.brentq(STIFF.excess, 0.0, 5.0, args=(a[1],))
    return np.sum(path.y[:, -1]) + rest * other + integrate.quad(spring.force, 0.0, rest)[0]


@program(positive(2))
def methods_inside_of_lambdas(a):
    spring, force = _Spring(a[0], 0.0), STIFF.force
    return optimize.brentq(lambda x: spring.force(x) + force(x) - a[1], 0.0, 5.0)


@program(positive(2))
def partials_with_other_numbers(a):
    def gap(k, x):
        return k * (x - a[0]) ** 3 + x

    def slope(k, x):
        return 3.0 * a[1] * (x - k) ** 2 + 1.0

    found = optimize.newton(
        functools.partial(gap, a[1]), 1.0, fprime=functools.partial(slope, a[0])
    )
    return found**2


@program(positive(3))
def integrals_of_vectors_and_windows(a):
    found = integrate.quad_vec(lambda t: np.exp(-a * t * t), 0.0, a[2])[0]
    taps = signal.firwin(5, 0.5 / (1.0 + a[0] ** 2), window=("kaiser", 1.0 + a[1]))
    window = signal.windows.tukey(6, 0.9 / (1.0 + a[2])) * signal.windows.gaussian(6, 1.0 + a[0])
    return found @ a + taps @ taps + np.sum(window**2)


@program(positive(2))
def number_between_infinite_bounds(a):
    return a[0] * integrate.quad(lambda t: np.exp(-a[1] * t * t), -np.inf, float(a[0] > 0.0))[0]


def _slopes_of_cubes(t, *_):
    return np.diag(3 * t**2 + 1.0)


@program(positive(2), second=True)
def slopes_given_to_solvers(x):
    """As functions of one's own, and beside the value."""
    exact = {"xtol": 1e-14, "ftol": 1e-14, "gtol": 1e-14}
    a = optimize.least_squares(lambda t: t**3 + t - x, [1.0, 1.0], jac=_slopes_of_cubes, **exact).x
    b = optimize.root(lambda t: (t**3 + t - x * a, _slopes_of_cubes(t)), a, jac=True, tol=1e-13).x
    return np.sum(a * b)
