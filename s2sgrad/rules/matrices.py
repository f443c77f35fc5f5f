"""Floor 2: rules of diagonals, triangles, bands and polynomials."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    diagonal_view,
    polyder_bar,
    polyint_bar,
    polyint_dot,
    polymul_bar_left,
    polymul_bar_right,
    polymul_dot,
    polyval_coefficients,
    root_slopes,
    unbroadcast,
    undiag,
    undiagflat,
    undiagonal,
    vander_bar,
    vander_dot,
)


@structural(np.triu, linear=("m",), selects=True)
def triu(y_bar, y, m, k=0):
    """Keeps what is on or above diagonal k."""
    return unbroadcast(np.triu(y_bar, k), m)


@structural(np.tril, linear=("m",), selects=True)
def tril(y_bar, y, m, k=0):
    """Keeps what is on or below diagonal k."""
    return unbroadcast(np.tril(y_bar, k), m)


@structural(np.diag, linear=("v",))
def diag(y_bar, y, v, k=0):
    """A vector goes to diagonal k of zeros, a matrix gives its diagonal k."""
    return undiag(y_bar, v, k)


@structural(np.diagonal, diagonal_view, linear=("a",))
def diagonal(y_bar, y, a, offset=0, axis1=0, axis2=1):
    """The rest of a gets zeros."""
    return undiagonal(y_bar, a, offset, axis1, axis2)


@structural(np.diagflat, linear=("v",))
def diagflat(y_bar, y, v, k=0):
    """The flattened v goes to diagonal k of zeros."""
    return undiagflat(y_bar, v, k)


@structural(np.vander)
def vander(y_bar, y, x, N=None, increasing=False):
    """Columns x**n."""
    return vander_bar(y_bar, x, increasing)


@tangent(np.vander)
def vander_dot_(y, x, N=None, increasing=False, *, x_dot):
    """The column x**n has slope n x**(n-1)."""
    return vander_dot(x_dot, y, x, increasing)


@structural(np.polyval)
def polyval(y_bar, y, p, x):
    """y = sum p_k x**(n-1-k)."""
    return polyval_coefficients(y_bar, p, x), y_bar * np.polyval(np.polyder(p), x)


@tangent(np.polyval)
def polyval_dot(y, p, x, *, p_dot, x_dot):
    """Linear in p; in x the derivative's value."""
    return np.polyval(p_dot, x), x_dot * np.polyval(np.polyder(p), x)


@structural(np.roots)
def roots(y_bar, y, p):
    """A simple root moves by -(sum of p_k_dot y**(n-1-k)) / p'(y)."""
    return y_bar @ root_slopes(y, p)


@tangent(np.roots)
def roots_dot(y, p, *, p_dot):
    """As in the rule."""
    return root_slopes(y, p) @ p_dot


@structural(np.polyder, linear=("p",))
def polyder(y_bar, y, p, m=1):
    """Coefficient k of power n goes to power n - m, times n (n-1) ... (n-m+1)."""
    return polyder_bar(y_bar, p, m)


@structural(np.polyadd)
def polyadd(y_bar, y, a1, a2):
    """Coefficients add from the last."""
    return (
        unbroadcast(y_bar[len(y) - len(np.atleast_1d(a1)) :], a1),
        unbroadcast(y_bar[len(y) - len(np.atleast_1d(a2)) :], a2),
    )


@structural(np.polysub)
def polysub(y_bar, y, a1, a2):
    """Coefficients subtract from the last."""
    return (
        unbroadcast(y_bar[len(y) - len(np.atleast_1d(a1)) :], a1),
        -unbroadcast(y_bar[len(y) - len(np.atleast_1d(a2)) :], a2),
    )


@tangent(np.polyadd)
def polyadd_dot(y, a1, a2, *, a1_dot, a2_dot):
    """Zeros in front of the shorter one."""
    return np.polyadd(a1_dot, np.zeros_like(a2)), np.polyadd(np.zeros_like(a1), a2_dot)


@tangent(np.polysub)
def polysub_dot(y, a1, a2, *, a1_dot, a2_dot):
    """Zeros in front of the shorter one."""
    return np.polysub(a1_dot, np.zeros_like(a2)), np.polysub(np.zeros_like(a1), a2_dot)


@structural(np.polymul)
def polymul(y_bar, y, a1, a2):
    """Coefficients convolve; leading zeros are dropped."""
    return polymul_bar_left(y_bar, a1, a2), polymul_bar_right(y_bar, a1, a2)


@tangent(np.polymul)
def polymul_dot_(y, a1, a2, *, a1_dot, a2_dot):
    """Bilinear."""
    return polymul_dot(y, a1_dot, a2), polymul_dot(y, a1, a2_dot)


@structural(np.polyint)
def polyint(y_bar, y, p, m=1, k=None):
    """The coefficient of power n goes to power n + m, over (n+1) ... (n+m)."""
    return polyint_bar(y_bar, p, m)


@tangent(np.polyint)
def polyint_dot_(y, p, m=1, k=None, *, p_dot):
    """The integration constants drop out."""
    return polyint_dot(p_dot, m)
