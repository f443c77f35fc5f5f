"""Floor 2: rules of scipy.stats' multivariate normal and Dirichlet densities."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    dirichlet_bar_alpha,
    dirichlet_dot_alpha,
    dirichlet_slopes,
    normal_bar_cov,
    normal_bar_mean,
    normal_dot_cov,
    normal_dot_mean,
    normal_pullback,
    normal_pushforward,
    orthant_slopes,
    scipy_digamma,
)


@structural("scipy.stats.multivariate_normal.logpdf", optional=("mean", "cov"))
def multivariate_normal_logpdf(
    y_bar: Any, y: Any, x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False
) -> Any:
    """A quadratic form of cov^-1; cov is symmetric."""
    return (
        normal_pullback(y_bar, x, mean, cov),
        normal_bar_mean(y_bar, x, mean, cov),
        normal_bar_cov(y_bar, x, mean, cov),
    )


@tangent("scipy.stats.multivariate_normal.logpdf")
def multivariate_normal_logpdf_tangent(
    y: Any,
    x: Any,
    mean: Any = None,
    cov: Any = 1,
    allow_singular: Any = False,
    *,
    x_dot: Any,
    mean_dot: Any,
    cov_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return (
        normal_pushforward(x_dot, y, x, mean, cov),
        normal_dot_mean(mean_dot, y, x, mean, cov),
        normal_dot_cov(cov_dot, y, x, mean, cov),
    )


@structural("scipy.stats.dirichlet.logpdf")
def dirichlet_logpdf(y_bar: Any, y: Any, x: Any, alpha: Any) -> Any:
    """A sum of (alpha - 1) log(x)."""
    normalizer = scipy_digamma(np.sum(alpha)) - scipy_digamma(alpha)
    return y_bar * dirichlet_slopes(x, alpha), dirichlet_bar_alpha(y_bar, x, alpha, normalizer)


@tangent("scipy.stats.dirichlet.logpdf")
def dirichlet_logpdf_tangent(y: Any, x: Any, alpha: Any, *, x_dot: Any, alpha_dot: Any) -> Any:
    """The same derivative, forward."""
    normalizer = scipy_digamma(np.sum(alpha)) - scipy_digamma(alpha)
    return (
        np.sum(dirichlet_slopes(x, alpha) * x_dot, axis=0),
        dirichlet_dot_alpha(alpha_dot, x, alpha, normalizer),
    )


@structural("scipy.stats.multivariate_normal.pdf", optional=("mean", "cov"))
def multivariate_normal_pdf(
    y_bar: Any, y: Any, x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False
) -> Any:
    """A quadratic form of cov^-1, times the density; cov is symmetric."""
    return (
        normal_pullback(y_bar * y, x, mean, cov),
        normal_bar_mean(y_bar * y, x, mean, cov),
        normal_bar_cov(y_bar * y, x, mean, cov),
    )


@tangent("scipy.stats.multivariate_normal.pdf")
def multivariate_normal_pdf_tangent(
    y: Any,
    x: Any,
    mean: Any = None,
    cov: Any = 1,
    allow_singular: Any = False,
    *,
    x_dot: Any,
    mean_dot: Any,
    cov_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return (
        y * (normal_pushforward(x_dot, y, x, mean, cov)),
        y * (normal_dot_mean(mean_dot, y, x, mean, cov)),
        y * (normal_dot_cov(cov_dot, y, x, mean, cov)),
    )


@structural("scipy.stats.dirichlet.pdf")
def dirichlet_pdf(y_bar: Any, y: Any, x: Any, alpha: Any) -> Any:
    """A sum of (alpha - 1) log(x), times the density."""
    normalizer = scipy_digamma(np.sum(alpha)) - scipy_digamma(alpha)
    return y_bar * y * dirichlet_slopes(x, alpha), dirichlet_bar_alpha(
        y_bar * y, x, alpha, normalizer
    )


@tangent("scipy.stats.dirichlet.pdf")
def dirichlet_pdf_tangent(y: Any, x: Any, alpha: Any, *, x_dot: Any, alpha_dot: Any) -> Any:
    """The same derivative, forward."""
    normalizer = scipy_digamma(np.sum(alpha)) - scipy_digamma(alpha)
    return (
        y * (np.sum(dirichlet_slopes(x, alpha) * x_dot, axis=0)),
        y * (dirichlet_dot_alpha(alpha_dot, x, alpha, normalizer)),
    )


@structural(orthant_slopes)
def orthant_slopes_(
    y_bar: Any, y: Any, rows: Any, cov: Any, order: Any = 0, limit: Any = None,
    near: Any = 1e-5, close: Any = 1e-5,
) -> Any:  # fmt: skip
    """By rows the next order, by cov half of the order after it."""
    by_rows = orthant_slopes(rows, cov, order + 1, limit, near, close)
    by_cov = orthant_slopes(rows, cov, order + 2, limit, near, close)
    sizes = (np.shape(y_bar)[0], np.shape(y_bar)[1], -1)
    return (
        np.einsum("pk,pkn->pn", y_bar, np.reshape(by_rows, sizes)),
        np.reshape(0.5 * np.einsum("pk,pkn->n", y_bar, np.reshape(by_cov, sizes)), np.shape(cov)),
    )


@tangent(orthant_slopes)
def orthant_slopes_tangent(
    y: Any, rows: Any, cov: Any, order: Any = 0, limit: Any = None, near: Any = 1e-5,
    close: Any = 1e-5, *, rows_dot: Any, cov_dot: Any,
) -> Any:  # fmt: skip
    """The same derivative, forward."""
    by_rows = orthant_slopes(rows, cov, order + 1, limit, near, close)
    by_cov = orthant_slopes(rows, cov, order + 2, limit, near, close)
    sizes = (np.shape(y)[0], np.shape(y)[1], -1)
    return (
        np.einsum("pkn,pn->pk", np.reshape(by_rows, sizes), rows_dot),
        0.5 * np.reshape(by_cov, sizes) @ np.ravel(cov_dot),
    )
