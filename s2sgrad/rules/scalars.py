"""Floor 2: rules of Python's own math functions that NumPy lacks or defines otherwise."""

from __future__ import annotations

import builtins
import math

import numpy as np

from s2sgrad.rules.declare import elementwise, structural, tangent
from s2sgrad_runtime import (
    entry_bars,
    polygamma,
    prod_bars,
    prod_dot,
    unbroadcast,
    unstack,
)


@elementwise(math.erf)
def erf(y_bar, y, x):
    """dy/dx = 2 / sqrt(pi) e**(-x**2)."""
    return y_bar * 1.1283791670955126 * np.exp(-x * x)


@elementwise(math.erfc)
def erfc(y_bar, y, x):
    """y = 1 - erf(x)."""
    return -y_bar * 1.1283791670955126 * np.exp(-x * x)


@elementwise(math.gamma)
def gamma(y_bar, y, x):
    """dy/dx = y digamma(x)."""
    return y_bar * y * polygamma(0, x)


@elementwise(math.lgamma)
def lgamma(y_bar, y, x):
    """dy/dx = digamma(x)."""
    return y_bar * polygamma(0, x)


@elementwise(polygamma)
def polygamma_(y_bar, y, n, x):
    """The next polygamma function."""
    return None, y_bar * polygamma(n + 1, x)


@elementwise(math.log, optional=("base",))
def log(y_bar, y, x, base=2.718281828459045):
    """y = ln x / ln base."""
    return y_bar / (x * np.log(base)), -y_bar * y / (base * np.log(base))


@elementwise(math.remainder)
def remainder(y_bar, y, x, y_):
    """y = x - n y_ with the nearest integer n."""
    return y_bar, -y_bar * np.round((x - y) / y_)


@structural(math.hypot, sequences=("coordinates",))
def hypot(y_bar, y, *coordinates):
    """dy/dxi = xi / y; 0 at the origin."""
    return unstack(y_bar / np.where(y == 0.0, 1.0, y) * np.asarray(coordinates))


@tangent(math.hypot)
def hypot_dot(y, *coordinates, coordinates_dot):
    """y_dot = x . x_dot / y."""
    return np.dot(np.asarray(coordinates), np.asarray(coordinates_dot)) / np.where(y == 0.0, 1.0, y)


@structural(math.dist, sequences=("p", "q"))
def dist(y_bar, y, p, q):
    """dy/dp = (p - q) / y; 0 where the points meet."""
    u = y_bar / np.where(y == 0.0, 1.0, y) * np.subtract(np.asarray(p), np.asarray(q))
    return unstack(u), unstack(-u)


@tangent(math.dist)
def dist_dot(y, p, q, *, p_dot, q_dot):
    """y_dot = (p - q) . (p_dot - q_dot) / y."""
    u = np.subtract(np.asarray(p), np.asarray(q)) / np.where(y == 0.0, 1.0, y)
    return np.dot(u, np.asarray(p_dot)), -np.dot(u, np.asarray(q_dot))


@structural(builtins.float, linear=("x",))
def float_(y_bar, y, x):
    """The same number."""
    return unbroadcast(y_bar, x)


_COMPLEX = (builtins.complex, np.complex64, np.complex128, np.clongdouble)


@structural(*_COMPLEX, holomorphic=False, optional=("imag",))
def complex_(y_bar, y, real, imag=0.0):
    """y = real + 1j imag."""
    return unbroadcast(y_bar, real), unbroadcast(-1j * y_bar, imag)


@tangent(*_COMPLEX)
def complex_dot(y, real, imag=0.0, *, real_dot, imag_dot):
    """y_dot = real_dot + 1j imag_dot."""
    return real_dot, 1j * imag_dot


@structural(math.fsum, linear=("seq",), sequence=True)
def fsum(y_bar, y, seq):
    """Each number adds with weight 1."""
    return entry_bars(y_bar, seq)


@structural(math.prod, sequence=True)
def prod(y_bar, y, iterable, start=1):
    """dy/dx_i is the product of all others: exact where numbers are zero."""
    return prod_bars(y_bar, iterable, start)


@tangent(math.prod)
def prod_dot_(y, iterable, start=1, *, iterable_dot):
    """The product rule."""
    return prod_dot(iterable_dot, iterable, start)
