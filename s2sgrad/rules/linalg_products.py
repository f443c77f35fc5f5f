"""Floor 2: rules of np.linalg's products, traces and transposes (over the last axes)."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural
from s2sgrad_runtime import (
    cross_bar_left,
    cross_bar_right,
    matmul_bar_left,
    matmul_bar_right,
    matrix_transpose,
    tensordot_bar_left,
    tensordot_bar_right,
    unbroadcast,
    undiagonal,
)


@structural(np.linalg.matmul, linear=("x1", "x2"))
def matmul(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """As np.matmul."""
    return matmul_bar_left(y_bar, x1, x2), matmul_bar_right(y_bar, x1, x2)


@structural(np.linalg.outer, linear=("x1", "x2"))
def outer(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """y_ij = x1_i x2_j."""
    return y_bar @ x2, x1 @ y_bar


@structural(np.linalg.tensordot, linear=("x1", "x2"))
def tensordot(y_bar: Any, y: Any, x1: Any, x2: Any, axes: Any = 2) -> Any:
    """As np.tensordot."""
    return tensordot_bar_left(y_bar, x1, x2, axes), tensordot_bar_right(y_bar, x1, x2, axes)


@structural(np.linalg.vecdot, holomorphic=False, linear=("x1", "x2"))
def vecdot(y_bar: Any, y: Any, x1: Any, x2: Any, axis: Any = -1) -> Any:
    """As np.vecdot."""
    left = np.moveaxis(x1, axis, -1)
    right = np.moveaxis(x2, axis, -1)
    spread_bar = y_bar[..., None]
    return (
        np.moveaxis(unbroadcast(np.conjugate(spread_bar) * right, left), -1, axis),
        np.moveaxis(unbroadcast(spread_bar * left, right), -1, axis),
    )


@structural(np.linalg.cross, linear=("x1", "x2"))
def cross(y_bar: Any, y: Any, x1: Any, x2: Any, axis: Any = -1) -> Any:
    """x1_bar = x2 x y_bar, x2_bar = y_bar x x1."""
    return (
        cross_bar_left(y_bar, x1, x2, axis, axis, axis),
        cross_bar_right(y_bar, x1, x2, axis, axis, axis),
    )


@structural(np.linalg.trace, linear=("x",))
def trace(y_bar: Any, y: Any, x: Any, offset: Any = 0, dtype: Any = None) -> Any:
    """Each entry of the diagonal adds with weight 1."""
    return undiagonal(np.expand_dims(y_bar, -1), x, offset, -2, -1)


@structural(np.linalg.diagonal, linear=("x",))
def diagonal(y_bar: Any, y: Any, x: Any, offset: Any = 0) -> Any:
    """The rest of x gets zeros."""
    return undiagonal(y_bar, x, offset, -2, -1)


@structural(np.linalg.matrix_transpose, linear=("x",))
def transpose_matrices(y_bar: Any, y: Any, x: Any) -> Any:
    """Undone by itself."""
    return matrix_transpose(y_bar)
