"""Gradients of vector and matrix norms; 0 where the norm is 0, ties share evenly.

A `_bar` helper returns the gradient with conjugates dealt with: descending along it is
`x - lr * x_bar` for complex x too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import safe_divide
from s2sgrad_runtime.linalg import adjoint, scale_columns
from s2sgrad_runtime.shapes import expand_reduced, normalize_axes

__all__ = [
    "cond_pullback",
    "cond_pushforward",
    "extreme",
    "inverse_outside",
    "matrix_norm_bar_axes",
    "matrix_norm_pullback",
    "norm_pullback",
    "norm_pushforward",
    "share_ties",
    "vector_norm_keep_pullback",
    "vector_norm_pullback",
    "vector_norm_pushforward",
    "with_axes",
]


def share_ties(a: Any, best: Any, axis: Any) -> Any:
    """Weights of the entries of a that equal `best`: they sum to 1 along `axis`."""
    hit = (a == best) * np.ones_like(a)
    return hit / np.sum(hit, axis=axis, keepdims=True)


def with_axes(value: Any, count: int) -> Any:
    """A number or array with `count` axes of size 1 after its own."""
    return np.reshape(value, (*np.shape(value), *(1,) * count))


def extreme(a: Any, ord: Any, axis: Any) -> Any:
    """The largest (ord > 0; 0 of none) or smallest entries along `axis`, kept with size 1."""
    if ord > 0:
        return np.max(a, axis=axis, keepdims=True, initial=0.0)
    return np.min(a, axis=axis, keepdims=True)


def vector_norm_pullback(y_bar: Any, y: Any, x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """Gradient of the vector p-norm of x along `axis` (int, tuple or None for all entries)."""
    spread_bar = expand_reduced(y_bar, x, axis, keepdims)
    if ord is None or ord == 2:
        return safe_divide(x, expand_reduced(y, x, axis, keepdims)) * spread_bar
    if ord == 1:
        return np.sign(x) * spread_bar
    if ord == 0:
        return np.zeros_like(x) * spread_bar
    size = np.abs(x)
    norm = expand_reduced(y, x, axis, keepdims)
    if np.isinf(ord):
        axes = normalize_axes(axis, np.ndim(x))
        return share_ties(size, norm, axes) * np.sign(x) * spread_bar
    ratio = safe_divide(size, norm)
    power = np.where(ratio == 0, 0.0, np.where(ratio == 0, 1.0, ratio) ** (ord - 1))
    return np.sign(x) * power * spread_bar


def matrix_norm_pullback(y_bar: Any, y: Any, x: Any, ord: Any) -> Any:
    """Gradient of a norm of each matrix x (..., m, n); y_bar and y are (...)."""
    weight = with_axes(y_bar, 2)
    if ord is None or ord == "fro":
        return weight * safe_divide(x, with_axes(y, 2))
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        return weight * share_ties(sums, extreme(sums, ord, (-2, -1)), (-2, -1)) * np.sign(x)
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    if ord == "nuc":
        return weight * (scale_columns(u, np.sign(s)) @ vh)
    hit = share_ties(s, extreme(s, ord, -1), -1)
    return weight * (scale_columns(u, hit) @ vh)


def norm_pullback(
    y_bar: Any, y: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """Cotangent of x in y = np.linalg.norm(x, ord, axis, keepdims)."""
    ndim = np.ndim(x)
    if axis is None:
        vector = ord is None or ndim == 1
    else:
        vector = not isinstance(axis, tuple) or len(axis) == 1
    if vector:
        return vector_norm_pullback(y_bar, y, x, ord, axis, keepdims)
    return matrix_norm_bar_axes(y_bar, y, x, ord, (0, 1) if axis is None else axis, keepdims)


def matrix_norm_bar_axes(y_bar: Any, y: Any, x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """Cotangent of x in a matrix norm over the two axes `axis` (row axis, column axis)."""
    if keepdims:
        y_bar, y = np.squeeze(y_bar, axis=axis), np.squeeze(y, axis=axis)
    moved = np.moveaxis(x, axis, (-2, -1))
    return np.moveaxis(matrix_norm_pullback(y_bar, y, moved, ord), (-2, -1), axis)


def norm_pushforward(
    x_dot: Any, y: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """Tangent of np.linalg.norm along x_dot: its product with the gradient."""
    gradient = norm_pullback(np.ones_like(y), y, x, ord, axis, keepdims)
    axes = normalize_axes(axis, np.ndim(x))
    return np.sum(np.real(np.conj(gradient) * x_dot), axis=axes, keepdims=keepdims)


def cond_pullback(y_bar: Any, y: Any, x: Any, p: Any = None) -> Any:
    """Cotangent of x in y = np.linalg.cond(x, p): the norm of x times that of its inverse."""
    if p is None or p in (2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        above, below = (0, -1) if p != -2 else (-1, 0)
        weight = with_axes(y_bar / s[..., below], 1)
        places = np.arange(np.shape(s)[-1])
        gain = (places == places[above]) * np.ones_like(s)
        loss = (places == places[below]) * with_axes(y, 1)
        return scale_columns(u, weight * (gain - loss)) @ vh
    inverse = np.linalg.inv(x)
    left = np.linalg.norm(x, p, axis=(-2, -1))
    right = np.linalg.norm(inverse, p, axis=(-2, -1))
    inverse_bar = matrix_norm_pullback(y_bar * left, right, inverse, p)
    through_inverse = adjoint(inverse) @ inverse_bar @ adjoint(inverse)
    return matrix_norm_pullback(y_bar * right, left, x, p) - through_inverse


def cond_pushforward(x_dot: Any, y: Any, x: Any, p: Any = None) -> Any:
    """Tangent of np.linalg.cond along x_dot."""
    gradient = cond_pullback(np.ones_like(y), y, x, p)
    return np.sum(np.real(np.conj(gradient) * x_dot), axis=(-2, -1))


def vector_norm_keep_pullback(
    y_bar: Any, y: Any, x: Any, axis: Any, keepdims: bool, ord: Any
) -> Any:
    """Cotangent of x in y = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)."""
    return vector_norm_pullback(y_bar, y, x, ord, axis, keepdims)


def vector_norm_pushforward(x_dot: Any, y: Any, x: Any, axis: Any, keepdims: bool, ord: Any) -> Any:
    """Tangent of np.linalg.vector_norm along x_dot."""
    gradient = vector_norm_pullback(np.ones_like(y), y, x, ord, axis, keepdims)
    return np.sum(np.real(np.conj(gradient) * x_dot), axis=axis, keepdims=keepdims)


def inverse_outside(s: Any, q: Any) -> Any:
    """1 / s for what lies outside the range of q's columns: nothing, where q is square."""
    return safe_divide(np.ones_like(s), s) * (np.shape(q)[-2] > np.shape(s)[-1])
