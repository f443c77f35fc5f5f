"""Floor 2: rules of the runtime helpers behind convolution, integrals and interpolation."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    convolve_bar_left,
    convolve_bar_right,
    correlate_bar_left,
    correlate_bar_right,
    interp_points,
    interp_points_bar,
    interp_slope,
    interp_slope_bar,
    trapezoid_weights,
    trapezoid_x_bar,
    unbroadcast,
)


@structural(convolve_bar_left, linear=("z", "v"))
def convolve_bar_left_(y_bar, y, z, a, v, mode="full"):
    """z = y_bar of np.convolve(a, v): bilinear, so its own rule closes the circle."""
    return (
        np.convolve(y_bar, v, mode),
        None,
        convolve_bar_right(z, y_bar, v, mode),
    )


@structural(convolve_bar_right, linear=("z", "a"))
def convolve_bar_right_(y_bar, y, z, a, v, mode="full"):
    """As convolve_bar_left."""
    return np.convolve(a, y_bar, mode), convolve_bar_left(z, a, y_bar, mode), None


@structural(correlate_bar_left, linear=("z", "v"), holomorphic=False)
def correlate_bar_left_(y_bar, y, z, a, v, mode="valid"):
    """As convolve_bar_left."""
    return (
        np.correlate(y_bar, v, mode),
        None,
        correlate_bar_right(z, y_bar, v, mode),
    )


@structural(correlate_bar_right, linear=("z", "a"), holomorphic=False)
def correlate_bar_right_(y_bar, y, z, a, v, mode="valid"):
    """As convolve_bar_left."""
    return np.correlate(a, y_bar, mode), correlate_bar_left(z, a, y_bar, mode), None


@structural(trapezoid_weights, optional=("x", "dx"))
def trapezoid_weights_(y_bar, y, f, x=None, dx=1.0, axis=-1):
    """Linear in the steps."""
    ones = np.ones_like(np.sum(y_bar, axis=axis))
    return (
        None,
        trapezoid_x_bar(ones, y_bar, x, axis),
        unbroadcast(np.trapezoid(y_bar, axis=axis), dx),
    )


@tangent(trapezoid_weights)
def trapezoid_weights_dot(y, f, x=None, dx=1.0, axis=-1, *, f_dot, x_dot, dx_dot):
    """Linear in the steps."""
    return (
        np.zeros_like(y),
        trapezoid_weights(f, x_dot, dx, axis),
        trapezoid_weights(f, None, dx_dot, axis),
    )


@structural(trapezoid_x_bar, linear=("z", "f"))
def trapezoid_x_bar_(y_bar, y, z, f, x, axis=-1):
    """Linear in z and in f."""
    return (
        np.trapezoid(f, y_bar, axis=axis),
        np.expand_dims(z, axis) * trapezoid_weights(f, y_bar, 1.0, axis),
        None,
    )


@structural(interp_slope, linear=("fp",))
def interp_slope_(y_bar, y, x, xp, fp):
    """The slope between two samples: flat in x."""
    return (
        np.zeros_like(x),
        interp_slope_bar(-y_bar * y, x, xp),
        interp_slope_bar(y_bar, x, xp),
    )


@tangent(interp_slope)
def interp_slope_dot(y, x, xp, fp, *, x_dot, xp_dot, fp_dot):
    """rise / run: the run's relative change is the slope of xp_dot."""
    return (
        np.zeros_like(y),
        -y * interp_slope(x, xp, xp_dot),
        interp_slope(x, xp, fp_dot),
    )


@structural(interp_slope_bar, linear=("z",))
def interp_slope_bar_(y_bar, y, z, x, xp):
    """<y_bar, y> is the sum of z times the slopes between samples y_bar."""
    slope = interp_slope(x, xp, y_bar)
    return slope, np.zeros_like(x), interp_slope_bar(-z * slope, x, xp)


@tangent(interp_slope_bar)
def interp_slope_bar_dot(y, z, x, xp, *, z_dot, x_dot, xp_dot):
    """As the slope: flat in x, and the run's relative change is the slope of xp_dot."""
    return (
        interp_slope_bar(z_dot, x, xp),
        np.zeros_like(y),
        interp_slope_bar(-z * interp_slope(x, xp, xp_dot), x, xp),
    )


ENDS = ("left", "right")  # of these only is read whether they are given


@structural(interp_points, optional=ENDS, flat=ENDS)
def interp_points_(y_bar, y, fp, x, xp, left=None, right=None):
    """As np.interp."""
    u = y_bar * interp_slope(x, xp, fp)
    return (
        interp_points_bar(y_bar, x, xp, left, right),
        unbroadcast(u, x),
        interp_points_bar(-u, x, xp, left, right),
        None,
        None,
    )


@tangent(interp_points)
def interp_points_dot(
    y, fp, x, xp, left=None, right=None, *, fp_dot, x_dot, xp_dot, left_dot, right_dot
):
    """As np.interp."""
    slope = interp_slope(x, xp, fp)
    return (
        interp_points(fp_dot, x, xp, left, right),
        slope * x_dot,
        -slope * interp_points(xp_dot, x, xp, left, right),
        None,
        None,
    )


@structural(interp_points_bar, optional=ENDS, flat=ENDS)
def interp_points_bar_(y_bar, y, z, x, xp, left=None, right=None):
    """z times the interpolation of y_bar, differentiated in x and in the sample points."""
    u = z * interp_slope(x, xp, y_bar)
    return (
        interp_points(y_bar, x, xp, left, right),
        u,
        interp_points_bar(-u, x, xp, left, right),
        None,
        None,
    )


@tangent(interp_points_bar)
def interp_points_bar_dot(
    y, z, x, xp, left=None, right=None, *, z_dot, x_dot, xp_dot, left_dot, right_dot
):
    """The shares move with x and with the sample points."""
    return (
        interp_points_bar(z_dot, x, xp, left, right),
        interp_slope_bar(z * x_dot, x, xp),
        interp_slope_bar(-z * interp_points(xp_dot, x, xp, left, right), x, xp),
        None,
        None,
    )
