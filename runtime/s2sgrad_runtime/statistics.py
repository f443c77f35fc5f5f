"""Cotangents and tangents of scipy.stats' multivariate densities."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "dirichlet_bar_alpha",
    "dirichlet_dot_alpha",
    "dirichlet_logs",
    "dirichlet_slopes",
    "normal_bar_cov",
    "normal_bar_mean",
    "normal_dot_cov",
    "normal_pull",
    "normal_pullback",
    "normal_pushforward",
]


def normal_pull(x: Any, mean: Any, cov: Any) -> Any:
    """cov^-1 (x - mean) for each point: minus the derivative of the log density by x."""
    centre = 0.0 if mean is None else mean
    return np.linalg.solve(cov, (x - centre)[..., np.newaxis])[..., 0]


def normal_pullback(y_bar: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Cotangent of x in multivariate_normal.logpdf(x, mean, cov); minus it is that of mean."""
    return -np.asarray(y_bar)[..., np.newaxis] * normal_pull(x, mean, cov)


def normal_bar_mean(y_bar: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Cotangent of mean."""
    return unbroadcast(-normal_pullback(y_bar, x, mean, cov), mean)


def normal_bar_cov(y_bar: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Cotangent of cov (a matrix): half of pull pull^T - cov^-1, summed over the points."""
    pull = normal_pull(x, mean, cov)
    weights = np.asarray(y_bar)[..., np.newaxis, np.newaxis]
    outer = np.sum(
        weights * pull[..., np.newaxis] * pull[..., np.newaxis, :],
        axis=tuple(range(np.ndim(y_bar))),
    )
    return 0.5 * (outer - np.sum(y_bar) * np.linalg.inv(cov))


def normal_dot_cov(cov_dot: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Tangent of the log density along cov_dot."""
    pull = normal_pull(x, mean, cov)
    quadratic = np.sum(pull * (pull @ cov_dot.T), axis=-1)
    return 0.5 * (quadratic - np.trace(np.linalg.solve(cov, cov_dot)))


def normal_pushforward(x_dot: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Tangent of the log density along x_dot (minus it along mean_dot)."""
    return -np.sum(normal_pull(x, mean, cov) * x_dot, axis=-1)


def dirichlet_slopes(x: Any, alpha: Any) -> Any:
    """The derivative of dirichlet.logpdf by x, whose last entry may be left out."""
    size = np.shape(alpha)[0]
    if np.shape(x)[0] == size:
        return np.reshape(alpha - 1.0, (size,) + (1,) * (np.ndim(x) - 1)) / x
    last = (alpha[-1] - 1.0) / (1.0 - np.sum(x, axis=0))
    return np.reshape(alpha[:-1] - 1.0, (size - 1,) + (1,) * (np.ndim(x) - 1)) / x - last


def dirichlet_logs(x: Any, alpha: Any) -> Any:
    """log(x), with the entry that may be left out."""
    if np.shape(x)[0] == np.shape(alpha)[0]:
        return np.log(x)
    return np.log(np.concatenate([x, 1.0 - np.sum(x, axis=0, keepdims=True)], axis=0))


def dirichlet_bar_alpha(y_bar: Any, x: Any, alpha: Any, normalizer: Any) -> Any:
    """Cotangent of alpha; `normalizer` is digamma(sum(alpha)) - digamma(alpha)."""
    weighted = y_bar * dirichlet_logs(x, alpha)
    logs = np.sum(np.reshape(weighted, (len(weighted), -1)), axis=1)
    return logs + np.sum(y_bar) * normalizer


def dirichlet_dot_alpha(alpha_dot: Any, x: Any, alpha: Any, normalizer: Any) -> Any:
    """Tangent of dirichlet.logpdf along alpha_dot."""
    logs = np.tensordot(alpha_dot, dirichlet_logs(x, alpha), 1)
    return logs + np.sum(alpha_dot * normalizer)
