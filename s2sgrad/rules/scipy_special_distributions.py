"""Floor 2: rules of scipy.special's distribution functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise
from s2sgrad_runtime import (
    beta_density,
    binomial_step,
    f_density,
    gamma_density,
    gammainc_slope,
    noncentral_density,
    power_bar_base,
    scipy_chndtr,
    scipy_digamma,
    scipy_rgamma,
    scipy_xlogy,
    stdtr_slope,
    t_density,
)


@elementwise(gamma_density)
def gamma_density_(y_bar: Any, y: Any, a: Any, x: Any) -> Any:
    """x^(a - 1) exp(-x) / gamma(a): by its logarithm, at 0, where that has none, by the power."""
    edge = np.where(x == 0.0, x, 1.0)
    slope = power_bar_base(1.0, edge, a - 1.0) - edge ** (a - 1.0)
    ratio = (a - 1.0) / np.where(x == 0.0, 1.0, x) - 1.0
    return (
        y_bar * (scipy_xlogy(y, x) - y * scipy_digamma(a)),
        y_bar * np.where(x == 0.0, slope * np.exp(-edge) * scipy_rgamma(a), y * ratio),
    )


@elementwise("scipy.special.bdtr")
def bdtr_(y_bar: Any, y: Any, k: Any, n: Any, p: Any) -> Any:
    """Minus n times the binomial probability one trial shorter; none in k, n."""
    return None, None, y_bar * (-binomial_step(np.floor(k), n, p))


@elementwise("scipy.special.bdtrc")
def bdtrc_(y_bar: Any, y: Any, k: Any, n: Any, p: Any) -> Any:
    """n times the binomial probability one trial shorter; none in k, n."""
    return None, None, y_bar * (binomial_step(np.floor(k), n, p))


@elementwise("scipy.special.bdtri")
def bdtri_(y_bar: Any, y: Any, k: Any, n: Any, y0: Any) -> Any:
    """The inverse of bdtr in p; none in k, n."""
    return None, None, y_bar * (-1.0 / binomial_step(np.floor(k), n, y))


@elementwise("scipy.special.nbdtr")
def nbdtr_(y_bar: Any, y: Any, k: Any, n: Any, p: Any) -> Any:
    """A beta density; none in k, n."""
    return None, None, y_bar * beta_density(n, k + 1.0, p)


@elementwise("scipy.special.nbdtrc")
def nbdtrc_(y_bar: Any, y: Any, k: Any, n: Any, p: Any) -> Any:
    """Minus a beta density; none in k, n."""
    return None, None, y_bar * (-beta_density(n, k + 1.0, p))


@elementwise("scipy.special.nbdtri")
def nbdtri_(y_bar: Any, y: Any, k: Any, n: Any, y0: Any) -> Any:
    """The inverse of nbdtr in p; none in k, n."""
    return None, None, y_bar * (1.0 / beta_density(n, k + 1.0, y))


@elementwise("scipy.special.pdtr")
def pdtr_(y_bar: Any, y: Any, k: Any, m: Any) -> Any:
    """Minus the Poisson probability; none in k."""
    return None, y_bar * (-gamma_density(np.floor(k) + 1.0, m))


@elementwise("scipy.special.pdtrc")
def pdtrc_(y_bar: Any, y: Any, k: Any, m: Any) -> Any:
    """The Poisson probability; none in k."""
    return None, y_bar * (gamma_density(np.floor(k) + 1.0, m))


@elementwise("scipy.special.pdtri")
def pdtri_(y_bar: Any, y: Any, k: Any, y0: Any) -> Any:
    """The inverse of pdtr in m; none in k."""
    return None, y_bar * (-1.0 / gamma_density(np.floor(k) + 1.0, y))


@elementwise("scipy.special.chdtr")
def chdtr_(y_bar: Any, y: Any, v: Any, x: Any) -> Any:
    """The chi-square density, an integral in v."""
    return y_bar * (0.5 * gammainc_slope(0.5 * v, 0.5 * x)), y_bar * (
        0.5 * gamma_density(0.5 * v, 0.5 * x)
    )


@elementwise("scipy.special.chdtrc")
def chdtrc_(y_bar: Any, y: Any, v: Any, x: Any) -> Any:
    """Minus the same."""
    return y_bar * (-0.5 * gammainc_slope(0.5 * v, 0.5 * x)), y_bar * (
        -0.5 * gamma_density(0.5 * v, 0.5 * x)
    )


@elementwise("scipy.special.chdtri")
def chdtri_(y_bar: Any, y: Any, v: Any, p: Any) -> Any:
    """The inverse of chdtrc in x; none in v."""
    return None, y_bar * (-2.0 / gamma_density(0.5 * v, 0.5 * y))


@elementwise("scipy.special.chndtr")
def chndtr_(y_bar: Any, y: Any, x: Any, df: Any, nc: Any) -> Any:
    """The noncentral chi-square density, and the step of two degrees; none in df."""
    return (
        y_bar * noncentral_density(x, df, nc),
        None,
        y_bar * (0.5 * (scipy_chndtr(x, df + 2.0, nc) - y)),
    )


@elementwise("scipy.special.gdtr")
def gdtr_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """gammainc(b, a x)."""
    return (
        y_bar * (x * gamma_density(b, a * x)),
        y_bar * gammainc_slope(b, a * x),
        y_bar * (a * gamma_density(b, a * x)),
    )


@elementwise("scipy.special.gdtrc")
def gdtrc_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """gammaincc(b, a x)."""
    return (
        y_bar * (-x * gamma_density(b, a * x)),
        y_bar * -gammainc_slope(b, a * x),
        y_bar * (-a * gamma_density(b, a * x)),
    )


@elementwise("scipy.special.gdtrix")
def gdtrix_(y_bar: Any, y: Any, a: Any, b: Any, p: Any) -> Any:
    """The inverse of gdtr in x; none in b."""
    return y_bar * (-y / a), None, y_bar * (1.0 / (a * gamma_density(b, a * y)))


@elementwise("scipy.special.gdtria")
def gdtria_(y_bar: Any, y: Any, p: Any, b: Any, x: Any) -> Any:
    """The inverse of gdtr in a; none in b."""
    return y_bar * (1.0 / (x * gamma_density(b, y * x))), None, y_bar * (-y / x)


@elementwise("scipy.special.fdtr")
def fdtr_(y_bar: Any, y: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    """The F density; none in the degrees of freedom."""
    return None, None, y_bar * f_density(dfn, dfd, x)


@elementwise("scipy.special.fdtrc")
def fdtrc_(y_bar: Any, y: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    """Minus the F density; none in the degrees of freedom."""
    return None, None, y_bar * (-f_density(dfn, dfd, x))


@elementwise("scipy.special.fdtri")
def fdtri_(y_bar: Any, y: Any, dfn: Any, dfd: Any, p: Any) -> Any:
    """The inverse of fdtr in x; none in the degrees of freedom."""
    return None, None, y_bar * (1.0 / f_density(dfn, dfd, y))


@elementwise("scipy.special.stdtr")
def stdtr_(y_bar: Any, y: Any, df: Any, t: Any) -> Any:
    """Student's density, an integral in df."""
    return y_bar * stdtr_slope(df, t), y_bar * t_density(df, t)


@elementwise("scipy.special.stdtrit")
def stdtrit_(y_bar: Any, y: Any, df: Any, p: Any) -> Any:
    """One over Student's density at the result; in df the slope there over it, negated."""
    return y_bar * (-stdtr_slope(df, y) / t_density(df, y)), y_bar * (1.0 / t_density(df, y))


@elementwise("scipy.special.tklmbda")
def tklmbda_(y_bar: Any, y: Any, x: Any, lmbda: Any) -> Any:
    """The inverse of (p^lmbda - (1 - p)^lmbda) / lmbda, 0 or 1 beyond its range; none in lmbda."""
    within = (y > 0.0) & (y < 1.0)
    p = np.where(within, y, 0.5)
    slope = 1.0 / (p ** (lmbda - 1.0) + (1.0 - p) ** (lmbda - 1.0))
    return y_bar * np.where(within, slope, 0.0), None


@elementwise("scipy.special.nrdtrimn")
def nrdtrimn_(y_bar: Any, y: Any, p: Any, std: Any, x: Any) -> Any:
    """The mean that puts x at the quantile p."""
    z = (x - y) / std
    return (
        y_bar * (-std / np.exp(-0.5 * z * z) * 2.5066282746310002),
        y_bar * -z,
        y_bar * np.ones_like(y),
    )


@elementwise("scipy.special.nrdtrisd")
def nrdtrisd_(y_bar: Any, y: Any, mn: Any, p: Any, x: Any) -> Any:
    """The standard deviation that puts x at the quantile p."""
    z = (x - mn) / y
    return (
        y_bar * (-1.0 / z),
        y_bar * (-y / z * 2.5066282746310002 * np.exp(0.5 * z * z)),
        y_bar * (1.0 / z),
    )
