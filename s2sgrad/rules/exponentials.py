"""Floor 2: rules of exponentials, logarithms and hyperbolic functions."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import elementwise
from s2sgrad_runtime import bessel_i, gap


@elementwise(np.exp, singular=True)
def exp(y_bar, y, x):
    """y = e**x, its own derivative."""
    return y_bar * y


@elementwise(np.exp2, singular=True)
def exp2(y_bar, y, x):
    """y = 2**x, dy/dx = y ln 2."""
    return y_bar * y * 0.6931471805599453


@elementwise(np.expm1, singular=True)
def expm1(y_bar, y, x):
    """y = e**x - 1, dy/dx = y + 1."""
    return y_bar * (y + 1.0)


@elementwise(np.log, singular=True)
def log(y_bar, y, x):
    """y = ln x."""
    return y_bar / x


@elementwise(np.log2, singular=True)
def log2(y_bar, y, x):
    """y = ln x / ln 2."""
    return y_bar / (x * 0.6931471805599453)


@elementwise(np.log10, singular=True)
def log10(y_bar, y, x):
    """y = ln x / ln 10."""
    return y_bar / (x * 2.302585092994046)


@elementwise(np.log1p, singular=True)
def log1p(y_bar, y, x):
    """y = ln(1 + x)."""
    return y_bar / (1.0 + x)


@elementwise(np.logaddexp, singular=True)
def logaddexp(y_bar, y, x1, x2):
    """y = ln(e**x1 + e**x2), dy/dxi = e**(xi - y)."""
    return y_bar * np.exp(gap(x1, y)), y_bar * np.exp(gap(x2, y))


@elementwise(np.logaddexp2, singular=True)
def logaddexp2(y_bar, y, x1, x2):
    """y = log2(2**x1 + 2**x2), dy/dxi = 2**(xi - y)."""
    return y_bar * np.exp2(gap(x1, y)), y_bar * np.exp2(gap(x2, y))


@elementwise(gap, singular=False)
def gap_(y_bar, y, x1, x2):
    """y = x1 - x2."""
    return y_bar, -y_bar


@elementwise(np.sinh, singular=True)
def sinh(y_bar, y, x):
    """y = sinh x."""
    return y_bar * np.cosh(x)


@elementwise(np.cosh, singular=True)
def cosh(y_bar, y, x):
    """y = cosh x."""
    return y_bar * np.sinh(x)


@elementwise(np.tanh)
def tanh(y_bar, y, x):
    """y = tanh(x), dy/dx = 1 - y**2. Written with y, so that x need not be saved."""
    return y_bar * (1.0 - y * y)


@elementwise(np.arcsinh, singular=False)
def arcsinh(y_bar, y, x):
    """y = arcsinh x."""
    return y_bar / np.sqrt(x * x + 1.0)


@elementwise(np.arccosh, singular=True, rooted=True)
def arccosh(y_bar, y, x):
    """x = cosh y, so dy/dx = 1 / sinh y: infinite at x == 1."""
    return y_bar / np.sinh(y)


@elementwise(np.arctanh, singular=True)
def arctanh(y_bar, y, x):
    """y = arctanh x."""
    return y_bar / (1.0 - x * x)


@elementwise(np.i0)
def i0(y_bar, y, x):
    """The modified Bessel function of order 0; its derivative is that of order 1."""
    return y_bar * bessel_i(1, x)


@elementwise(bessel_i)
def bessel_i_(y_bar, y, n, x):
    """dI_n/dx = (I_{n-1} + I_{n+1}) / 2 (Abramowitz and Stegun 9.6.26)."""
    return None, y_bar * 0.5 * (bessel_i(n - 1, x) + bessel_i(n + 1, x))
