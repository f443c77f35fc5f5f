"""Curves through points, differentiated by the points and by where they are read."""

from __future__ import annotations

import numpy as np
from scipy import interpolate

from programs.registry import normal, positive, program, using

NODES = using(lambda rng: np.array([0.0, 0.7, 1.5, 2.0, 3.1]))
PLACES = using(lambda rng: np.array([0.2, 1.1, 2.6, 2.9, 0.5]))


@program(NODES, normal(5), PLACES, wrt=(0, 1, 2))
def cubic_spline(x, y, points):
    return np.sum(interpolate.CubicSpline(x, y)(points) ** 2)


@program(NODES, normal(5), PLACES, wrt=(1, 2))
def natural_spline(x, y, points):
    curve = interpolate.CubicSpline(x, y, bc_type="natural")
    return np.sum(np.sin(curve(points)))


@program(NODES, normal(5), wrt=(0, 1))
def clamped_spline_at_a_point(x, y):
    curve = interpolate.CubicSpline(x, y, bc_type="clamped")
    return curve(1.2) * curve(0.3)


@program(NODES, positive(5), PLACES, wrt=(0, 1, 2))
def monotone_cubic(x, y, points):
    return np.sum(interpolate.PchipInterpolator(x, np.cumsum(y))(points) ** 2)


@program(NODES, normal(5), PLACES, wrt=(0, 1, 2))
def polygon(x, y, points):
    return np.sum(interpolate.interp1d(x, y)(points) ** 2)


@program(NODES, normal(5), PLACES, wrt=(1, 2))
def spline_by_function(x, y, points):
    return np.sum(interpolate.make_interp_spline(x, y)(points) ** 2)


@program(NODES, normal(5), second=True)
def spline_of_moving_nodes(x, y):
    return np.sum(interpolate.CubicSpline(x, y)(np.array([0.4, 1.0, 2.5])) ** 3)


@program(normal(3, 4), wrt=0)
def curve_in_pieces(c):
    curve = interpolate.PPoly(c, np.array([0.0, 0.7, 1.5, 2.0, 3.1]))
    slope, area = curve.derivative(), curve.antiderivative(2)
    return slope(1.1) * area(2.6) + curve.integrate(0.2, 2.9) ** 2


@program(NODES, normal(5), wrt=(0, 1))
def coefficients_of_a_spline(x, y):
    curve = interpolate.CubicSpline(x, y)
    through = interpolate.KroghInterpolator(x, y)
    return np.sum(curve.c[1] ** 2) + through.derivative(1.1)


@program(normal(5, 3), positive(), PLACES, wrt=(0, 1, 2))
def grid_at_a_number_and_an_array(values, at, points):
    grid = (np.array([0.0, 0.7, 1.5, 2.0, 3.1]), np.array([0.0, 2.0, 9.0]))
    curve = interpolate.RegularGridInterpolator(grid, values)
    return np.sum(curve((points, at)) ** 2) + curve((1.2, at))
