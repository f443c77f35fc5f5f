"""SciPy's solvers, called in the ways that its documentation shows."""

from __future__ import annotations

import numpy as np
from scipy import fft, integrate, ndimage, optimize, stats

from programs.registry import normal, positive, program


def _cubic(x, a):
    return x**3 - a * x - 1.0


def _cubic_of_vector(x, a):
    return x[0] ** 3 - a * x[0] - 1.0


def _pair(x, a):
    return [x[0] ** 2 + a[0] * x[1] - 2.0, np.exp(-x[0]) + x[1] - a[1]]


def _valley(x, a):
    return a[0] * (x[1] - x[0] ** 2) ** 2 + (a[1] - x[0]) ** 2 + 0.3 * x[1] ** 2


def _decay(t, height, rate):
    return height * np.exp(-rate * t)


def _field(P, w):
    return P + w * np.tanh(P @ P.T) - 0.4


@program(positive(), second=True)
def one_number_without_a_tuple(a):
    x = optimize.brentq(_cubic, 0.5, 4.0, args=a, xtol=1e-13)
    return x + optimize.root_scalar(_cubic, args=a, bracket=[0.5, 4.0], xtol=1e-13).root ** 2


@program(positive(2), second=True)
def one_array_without_a_tuple(a):
    return np.sum(optimize.fsolve(_pair, [1.0, 0.5], args=a, xtol=1e-13) ** 2)


@program(positive())
def start_that_is_a_number(a):
    x = optimize.fsolve(_cubic, 1.5, args=(a,), xtol=1e-13)
    y = optimize.root(_cubic_of_vector, 1.5, args=a, tol=1e-13).x
    return x[0] * y[0] + optimize.root(lambda z: np.cos(z) - a * z, 0.5, tol=1e-13).x[0]


@program(positive(2), rtol=1e-3)
def minimum_that_starts_at_a_number(a):
    return optimize.minimize(lambda z: (z[0] - a[0]) ** 2 + a[1] * z[0], 0.3, tol=1e-12).x[0]


@program(positive(), rtol=1e-5)
def root_of_a_matrix(w):
    found = optimize.root(_field, np.zeros((3, 3)), args=(0.2 * w,), method="krylov", tol=1e-12)
    return np.sum(found.x**2)


@program(positive(2), rtol=1e-4)
def results_by_their_keys(a):
    low = optimize.minimize(_valley, [0.3, 0.2], args=(a,), tol=1e-11)
    path = integrate.solve_ivp(lambda t, y: -a[0] * y, (0, 1), a[1:], rtol=1e-10, atol=1e-10)
    reached = path["y"][0, -1] if hasattr(path, "y") else 0.0
    return low["fun"] + low["x"][0] + reached


@program(positive(2), rtol=1e-3)
def start_in_a_list_between_bounds(a):
    x = optimize.minimize(_valley, [0, 0], args=a, bounds=[(0, 0.2), (None, None)], tol=1e-13).x
    within = optimize.Bounds([0, 0], [0.2, 9])
    y = optimize.minimize(_valley, (0, 0), args=(a,), bounds=within, tol=1e-13).x
    return x[1] + y[1] * a[0]


@program(positive(2), rtol=1e-5)
def start_in_a_list_under_a_constraint(a):
    rule = {"type": "eq", "fun": lambda z: z[0] + z[1] - 1.0}
    x = optimize.minimize(_valley, [0.3, 0.2], args=(a,), constraints=rule, tol=1e-13).x
    return x[0] * a[1]


@program(positive(6), rtol=1e-3)
def curve_fitted_between_bounds(y):
    times = np.linspace(0.0, 2.0, 6)
    free = optimize.curve_fit(_decay, times, y + 2.0, p0=(1, 0.1), bounds=(0, [9, 3]))[0]
    ends = optimize.Bounds([0, 0], [9, 0.01])
    held = optimize.curve_fit(_decay, times, y + 2.0, p0=(1, 0.005), bounds=ends)[0]
    return free[0] + held[0]


@program(positive(), second=True)
def integrand_with_one_argument(a):
    return integrate.quad(lambda t, w: np.exp(-w * t * t), 0.0, 1.0, args=a)[0]


@program(normal(7))
def transform_of_a_fast_length(x):
    count = fft.next_fast_len(len(x) + 4, real=True)
    return np.sum(np.abs(fft.rfft(x, count)) ** 2)


@program(normal(6))
def weighted_by_ranks(x):
    return np.sum(stats.rankdata(x) * x**2)


@program(normal(4, 5), normal(2), wrt=(0, 1))
def image_moved_in_its_spectrum(image, shift):
    moved = ndimage.fourier_shift(np.fft.fft2(image), shift)
    line = ndimage.fourier_shift(np.fft.rfft(image[0]), shift[0], n=5)
    return np.sum(np.fft.ifft2(moved).real ** 3) + np.sum(np.fft.irfft(line, 5) ** 3)
