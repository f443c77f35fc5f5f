"""Floor 2: rules of trigonometric functions and angles."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import elementwise, structural, tangent
from s2sgrad_runtime import circle_height, inverse_point, sinc_slope


@elementwise(np.sin)
def sin(y_bar, y, x):
    """y = sin x."""
    return y_bar * np.cos(x)


@elementwise(np.cos)
def cos(y_bar, y, x):
    """y = cos x."""
    return -y_bar * np.sin(x)


@elementwise(np.tan)
def tan(y_bar, y, x):
    """y = tan x, dy/dx = 1 + y**2."""
    return y_bar * (1.0 + y * y)


@elementwise(np.arcsin, singular=True, rooted=True)
def arcsin(y_bar, y, x):
    """y = arcsin x: infinite slope at -1 and 1."""
    return y_bar / np.sqrt(circle_height(x))


@elementwise(np.arccos, singular=True, rooted=True)
def arccos(y_bar, y, x):
    """y = arccos x: infinite slope at -1 and 1, as arcsin's."""
    return -y_bar / np.sqrt(circle_height(x))


@elementwise(circle_height, singular=False)
def circle_height_(y_bar, y, x):
    """y = 1 - x**2."""
    return y_bar * (-2.0 * x)


@elementwise(np.arctan, singular=False)
def arctan(y_bar, y, x):
    """y = arctan x."""
    return y_bar / (1.0 + x * x)


@elementwise(np.arctan2, singular=False)
def arctan2(y_bar, y, x1, x2):
    """The angle of the point (x2, x1); 0 at the origin."""
    square = x1 * x1 + x2 * x2
    return y_bar * inverse_point(x2, x1, square), -y_bar * inverse_point(x1, x2, square)


@elementwise(inverse_point, singular=False, flat=("square",))
def inverse_point_(y_bar, y, x1, x2, square):
    """y = x1 / square, square = x1**2 + x2**2. With z = x2 / square, dy/dx1 = z**2 - y**2 and
    dy/dx2 = -2 y z."""
    z = inverse_point(x2, x1, square)
    return y_bar * (z * z - y * y), -2.0 * y_bar * y * z, None


@elementwise(np.hypot, singular=False)
def hypot(y_bar, y, x1, x2):
    """y = sqrt(x1**2 + x2**2), dy/dxi = xi / y; 0 at the origin."""
    u = y_bar / np.where(y == 0.0, 1.0, y)
    return u * x1, u * x2


@elementwise(np.deg2rad, np.radians, linear=("x",))
def deg2rad(y_bar, y, x):
    """y = x pi / 180."""
    return y_bar * (np.pi / 180.0)


@elementwise(np.rad2deg, np.degrees, linear=("x",))
def rad2deg(y_bar, y, x):
    """y = x 180 / pi."""
    return y_bar * (180.0 / np.pi)


@elementwise(np.sinc, singular=False)
def sinc(y_bar, y, x):
    """y = sin(pi x) / (pi x), and 1 at 0."""
    return y_bar * sinc_slope(x)


@elementwise(sinc_slope, singular=False)
def sinc_slope_(y_bar, y, x):
    """From x s'' + 2 s' + pi**2 x s = 0; s''(0) = -pi**2 / 3."""
    ratio = np.where(x == 0.0, np.pi**2 / -3.0, y / np.where(x == 0.0, 1.0, x))
    return -y_bar * (np.pi**2 * np.sinc(x) + 2.0 * ratio)


@structural(np.unwrap)
def unwrap(y_bar, y, p, discont=None, axis=-1, period=6.283185307179586):
    """y = p plus constants that are flat almost everywhere."""
    return y_bar


@tangent(np.unwrap)
def unwrap_dot(y, p, discont=None, axis=-1, period=6.283185307179586, *, p_dot):
    """The added constants drop out."""
    return p_dot
