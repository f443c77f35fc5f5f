"""Floor 8: scipy.stats' distributions of several numbers that have no rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from s2sgrad_runtime import orthant_slopes


def multinomial_logpmf(x: Any, n: Any, p: Any) -> Any:
    """scipy.stats.multinomial.logpmf; p counts as given where it sums to 1, else SciPy replaces the
    last of it."""
    x, p = np.asarray(x), np.asarray(p)
    last = 1.0 - np.sum(p[..., :-1], axis=-1, keepdims=True)
    off = np.abs(1.0 - np.sum(p, axis=-1, keepdims=True)) > 10.0 * np.finfo(float).eps
    p = np.concatenate((p[..., :-1], np.where(off, last, p[..., -1:])), axis=-1)
    found = special.gammaln(n + 1.0) + np.sum(
        special.xlogy(x, p) - special.gammaln(x + 1.0), axis=-1
    )
    possible = (np.sum(x, axis=-1) == n) & np.all(x >= 0, axis=-1)
    return np.where(possible, found, -np.inf)[()]


def multinomial_pmf(x: Any, n: Any, p: Any) -> Any:
    """scipy.stats.multinomial.pmf."""
    return np.exp(multinomial_logpmf(x, n, p))


def multivariate_normal_cdf(
    x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False, maxpts: Any = None,
    abseps: Any = 1e-5, releps: Any = 1e-5, *, lower_limit: Any = None, rng: Any = None,
) -> Any:  # fmt: skip
    """scipy.stats.multivariate_normal.cdf."""
    if lower_limit is not None or rng is not None:
        raise NotImplementedError("no derivative: multivariate_normal.cdf with lower_limit or rng")
    size = np.size(mean) if mean is not None else np.shape(cov)[0] if np.ndim(cov) > 0 else 1
    matrix = np.eye(size) * cov if np.ndim(cov) < 2 else np.asarray(cov)
    gap = np.asarray(x) * 1.0 if mean is None else np.asarray(x) - mean
    found = orthant_slopes(np.reshape(gap, (-1, size)), matrix, 0, maxpts, abseps, releps)
    one_each = size == 1 and np.ndim(x) < 2
    return np.reshape(found, np.shape(x) if one_each else np.shape(x)[:-1])[()]


def multivariate_normal_logcdf(
    x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False, maxpts: Any = None,
    abseps: Any = 1e-5, releps: Any = 1e-5, *, lower_limit: Any = None, rng: Any = None,
) -> Any:  # fmt: skip
    """scipy.stats.multivariate_normal.logcdf."""
    given = {"lower_limit": lower_limit, "rng": rng}
    return np.log(multivariate_normal_cdf(x, mean, cov, False, maxpts, abseps, releps, **given))


def multivariate_t_logpdf(x: Any, loc: Any = None, shape: Any = 1, df: Any = 1) -> Any:
    """scipy.stats.multivariate_t.logpdf."""
    matrix = np.atleast_2d(shape)
    if len(matrix) == 1 and loc is not None:
        matrix = np.eye(np.size(loc)) * matrix
    size = len(matrix)
    gap = np.asarray(x) * 1.0 if loc is None else np.asarray(x) - loc
    rows = np.reshape(gap, (-1, size))
    distance = np.sum(rows.T * np.linalg.solve(matrix, rows.T), axis=0)
    half = 0.5 * (df + size)
    constant = special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * size * np.log(df * np.pi)
    found = constant - 0.5 * np.linalg.slogdet(matrix)[1] - half * np.log1p(distance / df)
    return np.reshape(found, np.shape(x)[:-1] if np.ndim(x) > 1 else ())[()]


def multivariate_t_pdf(x: Any, loc: Any = None, shape: Any = 1, df: Any = 1) -> Any:
    """scipy.stats.multivariate_t.pdf."""
    return np.exp(multivariate_t_logpdf(x, loc, shape, df))


def wishart_logpdf(x: Any, df: Any, scale: Any) -> Any:
    """scipy.stats.wishart.logpdf: of one matrix, or of several along the last axis."""
    scale = np.atleast_2d(scale)
    size = len(scale)
    if np.ndim(x) < 2:
        raise NotImplementedError("no derivative: wishart of numbers: use scipy.stats.gamma")
    stack = np.moveaxis(x, -1, 0) if np.ndim(x) == 3 else x
    parts = special.multigammaln(0.5 * df, size) + 0.5 * df * (
        size * np.log(2.0) + np.linalg.slogdet(scale)[1]
    )
    spread = np.trace(np.linalg.solve(scale, stack), axis1=-2, axis2=-1)
    inside = 0.5 * (df - size - 1.0) * np.linalg.slogdet(stack)[1]
    return inside - 0.5 * spread - parts


def wishart_pdf(x: Any, df: Any, scale: Any) -> Any:
    """scipy.stats.wishart.pdf."""
    return np.exp(wishart_logpdf(x, df, scale))


def invwishart_logpdf(x: Any, df: Any, scale: Any) -> Any:
    """scipy.stats.invwishart.logpdf: of one matrix, or of several along the last axis."""
    scale = np.atleast_2d(scale)
    size = len(scale)
    if np.ndim(x) < 2:
        raise NotImplementedError("no derivative: invwishart of numbers: use scipy.stats.invgamma")
    stack = np.moveaxis(x, -1, 0) if np.ndim(x) == 3 else x
    parts = special.multigammaln(0.5 * df, size) + 0.5 * df * (
        size * np.log(2.0) - np.linalg.slogdet(scale)[1]
    )
    spread = np.trace(np.linalg.solve(stack, scale), axis1=-2, axis2=-1)
    inside = 0.5 * (df + size + 1.0) * np.linalg.slogdet(stack)[1]
    return -inside - 0.5 * spread - parts


def invwishart_pdf(x: Any, df: Any, scale: Any) -> Any:
    """scipy.stats.invwishart.pdf."""
    return np.exp(invwishart_logpdf(x, df, scale))


READ: dict[str, dict[str, Any]] = {
    "multivariate_normal": {
        "cdf": multivariate_normal_cdf,
        "logcdf": multivariate_normal_logcdf,
    },
    "multinomial": {"logpmf": multinomial_logpmf, "pmf": multinomial_pmf},
    "invwishart": {"logpdf": invwishart_logpdf, "pdf": invwishart_pdf},
    "multivariate_t": {"logpdf": multivariate_t_logpdf, "pdf": multivariate_t_pdf},
    "wishart": {"logpdf": wishart_logpdf, "pdf": wishart_pdf},
}
