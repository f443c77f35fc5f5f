"""Numba's versions of NumPy functions that it lacks, or has without some arguments.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from s2sgrad_runtime import decompositions, linalg, numba_lapack, shapes
from s2sgrad_runtime.numba_helpers import outer_of
from s2sgrad_runtime.numba_lapack import solve_lower_in_place, solve_upright_in_place
from s2sgrad_runtime.numba_layouts import helper
from s2sgrad_runtime.numba_products import product_in_place, subtract_product_in_place


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


def _is_real_matrix(*kinds: Any) -> bool:
    return all(isinstance(k, types.Array) and k.ndim == 2 and k.dtype == types.float64
               for k in kinds)  # fmt: skip


@overload(linalg.slogdet_pullback, strict=False)
def slogdet_pullback(y_bar: Any, y: Any, a: Any) -> Any:
    """For one matrix of floats. Cotangents of a pair that is taken apart are in a list."""
    if not _is_real_matrix(a) or not isinstance(y_bar, types.BaseTuple | types.List):
        return None
    return lambda y_bar, y, a: y_bar[1] * numba_lapack.inverted(a).T


@overload(linalg.slogdet_pushforward, strict=False)
def slogdet_pushforward(a_dot: Any, y: Any, a: Any) -> Any:
    """For one matrix of floats."""
    if not _is_real_matrix(a_dot, a):
        return None

    def pushforward(a_dot: Any, y: Any, a: Any) -> Any:
        return 0.0, np.sum(numba_lapack.inverted(a).T * a_dot)

    return pushforward


def _solver(*kinds: Any) -> Any:
    """What solves (matrix, right-hand side, whether the matrix is turned): LAPACK for floats."""
    if any(k.dtype != types.float64 for k in kinds):
        return _solve_others
    return numba_lapack.solved if kinds[-1].ndim == 1 else numba_lapack.solved_columns


@register_jitable
def _solve_others(a: Any, b: Any, turned: bool) -> Any:
    return np.linalg.solve(np.ascontiguousarray(a.T) if turned else a.copy(), b)


def _is_one(a: Any, y: Any, b: Any) -> bool:
    return a.ndim == 2 and isinstance(y, types.Array) and y.ndim == b.ndim


@overload(linalg.solve_turned, strict=False)
def solve_turned(y_bar: Any, a: Any, b: Any) -> Any:
    """For one matrix."""
    if not _is_one(a, y_bar, b):
        return None
    solve = _solver(a, y_bar)
    return lambda y_bar, a, b: solve(a, y_bar, True)


@overload(linalg.solve_bar_left, strict=False)
def solve_bar_left(right_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """For one matrix."""
    if not _is_one(a, right_bar, b):
        return None
    if b.ndim == 1:
        outer = outer_of(right_bar, y, -1.0)
        return lambda right_bar, y, a, b: outer(right_bar, y)
    return lambda right_bar, y, a, b: -np.dot(right_bar, y.T)


@overload(linalg.solve_dot_left, strict=False)
def solve_dot_left(a_dot: Any, y: Any, a: Any, b: Any) -> Any:
    """For one matrix."""
    if not _is_one(a, y, b):
        return None
    solve = _solver(a, y)
    return lambda a_dot, y, a, b: -solve(a, np.dot(a_dot, y), False)


@helper
def _halve(inner: Any) -> None:
    """The lower triangle with half of the diagonal."""
    for i in range(len(inner)):
        inner[i, i] *= 0.5
        for j in range(i + 1, len(inner)):
            inner[i, j] = 0.0


@helper
def _turn(a: Any, out: Any) -> None:
    for i in range(len(a)):
        for j in range(len(a)):
            out[j, i] = a[i, j]


@helper
def _pulled(y: Any, inner: Any) -> Any:
    """The symmetric part of solve(y.T, inner) y^-1, in the place of inner."""
    solve_upright_in_place(y, inner)
    turned = np.empty(inner.shape)
    _turn(inner, turned)
    solve_upright_in_place(y, turned)
    for i in range(len(inner)):
        for j in range(len(inner)):
            inner[i, j] = 0.5 * (turned[i, j] + turned[j, i])
    return inner


def _is_lower_factor(upper: Any, y: Any, *others: Any) -> bool:
    """Whether it is one lower factor of floats without gaps, and the others are matrices."""
    lower = getattr(upper, "literal_value", getattr(upper, "value", upper)) is False
    return lower and _is_real_matrix(y, *others) and y.layout == "C"


@overload(decompositions.cholesky_pullback, strict=False)
def cholesky_pullback(y_bar: Any, y: Any, upper: Any = False) -> Any:
    """For one matrix of floats, and its lower factor."""
    if not _is_lower_factor(upper, y, y_bar):
        return None

    def pull_back(y_bar: Any, y: Any, upper: Any = False) -> Any:
        half = np.empty(y.shape)
        product_in_place(half, y.T, y_bar)
        _halve(half)
        return _pulled(y, half)

    return pull_back


@overload(decompositions.cholesky_pullback_dot, strict=False)
def cholesky_pullback_dot(y_dot: Any, found: Any, y_bar: Any, y: Any, upper: Any = False) -> Any:
    """For one matrix of floats, and its lower factor."""
    if not _is_lower_factor(upper, y, y_dot, found, y_bar):
        return None

    def pushed(y_dot: Any, found: Any, y_bar: Any, y: Any, upper: Any = False) -> Any:
        inner, moved = np.empty(y.shape), np.empty(y.shape)
        product_in_place(inner, y_dot.T, y_bar)
        _halve(inner)
        product_in_place(moved, found, y_dot)
        for i in range(len(y)):
            for j in range(len(y)):
                moved[i, j] *= 2.0
        subtract_product_in_place(inner, y.T, moved)
        return _pulled(y, inner)

    return pushed


@overload(decompositions.cholesky_pushforward, strict=False)
def cholesky_pushforward(a_dot: Any, y: Any, upper: Any = False) -> Any:
    """For one matrix of floats, and its lower factor."""
    if not _is_lower_factor(upper, y, a_dot):
        return None

    def pushed(a_dot: Any, y: Any, upper: Any = False) -> Any:
        left, turned = np.empty(y.shape), np.empty(y.shape)
        for i in range(len(y)):
            for j in range(len(y)):
                left[i, j] = 0.5 * (a_dot[i, j] + a_dot[j, i])
        solve_lower_in_place(y, left)
        _turn(left, turned)
        solve_lower_in_place(y, turned)
        _halve(turned)
        product_in_place(left, y, turned)
        return left

    return pushed


@overload(linalg.scale_matrix, strict=False)
def scale_matrix(factor: Any, a: Any) -> Any:
    """For one matrix."""
    if not isinstance(factor, types.Number):
        return None
    if a.dtype != types.float64 or not isinstance(factor, types.Float):
        return lambda factor, a: factor * a

    def scale(factor: Any, a: Any) -> Any:
        found = np.empty((a.shape[0], a.shape[1]))
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                found[i, j] = factor * a[i, j]
        return found

    return scale


@overload(linalg.det_cofactors, strict=False)
def _det_cofactors(y: Any, a: Any) -> Any:
    if not isinstance(y, types.Float) or getattr(a, "ndim", 0) != 2 or a.dtype != types.float64:
        return None
    determinant, inverted = numba_lapack.determinant, numba_lapack.inverted

    def cofactors(y: Any, a: Any) -> Any:
        n = a.shape[0]
        found = np.empty((n, n))
        if y != 0:
            inverse = inverted(a)
            for i in range(n):
                for j in range(n):
                    found[i, j] = y * inverse[j, i]
            return found
        for i in range(n):
            for j in range(n):  # the determinant with row i made to take entry j alone
                rest = a.copy()
                for k in range(n):
                    rest[i, k] = 0.0
                rest[i, j] = 1.0
                found[i, j] = determinant(rest)
        return found

    return cofactors


@overload(np.may_share_memory, strict=False)
def may_share_memory(a: Any, b: Any) -> Any:
    """Whether the bounds of two arrays overlap."""
    if not isinstance(a, types.Array) or not isinstance(b, types.Array):
        return lambda a, b: False

    def overlap(a: Any, b: Any) -> Any:
        if a.size == 0 or b.size == 0:
            return False
        a_start, b_start = a.ctypes.data, b.ctypes.data
        a_end, b_end = a_start + a.itemsize, b_start + b.itemsize
        for k in range(a.ndim):
            reach = (a.shape[k] - 1) * a.strides[k]
            a_start, a_end = a_start + min(reach, 0), a_end + max(reach, 0)
        for k in range(b.ndim):
            reach = (b.shape[k] - 1) * b.strides[k]
            b_start, b_end = b_start + min(reach, 0), b_end + max(reach, 0)
        return a_start < b_end and b_start < a_end

    return overlap


@overload(linalg.opposite, strict=False)
def opposite(flag: Any) -> Any:
    return lambda flag: not flag


@overload(linalg.both, strict=False)
def both(first: Any, second: Any) -> Any:
    return lambda first, second: bool(first) and bool(second)
