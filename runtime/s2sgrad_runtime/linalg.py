"""Cotangents and tangents of solves, inverses, determinants and powers; stacks of matrices too.

Everything here is plain NumPy, so that a second derivative goes through these functions like
through any other code. Formulas: M. Giles, "An extended collection of matrix derivative results"
(2008). Unless said otherwise a `_bar` helper gives the plain transpose: its caller conjugates
around it for complex values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "adjoint",
    "block_upper",
    "both",
    "det_cofactors",
    "hermitian_if",
    "hermitian_part",
    "matrix_power_pushforward",
    "matrix_transpose",
    "multi_dot_pullback",
    "multi_dot_pushforward",
    "only_if",
    "opposite",
    "products_of_other_values",
    "reads_lower",
    "scale_columns",
    "scale_matrix",
    "slogdet_pullback",
    "slogdet_pushforward",
    "solve_bar_left",
    "solve_dot_left",
    "solve_turned",
    "tensorinv_pullback",
    "tensorinv_pushforward",
    "tensorsolve_bar_left",
    "tensorsolve_bar_right",
    "tensorsolve_dot_left",
    "tensorsolve_order",
    "triangle_weights",
    "upper_right",
]


def only_if(supported: bool, value: Any, why: str) -> Any:
    """`value`; raises NotImplementedError for settings that a rule does not cover."""
    if not supported:
        raise NotImplementedError(f"no derivative: {why}")
    return value


def opposite(flag: Any) -> bool:
    """`not flag`."""
    return not flag


def both(first: Any, second: Any) -> bool:
    """`first and second`."""
    return bool(first and second)


def reads_lower(uplo: str) -> bool:
    """Whether an UPLO argument ("L", "l", "U", "u") names the lower triangle."""
    return uplo in ("L", "l")


def matrix_transpose(a: Any) -> Any:
    """The last two axes swapped: (..., m, n) -> (..., n, m)."""
    return np.swapaxes(a, -1, -2)


def adjoint(a: Any) -> Any:
    """The conjugate transpose of each matrix: (..., m, n) -> (..., n, m)."""
    return np.conj(np.swapaxes(a, -1, -2))


def hermitian_part(a: Any) -> Any:
    """(a + a^H) / 2 of each matrix."""
    return 0.5 * (a + np.conj(np.swapaxes(a, -1, -2)))


def hermitian_if(reads_one_triangle: bool, a: Any) -> Any:
    """(a + a^H) / 2 of each matrix where a function reads one triangle of it, else a."""
    return hermitian_part(a) if reads_one_triangle else a


def triangle_weights(a: Any, lower: bool) -> Any:
    """How a function that reads one triangle of a takes each entry: 1 where a is symmetric.

    Where a is not, or is diagonal, nothing says that the other triangle moves along: 2 for the
    entries that are read for both triangles, 0 for those that are not read.
    """
    n, size, turned = np.shape(a)[-1], np.abs(a), np.conj(np.swapaxes(a, -1, -2))
    rows, columns = np.arange(n)[:, np.newaxis], np.arange(n)
    below, above = (rows > columns, rows < columns) if lower else (rows < columns, rows > columns)
    rounding = 256.0 * np.finfo(size.dtype).eps * np.max(size, axis=(-1, -2), keepdims=True)
    alike = np.all(np.abs(a - turned) <= rounding, axis=(-1, -2), keepdims=True)
    alike = alike & np.any((size > 0.0) & (below | above), axis=(-1, -2), keepdims=True)
    return np.where(alike, 1.0, 1.0 + below - above).astype(size.dtype)


def scale_matrix(factor: Any, a: Any) -> Any:
    """One factor (...) for each matrix of a stack (..., m, n)."""
    return factor * a if np.ndim(factor) == 0 else factor[..., np.newaxis, np.newaxis] * a


def scale_columns(a: Any, factor: Any) -> Any:
    """a @ diag(factor): (..., m, n) and (..., n)."""
    return a * factor[..., np.newaxis, :]


@shape_only(2)
def solve_turned(y_bar: Any, a: Any, b: Any) -> Any:
    """a^-T y_bar, for y_bar like the solution of a y = b."""
    if np.ndim(b) == 1 and np.ndim(a) > 2:
        return np.linalg.solve(matrix_transpose(a), y_bar[..., np.newaxis])[..., 0]
    return np.linalg.solve(matrix_transpose(a), y_bar)


@shape_only(2, 3)
def solve_bar_left(right_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """Cotangent of a in y = solve(a, b): -right_bar y^T with right_bar = a^-T y_bar."""
    if np.ndim(b) == 1:
        return unbroadcast(-right_bar[..., np.newaxis] * y[..., np.newaxis, :], a)
    return unbroadcast(-right_bar @ matrix_transpose(y), a)


@shape_only(3)
def solve_dot_left(a_dot: Any, y: Any, a: Any, b: Any) -> Any:
    """Tangent of y = solve(a, b) along a_dot: -a^-1 a_dot y."""
    if np.ndim(b) == 1:
        return -np.linalg.solve(a, a_dot @ y[..., np.newaxis])[..., 0]
    return -np.linalg.solve(a, a_dot @ y)


def det_cofactors(y: Any, a: Any) -> Any:
    """The derivative of y = det(a) by the entries of a, also where a is singular.

    y a^-T where that exists; else from a = U diag(s) V: the cofactors of a product are the
    product of the cofactors, and those of diag(s) are products of the other singular values.
    """
    if np.all(y != 0):
        return scale_matrix(y, matrix_transpose(np.linalg.inv(a)))
    u, s, vh = np.linalg.svd(a)
    others = products_of_other_values(s)
    phase = np.linalg.det(u) * np.linalg.det(vh)
    return scale_matrix(phase, scale_columns(np.conj(u), others) @ np.conj(vh))


def products_of_other_values(s: Any) -> Any:
    """Along the last axis, for each entry the product of all the other ones, without division."""
    ones = np.ones_like(s[..., :1])
    before = np.cumprod(np.concatenate([ones, s[..., :-1]], axis=-1), axis=-1)
    turned = np.flip(s[..., 1:], axis=-1)  # tensors take no negative steps
    after = np.cumprod(np.concatenate([ones, turned], axis=-1), axis=-1)
    return before * np.flip(after, axis=-1)


def slogdet_pullback(y_bar: Any, y: Any, a: Any) -> Any:
    """Cotangent of a in (sign, logabsdet) = slogdet(a), conjugates dealt with.

    With d log det(a) = tr(a^-1 da): logabsdet moves by its real part, and the phase `sign` of a
    complex determinant turns by its imaginary part.
    """
    weight = y_bar[1]
    if np.iscomplexobj(a):
        weight = weight + 1j * np.imag(y_bar[0] * np.conj(y[0]))
    return scale_matrix(weight, adjoint(np.linalg.inv(a)))


def slogdet_pushforward(a_dot: Any, y: Any, a: Any) -> Any:
    """Tangent of (sign, logabsdet) = slogdet(a) along a_dot."""
    turn = np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)
    if np.iscomplexobj(turn):
        return 1j * np.imag(turn) * y[0], np.real(turn)
    return np.zeros_like(turn), turn


def block_upper(a: Any, e: Any) -> Any:
    """[[a, e], [0, a]]: a function f of it holds the derivative of f at a along e, upper right."""
    top = np.concatenate([a, e], axis=-1)
    bottom = np.concatenate([np.zeros_like(a), a], axis=-1)
    return np.concatenate([top, bottom], axis=-2)


@shape_only(1)
def upper_right(block: Any, a: Any) -> Any:
    """The upper right quarter of a (..., 2n, 2n) matrix of blocks shaped as a."""
    n = np.shape(a)[-1]
    return block[..., :n, n:]


def matrix_power_pushforward(a_dot: Any, a: Any, n: int) -> Any:
    """Derivative of a^n along a_dot (any integer n), in O(log n) products."""
    if n == 0:
        return np.zeros_like(a)
    if n < 0:
        inverse = np.linalg.inv(a)
        return matrix_power_pushforward(-inverse @ a_dot @ inverse, inverse, -n)
    power, moved = a, a_dot
    for k in range(int(np.log2(n)) - 1, -1, -1):
        moved = power @ moved + moved @ power
        if k > 0 or n % 2 == 1:
            power = power @ power
        if (n >> k) % 2 == 1:
            moved = moved @ a + power @ a_dot
            if k > 0:
                power = power @ a
    return moved


def multi_dot_pullback(y_bar: Any, arrays: Any) -> Any:
    """Cotangents of the factors of y = a0 a1 ... ak: one list, left^T y_bar right^T each.

    The first and the last factor may be vectors (a row and a column).
    """
    rows = [a[np.newaxis, :] if i == 0 and np.ndim(a) == 1 else a for i, a in enumerate(arrays)]
    last = len(rows) - 1
    mats = [a[:, np.newaxis] if i == last and np.ndim(a) == 1 else a for i, a in enumerate(rows)]
    left = np.reshape(y_bar, (np.shape(mats[0])[0], np.shape(mats[last])[1]))
    bars = []
    for i, a in enumerate(mats):
        right = left
        for factor in reversed(mats[i + 1 :]):
            right = right @ np.transpose(factor)
        bars.append(np.reshape(right, np.shape(arrays[i])))
        left = np.transpose(a) @ left
    return bars


def multi_dot_pushforward(arrays_dot: Any, arrays: Any) -> Any:
    """Tangent of multi_dot: the sum over the factors, each in turn replaced by its tangent."""
    total = 0.0
    for i, a_dot in enumerate(arrays_dot):
        total = total + np.linalg.multi_dot([*arrays[:i], a_dot, *arrays[i + 1 :]])
    return total


def tensorsolve_order(a: Any, axes: Any) -> tuple[int, ...]:
    """The order of a's axes in which tensorsolve reads it: those of `axes` last."""
    kept = [k for k in range(np.ndim(a)) if axes is None or k not in axes]
    return (*kept, *(axes or ()))


@shape_only(2)
def tensorsolve_bar_right(y_bar: Any, a: Any, b: Any, axes: Any) -> Any:
    """Cotangent of b in y = tensorsolve(a, b, axes)."""
    n = np.size(b)
    matrix = np.reshape(np.transpose(a, tensorsolve_order(a, axes)), (n, n))
    return np.reshape(np.linalg.solve(np.transpose(matrix), np.reshape(y_bar, n)), np.shape(b))


@shape_only(3)
def tensorsolve_bar_left(y_bar: Any, y: Any, a: Any, b: Any, axes: Any) -> Any:
    """Cotangent of a in y = tensorsolve(a, b, axes): -b_bar outer y, axes put back."""
    b_bar = tensorsolve_bar_right(y_bar, a, b, axes)
    order = tensorsolve_order(a, axes)
    product = -np.multiply.outer(b_bar, y)
    return np.transpose(product, np.argsort(order))


def tensorsolve_dot_left(a_dot: Any, y: Any, a: Any, axes: Any) -> Any:
    """Tangent of y = tensorsolve(a, b, axes) along a_dot: -a^-1 (a_dot y)."""
    moved = np.transpose(a_dot, tensorsolve_order(a_dot, axes))
    return -np.linalg.tensorsolve(a, np.tensordot(moved, y, np.ndim(y)), axes)


def tensorinv_pullback(y_bar: Any, y: Any, ind: int) -> Any:
    """Cotangent of a in y = tensorinv(a, ind): -y^T y_bar y^T with both sides flattened."""
    shape = np.shape(y)
    rest = len(shape) - ind
    last, front = list(range(rest, len(shape))), list(range(rest))
    first = np.tensordot(y_bar, y, (last, last))
    return -np.tensordot(y, first, (front, front))


def tensorinv_pushforward(a_dot: Any, y: Any, ind: int) -> Any:
    """Tangent of y = tensorinv(a, ind) along a_dot: -y a_dot y."""
    rest = np.ndim(a_dot) - ind
    return -np.tensordot(y, np.tensordot(a_dot, y, rest), ind)
