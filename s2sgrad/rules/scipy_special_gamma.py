"""Floor 2: rules of scipy.special's gamma and beta families."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise, zero_derivative
from s2sgrad_runtime import (
    beta_density,
    betainc_slope,
    gamma_density,
    gammainc_slope,
    multigamma_slope,
    poch_slope,
    polygamma_at,
    rgamma_bend,
    rgamma_slope,
    scipy_digamma,
    scipy_gamma,
    scipy_rgamma,
    scipy_zeta,
    trigamma,
)


@elementwise("scipy.special.gamma")
def gamma_(y_bar: Any, y: Any, z: Any) -> Any:
    """Logarithmic derivative psi(z)."""
    return y_bar * (y * scipy_digamma(z))


@elementwise("scipy.special.gammaln")
def gammaln_(y_bar: Any, y: Any, x: Any) -> Any:
    """psi(x)."""
    return y_bar * scipy_digamma(x)


@elementwise("scipy.special.loggamma")
def loggamma_(y_bar: Any, y: Any, z: Any) -> Any:
    """psi(z)."""
    return y_bar * scipy_digamma(z)


@elementwise("scipy.special.rgamma")
def rgamma_(y_bar: Any, y: Any, z: Any) -> Any:
    """-psi(z) / gamma(z), finite at the poles of gamma."""
    return y_bar * rgamma_slope(z)


@elementwise(rgamma_slope)
def rgamma_slope_(y_bar: Any, y: Any, z: Any) -> Any:
    """(psi(z)^2 - psi'(z)) / gamma(z), finite at the poles too."""
    return y_bar * rgamma_bend(z)


@elementwise("scipy.special.psi")
def psi_(y_bar: Any, y: Any, z: Any) -> Any:
    """The trigamma function."""
    return y_bar * trigamma(z)


@elementwise("scipy.special.polygamma", polygamma_at)
def polygamma_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """The next polygamma function; none in n."""
    return None, y_bar * polygamma_at(n + 1, x)


@elementwise("scipy.special.beta")
def beta_(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """psi(a) - psi(a + b) times the value."""
    return y_bar * (y * (scipy_digamma(a) - scipy_digamma(a + b))), y_bar * (
        y * (scipy_digamma(b) - scipy_digamma(a + b))
    )


@elementwise("scipy.special.betaln")
def betaln_(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """psi(a) - psi(a + b)."""
    return y_bar * (scipy_digamma(a) - scipy_digamma(a + b)), y_bar * (
        scipy_digamma(b) - scipy_digamma(a + b)
    )


@elementwise("scipy.special.multigammaln")
def multigammaln_(y_bar: Any, y: Any, a: Any, d: Any) -> Any:
    """A sum of d digammas, half a unit apart; none in d."""
    return y_bar * multigamma_slope(a, d), None


@elementwise("scipy.special.poch")
def poch_(y_bar: Any, y: Any, z: Any, m: Any) -> Any:
    """gamma(z + m) / gamma(z)."""
    last = np.where(y == 0.0, 0.0, scipy_digamma(z + m))
    return y_bar * poch_slope(y, z, m), y_bar * (y * last)


@elementwise("scipy.special.binom")
def binom_(y_bar: Any, y: Any, n: Any, k: Any) -> Any:
    """gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1)); it is 0 where the last one has a pole."""
    at_pole = scipy_gamma(n + 1.0) * scipy_rgamma(k + 1.0) * rgamma_slope(n - k + 1.0)
    slope = np.where(y == 0.0, -at_pole, y * scipy_digamma(n - k + 1.0))
    return y_bar * (y * scipy_digamma(n + 1.0) - slope), y_bar * (
        slope - y * scipy_digamma(k + 1.0)
    )


@elementwise("scipy.special.comb")
def comb_(y_bar: Any, y: Any, N: Any, k: Any, exact: Any = False) -> Any:
    """As binom, and flat where it is 0: there no k of N can be chosen."""
    first = np.where(y == 0.0, 0.0, scipy_digamma(N + 1.0))
    last = np.where(y == 0.0, 0.0, scipy_digamma(N - k + 1.0))
    return y_bar * (y * (first - last)), y_bar * (y * (last - scipy_digamma(k + 1.0)))


@elementwise("scipy.special.perm")
def perm_(y_bar: Any, y: Any, N: Any, k: Any, exact: Any = False) -> Any:
    """gamma(N + 1) / gamma(N - k + 1), and flat where it is 0, as comb is."""
    first = np.where(y == 0.0, 0.0, scipy_digamma(N + 1.0))
    last = np.where(y == 0.0, 0.0, scipy_digamma(N - k + 1.0))
    return y_bar * (y * (first - last)), y_bar * (y * last)


@elementwise("scipy.special.factorial")
def factorial_(y_bar: Any, y: Any, n: Any, exact: Any = False) -> Any:
    """gamma(n + 1)."""
    return y_bar * (y * scipy_digamma(n + 1.0))


@elementwise("scipy.special.gammainc")
def gammainc_(y_bar: Any, y: Any, a: Any, x: Any) -> Any:
    """The density of the gamma distribution in x, an integral in a."""
    return y_bar * gammainc_slope(a, x), y_bar * gamma_density(a, x)


@elementwise("scipy.special.gammaincc")
def gammaincc_(y_bar: Any, y: Any, a: Any, x: Any) -> Any:
    """Minus the same."""
    return y_bar * -gammainc_slope(a, x), y_bar * (-gamma_density(a, x))


@elementwise("scipy.special.gammaincinv")
def gammaincinv_(y_bar: Any, y: Any, a: Any, p: Any) -> Any:
    """One over the density at the result; in a the slope there over it, negated."""
    return y_bar * (-gammainc_slope(a, y) / gamma_density(a, y)), y_bar / gamma_density(a, y)


@elementwise("scipy.special.gammainccinv")
def gammainccinv_(y_bar: Any, y: Any, a: Any, p: Any) -> Any:
    """Minus one over the density at the result; in a as gammaincinv."""
    return y_bar * (-gammainc_slope(a, y) / gamma_density(a, y)), -y_bar / gamma_density(a, y)


@elementwise("scipy.special.betainc")
def betainc_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """The density of the beta distribution in x, integrals in a and b."""
    return (
        y_bar * betainc_slope(a, b, x),
        y_bar * -betainc_slope(b, a, 1.0 - x),
        y_bar * beta_density(a, b, x),
    )


@elementwise("scipy.special.betaincc")
def betaincc_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """Minus the same."""
    return (
        y_bar * -betainc_slope(a, b, x),
        y_bar * betainc_slope(b, a, 1.0 - x),
        y_bar * (-beta_density(a, b, x)),
    )


@elementwise("scipy.special.betaincinv")
def betaincinv_(y_bar: Any, y: Any, a: Any, b: Any, p: Any) -> Any:
    """One over the density at the result; in a and b the slopes there over it, negated."""
    return (
        y_bar * (-betainc_slope(a, b, y) / beta_density(a, b, y)),
        y_bar * (betainc_slope(b, a, 1.0 - y) / beta_density(a, b, y)),
        y_bar * (1.0 / beta_density(a, b, y)),
    )


@elementwise("scipy.special.betainccinv")
def betainccinv_(y_bar: Any, y: Any, a: Any, b: Any, p: Any) -> Any:
    """Minus one over the density at the result; in a and b as betaincinv."""
    return (
        y_bar * (-betainc_slope(a, b, y) / beta_density(a, b, y)),
        y_bar * (betainc_slope(b, a, 1.0 - y) / beta_density(a, b, y)),
        y_bar * (-1.0 / beta_density(a, b, y)),
    )


@elementwise("scipy.special.zeta", "scipy.special._ufuncs._zeta")
def zeta_(y_bar: Any, y: Any, x: Any, q: Any) -> Any:
    """The Hurwitz zeta function in q; none in x."""
    return None, y_bar * (-x * scipy_zeta(x + 1.0, q))


zero_derivative("scipy.special.gammasgn", "scipy.special.round")
