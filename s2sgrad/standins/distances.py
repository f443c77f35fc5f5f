"""Floor 8: distances of scipy.spatial.distance, between two vectors and between rows of matrices.

Where two points are the same, distances that are roots have the slope 0, as norms do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

Function = Callable[..., Any]


# --- of vectors along the last axis ---------------------------------------------------------------
def weighted(terms: Any, w: Any) -> Any:
    """The sum of terms, with weights."""
    return np.sum(terms if w is None else w * terms, axis=-1)


def euclidean(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.euclidean."""
    away = np.asarray(u) - np.asarray(v)
    return np.linalg.norm(away if w is None else np.sqrt(w) * away, axis=-1)


def sqeuclidean(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.sqeuclidean."""
    away = np.asarray(u) - np.asarray(v)
    return weighted(away * away, w)


def cityblock(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.cityblock."""
    return weighted(np.abs(np.asarray(u) - np.asarray(v)), w)


def chebyshev(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.chebyshev: weights choose entries."""
    away = np.abs(np.asarray(u) - np.asarray(v))
    return np.max(away if w is None else away * (np.asarray(w) != 0), axis=-1)


def minkowski(u: Any, v: Any, p: Any = 2, w: Any = None) -> Any:
    """scipy.spatial.distance.minkowski."""
    if w is None:
        return np.linalg.norm(np.asarray(u) - np.asarray(v), ord=p, axis=-1)
    if p == np.inf:
        return chebyshev(u, v, w)
    return np.linalg.norm(np.asarray(w) ** (1.0 / p) * (np.asarray(u) - v), ord=p, axis=-1)


def seuclidean(u: Any, v: Any, V: Any) -> Any:
    """scipy.spatial.distance.seuclidean."""
    return np.linalg.norm((np.asarray(u) - np.asarray(v)) / np.sqrt(V), axis=-1)


def mahalanobis(u: Any, v: Any, VI: Any) -> Any:
    """scipy.spatial.distance.mahalanobis."""
    away = np.asarray(u) - np.asarray(v)
    square = np.sum((away @ np.asarray(VI)) * away, axis=-1)
    return np.where(square > 0.0, np.sqrt(square), 0.0)


def cosine(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.cosine."""
    u, v = np.asarray(u), np.asarray(v)
    return 1.0 - weighted(u * v, w) / np.sqrt(weighted(u * u, w) * weighted(v * v, w))


def correlation(u: Any, v: Any, w: Any = None, centered: bool = True) -> Any:
    """scipy.spatial.distance.correlation."""
    u, v = np.asarray(u), np.asarray(v)
    if centered:
        whole = np.shape(u)[-1] if w is None else np.sum(w)
        u = u - np.expand_dims(weighted(u, w) / whole, -1)
        v = v - np.expand_dims(weighted(v, w) / whole, -1)
    return cosine(u, v, w)


def canberra(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.canberra: entries that are both 0 count nothing."""
    u, v = np.asarray(u), np.asarray(v)
    size = np.abs(u) + np.abs(v)
    return weighted(np.where(size > 0.0, np.abs(u - v) / np.where(size > 0.0, size, 1.0), 0.0), w)


def braycurtis(u: Any, v: Any, w: Any = None) -> Any:
    """scipy.spatial.distance.braycurtis."""
    u, v = np.asarray(u), np.asarray(v)
    return weighted(np.abs(u - v), w) / weighted(np.abs(u + v), w)


def jensenshannon(
    p: Any, q: Any, base: Any = None, *, axis: int = 0, keepdims: bool = False
) -> Any:
    """scipy.spatial.distance.jensenshannon."""
    p, q = np.asarray(p), np.asarray(q)
    p, q = p / np.sum(p, axis=axis, keepdims=True), q / np.sum(q, axis=axis, keepdims=True)
    middle = (p + q) / 2.0
    total = np.sum(entropy_to(p, middle) + entropy_to(q, middle), axis=axis, keepdims=keepdims)
    total = total / 2.0 if base is None else total / (2.0 * np.log(base))
    return np.where(total > 0.0, np.sqrt(total), 0.0)[()]


def entropy_to(p: Any, q: Any) -> Any:
    """p log(p / q), which is 0 where p is."""
    ratio = np.where(p > 0.0, p / np.where(p > 0.0, q, 1.0), 1.0)
    return p * np.log(ratio)


# --- of rows --------------------------------------------------------------------------------------
METRICS: dict[str, Function] = {
    "braycurtis": braycurtis, "canberra": canberra, "chebyshev": chebyshev,
    "cityblock": cityblock, "correlation": correlation, "cosine": cosine, "euclidean": euclidean,
    "mahalanobis": mahalanobis, "minkowski": minkowski, "seuclidean": seuclidean,
    "sqeuclidean": sqeuclidean,
}  # fmt: skip


def between(u: Any, v: Any, rows: Any, metric: str, given: dict[str, Any]) -> Any:
    """The distances by a named metric; rows: what its scales are taken from, if not given."""
    if metric == "jensenshannon":
        return jensenshannon(u, v, axis=-1, **given)
    if metric == "seuclidean" and given.get("V") is None:
        return seuclidean(u, v, np.var(rows, axis=0, ddof=1))
    if metric == "mahalanobis" and given.get("VI") is None:
        return mahalanobis(u, v, np.linalg.inv(np.atleast_2d(np.cov(rows.T))).T)
    if metric not in METRICS:
        raise NotImplementedError("the derivative of a distance between sets or truth values")
    return METRICS[metric](u, v, **given)


def cdist(XA: Any, XB: Any, metric: Any = "euclidean", **given: Any) -> Any:
    """scipy.spatial.distance.cdist without `out`."""
    a, b = np.asarray(XA), np.asarray(XB)
    if isinstance(metric, str):
        return between(a[:, None, :], b[None, :, :], np.concatenate((a, b)), metric, given)
    found = [metric(u, v, **given) for u in a for v in b]
    return np.reshape(np.array(found), (len(a), len(b)))


def pdist(X: Any, metric: Any = "euclidean", **given: Any) -> Any:
    """scipy.spatial.distance.pdist without `out`."""
    rows = np.asarray(X)
    first, second = np.triu_indices(len(rows), 1)
    if isinstance(metric, str):
        return between(rows[first], rows[second], rows, metric, given)
    return np.array([metric(rows[i], rows[j], **given) for i, j in zip(first, second, strict=True)])


def squareform(X: Any, force: str = "no", checks: bool = True) -> Any:
    """scipy.spatial.distance.squareform, of the upper triangle."""
    given = np.asarray(X)
    if np.ndim(given) == 2:
        return given[np.triu_indices(len(given), 1)]
    count = int(np.ceil(np.sqrt(2 * len(given)))) if len(given) > 0 else 1
    above = np.triu_indices(count, 1)
    found = np.zeros((count, count), given.dtype)
    found[above] = given
    return found + found.T


def distance_matrix(x: Any, y: Any, p: Any = 2, threshold: int = 1000000) -> Any:
    """scipy.spatial.distance_matrix."""
    return minkowski(np.asarray(x)[:, None, :], np.asarray(y)[None, :, :], p)


READ = ("cdist", "pdist", "squareform", "jensenshannon", *METRICS)


def table() -> dict[Any, Any]:
    """SciPy's function -> what is read in its place."""
    spatial, distance = sys.modules["scipy.spatial"], sys.modules["scipy.spatial.distance"]
    found = {getattr(distance, name): globals()[name] for name in READ}
    return found | {spatial.distance_matrix: distance_matrix}  # type: ignore[attr-defined]
