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
