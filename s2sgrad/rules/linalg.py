"""Floor 2: rules of np.linalg: solves, inverses, determinants, norms, powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import no_derivative, structural, tangent
from s2sgrad_runtime import (
    cond_pullback,
    cond_pushforward,
    cut_for_rank,
    det_cofactors,
    matrix_norm_bar_axes,
    matrix_power_pushforward,
    matrix_transpose,
    multi_dot_pullback,
    multi_dot_pushforward,
    norm_pullback,
    norm_pushforward,
    scale_matrix,
    slogdet_pullback,
    slogdet_pushforward,
    solve_bar_left,
    solve_dot_left,
    solve_turned,
    tensorinv_pullback,
    tensorinv_pushforward,
    tensorsolve_bar_left,
    tensorsolve_bar_right,
    tensorsolve_dot_left,
    unbroadcast,
    vector_norm_keep_pullback,
    vector_norm_pushforward,
)


@structural(np.linalg.solve, linear=("b",))
def solve(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """y = a^-1 b: b_bar = a^-T y_bar, a_bar = -b_bar y^T."""
    right_bar = solve_turned(y_bar, a, b)
    return solve_bar_left(right_bar, y, a, b), unbroadcast(right_bar, b)


@tangent(np.linalg.solve)
def solve_dot(y: Any, a: Any, b: Any, *, a_dot: Any, b_dot: Any) -> Any:
    """a y_dot = b_dot - a_dot y."""
    return solve_dot_left(a_dot, y, a, b), np.linalg.solve(a, b_dot)


@structural(np.linalg.inv)
def inv(y_bar: Any, y: Any, a: Any) -> Any:
    """y = a^-1, y_dot = -y a_dot y."""
    return -matrix_transpose(y) @ y_bar @ matrix_transpose(y)


@tangent(np.linalg.inv)
def inv_dot(y: Any, a: Any, *, a_dot: Any) -> Any:
    """y a = 1, so y_dot = -y a_dot y."""
    return -y @ a_dot @ y


@structural(np.linalg.det)
def det(y_bar: Any, y: Any, a: Any) -> Any:
    """The derivative by an entry is its cofactor, y a^-T."""
    return scale_matrix(y_bar, det_cofactors(y, a))


@tangent(np.linalg.det)
def det_dot(y: Any, a: Any, *, a_dot: Any) -> Any:
    """The sum of the entries' tangents, each times its cofactor."""
    return np.sum(det_cofactors(y, a) * a_dot, axis=(-2, -1))


@structural(np.linalg.slogdet, holomorphic=False, tuple_output=True)
def slogdet(y_bar: Any, y: Any, a: Any) -> Any:
    """d log det(a) = tr(a^-1 da)."""
    return slogdet_pullback(y_bar, y, a)


@tangent(np.linalg.slogdet)
def slogdet_tangent(y: Any, a: Any, *, a_dot: Any) -> Any:
    """logabsdet moves by the real part of tr(a^-1 a_dot), the sign turns by its imaginary part."""
    return slogdet_pushforward(a_dot, y, a)


@structural(np.linalg.matrix_power)
def matrix_power(y_bar: Any, y: Any, a: Any, n: Any = 1) -> Any:
    """The transpose of the derivative along a matrix is the derivative at the transpose."""
    return matrix_power_pushforward(y_bar, matrix_transpose(a), n)


@tangent(np.linalg.matrix_power)
def matrix_power_tangent(y: Any, a: Any, n: Any = 1, *, a_dot: Any) -> Any:
    """The sum over k of a^k a_dot a^(n-1-k), read off the power of a block matrix."""
    return matrix_power_pushforward(a_dot, a, n)


@structural(np.linalg.multi_dot, sequence=True)
def multi_dot(y_bar: Any, y: Any, arrays: Any) -> Any:
    """Each factor's cotangent is left^T y_bar right^T."""
    return multi_dot_pullback(y_bar, arrays)


@tangent(np.linalg.multi_dot)
def multi_dot_tangent(y: Any, arrays: Any, *, arrays_dot: Any) -> Any:
    """The product rule."""
    return multi_dot_pushforward(arrays_dot, arrays)


@structural(np.linalg.tensorsolve, linear=("b",))
def tensorsolve(y_bar: Any, y: Any, a: Any, b: Any, axes: Any = None) -> Any:
    """solve with the axes of a in two groups."""
    return tensorsolve_bar_left(y_bar, y, a, b, axes), tensorsolve_bar_right(y_bar, a, b, axes)


@tangent(np.linalg.tensorsolve)
def tensorsolve_dot(y: Any, a: Any, b: Any, axes: Any = None, *, a_dot: Any, b_dot: Any) -> Any:
    """a y_dot = b_dot - a_dot y."""
    return tensorsolve_dot_left(a_dot, y, a, axes), np.linalg.tensorsolve(a, b_dot, axes)


@structural(np.linalg.tensorinv)
def tensorinv(y_bar: Any, y: Any, a: Any, ind: Any = 2) -> Any:
    """inv with the axes of a in two groups."""
    return tensorinv_pullback(y_bar, y, ind)


@tangent(np.linalg.tensorinv)
def tensorinv_tangent(y: Any, a: Any, ind: Any = 2, *, a_dot: Any) -> Any:
    """y_dot = -y a_dot y."""
    return tensorinv_pushforward(a_dot, y, ind)


@structural(np.linalg.norm, holomorphic=False, reduces=True)
def norm(
    y_bar: Any, y: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False
) -> Any:
    """Gradient x / y for the 2-norm, sign(x) (|x| / y)^(p-1) for p; 0 at 0."""
    return norm_pullback(y_bar, y, x, ord, axis, keepdims)


@tangent(np.linalg.norm)
def norm_tangent(
    y: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False, *, x_dot: Any
) -> Any:
    """The product of x_dot with the gradient."""
    return norm_pushforward(x_dot, y, x, ord, axis, keepdims)


@structural(np.linalg.vector_norm, holomorphic=False, reduces=True)
def vector_norm(
    y_bar: Any, y: Any, x: Any, axis: Any = None, keepdims: Any = False, ord: Any = 2
) -> Any:
    """As np.linalg.norm of a vector; all entries for axis=None."""
    return vector_norm_keep_pullback(y_bar, y, x, axis, keepdims, ord)


@tangent(np.linalg.vector_norm)
def vector_norm_tangent(
    y: Any, x: Any, axis: Any = None, keepdims: Any = False, ord: Any = 2, *, x_dot: Any
) -> Any:
    """The product of x_dot with the gradient."""
    return vector_norm_pushforward(x_dot, y, x, axis, keepdims, ord)


@structural(np.linalg.matrix_norm, holomorphic=False)
def matrix_norm(y_bar: Any, y: Any, x: Any, keepdims: Any = False, ord: Any = "fro") -> Any:
    """As np.linalg.norm of the last two axes."""
    return matrix_norm_bar_axes(y_bar, y, x, ord, (-2, -1), keepdims)


@tangent(np.linalg.matrix_norm)
def matrix_norm_tangent(
    y: Any, x: Any, keepdims: Any = False, ord: Any = "fro", *, x_dot: Any
) -> Any:
    """The product of x_dot with the gradient."""
    return norm_pushforward(x_dot, y, x, ord, (-2, -1), keepdims)


@structural(np.linalg.cond, holomorphic=False)
def cond(y_bar: Any, y: Any, x: Any, p: Any = None) -> Any:
    """norm(x, p) norm(x^-1, p); the ratio of singular values for p=None, 2, -2."""
    return cond_pullback(y_bar, y, x, p)


@tangent(np.linalg.cond)
def cond_tangent(y: Any, x: Any, p: Any = None, *, x_dot: Any) -> Any:
    """The product of x_dot with the gradient."""
    return cond_pushforward(x_dot, y, x, p)


no_derivative(np.linalg.matrix_rank, cut_for_rank)
