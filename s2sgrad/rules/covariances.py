"""Floor 2: rules of covariance and correlation."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    corrcoef_bar,
    corrcoef_dot,
    cov_bar,
    cov_bar_second,
    cov_dot,
)


@structural(np.cov, holomorphic=False, optional=("m2",), aliases={"y": "m2"})
def cov(
    y_bar,
    y,
    m,
    m2=None,
    rowvar=True,
    bias=False,
    ddof=None,
    fweights=None,
    aweights=None,
    dtype=None,
):
    """y = X W X^H / (n - ddof) for centred variables X; NumPy's second argument is called y."""
    return (
        cov_bar(y_bar, m, m2, rowvar, bias, ddof, fweights, aweights),
        cov_bar_second(y_bar, m, m2, rowvar, bias, ddof, fweights, aweights),
    )


@tangent(np.cov)
def cov_dot_(
    y,
    m,
    m2=None,
    rowvar=True,
    bias=False,
    ddof=None,
    fweights=None,
    aweights=None,
    dtype=None,
    *,
    m_dot,
    m2_dot,
):
    """The product rule."""
    return (
        cov_dot(y, m_dot, None, m, m2, rowvar, bias, ddof, fweights, aweights),
        cov_dot(y, None, m2_dot, m, m2, rowvar, bias, ddof, fweights, aweights),
    )


@structural(np.corrcoef, holomorphic=False, optional=("x2",), aliases={"y": "x2"})
def corrcoef(y_bar, y, x, x2=None, rowvar=True, dtype=None):
    """y_ij = c_ij / sqrt(c_ii c_jj) with the covariance c; NumPy's second argument is called y."""
    c_bar = corrcoef_bar(y_bar, y, np.cov(x, x2, rowvar))
    return cov_bar(c_bar, x, x2, rowvar), cov_bar_second(c_bar, x, x2, rowvar)


@tangent(np.corrcoef)
def corrcoef_dot_(y, x, x2=None, rowvar=True, dtype=None, *, x_dot, x2_dot):
    """Through the covariance."""
    c = np.cov(x, x2, rowvar)
    return (
        corrcoef_dot(cov_dot(c, x_dot, None, x, x2, rowvar), y, c),
        corrcoef_dot(cov_dot(c, None, x2_dot, x, x2, rowvar), y, c),
    )
