"""Floor 2: rules of scipy.special's noncentral distribution functions, and of the inverses of
distribution functions by their parameters: one over the slope at the result, and zero where SciPy
has found none and gives a bound of its search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise
from s2sgrad_runtime import (
    beta_density,
    betainc_slope,
    gamma_density,
    gammainc_slope,
    noncentral_density,
    scipy_chndtr,
    scipy_gammaln,
    scipy_ncf_pdf,
    scipy_ncfdtr,
    scipy_nct_pdf,
    stdtr_slope,
    t_density,
)


@elementwise("scipy.special.ncfdtr")
def ncfdtr_(y_bar: Any, y: Any, dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """The noncentral F density, and the step of two degrees; none in dfn, dfd."""
    step = scipy_ncfdtr(dfn + 2.0, dfd, nc, f * dfn / (dfn + 2.0)) - y
    return None, None, y_bar * (0.5 * step), y_bar * scipy_ncf_pdf(f, dfn, dfd, nc)


@elementwise("scipy.special.ncfdtri")
def ncfdtri_(y_bar: Any, y: Any, dfn: Any, dfd: Any, nc: Any, p: Any) -> Any:
    """The inverse of ncfdtr in f; none in dfn, dfd."""
    density = scipy_ncf_pdf(y, dfn, dfd, nc)
    step = scipy_ncfdtr(dfn + 2.0, dfd, nc, y * dfn / (dfn + 2.0)) - p
    return None, None, y_bar * (-0.5 * step / density), y_bar / density


@elementwise("scipy.special.ncfdtrinc")
def ncfdtrinc_(y_bar: Any, y: Any, dfn: Any, dfd: Any, p: Any, f: Any) -> Any:
    """The inverse of ncfdtr in nc; none in dfn, dfd."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    step = 0.5 * (scipy_ncfdtr(dfn + 2.0, dfd, y, f * dfn / (dfn + 2.0)) - p)
    return None, None, y_bar / step, y_bar * (-scipy_ncf_pdf(f, dfn, dfd, y) / step)


@elementwise("scipy.special.nctdtr")
def nctdtr_(y_bar: Any, y: Any, df: Any, nc: Any, t: Any) -> Any:
    """The noncentral t density, and that of a degree less; none in df."""
    ratio = np.exp(scipy_gammaln(0.5 * df - 0.5) - scipy_gammaln(0.5 * df))
    lower = scipy_nct_pdf(t * np.sqrt((df - 1.0) / df), df - 1.0, nc)
    by_nc = -np.sqrt(0.5 * (df - 1.0)) * ratio * lower
    return None, y_bar * by_nc, y_bar * scipy_nct_pdf(t, df, nc)


@elementwise("scipy.special.nctdtrit")
def nctdtrit_(y_bar: Any, y: Any, df: Any, nc: Any, p: Any) -> Any:
    """The inverse of nctdtr in t; none in df."""
    ratio = np.exp(scipy_gammaln(0.5 * df - 0.5) - scipy_gammaln(0.5 * df))
    lower = scipy_nct_pdf(y * np.sqrt((df - 1.0) / df), df - 1.0, nc)
    density = scipy_nct_pdf(y, df, nc)
    return None, y_bar * (np.sqrt(0.5 * (df - 1.0)) * ratio * lower / density), y_bar / density


@elementwise("scipy.special.nctdtrinc")
def nctdtrinc_(y_bar: Any, y: Any, df: Any, p: Any, t: Any) -> Any:
    """The inverse of nctdtr in nc; none in df."""
    ratio = np.exp(scipy_gammaln(0.5 * df - 0.5) - scipy_gammaln(0.5 * df))
    lower = scipy_nct_pdf(t * np.sqrt((df - 1.0) / df), df - 1.0, y)
    by_nc = -np.sqrt(0.5 * (df - 1.0)) * ratio * lower
    return None, y_bar / by_nc, y_bar * (-scipy_nct_pdf(t, df, y) / by_nc)


@elementwise("scipy.special.chndtrix")
def chndtrix_(y_bar: Any, y: Any, p: Any, df: Any, nc: Any) -> Any:
    """The inverse of chndtr in x; none in df."""
    density = noncentral_density(y, df, nc)
    return y_bar / density, None, y_bar * (-0.5 * (scipy_chndtr(y, df + 2.0, nc) - p) / density)


@elementwise("scipy.special.chndtrinc")
def chndtrinc_(y_bar: Any, y: Any, x: Any, df: Any, p: Any) -> Any:
    """The inverse of chndtr in nc; none in df."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    step = 0.5 * (scipy_chndtr(x, df + 2.0, y) - p)
    return y_bar * (-noncentral_density(x, df, y) / step), None, y_bar / step


@elementwise("scipy.special.btdtria")
def btdtria_(y_bar: Any, y: Any, p: Any, b: Any, x: Any) -> Any:
    """The inverse of betainc in a."""
    slope = y_bar / betainc_slope(y, b, x)
    return slope, slope * betainc_slope(b, y, 1.0 - x), -slope * beta_density(y, b, x)


@elementwise("scipy.special.btdtrib")
def btdtrib_(y_bar: Any, y: Any, a: Any, p: Any, x: Any) -> Any:
    """The inverse of betainc in b."""
    slope = -y_bar / betainc_slope(y, a, 1.0 - x)
    return -slope * betainc_slope(a, y, x), slope, -slope * beta_density(a, y, x)


@elementwise("scipy.special.bdtrik")
def bdtrik_(y_bar: Any, y: Any, q: Any, n: Any, p: Any) -> Any:
    """The inverse in k of bdtr between whole numbers, betainc(n - k, k + 1, 1 - p)."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    by_n = betainc_slope(n - y, y + 1.0, 1.0 - p)
    slope = -y_bar / (by_n + betainc_slope(y + 1.0, n - y, p))
    return slope, -slope * by_n, slope * beta_density(n - y, y + 1.0, 1.0 - p)


@elementwise("scipy.special.bdtrin")
def bdtrin_(y_bar: Any, y: Any, k: Any, q: Any, p: Any) -> Any:
    """The same in n."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    by_n = betainc_slope(y - k, k + 1.0, 1.0 - p)
    by_k = -by_n - betainc_slope(k + 1.0, y - k, p)
    slope = y_bar / by_n
    return -slope * by_k, slope, slope * beta_density(y - k, k + 1.0, 1.0 - p)


@elementwise("scipy.special.nbdtrik")
def nbdtrik_(y_bar: Any, y: Any, q: Any, n: Any, p: Any) -> Any:
    """The inverse in k of nbdtr between whole numbers, betainc(n, k + 1, p)."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    slope = -y_bar / betainc_slope(y + 1.0, n, 1.0 - p)
    by_n = betainc_slope(n, y + 1.0, p)
    return slope, -slope * by_n, -slope * beta_density(n, y + 1.0, p)


@elementwise("scipy.special.nbdtrin")
def nbdtrin_(y_bar: Any, y: Any, k: Any, q: Any, p: Any) -> Any:
    """The same in n."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    slope = y_bar / betainc_slope(y, k + 1.0, p)
    by_k = betainc_slope(k + 1.0, y, 1.0 - p)
    return slope * by_k, slope, -slope * beta_density(y, k + 1.0, p)


@elementwise("scipy.special.fdtridfd")
def fdtridfd_(y_bar: Any, y: Any, dfn: Any, p: Any, x: Any) -> Any:
    """The inverse in dfd of fdtr, betainc(dfn / 2, dfd / 2, w) with w = dfn x / (dfn x + dfd)."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    y = np.where(y < 1e10, y, 1.0)
    total = dfn * x + y
    w = dfn * x / total
    density = beta_density(0.5 * dfn, 0.5 * y, w) / total**2
    by_dfd = -0.5 * betainc_slope(0.5 * y, 0.5 * dfn, 1.0 - w) - density * dfn * x
    by_dfn = 0.5 * betainc_slope(0.5 * dfn, 0.5 * y, w) + density * x * y
    slope = y_bar / by_dfd
    return -slope * by_dfn, slope, -slope * density * dfn * y


@elementwise("scipy.special.gdtrib")
def gdtrib_(y_bar: Any, y: Any, a: Any, p: Any, x: Any) -> Any:
    """The inverse in b of gdtr, gammainc(b, a x)."""
    slope = y_bar / gammainc_slope(y, a * x)
    density = gamma_density(y, a * x)
    return -slope * x * density, slope, -slope * a * density


@elementwise("scipy.special.chdtriv")
def chdtriv_(y_bar: Any, y: Any, p: Any, x: Any) -> Any:
    """The inverse in v of chdtr, gammainc(v / 2, x / 2)."""
    slope = y_bar / gammainc_slope(0.5 * y, 0.5 * x)
    return 2.0 * slope, -slope * gamma_density(0.5 * y, 0.5 * x)


@elementwise("scipy.special.pdtrik")
def pdtrik_(y_bar: Any, y: Any, p: Any, m: Any) -> Any:
    """The inverse in k of pdtr between whole numbers, 1 - gammainc(k + 1, m)."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    slope = -y_bar / gammainc_slope(y + 1.0, m)
    return slope, slope * gamma_density(y + 1.0, m)


@elementwise("scipy.special.stdtridf")
def stdtridf_(y_bar: Any, y: Any, p: Any, t: Any) -> Any:
    """The inverse of stdtr in df."""
    y_bar = y_bar * ((y > 0.0) & (y < 1e10))
    slope = y_bar / stdtr_slope(y, t)
    return slope, -slope * t_density(y, t)
