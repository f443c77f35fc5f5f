"""Floor 8: scipy.stats' distributions whose probabilities are sums, or need other functions.

What SciPy sums is summed here too, so the derivative is that of the sum: by each parameter that
the terms have one by.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special, stats

from s2sgrad.standins.special import zeta
from s2sgrad_runtime import kolmogorov_slope, smirnov_slope


def zipf_pmf(k: Any, a: Any, loc: Any = 0) -> Any:
    """scipy.stats.zipf.pmf."""
    m = np.asarray(k) - loc
    there = (m >= 1) & (m == np.floor(m))
    return np.where(there, np.where(there, m * 1.0, 1.0) ** -a / zeta(a), 0.0)[()]


def zipf_cdf(k: Any, a: Any, loc: Any = 0) -> Any:
    """scipy.stats.zipf.cdf."""
    m = np.maximum(np.floor(np.asarray(k) - loc), 0.0)
    return (1.0 - zeta(a, m + 1.0) / zeta(a))[()]


def zipfian_pmf(k: Any, a: Any, n: Any, loc: Any = 0) -> Any:
    """scipy.stats.zipfian.pmf."""
    m = np.asarray(k) - loc
    there = (m >= 1) & (m <= n) & (m == np.floor(m))
    return np.where(there, np.where(there, m * 1.0, 1.0) ** -a / _harmonic(n, a), 0.0)[()]


def zipfian_cdf(k: Any, a: Any, n: Any, loc: Any = 0) -> Any:
    """scipy.stats.zipfian.cdf."""
    m = np.clip(np.floor(np.asarray(k) - loc), 0, n)
    return (_harmonic(m, a) / _harmonic(n, a))[()]


def _harmonic(count: Any, a: Any) -> Any:
    """The sum of the first terms of the zeta function of a."""
    steps = np.arange(1.0, np.max(count) + 1.0)
    terms = steps ** -np.asarray(a)[..., np.newaxis]
    return np.sum(np.where(steps <= np.asarray(count)[..., np.newaxis], terms, 0.0), axis=-1)


def skellam_pmf(k: Any, mu1: Any, mu2: Any, loc: Any = 0) -> Any:
    """scipy.stats.skellam.pmf."""
    m = np.asarray(k) - loc
    decay = np.exp(-((np.sqrt(mu1) - np.sqrt(mu2)) ** 2))
    found = decay * (mu1 / mu2) ** (0.5 * m) * special.ive(np.abs(m), 2.0 * np.sqrt(mu1 * mu2))
    return np.where(m == np.floor(m), found, 0.0)[()]


def skellam_cdf(k: Any, mu1: Any, mu2: Any, loc: Any = 0) -> Any:
    """scipy.stats.skellam.cdf."""
    m = np.floor(np.asarray(k) - loc)
    below, above = np.minimum(m, -1.0), np.maximum(m, 0.0)
    left = special.chndtr(2.0 * mu2, -2.0 * below, 2.0 * mu1)
    right = 1.0 - special.chndtr(2.0 * mu1, 2.0 * (above + 1.0), 2.0 * mu2)
    return np.where(m < 0, left, right)[()]


def poisson_binom_all(p: Any) -> Any:
    """The probabilities of 0, 1, ... successes, on a first axis; p: of success, on the last."""
    p = np.asarray(p)
    found = [np.ones(np.shape(p)[:-1])]
    for i in range(np.shape(p)[-1]):
        q = p[..., i]
        inner = [found[j] * (1.0 - q) + found[j - 1] * q for j in range(1, i + 1)]
        found = [found[0] * (1.0 - q), *inner, found[i] * q]
    return np.stack(found)


def poisson_binom_pmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """scipy.stats.poisson_binom.pmf."""
    chances = poisson_binom_all(p)
    m = np.asarray(k) - loc
    total: Any = 0.0
    for j in range(len(chances)):
        total = total + np.where(m == j, chances[j], 0.0)
    return total[()]


def poisson_binom_cdf(k: Any, p: Any, loc: Any = 0) -> Any:
    """scipy.stats.poisson_binom.cdf."""
    chances = poisson_binom_all(p)
    m = np.asarray(k) - loc
    total: Any = 0.0
    for j in range(len(chances)):
        total = total + np.where(m >= j, chances[j], 0.0)
    return total[()]


def fisher_pmf(k: Any, M: Any, n: Any, N: Any, odds: Any, loc: Any = 0) -> Any:
    """scipy.stats.nchypergeom_fisher.pmf, by its odds."""
    m = np.asarray(k) - loc
    there = (m >= np.maximum(0, N - (M - n))) & (m <= np.minimum(n, N)) & (m == np.floor(m))
    return np.where(there, np.exp(_fisher(m, M, n, N, odds) - _fisher_whole(M, n, N, odds)), 0.0)[
        ()
    ]


def fisher_cdf(k: Any, M: Any, n: Any, N: Any, odds: Any, loc: Any = 0) -> Any:
    """scipy.stats.nchypergeom_fisher.cdf."""
    return _summed(fisher_pmf, k, (M, n, N, odds), loc)


def _fisher(m: Any, M: Any, n: Any, N: Any, odds: Any) -> Any:
    """The logarithm of a term of Fisher's distribution; -inf beside its support."""
    low, high = np.maximum(0, N - (M - n)), np.minimum(n, N)
    inside = np.clip(m, low, high)
    ways = -special.betaln(inside + 1.0, n - inside + 1.0)
    ways = ways - special.betaln(N - inside + 1.0, M - n - N + inside + 1.0)
    return np.where((m < low) | (m > high), -np.inf, ways + inside * np.log(odds))


def _fisher_whole(M: Any, n: Any, N: Any, odds: Any) -> Any:
    steps = np.arange(np.max(np.minimum(n, N)) + 1)
    params = [np.asarray(value)[..., np.newaxis] for value in (M, n, N, odds)]
    return special.logsumexp(_fisher(steps, *params), axis=-1)


def gausshyper_pdf(
    x: Any, a: Any, b: Any, c: Any, z: Any, loc: Any = 0, scale: Any = 1
) -> Any:  # fmt: skip
    """scipy.stats.gausshyper.pdf; a, b and c are constants, hyp2f1's."""
    u = (x - loc) / scale
    there = (u > 0.0) & (u < 1.0)
    v = np.where(there, u, 0.5)
    whole = special.beta(a, b) * special.hyp2f1(c, a, a + b, -z) * scale
    return np.where(
        there, v ** (a - 1.0) * (1.0 - v) ** (b - 1.0) * (1.0 + z * v) ** -c / whole, 0.0
    )[()]


def yulesimon_cdf(k: Any, alpha: Any, loc: Any = 0) -> Any:
    """scipy.stats.yulesimon.cdf."""
    m = np.floor(np.asarray(k) - loc)
    tail = np.maximum(m, 1.0) * special.beta(np.maximum(m, 1.0), alpha + 1.0)
    return np.where(m < 1.0, 0.0, 1.0 - tail)[()]


def ksone_pdf(x: Any, n: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """scipy.stats.ksone.pdf."""
    return -smirnov_slope(n, (x - loc) / scale) / scale


def kstwobign_pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """scipy.stats.kstwobign.pdf."""
    return -kolmogorov_slope((x - loc) / scale) / scale


def _summed(pmf: Any, k: Any, shapes: Any, loc: Any) -> Any:
    """A distribution function, from the probabilities of 0 and above."""
    m = np.floor(np.asarray(k) - loc)
    steps = np.arange(np.maximum(np.max(m), 0.0) + 1.0)
    chances = pmf(steps, *[np.asarray(value)[..., np.newaxis] for value in shapes])
    return np.sum(np.where(steps <= m[..., np.newaxis], chances, 0.0), axis=-1)[()]


def summed(dist: Any, k: Any, *shapes: Any, loc: Any = 0) -> Any:
    """The distribution function of counts, the sum of its probabilities."""
    return _summed(dist.pmf, k, shapes, loc)


def log_of(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The logarithm of a probability."""
    return np.log(function(*args, **kwargs))


def rest_of(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The probability of more."""
    return 1.0 - function(*args, **kwargs)


def log_rest_of(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The logarithm of the probability of more."""
    return np.log1p(-function(*args, **kwargs))


def _readings(density: str, of_density: Any, cdf: Any) -> dict[str, Callable[..., Any]]:
    """Methods -> what is read; density: 'pmf' or 'pdf'."""
    found: dict[str, Callable[..., Any]] = {}
    if of_density is not None:
        found = {density: of_density, f"log{density}": functools.partial(log_of, of_density)}
    if cdf is not None:
        found |= {"cdf": cdf, "logcdf": functools.partial(log_of, cdf)}
        found |= {"sf": functools.partial(rest_of, cdf)}
        found |= {"logsf": functools.partial(log_rest_of, cdf)}
    return found


READ: dict[str, dict[str, Callable[..., Any]]] = {
    "zipf": _readings("pmf", zipf_pmf, zipf_cdf),
    "zipfian": _readings("pmf", zipfian_pmf, zipfian_cdf),
    "skellam": _readings("pmf", skellam_pmf, skellam_cdf),
    "poisson_binom": _readings("pmf", poisson_binom_pmf, poisson_binom_cdf),
    "nchypergeom_fisher": _readings("pmf", fisher_pmf, fisher_cdf),
    "gausshyper": _readings("pdf", gausshyper_pdf, None),
    "ksone": _readings("pdf", ksone_pdf, None),
    "kstwobign": _readings("pdf", kstwobign_pdf, None),
    "yulesimon": _readings("pmf", None, yulesimon_cdf),
    **{
        name: _readings("pmf", None, functools.partial(summed, getattr(stats, name)))
        for name in ("betabinom", "betanbinom", "logser")
        if hasattr(stats, name)
    },
}
