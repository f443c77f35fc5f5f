"""Floor 2: rules of single functions of scipy.ndimage, optimize and special."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise, structural, tangent, zero_derivative
from s2sgrad_runtime import (
    gaussian_laplace_pullback,
    kolmogorov_slope,
    laplace_pullback,
    only_if,
    rosen_hess_prod,
    scipy_rosen_der,
    smirnov_slope,
    sph_harm_slope,
    sph_harm_step,
)


@structural("scipy.ndimage.laplace", holomorphic=False, linear=("input",), affine=("cval",))
def laplace_(
    y_bar: Any,
    y: Any,
    input: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    axes: Any = None,
) -> Any:
    """Second differences along every axis, or some."""
    return laplace_pullback(y_bar, input, mode, axes)


@structural(
    "scipy.ndimage.gaussian_laplace", holomorphic=False, linear=("input",), affine=("cval",)
)
def gaussian_laplace_(
    y_bar: Any,
    y: Any,
    input: Any,
    sigma: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    axes: Any = None,
) -> Any:
    """Second derivatives of a smoothed image; none in sigma; for axes=None."""
    return gaussian_laplace_pullback(
        only_if(axes is None, y_bar, "gaussian_laplace(axes=...)"), input, sigma, mode
    ), None


@structural("scipy.optimize.rosen")
def rosen_(y_bar: Any, y: Any, x: Any) -> Any:
    """SciPy has its gradient."""
    return y_bar * scipy_rosen_der(x)


@tangent("scipy.optimize.rosen")
def rosen_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return np.sum(scipy_rosen_der(x) * x_dot, axis=0)


@structural("scipy.optimize.rosen_der")
def rosen_der_(y_bar: Any, y: Any, x: Any) -> Any:
    """The Hessian is symmetric; for one point."""
    return rosen_hess_prod(x, y_bar)


@tangent("scipy.optimize.rosen_der")
def rosen_der_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return rosen_hess_prod(x, x_dot)


@elementwise("scipy.special.sph_harm_y")
def sph_harm_y_(y_bar: Any, y: Any, n: Any, m: Any, theta: Any, phi: Any) -> Any:
    """By phi a factor i m; by theta SciPy's own; none in n, m."""
    return None, None, y_bar * sph_harm_slope(n, m, theta, phi), y_bar * (1j * m * y)


@elementwise(sph_harm_slope)
def sph_harm_slope_(y_bar: Any, y: Any, n: Any, m: Any, theta: Any, phi: Any) -> Any:
    """Slopes of the two neighbours, as the slope itself is made of them; none in n, m."""
    above = sph_harm_step(n, m, theta) * np.exp(-1j * phi) * sph_harm_slope(n, m + 1, theta, phi)
    below = sph_harm_step(n, -m, theta) * np.exp(1j * phi) * sph_harm_slope(n, m - 1, theta, phi)
    return None, None, y_bar * (0.5 * (above - below)), y_bar * (1j * m * y)


zero_derivative(sph_harm_step)


@elementwise("scipy.special.kolmogorov")
def kolmogorov_(y_bar: Any, y: Any, y0: Any) -> Any:
    """Minus the density, a series."""
    return y_bar * kolmogorov_slope(y0)


@elementwise("scipy.special.kolmogi")
def kolmogi_(y_bar: Any, y: Any, p: Any) -> Any:
    """One over the slope at the result."""
    return y_bar * (1.0 / kolmogorov_slope(y))


@elementwise("scipy.special.smirnov")
def smirnov_(y_bar: Any, y: Any, n: Any, d: Any) -> Any:
    """Minus the density, a sum; none in n."""
    return None, y_bar * smirnov_slope(n, d)


@elementwise("scipy.special.smirnovi")
def smirnovi_(y_bar: Any, y: Any, n: Any, p: Any) -> Any:
    """One over the slope at the result; none in n."""
    return None, y_bar / smirnov_slope(n, y)
