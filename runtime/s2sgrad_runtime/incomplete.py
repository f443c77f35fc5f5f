"""The incomplete gamma and beta functions by their parameters, which have no closed form.

An integral over the tail that is the smaller one, by the double exponential rule: its points crowd
at both ends, where the integrand may be steep. Plain NumPy code: it is differentiated as it is.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise
from s2sgrad_runtime.elementwise import safe_divide
from s2sgrad_runtime.scipy_helpers import (
    scipy_betaln,
    scipy_digamma,
    scipy_expit,
    scipy_gammaln,
    scipy_log_ndtr,
)

__all__ = [
    "betainc_slope",
    "binomial_slope",
    "gammainc_slope",
    "log_share",
    "log_turn",
    "mills_share",
    "mills_whole",
    "nbinomial_slope",
    "poisson_slope",
    "stable_shift",
    "stdtr_slope",
]

STEPS = 0.05 * np.arange(-68.0, 69.0)
LOG_S = -np.log1p(np.exp(-np.pi * np.sinh(STEPS)))  # of points s in (0, 1)
WEIGHTS = 0.05 * np.pi * np.cosh(STEPS) / (1.0 + np.exp(np.pi * np.sinh(STEPS)))  # of d log s
MANY = 1e4  # an order from which its distribution is nearly normal


def gammainc_slope(a: Any, x: Any) -> Any:
    """The derivative of `gammainc(a, x)` by a: the integral of (log t - psi(a)) times the density
    up to x, or minus that from x on. 0 outside of the support. Large orders go by the skewness."""
    inside = (x > 0) & (x < np.inf)
    order, end = np.expand_dims(a, -1), np.expand_dims(np.where(inside, x, 1.0), -1)
    below = end <= order
    stretch = np.where(below, np.maximum(1.0, 1.0 / order), -1.0)
    log_t = np.log(end) + stretch * LOG_S
    density = np.exp(order * log_t - np.exp(log_t) - scipy_gammaln(order))
    terms = WEIGHTS * stretch * density * (log_t - scipy_digamma(order))
    found = np.where(inside, np.sum(terms, axis=-1), 0.0)
    root = np.sqrt(np.maximum(a, MANY))
    z = (x - a) / root
    large = (a > MANY) & (np.abs(z) < 8.0)  # the quadrature loses digits by cancellation
    return np.where(large, slope_by_skewness(np.where(large, z, 0.0), root), found)


def slope_by_skewness(z: Any, root: Any) -> Any:
    """`gammainc_slope` at a + z * root, root being the square root of a large order a: the density
    times how the quantiles, as a series in the skewness 2 / root, move with it."""
    q, s = z * z, 2.0 / root
    bend = (q * (2.0 * q + 1.0) + 1.0) / 480.0 * z - s * (q * (q * (5 * q + 2) + 1) + 2) / 3360.0
    bend = z * (q + 1.0) / 24.0 + s * (s * bend - (q * (3.0 * q + 2.0) - 1.0) / 240.0)
    bend = (1.0 - q) / 6.0 + s * bend
    height = z / root
    power = root * root * (np.log1p(height) - height) - (1.0 - s**4 / 480.0) * s * s / 48.0
    density = np.exp(power) / (root * (1.0 + height) * 2.5066282746310002)
    return -density * (1.0 + 0.25 * s * z + 0.25 * s * s * bend)


def betainc_slope(a: Any, b: Any, x: Any) -> Any:
    """The derivative of `betainc(a, b, x)` by a, in the same way: the integral of
    (log t - psi(a) + psi(a + b)) times the density. By b it is -betainc_slope(b, a, 1 - x)."""
    inside = (x > 0) & (x < 1)
    left, right = np.expand_dims(a, -1), np.expand_dims(b, -1)
    end = np.expand_dims(np.where(inside, x, 0.5), -1)
    below = end * (left + right) <= left
    near, far = np.where(below, left, right), np.where(below, right, left)
    stretch = np.maximum(1.0, 1.0 / near)
    log_near = np.log(np.where(below, end, 1.0 - end)) + stretch * LOG_S
    log_far = np.log1p(-np.exp(log_near))
    density = np.exp(near * log_near + (far - 1.0) * log_far - scipy_betaln(left, right))
    log_t = np.where(below, log_near, log_far)
    centred = log_t - scipy_digamma(left) + scipy_digamma(left + right)
    terms = np.where(below, 1.0, -1.0) * WEIGHTS * stretch * density * centred
    return np.where(inside, np.sum(terms, axis=-1), 0.0)


def stdtr_slope(df: Any, t: Any) -> Any:
    """The derivative of `stdtr(df, t)` by df; stdtr is 1 - betainc(df / 2, 1 / 2, x) / 2 at
    x = df / (df + t^2) for t > 0."""
    square = np.where(t == 0, 1.0, t * t)
    x = df / (df + square)
    log_density = 0.5 * df * np.log(x) - 0.5 * np.log(square / (df + square))
    density = np.exp(log_density - scipy_betaln(0.5 * df, 0.5)) / x
    moved = safe_divide(density * square, (df + square) ** 2)
    return -0.5 * np.sign(t) * (0.5 * betainc_slope(0.5 * df, 0.5, x) + moved)


@entrywise
def mills_share(x: Any, other: Any) -> Any:
    """The share of x in the sum of two of Mills' ratios, of the normal tail over the density."""
    return scipy_expit(
        scipy_log_ndtr(-x) - scipy_log_ndtr(-other) + 0.5 * (x - other) * (x + other)
    )


@entrywise
def mills_whole(x: Any, other: Any) -> Any:
    """One over that sum."""
    logs = scipy_log_ndtr(-x) + 0.5 * x * x, scipy_log_ndtr(-other) + 0.5 * other * other
    return np.exp(-np.logaddexp(logs[0], logs[1])) * 0.3989422804014327


@entrywise
def log_share(q: Any) -> Any:
    """-log(1 - q) / q, by its series near 0."""
    near = np.abs(q) < 0.02
    s = np.where(near, q, 0.0)
    series = 1 / 6 + s * (1 / 7 + s * (1 / 8 + s / 9))
    series = 1.0 + s * (1 / 2 + s * (1 / 3 + s * (1 / 4 + s * (1 / 5 + s * series))))
    away = np.where(near, 0.5, q)
    return np.where(near, series, -np.log1p(-away) / away)


@entrywise
def log_turn(q: Any) -> Any:
    """(log(1 - q) + q / (1 - q)) / q**2, by its series near 0."""
    near = np.abs(q) < 0.02
    s = np.where(near, q, 0.0)
    series = 5 / 6 + s * (6 / 7 + s * (7 / 8 + s * (8 / 9 + s * 9 / 10)))
    series = 1 / 2 + s * (2 / 3 + s * (3 / 4 + s * (4 / 5 + s * series)))
    away = np.where(near, 0.5, q)
    return np.where(near, series, (np.log1p(-away) + away / (1.0 - away)) / (away * away))


@entrywise
def poisson_slope(m: Any, mu: Any) -> Any:
    """The derivative of `poisson.pmf(m, mu)` by mu, where mu is 0 and that of its logarithm may be
    infinite: as a polynomial times an exponential."""
    whole = (m >= 0) & (m == np.floor(m))
    k = np.where(whole, m, 0.0)
    slope = k * mu ** np.maximum(k - 1.0, 0.0) - mu**k
    return np.where(whole, slope * np.exp(-mu - scipy_gammaln(k + 1.0)), 0.0)


@entrywise
def binomial_slope(m: Any, n: Any, p: Any) -> Any:
    """The derivative of `binom.pmf(m, n, p)` by p, where p is 0 or 1: as a polynomial."""
    whole = (m >= 0) & (m <= n) & (m == np.floor(m))
    k = np.where(whole, m, 0.0)
    rest = np.where(whole, n - m, 0.0)
    ways = scipy_gammaln(k + rest + 1.0) - scipy_gammaln(k + 1.0) - scipy_gammaln(rest + 1.0)
    rise = k * p ** np.maximum(k - 1.0, 0.0) * (1.0 - p) ** rest
    fall = p**k * rest * (1.0 - p) ** np.maximum(rest - 1.0, 0.0)
    return np.where(whole, (rise - fall) * np.exp(np.minimum(ways, 700.0)), 0.0)


@entrywise
def nbinomial_slope(m: Any, n: Any, p: Any) -> Any:
    """The derivative of `nbinom.pmf(m, n, p)` by p, where p is 1: as a product of powers."""
    whole = (m >= 0) & (m == np.floor(m))
    k = np.where(whole, m, 0.0)
    ways = scipy_gammaln(k + n) - scipy_gammaln(k + 1.0) - scipy_gammaln(n)
    rise = n * p ** (n - 1.0) * (1.0 - p) ** k
    fall = p**n * k * (1.0 - p) ** np.maximum(k - 1.0, 0.0)
    return np.where(whole, (rise - fall) * np.exp(np.minimum(ways, 700.0)), 0.0)


def stable_shift(alpha: Any, beta: Any) -> Any:
    """By how much z of `levy_stable` moves as the logarithm of its scale grows, in SciPy's first
    parameterization: where alpha is 1, twice its scale times log(scale) beta / pi is a location.

    >>> float(stable_shift(1.5, 0.5))
    0.0
    """
    stable = importlib.import_module("scipy.stats").levy_stable
    first = np.equal(alpha, 1.0) & (stable.parameterization == "S1")
    return np.where(first, 2.0 / np.pi * np.asarray(beta), 0.0)[()]
