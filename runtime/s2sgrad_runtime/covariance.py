"""Cotangents and tangents of np.cov and np.corrcoef."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["corrcoef_bar", "corrcoef_dot", "cov_bar", "cov_bar_second", "cov_dot"]


def _rows(m: Any, rowvar: bool) -> Any:
    """One variable in each row."""
    rows = np.atleast_2d(m)
    return rows.T if not rowvar and np.ndim(m) > 1 else rows


def _weights(count: int, fweights: Any, aweights: Any) -> Any:
    weights = np.ones(count)
    weights = weights if fweights is None else weights * fweights
    return weights if aweights is None else weights * aweights


def _divisor(weights: Any, bias: bool, ddof: int | None, aweights: Any) -> Any:
    """What np.cov divides by: the total weight less the lost degrees of freedom."""
    lost = (0 if bias else 1) if ddof is None else ddof
    total = np.sum(weights)
    return total - lost * (1.0 if aweights is None else np.sum(weights * aweights) / total)


def _centred(
    m: Any, other: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any, aweights: Any
) -> tuple[Any, Any]:
    """The centred variables of np.cov, and the same times weight over divisor."""
    rows = _rows(m, rowvar)
    if other is not None:
        rows = np.concatenate((rows, _rows(other, rowvar)), axis=0)
    weights = _weights(rows.shape[1], fweights, aweights)
    mean = np.sum(rows * weights, axis=1) / np.sum(weights)
    centred = rows - mean[:, None]
    return centred, centred * (weights / _divisor(weights, bias, ddof, aweights))


def _cov_rows_bar(y_bar: Any, m: Any, other: Any, options: tuple[Any, ...]) -> Any:
    """Cotangent of all rows: (G + G^H) X W; the mean's own share vanishes as X W sums to 0."""
    _, weighted = _centred(m, other, *options)
    g = np.reshape(y_bar, (len(weighted), len(weighted)))
    return (g + np.conjugate(g.T)) @ weighted


def _like(rows_bar: Any, m: Any, rowvar: bool) -> Any:
    return np.reshape(rows_bar.T if not rowvar and np.ndim(m) > 1 else rows_bar, np.shape(m))


def cov_bar(
    y_bar: Any,
    m: Any,
    other: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    """Cotangent of m in `np.cov(m, other, ...)`, conjugate convention."""
    rows_bar = _cov_rows_bar(y_bar, m, other, (rowvar, bias, ddof, fweights, aweights))
    return _like(rows_bar[: len(_rows(m, rowvar))], m, rowvar)


def cov_bar_second(
    y_bar: Any,
    m: Any,
    other: Any,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    """Cotangent of the second set of variables of `np.cov`."""
    rows_bar = _cov_rows_bar(y_bar, m, other, (rowvar, bias, ddof, fweights, aweights))
    return _like(rows_bar[len(_rows(m, rowvar)) :], other, rowvar)


def cov_dot(
    y: Any,
    m_dot: Any,
    other_dot: Any,
    m: Any,
    other: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    """Tangent of `y = np.cov(m, other, ...)`: the transpose of `cov_bar`. None stands for zeros."""
    _, weighted = _centred(m, other, rowvar, bias, ddof, fweights, aweights)
    rows_dot = _rows(np.zeros_like(m) if m_dot is None else m_dot, rowvar)
    if other is not None:
        second = np.zeros_like(other) if other_dot is None else other_dot
        rows_dot = np.concatenate((rows_dot, _rows(second, rowvar)), axis=0)
    half = rows_dot @ np.conjugate(weighted.T)
    return np.reshape(half + np.conjugate(half.T), np.shape(y))


def corrcoef_bar(y_bar: Any, y: Any, c: Any) -> Any:
    """Cotangent of the covariance c in `y = c_ij / sqrt(c_ii c_jj)`, conjugate convention."""
    if np.ndim(c) == 0:
        return np.zeros_like(y_bar)
    variance = np.real(np.diagonal(c))
    deviation = np.sqrt(variance)
    share = np.real(np.conjugate(y_bar) * y)
    own = -0.5 * (np.sum(share, axis=0) + np.sum(share, axis=1)) / variance
    return y_bar / (deviation[:, None] * deviation) + np.diag(own)


def corrcoef_dot(c_dot: Any, y: Any, c: Any) -> Any:
    """Tangent of `y = c_ij / sqrt(c_ii c_jj)`: the transpose of `corrcoef_bar`."""
    if np.ndim(c) == 0:
        return np.zeros_like(c_dot)
    variance = np.real(np.diagonal(c))
    deviation = np.sqrt(variance)
    relative = 0.5 * np.real(np.diagonal(c_dot)) / variance
    return c_dot / (deviation[:, None] * deviation) - y * (relative[:, None] + relative)
