"""Floor 2: rules of gradients, integrals, interpolation and convolution."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    convolve_bar_left,
    convolve_bar_right,
    correlate_bar_left,
    correlate_bar_right,
    gradient_bar,
    interp_points,
    interp_points_bar,
    interp_slope,
    trapezoid_dx_bar,
    trapezoid_dx_dot,
    trapezoid_weights,
    trapezoid_x_bar,
)


@structural(np.gradient, linear=("f",))
def gradient(y_bar, y, f, *varargs, axis=None, edge_order=1):
    """The transpose of the difference matrix of each axis; spacings must be constants."""
    return gradient_bar(y_bar, f, varargs, axis, edge_order), None


@structural(np.trapezoid, optional=("x", "dx"), aliases={"y": "f"})
def trapezoid(y_bar, y, f, x=None, dx=1.0, axis=-1):
    """y = sum of (f_i + f_{i+1}) / 2 times the step."""
    spread = np.expand_dims(y_bar, axis)
    return (
        spread * trapezoid_weights(f, x, dx, axis),
        trapezoid_x_bar(y_bar, f, x, axis),
        trapezoid_dx_bar(y_bar, f, x, dx, axis),
    )


@tangent(np.trapezoid)
def trapezoid_dot(y, f, x=None, dx=1.0, axis=-1, *, f_dot, x_dot, dx_dot):
    """Linear in f and in the steps."""
    return (
        np.trapezoid(f_dot, x, dx, axis),
        np.trapezoid(f, x_dot, axis=axis),
        trapezoid_dx_dot(dx_dot, f, x, axis),
    )


@structural(np.interp, optional=("left", "right"))
def interp(y_bar, y, x, xp, fp, left=None, right=None):
    """y = fp_i (1 - t) + fp_{i+1} t between xp_i and xp_{i+1}; flat outside, or left and right."""
    slope = interp_slope(x, xp, fp)
    return (
        y_bar * slope,
        interp_points_bar(-y_bar * slope, x, xp, left, right),
        interp_points_bar(y_bar, x, xp, left, right),
        np.sum(np.where(x < xp[0], y_bar, 0.0)),
        np.sum(np.where(x > xp[-1], y_bar, 0.0)),
    )


@tangent(np.interp)
def interp_dot(y, x, xp, fp, left=None, right=None, *, x_dot, xp_dot, fp_dot, left_dot, right_dot):
    """y_dot = slope (x_dot - the interpolated xp_dot) + the interpolated fp_dot."""
    slope = interp_slope(x, xp, fp)
    return (
        slope * x_dot,
        -slope * interp_points(xp_dot, x, xp, left, right),
        interp_points(fp_dot, x, xp, left, right),
        np.where(x < xp[0], left_dot, 0.0),
        np.where(x > xp[-1], right_dot, 0.0),
    )


@structural(np.convolve, linear=("a", "v"))
def convolve(y_bar, y, a, v, mode="full"):
    """y_k = sum a_i v_{k-i}."""
    return convolve_bar_left(y_bar, a, v, mode), convolve_bar_right(y_bar, a, v, mode)


@structural(np.correlate, linear=("a", "v"), holomorphic=False)
def correlate(y_bar, y, a, v, mode="valid"):
    """y_k = sum a_{i+k} conj(v_i)."""
    return correlate_bar_left(y_bar, a, v, mode), correlate_bar_right(y_bar, a, v, mode)
