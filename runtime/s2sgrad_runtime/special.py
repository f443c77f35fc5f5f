"""Slopes of special functions that take more than a line; SciPy is imported at the first call."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise
from s2sgrad_runtime.elementwise import gap, masked
from s2sgrad_runtime.polygammas import polygamma_at
from s2sgrad_runtime.scipy_helpers import (
    scipy_betaln,
    scipy_digamma,
    scipy_eval_chebyu,
    scipy_eval_gegenbauer,
    scipy_expn,
    scipy_gamma,
    scipy_gammaln,
    scipy_ive,
    scipy_log_ndtr,
    scipy_rgamma,
    scipy_xlog1py,
    scipy_xlogy,
)
from s2sgrad_runtime.shapes import expand_reduced, unbroadcast

__all__ = [
    "airy_root",
    "beta_density",
    "binomial_step",
    "boxcox_slope",
    "chebyu_below",
    "density_over",
    "diric_slope",
    "expn_below",
    "exprel_slope",
    "f_density",
    "gamma_density",
    "gegenbauer_below",
    "kolmogorov_slope",
    "log_beside",
    "logsumexp_bar_weights",
    "logsumexp_dot_weights",
    "logsumexp_pullback",
    "logsumexp_pushforward",
    "logsumexp_weights",
    "multigamma_slope",
    "noncentral_density",
    "outputs",
    "regular_slope",
    "rgamma_bend",
    "rgamma_slope",
    "rosen_hess_prod",
    "scaled_bessel_pullback",
    "scaled_bessel_pushforward",
    "sinc_of",
    "sinhc",
    "skew_ratio",
    "smirnov_slope",
    "spence_bend",
    "spence_slope",
    "spherical_slope",
    "struve_term",
    "t_density",
    "trigamma",
]


def outputs(*values: Any) -> tuple[Any, ...]:
    """Several results as one tuple."""
    return values


@entrywise
def trigamma(x: Any) -> Any:
    """The derivative of digamma."""
    return polygamma_at(1, x)


@entrywise
def density_over(log_density: Any, y: Any) -> Any:
    """A density over exp(y), by their logarithms: far out in a tail both are too small. NaN where
    their difference has no digits left, or the logarithm of the density is not known."""
    cancelled = (y < -1e7) & (y > -np.inf)
    unsure = cancelled | ((y < -700.0) & (log_density == -np.inf))
    return np.where(unsure, np.nan, np.exp(log_density - y))


@entrywise
def chebyu_below(n: Any, x: Any) -> Any:
    """Chebyshev's U of degree n - 1, 0 for n = 0; complex x too, where SciPy gives NaN."""
    return np.where(n == 0, 0.0, scipy_eval_chebyu(np.where(n == 0, 1, n) - 1, x))


@entrywise
def gegenbauer_below(n: Any, alpha: Any, x: Any) -> Any:
    """Gegenbauer's polynomial of degree n - 1, 0 for n = 0; complex x too."""
    below = np.where(n == 0, 1, n) - 1
    return np.where(n == 0, 0.0, scipy_eval_gegenbauer(below, alpha, x))


@entrywise
def rgamma_slope(z: Any) -> Any:
    """-psi(z) / gamma(z), to the left of 1/2 by reflection, which is finite at the poles."""
    left = np.real(z) < 0.5
    w = np.where(left, 1.0 - z, z)
    turn = np.pi * np.where(left, z, 0.0)
    reflected = np.cos(turn) - np.sin(turn) * scipy_digamma(w) / np.pi
    return np.where(left, reflected * scipy_gamma(w), -scipy_digamma(w) * scipy_rgamma(w))


@entrywise
def rgamma_bend(z: Any) -> Any:
    """The derivative of rgamma_slope, in the same way."""
    left = np.real(z) < 0.5
    w = np.where(left, 1.0 - z, z)
    turn = np.pi * np.where(left, z, 0.0)
    digamma, sine = scipy_digamma(w), np.sin(turn)
    squares = digamma * digamma + np.where(left, 1.0, -1.0) * polygamma_at(1, w)
    reflected = sine * (squares / np.pi - np.pi) - 2.0 * np.cos(turn) * digamma
    return np.where(left, reflected * scipy_gamma(w), squares * scipy_rgamma(w))


@entrywise
def multigamma_slope(a: Any, d: int) -> Any:
    """The derivative of multigammaln(a, d)."""
    total = scipy_digamma(a)
    for j in range(1, int(d)):
        total = total + scipy_digamma(a - 0.5 * j)
    return total


@entrywise
def gamma_density(a: Any, x: Any) -> Any:
    """x^(a - 1) exp(-x) / gamma(a)."""
    return np.exp(scipy_xlogy(a - 1.0, x) - x - scipy_gammaln(a))


@entrywise
def beta_density(a: Any, b: Any, x: Any) -> Any:
    """x^(a - 1) (1 - x)^(b - 1) / beta(a, b)."""
    return np.exp(scipy_xlogy(a - 1.0, x) + scipy_xlog1py(b - 1.0, -x) - scipy_betaln(a, b))


@entrywise
def f_density(dfn: Any, dfd: Any, x: Any) -> Any:
    """The density of the F distribution."""
    part = dfn * x / (dfn * x + dfd)
    return beta_density(0.5 * dfn, 0.5 * dfd, part) * dfn * dfd / (dfn * x + dfd) ** 2


@entrywise
def t_density(df: Any, t: Any) -> Any:
    """The density of Student's distribution."""
    scale = scipy_gammaln(0.5 * (df + 1.0)) - scipy_gammaln(0.5 * df)
    return np.exp(scale - 0.5 * (df + 1.0) * np.log1p(t * t / df)) / np.sqrt(df * np.pi)


@entrywise
def noncentral_density(x: Any, df: Any, nc: Any) -> Any:
    """The density of the noncentral chi-square distribution."""
    order = 0.5 * df - 1.0
    decay = np.exp(-0.5 * (np.sqrt(x) - np.sqrt(nc)) ** 2)
    return 0.5 * decay * (x / nc) ** (0.5 * order) * scipy_ive(order, np.sqrt(x * nc))


@entrywise
def binomial_step(k: Any, n: Any, p: Any) -> Any:
    """(n - k) binom(n, k) p^k (1 - p)^(n - k - 1), the density of beta(k + 1, n - k)."""
    return beta_density(k + 1.0, n - k, p)


@entrywise
def expn_below(n: Any, x: Any) -> Any:
    """expn(n - 1, x), also for n = 0."""
    first = np.trunc(n) == 0
    below = scipy_expn(np.where(first, 0, n - 1), x)
    return np.where(first, np.exp(-x) * (1.0 + x) / (x * x), below)


@entrywise
def exprel_slope(x: Any, y: Any) -> Any:
    """The derivative of y = (exp(x) - 1) / x, by its series near 0."""
    near = np.abs(x) < 1e-2
    away = np.where(near, 1.0, x)
    series = 0.5 + x * (1 / 3 + x * (1 / 8 + x * (1 / 30 + x * (1 / 144 + x / 840))))
    return np.where(near, series, (np.exp(x) - y) / away)


@entrywise
def spence_slope(z: Any) -> Any:
    """log(z) / (1 - z), by its series near 1."""
    near = np.abs(z - 1.0) < 1e-2
    away, u = np.where(near, 2.0, z), 1.0 - z
    series = -1.0 - u * (1 / 2 + u * (1 / 3 + u * (1 / 4 + u * (1 / 5 + u * (1 / 6 + u / 7)))))
    return np.where(near, series, np.log(away) / (1.0 - away))


@entrywise
def spence_bend(slope: Any, z: Any) -> Any:
    """The derivative of `slope = spence_slope(z)`, by its series near 1."""
    near, u = np.abs(z - 1.0) < 1e-2, 1.0 - z
    rest = 4 / 5 + u * (5 / 6 + u * (6 / 7 + u * 7 / 8))
    series = 1 / 2 + u * (2 / 3 + u * (3 / 4 + u * rest))
    return np.where(near, series, (1.0 / z + slope) / np.where(near, 1.0, u))


@entrywise
def log_beside(x: Any, z: Any) -> Any:
    """log(z), 0 where x is 0 and z is not positive (there x log(z) counts as 0)."""
    cut = (x == 0) & (np.real(z) <= 0)
    return np.where(cut, 0.0, np.log(np.where(cut, 1.0, z)))


@entrywise
def boxcox_slope(log_x: Any, lmbda: Any) -> Any:
    """The derivative of (x^lmbda - 1) / lmbda by lmbda, by its series near 0."""
    u = log_x * lmbda
    near = np.abs(u) < 1e-2
    series = 0.5 + u * (1 / 3 + u * (1 / 8 + u * (1 / 30 + u * (1 / 144 + u / 840))))
    away = np.where(near, 1.0, u)
    exact = (np.exp(away) * (away - 1.0) + 1.0) / (away * away)
    return log_x * log_x * np.where(near, series, exact)


@entrywise
def diric_slope(x: Any, n: Any, y: Any) -> Any:
    """The derivative of y = sin(n x / 2) / (n sin(x / 2)), by its series near a peak."""
    peak = np.abs(np.sin(0.5 * x)) < 1e-3
    half = np.where(peak, 0.5 * np.pi, 0.5 * x)
    slope = 0.5 * (np.cos(n * half) - y * np.cos(half)) / np.sin(half)
    d, m = 2.0 * np.arctan(np.tan(np.where(peak, 0.5 * x, 0.0))), n * n - 1.0
    series = np.sign(y) * m * d * (-1.0 / 12.0 + (3.0 * n * n - 7.0) * d * d / 1440.0)
    return np.where(peak, series, slope)


@entrywise
def sinc_of(x: Any) -> Any:
    """sin(x) / x, 1 at 0."""
    zero = x == 0
    away = np.where(zero, 1.0, x)
    return np.where(zero, 1.0, np.sin(away) / away)


@entrywise
def sinhc(x: Any) -> Any:
    """sinh(x) / x, 1 at 0."""
    zero = x == 0
    away = np.where(zero, 1.0, x)
    return np.where(zero, 1.0, np.sinh(away) / away)


@entrywise
def struve_term(v: Any, x: Any) -> Any:
    """(x / 2)^v / (sqrt(pi) gamma(v + 3/2))."""
    return np.power(0.5 * x, v) * scipy_rgamma(v + 1.5) / np.sqrt(np.pi)


@entrywise
def spherical_slope(y: Any, other: Any, n: Any, z: Any, modified: bool, derivative: bool) -> Any:
    """The derivative of a spherical Bessel function, or the second one from its equation.

    z^2 f'' + 2 z f' + (z^2 - n (n + 1)) f = 0, with -z^2 for the modified ones. `y` is f and
    `other` f', or for derivative=True the other way round.
    """
    if not derivative:
        return other
    square = z * z if not modified else -z * z
    return (-2.0 * z * y - (square - n * (n + 1)) * other) / (z * z)


@entrywise
def regular_slope(below: Any, above: Any, n: Any) -> Any:
    """The derivative of a spherical Bessel function that is finite at 0, or of its derivative,
    from the same of orders n - 1 (any where n = 0) and n + 1 (negated for the modified ones)."""
    return (n * below - (n + 1) * above) / (2 * n + 1)


@entrywise
def scaled_bessel_pullback(y_bar: Any, y: Any, z: Any, slope: Any, by_real: bool) -> Any:
    """Cotangent of z in y = exp(-|Re z|) f(z), or with Im; `slope` is exp(..) f'(z)."""
    weight = np.real(np.conj(y) * y_bar)
    z_bar = np.conj(slope) * y_bar
    if by_real:
        return z_bar - np.sign(np.real(z)) * weight
    return z_bar - 1j * np.sign(np.imag(z)) * weight if np.iscomplexobj(z) else z_bar


@entrywise
def scaled_bessel_pushforward(z_dot: Any, y: Any, z: Any, slope: Any, by_real: bool) -> Any:
    """Tangent of y = exp(-|Re z|) f(z), or with Im."""
    part, moved = (np.real(z), np.real(z_dot)) if by_real else (np.imag(z), np.imag(z_dot))
    return slope * z_dot - np.sign(part) * moved * y


def logsumexp_weights(y: Any, a: Any, axis: Any, b: Any, keepdims: bool, signed: bool) -> Any:
    """exp(a - y), with y's lost axes back and divided by its sign where it has one."""
    value = y[0] if signed else y
    weights = np.exp(gap(a, expand_reduced(value, a, axis, keepdims)))
    return weights * np.conj(expand_reduced(y[1], a, axis, keepdims)) if signed else weights


def logsumexp_pullback(
    y_bar: Any, y: Any, a: Any, axis: Any, b: Any, keepdims: bool, signed: bool
) -> Any:
    """Cotangent of a in y = logsumexp(a, axis, b, keepdims); the sign is locally constant."""
    part = y_bar[0] if signed else y_bar
    weights = logsumexp_weights(y, a, axis, b, keepdims, signed)
    a_bar = expand_reduced(part, a, axis, keepdims) * weights
    return unbroadcast(a_bar if b is None else masked(a_bar * b, b), a)


def logsumexp_bar_weights(
    y_bar: Any, y: Any, a: Any, axis: Any, b: Any, keepdims: bool, signed: bool
) -> Any:
    """Cotangent of b in y = logsumexp(a, axis, b, keepdims)."""
    part = y_bar[0] if signed else y_bar
    weights = logsumexp_weights(y, a, axis, b, keepdims, signed)
    return unbroadcast(expand_reduced(part, a, axis, keepdims) * weights, b)


def logsumexp_pushforward(
    a_dot: Any, y: Any, a: Any, axis: Any, b: Any, keepdims: bool, signed: bool
) -> Any:
    """Tangent of y = logsumexp(a, axis, b, keepdims) along a_dot."""
    weights = logsumexp_weights(y, a, axis, b, keepdims, signed) * a_dot
    terms = weights if b is None else masked(weights * b, b)
    moved = np.sum(terms, axis=axis, keepdims=keepdims)
    return (moved, np.zeros_like(moved)) if signed else moved


def logsumexp_dot_weights(
    b_dot: Any, y: Any, a: Any, axis: Any, b: Any, keepdims: bool, signed: bool
) -> Any:
    """Tangent of y = logsumexp(a, axis, b, keepdims) along b_dot."""
    weights = logsumexp_weights(y, a, axis, b, keepdims, signed) * b_dot
    moved = np.sum(weights, axis=axis, keepdims=keepdims)
    return (moved, np.zeros_like(moved)) if signed else moved


@entrywise
def skew_ratio(x: Any) -> Any:
    """The normal density over its distribution function."""
    return np.exp(-0.5 * x * x - scipy_log_ndtr(x)) / np.sqrt(2.0 * np.pi)


def rosen_hess_prod(x: Any, v: Any) -> Any:
    """The Hessian of scipy.optimize.rosen at x, times v: tridiagonal."""
    inner = 1200.0 * x[:-1] ** 2 - 400.0 * x[1:] + 2.0
    side = -400.0 * x[:-1]
    first = np.concatenate((inner * v[:-1] + side * v[1:], 200.0 * v[-1:]))
    return (
        first
        + np.concatenate((np.zeros_like(x[:1]), 200.0 * v[1:-1], np.zeros_like(x[:1])))
        + (np.concatenate((np.zeros_like(x[:1]), side * v[:-1])))
    )


def kolmogorov_slope(x: Any) -> Any:
    """The derivative of scipy.special.kolmogorov, by the series that converges faster at x."""
    small = x < 1.0
    near, far = np.where(small & (x > 0), x, 1.0), np.where(small, 1.0, x)
    odd = np.arange(1.0, 12.0, 2.0)
    rates = (odd * np.pi) ** 2 / 8.0
    u = 1.0 / near[..., np.newaxis] if np.ndim(x) else 1.0 / near
    terms = np.exp(-rates * u * u) * (2.0 * rates * u**4 - u * u)
    low = -np.sqrt(2.0 * np.pi) * np.sum(terms, axis=-1)
    k = np.arange(1.0, 7.0)
    v = far[..., np.newaxis] if np.ndim(x) else far
    signs = np.where(k % 2 == 1, -1.0, 1.0)
    high = 8.0 * np.sum(signs * k * k * v * np.exp(-2.0 * k * k * v * v), axis=-1)
    return np.where(small, np.where(x > 0, low, 0.0), high)


def smirnov_slope(n: Any, d: Any) -> Any:
    """The derivative of scipy.special.smirnov(n, d) by d: each term of the sum
    d binom(n, j) (d + j / n)^(j - 1) (1 - d - j / n)^(n - j)."""
    n, d = np.asarray(n)[..., np.newaxis], d[..., np.newaxis] if np.ndim(d) else d
    j = np.arange(np.max(n) + 1.0)
    inside = (d > 0.0) & (j <= n) & (1.0 - d - j / n > 0.0)
    below = np.where(inside, j, 0.0)
    up = np.where(inside, d + below / n, 0.5)
    down = np.where(inside, 1.0 - d - below / n, 0.5)
    ways = scipy_gammaln(n + 1.0) - scipy_gammaln(below + 1.0) - scipy_gammaln(n - below + 1.0)
    terms = np.exp(ways + (below - 1.0) * np.log(up) + (n - below) * np.log(down))
    slopes = terms * (1.0 + d * ((below - 1.0) / up - (n - below) / down))
    return np.sum(np.where(inside, slopes, 0.0), axis=-1)


def airy_root(z: Any) -> Any:
    """sqrt(z), 0 for negative z: the rate of the scale factors of airye for real z."""
    if np.iscomplexobj(z):
        raise NotImplementedError("no derivative: airye of complex numbers is not holomorphic")
    return np.sqrt(np.maximum(z, 0.0))
