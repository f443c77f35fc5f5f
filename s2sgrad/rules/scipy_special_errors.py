"""Floor 2: rules of scipy.special's error functions, exponential integrals and logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise
from s2sgrad_runtime import (
    boxcox_slope,
    diric_slope,
    erfcx_slope,
    expn_below,
    exprel_slope,
    log_beside,
    scipy_erf,
    scipy_erfcx,
    scipy_expit,
    spence_bend,
    spence_slope,
    voigt_slope,
    voigt_widening,
)


@elementwise("scipy.special.erf")
def erf_(y_bar: Any, y: Any, z: Any) -> Any:
    """2 exp(-z^2) / sqrt(pi)."""
    return y_bar * (1.1283791670955126 * np.exp(-z * z))


@elementwise("scipy.special.erfc")
def erfc_(y_bar: Any, y: Any, x: Any) -> Any:
    """-2 exp(-x^2) / sqrt(pi)."""
    return y_bar * (-1.1283791670955126 * np.exp(-x * x))


@elementwise("scipy.special.erfcx")
def erfcx_(y_bar: Any, y: Any, x: Any) -> Any:
    """y = exp(x^2) erfc(x), y' = 2 x y - 2 / sqrt(pi)."""
    return y_bar * erfcx_slope(x, y)


@elementwise("scipy.special.erfi")
def erfi_(y_bar: Any, y: Any, z: Any) -> Any:
    """2 exp(z^2) / sqrt(pi)."""
    return y_bar * (1.1283791670955126 * np.exp(z * z))


@elementwise("scipy.special.erfinv")
def erfinv_(y_bar: Any, y: Any, x: Any) -> Any:
    """One over the slope of erf at the result."""
    return y_bar * (np.exp(y * y) / 1.1283791670955126)


@elementwise("scipy.special.erfcinv")
def erfcinv_(y_bar: Any, y: Any, x: Any) -> Any:
    """One over the slope of erfc at the result."""
    return y_bar * (-np.exp(y * y) / 1.1283791670955126)


@elementwise("scipy.special.dawsn")
def dawsn_(y_bar: Any, y: Any, x: Any) -> Any:
    """y' = 1 - 2 x y."""
    return y_bar * (1.0 - 2.0 * x * y)


@elementwise("scipy.special.wofz")
def wofz_(y_bar: Any, y: Any, z: Any) -> Any:
    """y' = 2i / sqrt(pi) - 2 z y."""
    return y_bar * (1j * 1.1283791670955126 - 2.0 * z * y)


@elementwise("scipy.special.ndtr")
def ndtr_(y_bar: Any, y: Any, x: Any) -> Any:
    """The normal density."""
    return y_bar * (np.exp(-0.5 * x * x) / 2.5066282746310002)


@elementwise("scipy.special.log_ndtr")
def log_ndtr_(y_bar: Any, y: Any, x: Any) -> Any:
    """The normal density over the distribution function, which erfcx has without exponentials."""
    return y_bar * (0.7978845608028654 / scipy_erfcx(-0.7071067811865476 * x))


@elementwise("scipy.special.ndtri")
def ndtri_(y_bar: Any, y: Any, y0: Any) -> Any:
    """One over the density at the result."""
    return y_bar * (2.5066282746310002 * np.exp(0.5 * y * y))


@elementwise("scipy.special.ndtri_exp")
def ndtri_exp_(y_bar: Any, y: Any, x: Any) -> Any:
    """y = ndtri(exp(x))."""
    return y_bar * (2.5066282746310002 * np.exp(x + 0.5 * y * y))


@elementwise("scipy.special.voigt_profile")
def voigt_profile_(y_bar: Any, y: Any, x: Any, sigma: Any, gamma: Any) -> Any:
    """The real part of w(z) / (sigma sqrt(2 pi)), z = (x + i gamma) / (sigma sqrt 2)."""
    slope = voigt_slope(x, sigma, gamma)
    return (
        y_bar * np.real(slope),
        y_bar * voigt_widening(y, x, sigma, gamma),
        y_bar * (-np.imag(slope)),
    )


@elementwise("scipy.special.owens_t")
def owens_t_(y_bar: Any, y: Any, h: Any, a: Any) -> Any:
    """An integral of exp(-h^2 (1 + t^2) / 2) / (1 + t^2) over t up to a."""
    return y_bar * (
        -0.5 * np.exp(-0.5 * h * h) * scipy_erf(a * h / 1.4142135623730951) / 2.5066282746310002
    ), y_bar * (np.exp(-0.5 * h * h * (1.0 + a * a)) / (2.0 * np.pi * (1.0 + a * a)))


@elementwise("scipy.special.exp1")
def exp1_(y_bar: Any, y: Any, z: Any) -> Any:
    """-exp(-z) / z."""
    return y_bar * (-np.exp(-z) / z)


@elementwise("scipy.special.expi")
def expi_(y_bar: Any, y: Any, x: Any) -> Any:
    """exp(x) / x."""
    return y_bar * (np.exp(x) / x)


@elementwise("scipy.special.expn")
def expn_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """Minus the integral of the order below; none in n."""
    return None, y_bar * (-expn_below(n, x))


@elementwise("scipy.special.exprel")
def exprel_(y_bar: Any, y: Any, x: Any) -> Any:
    """(exp(x) - 1) / x."""
    return y_bar * exprel_slope(x, y)


@elementwise("scipy.special.spence")
def spence_(y_bar: Any, y: Any, z: Any) -> Any:
    """log(z) / (1 - z), -1 at z = 1."""
    return y_bar * spence_slope(z)


@elementwise(spence_slope)
def spence_slope_(y_bar: Any, y: Any, z: Any) -> Any:
    """(1 / z + y) / (1 - z)."""
    return y_bar * spence_bend(y, z)


@elementwise("scipy.special.lambertw", "scipy.special._ufuncs._lambertw")
def lambertw_(y_bar: Any, y: Any, z: Any, k: Any = 0, tol: Any = 1e-8) -> Any:
    """y exp(y) = z."""
    return y_bar * (np.exp(-y) / (1.0 + y))


@elementwise("scipy.special.wrightomega")
def wrightomega_(y_bar: Any, y: Any, z: Any) -> Any:
    """y + log(y) = z."""
    return y_bar * (y / (1.0 + y))


@elementwise("scipy.special.xlogy")
def xlogy_(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """x1 log(x2), no derivative by x1 at (0, 0); flat in x2 where x1 is 0."""
    below = np.where((x1 == 0.0) & (x2 == 0.0), np.inf, x2)
    return y_bar * log_beside(x1, x2), y_bar * (x1 / below)


@elementwise("scipy.special.xlog1py")
def xlog1py_(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """x1 log(1 + x2), as xlogy."""
    inside = np.where((x1 == 0.0) & (np.real(x2) <= -1.0), 0.0, x2)
    below = np.where((x1 == 0.0) & (x2 == -1.0), np.inf, 1.0 + x2)
    return y_bar * np.log1p(inside), y_bar * (x1 / below)


@elementwise("scipy.special.entr")
def entr_(y_bar: Any, y: Any, x: Any) -> Any:
    """-x log(x)."""
    return y_bar * (-np.log(x) - 1.0)


@elementwise("scipy.special.rel_entr")
def rel_entr_(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """x1 log(x1 / x2)."""
    return y_bar * (np.log(x1 / x2) + 1.0), y_bar * (-x1 / x2)


@elementwise("scipy.special.kl_div")
def kl_div_(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """x1 log(x1 / x2) - x1 + x2."""
    return y_bar * np.log(x1 / x2), y_bar * (1.0 - x1 / x2)


@elementwise("scipy.special.huber")
def huber_(y_bar: Any, y: Any, delta: Any, r: Any) -> Any:
    """r^2 / 2 near 0, then straight lines."""
    return y_bar * (np.maximum(np.abs(r) - delta, 0.0)), y_bar * np.clip(r, -delta, delta)


@elementwise("scipy.special.pseudo_huber")
def pseudo_huber_(y_bar: Any, y: Any, delta: Any, r: Any) -> Any:
    """delta^2 (root - 1), root = sqrt(1 + (r / delta)^2)."""
    root = np.sqrt(1.0 + (r / delta) ** 2)
    return y_bar * (2.0 * delta * (root - 1.0) - r * r / (delta * root)), y_bar * (r / root)


@elementwise("scipy.special.boxcox")
def boxcox_(y_bar: Any, y: Any, x: Any, lmbda: Any) -> Any:
    """(x^lmbda - 1) / lmbda."""
    return y_bar * (x ** (lmbda - 1.0)), y_bar * (boxcox_slope(np.log(x), lmbda))


@elementwise("scipy.special.boxcox1p")
def boxcox1p_(y_bar: Any, y: Any, x: Any, lmbda: Any) -> Any:
    """((1 + x)^lmbda - 1) / lmbda."""
    return y_bar * ((1.0 + x) ** (lmbda - 1.0)), y_bar * (boxcox_slope(np.log1p(x), lmbda))


@elementwise("scipy.special.inv_boxcox")
def inv_boxcox_(y_bar: Any, y: Any, x: Any, lmbda: Any) -> Any:
    """The inverse of boxcox."""
    return y_bar * (y ** (1.0 - lmbda)), y_bar * (
        -boxcox_slope(np.log(y), lmbda) * y ** (1.0 - lmbda)
    )


@elementwise("scipy.special.inv_boxcox1p")
def inv_boxcox1p_(y_bar: Any, y: Any, x: Any, lmbda: Any) -> Any:
    """The inverse of boxcox1p."""
    return y_bar * ((1.0 + y) ** (1.0 - lmbda)), y_bar * (
        -boxcox_slope(np.log1p(y), lmbda) * (1.0 + y) ** (1.0 - lmbda)
    )


@elementwise("scipy.special.expit")
def expit_(y_bar: Any, y: Any, x: Any) -> Any:
    """y (1 - y)."""
    return y_bar * (y * (1.0 - y))


@elementwise("scipy.special.logit")
def logit_(y_bar: Any, y: Any, x: Any) -> Any:
    """1 / (x (1 - x))."""
    return y_bar * (1.0 / (x * (1.0 - x)))


@elementwise("scipy.special.log_expit")
def log_expit_(y_bar: Any, y: Any, x: Any) -> Any:
    """1 - expit(x)."""
    return y_bar * scipy_expit(-x)


@elementwise("scipy.special.softplus")
def softplus_(y_bar: Any, y: Any, x: Any) -> Any:
    """log(1 + exp(x))."""
    return y_bar * scipy_expit(x)


@elementwise("scipy.special.exp2")
def exp2_(y_bar: Any, y: Any, x: Any) -> Any:
    """2^x."""
    return y_bar * (0.6931471805599453 * y)


@elementwise("scipy.special.exp10")
def exp10_(y_bar: Any, y: Any, x: Any) -> Any:
    """10^x."""
    return y_bar * (2.302585092994046 * y)


@elementwise("scipy.special.expm1")
def expm1_(y_bar: Any, y: Any, x: Any) -> Any:
    """exp(x) - 1."""
    return y_bar * (y + 1.0)


@elementwise("scipy.special.log1p")
def log1p_(y_bar: Any, y: Any, x: Any) -> Any:
    """log(1 + x)."""
    return y_bar * (1.0 / (1.0 + x))


@elementwise("scipy.special.cosm1")
def cosm1_(y_bar: Any, y: Any, x: Any) -> Any:
    """cos(x) - 1."""
    return y_bar * (-np.sin(x))


@elementwise("scipy.special.cbrt")
def cbrt_(y_bar: Any, y: Any, x: Any) -> Any:
    """y^3 = x."""
    return y_bar * (1.0 / (3.0 * y * y))


@elementwise("scipy.special.powm1")
def powm1_(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """x1^x2 - 1."""
    return y_bar * (x2 * x1 ** (x2 - 1.0)), y_bar * (np.log(x1) * (y + 1.0))


@elementwise("scipy.special.sindg")
def sindg_(y_bar: Any, y: Any, x: Any) -> Any:
    """sin of degrees."""
    return y_bar * (0.017453292519943295 * np.cos(0.017453292519943295 * x))


@elementwise("scipy.special.cosdg")
def cosdg_(y_bar: Any, y: Any, x: Any) -> Any:
    """cos of degrees."""
    return y_bar * (-0.017453292519943295 * np.sin(0.017453292519943295 * x))


@elementwise("scipy.special.tandg")
def tandg_(y_bar: Any, y: Any, x: Any) -> Any:
    """tan of degrees."""
    return y_bar * (0.017453292519943295 * (1.0 + y * y))


@elementwise("scipy.special.cotdg")
def cotdg_(y_bar: Any, y: Any, x: Any) -> Any:
    """cot of degrees."""
    return y_bar * (-0.017453292519943295 * (1.0 + y * y))


@elementwise("scipy.special.radian")
def radian_(y_bar: Any, y: Any, d: Any, m: Any, s: Any) -> Any:
    """Degrees, minutes and seconds in radians."""
    return (
        y_bar * 0.017453292519943295,
        y_bar * (0.017453292519943295 / 60.0),
        y_bar * (0.017453292519943295 / 3600.0),
    )


@elementwise("scipy.special.diric")
def diric_(y_bar: Any, y: Any, x: Any, n: Any) -> Any:
    """sin(n x / 2) / (n sin(x / 2)); none in n."""
    return y_bar * diric_slope(x, n, y), None
