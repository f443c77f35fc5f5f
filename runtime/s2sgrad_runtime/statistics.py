"""Cotangents and tangents of scipy.stats' multivariate densities."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "count_of",
    "covariance_of",
    "dirichlet_bar_alpha",
    "dirichlet_dot_alpha",
    "dirichlet_logs",
    "dirichlet_slopes",
    "normal_bar_cov",
    "normal_bar_mean",
    "normal_dot_cov",
    "normal_dot_mean",
    "normal_pull",
    "normal_pullback",
    "normal_pushforward",
]


def covariance_of(cov: Any, size: int) -> Any:
    """The covariance matrix of `size` variables: cov, or a matrix with cov on its diagonal."""
    if np.ndim(cov) == 0:
        return cov * np.eye(size)
    return np.diag(cov) if np.ndim(cov) == 1 else cov


def count_of(mean: Any, cov: Any) -> int:
    """How many variables there are."""
    if mean is not None:
        return int(np.size(mean))
    return np.shape(cov)[0] if np.ndim(cov) > 0 else 1


def normal_pull(x: Any, mean: Any, cov: Any) -> Any:
    """cov^-1 (x - mean) for each point, in rows: minus the derivative of the log density by x."""
    size = count_of(mean, cov)
    centre = 0.0 if mean is None else np.reshape(mean, (1, size))
    rows = np.reshape(x, (-1, size)) - centre
    return np.transpose(np.linalg.solve(covariance_of(cov, size), np.transpose(rows)))


def normal_pullback(y_bar: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Cotangent of x in multivariate_normal.logpdf(x, mean, cov)."""
    weights = np.reshape(y_bar, (-1, 1))
    return np.reshape(-weights * normal_pull(x, mean, cov), np.shape(x))


def normal_bar_mean(y_bar: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Cotangent of mean."""
    weights = np.reshape(y_bar, (-1, 1))
    return np.reshape(np.sum(weights * normal_pull(x, mean, cov), axis=0), np.shape(mean))


def normal_bar_cov(y_bar: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Cotangent of cov: half of pull pull^T - cov^-1, summed over the points."""
    pull = normal_pull(x, mean, cov)
    outer = np.transpose(pull) @ (np.reshape(y_bar, (-1, 1)) * pull)
    inverse = np.linalg.inv(covariance_of(cov, count_of(mean, cov)))
    found = 0.5 * (outer - np.sum(y_bar) * inverse)
    if np.ndim(cov) == 0:
        return np.trace(found)
    return np.diagonal(found) if np.ndim(cov) == 1 else found


def normal_dot_cov(cov_dot: Any, y: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Tangent of the log density y along cov_dot."""
    size = count_of(mean, cov)
    pull, change = normal_pull(x, mean, cov), covariance_of(cov_dot, size)
    quadratic = np.sum(pull * (pull @ np.transpose(change)), axis=-1)
    trace = np.trace(np.linalg.solve(covariance_of(cov, size), change))
    return np.reshape(0.5 * (quadratic - trace), np.shape(y))


def normal_pushforward(x_dot: Any, y: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Tangent of the log density y along x_dot."""
    pull = normal_pull(x, mean, cov)
    return np.reshape(-np.sum(pull * np.reshape(x_dot, np.shape(pull)), axis=-1), np.shape(y))


def normal_dot_mean(mean_dot: Any, y: Any, x: Any, mean: Any, cov: Any) -> Any:
    """Tangent of the log density y along mean_dot."""
    return np.reshape(normal_pull(x, mean, cov) @ np.ravel(mean_dot), np.shape(y))


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
