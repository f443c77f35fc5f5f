"""Floor 2: rules of functions that are not holomorphic. Cotangents follow the conjugate
convention: dL = Re(conj(x_bar) dx). A real argument keeps the real part of what comes out."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import elementwise, structural, tangent
from s2sgrad_runtime import angle_unit, real_like


@elementwise(np.absolute, holomorphic=False, kinks=("x",))
def absolute(y_bar, y, x):
    """y = |x|, dy/dx = sign(x), which is x / |x| for complex x; 0 at 0."""
    return y_bar * np.sign(x)


@tangent(np.absolute)
def absolute_dot(y, x, *, x_dot):
    """y_dot = Re(conj(sign(x)) x_dot)."""
    return np.real(np.conjugate(np.sign(x)) * x_dot)


@elementwise(np.conjugate, holomorphic=False, linear=("x",))
def conjugate(y_bar, y, x):
    """y = conj(x)."""
    return np.conjugate(y_bar)


@elementwise(np.real, holomorphic=False, linear=("val",))
def real(y_bar, y, val):
    """y = Re(val)."""
    return y_bar


@elementwise(np.imag, holomorphic=False, linear=("val",))
def imag(y_bar, y, val):
    """y = Im(val)."""
    return 1j * y_bar


@structural(np.real_if_close, linear=("a",))
def real_if_close(y_bar, y, a, tol=100):
    """a, without an imaginary part that is close to zero."""
    return real_like(y_bar, y)


@tangent(np.real)
def real_dot(y, val, *, val_dot):
    """y_dot = Re(val_dot)."""
    return np.real(val_dot)


@tangent(np.imag)
def imag_dot(y, val, *, val_dot):
    """y_dot = Im(val_dot)."""
    return np.imag(val_dot)


@elementwise(np.angle, holomorphic=False)
def angle(y_bar, y, z, deg=False):
    """y = arg(z), dy = Im(conj(z) dz) / |z|**2; 0 at 0, and for real z."""
    slope = 1j / np.conjugate(np.where(z == 0.0, 1.0, z))  # squares of small numbers are zero
    return y_bar * angle_unit(deg) * np.where(z == 0.0, 0.0, slope)


@tangent(np.angle)
def angle_dot(y, z, deg=False, *, z_dot):
    """y_dot = Im(z_dot / z)."""
    turned = np.imag(z_dot / np.where(z == 0.0, 1.0, z))
    return angle_unit(deg) * np.where(z == 0.0, 0.0, turned)


@elementwise(np.sign, holomorphic=False, flat_if_real=True)
def sign(y_bar, y, x):
    """y = x / |x|, dy = (dx - y Re(conj(y) dx)) / |x|: 0 for real x, and at 0."""
    size = np.absolute(x)
    across = y_bar - y * np.real(np.conjugate(y) * y_bar)
    return np.where(size == 0.0, 0.0, across / np.where(size == 0.0, 1.0, size))


@tangent(np.sign)
def sign_dot(y, x, *, x_dot):
    """y_dot = (x_dot - y Re(conj(y) x_dot)) / |x|."""
    size = np.absolute(x)
    across = x_dot - y * np.real(np.conjugate(y) * x_dot)
    return np.where(size == 0.0, 0.0, across / np.where(size == 0.0, 1.0, size))
