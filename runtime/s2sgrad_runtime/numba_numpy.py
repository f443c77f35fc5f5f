"""Numba's versions of NumPy functions that it lacks, or has without some arguments.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from s2sgrad_runtime import decompositions, linalg, shapes
from s2sgrad_runtime.numba_helpers import outer_of


@overload(shapes.expand_reduced, strict=False)
def expand_reduced(y: Any, a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """For axis None or one axis."""
    ndim = getattr(a, "ndim", 0)
    if not isinstance(y, types.Array) or ndim == 0 or y.ndim in (0, ndim):
        return lambda y, a, axis=None, keepdims=False: y
    if not isinstance(axis, types.Integer | int):
        return None

    def expand(y: Any, a: Any, axis: Any = None, keepdims: Any = False) -> Any:
        return np.expand_dims(y, axis + ndim if axis < 0 else axis)

    return expand


@overload(linalg.matrix_transpose, strict=False)
def matrix_transpose(a: Any) -> Any:
    return (lambda a: a.T) if a.ndim == 2 else None


@overload(linalg.solve_bar_right, strict=False)
def solve_bar_right(y_bar: Any, a: Any, b: Any) -> Any:
    """For one matrix."""
    if a.ndim != 2 or not isinstance(y_bar, types.Array) or y_bar.ndim != b.ndim:
        return None
    solve = _solver(a, y_bar)
    return lambda y_bar, a, b: solve(a.T, y_bar)


def _solver(*kinds: Any) -> Any:
    """What solves systems of such numbers: LAPACK for floats."""
    if any(k.dtype != types.float64 for k in kinds):
        return np.linalg.solve
    from s2sgrad_runtime.numba_lapack import solved

    return solved


@overload(linalg.solve_bar_left, strict=False)
def solve_bar_left(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """For one matrix: -(a^-T y_bar) y^T."""
    if a.ndim != 2 or not isinstance(y_bar, types.Array) or y_bar.ndim != b.ndim:
        return None
    solve = _solver(a, y_bar)
    if b.ndim == 1:
        outer = outer_of(y_bar, b, -1.0)
        return lambda y_bar, y, a, b: outer(solve(a.T, y_bar), y)
    return lambda y_bar, y, a, b: -np.dot(solve(a.T, y_bar), y.T)


@overload(linalg.solve_dot_left, strict=False)
def solve_dot_left(a_dot: Any, y: Any, a: Any, b: Any) -> Any:
    """For one matrix."""
    if a.ndim != 2 or not isinstance(y, types.Array) or y.ndim != b.ndim:
        return None
    solve = _solver(a, y)
    return lambda a_dot, y, a, b: -solve(a, np.dot(a_dot, y))


@overload(decompositions.cholesky_pullback, strict=False)
def cholesky_pullback(y_bar: Any, y: Any, upper: Any = False) -> Any:
    """For one matrix of floats, and its lower factor."""
    lower = getattr(upper, "literal_value", getattr(upper, "value", upper)) is False
    if not lower or y.ndim != 2 or y.dtype != types.float64 or y.layout != "C":
        return None
    from s2sgrad_runtime.numba_lapack import solve_upright_in_place

    def pull_back(y_bar: Any, y: Any, upper: Any = False) -> Any:
        half = np.dot(y.T, np.ascontiguousarray(y_bar))
        for i in range(half.shape[0]):
            half[i, i] *= 0.5
            for j in range(i + 1, half.shape[1]):
                half[i, j] = 0.0
        solve_upright_in_place(y, half)  # type: ignore[call-arg]
        found = np.ascontiguousarray(half.T)
        solve_upright_in_place(y, found)  # type: ignore[call-arg]
        return 0.5 * (found + found.T)

    return pull_back


@overload(linalg.scale_matrix, strict=False)
def scale_matrix(factor: Any, a: Any) -> Any:
    """For one matrix."""
    return (lambda factor, a: factor * a) if isinstance(factor, types.Number) else None


@register_jitable
def _without(a: Any, row: int, column: int) -> Any:
    """The matrix without a row and a column."""
    found = np.empty((a.shape[0] - 1, a.shape[1] - 1))
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            found[i, j] = a[i + (i >= row), j + (j >= column)]
    return found


@overload(linalg.det_cofactors, strict=False)
def _det_cofactors(y: Any, a: Any) -> Any:
    if not isinstance(y, types.Float) or getattr(a, "ndim", 0) != 2 or a.dtype != types.float64:
        return None
    from s2sgrad_runtime.numba_lapack import determinant, inverted

    def cofactors(y: Any, a: Any) -> Any:
        if y != 0:
            return y * inverted(a).T
        found = np.empty((a.shape[1], a.shape[0]))
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                sign = -1.0 if (i + j) % 2 else 1.0
                found[j, i] = sign * determinant(_without(a, i, j))
        return found.T

    return cofactors


@overload(np.may_share_memory, strict=False)
def may_share_memory(a: Any, b: Any) -> Any:
    """For arrays with positive strides: whether their bounds overlap."""
    if not isinstance(a, types.Array) or not isinstance(b, types.Array):
        return lambda a, b: False

    def overlap(a: Any, b: Any) -> Any:
        if a.size == 0 or b.size == 0:
            return False
        a_end, b_end = a.ctypes.data + a.itemsize, b.ctypes.data + b.itemsize
        for k in range(a.ndim):
            a_end += (a.shape[k] - 1) * a.strides[k]
        for k in range(b.ndim):
            b_end += (b.shape[k] - 1) * b.strides[k]
        return a.ctypes.data < b_end and b.ctypes.data < a_end

    return overlap


@overload(linalg.opposite, strict=False)
def opposite(flag: Any) -> Any:
    return lambda flag: not flag


@overload(linalg.both, strict=False)
def both(first: Any, second: Any) -> Any:
    return lambda first, second: bool(first) and bool(second)
