"""Cotangents and tangents for scipy.linalg. The helpers of the solvers deal with conjugates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad_runtime.decompositions import (
    cholesky_pullback,
    cholesky_pushforward,
)
from s2sgrad_runtime.linalg import adjoint, matrix_transpose
from s2sgrad_runtime.scipy_helpers import (
    lazy,
    scipy_lu,
    scipy_lu_solve,
    scipy_solve_triangular,
)
from s2sgrad_runtime.shapes import unbroadcast

Function = Callable[..., Any]


__all__ = [
    "applied",
    "cho_factor_pullback",
    "cho_factor_pushforward",
    "cho_solve_bar_left",
    "cho_solve_bar_right",
    "cho_solve_dot",
    "cho_solve_dot_left",
    "lu_factor_pullback",
    "lu_factor_pushforward",
    "lu_matrix",
    "lu_parts_pullback",
    "lu_pullback",
    "lu_pushforward",
    "lu_solve_bar_left",
    "lu_solve_bar_right",
    "lu_solve_dot_left",
    "lu_tuple_pullback",
    "lu_tuple_pushforward",
    "outer_columns",
    "pivot_order",
    "pushed_complex",
    "read_part",
    "scipy_pinv",
    "scipy_pinvh",
    "solve_adjoint",
    "solve_adjoint_left",
    "solve_tangent_left",
    "solve_tangent_right",
    "transpose_code",
    "triangle",
    "triangular_bar_left",
    "triangular_bar_right",
    "triangular_dot_left",
    "unit_lower",
]


scipy_pinv = lazy("scipy.linalg.pinv")
scipy_pinvh = lazy("scipy.linalg.pinvh")


def pushed_complex(pair: Any) -> Any:
    """The tangent of scipy.linalg.eig: its eigenvalues are complex numbers also where NumPy's are
    real."""
    return pair[0] + 0j, pair[1]


def transpose_code(trans: Any) -> str:
    """SciPy's `trans` argument (0, 1, 2, "N", "T", "C") as a letter."""
    return {0: "N", 1: "T", 2: "C"}.get(trans, trans)


def applied(a: Any, trans: Any) -> Any:
    """a, its transpose or its adjoint, as `trans` says."""
    code = transpose_code(trans)
    return a if code == "N" else matrix_transpose(a) if code == "T" else adjoint(a)


def triangle(a: Any, lower: Any, unit_diagonal: bool = False) -> Any:
    """The part of a that a triangular solve reads."""
    offset = 1 if unit_diagonal else 0
    return np.tril(a, -offset) if lower else np.triu(a, offset)


def outer_columns(b_bar: Any, y: Any, rank: int) -> Any:
    """b_bar y^H for vectors (rank 1), or matrices of columns; and for stacks of them."""
    if rank == 1:
        return b_bar[..., np.newaxis] * np.conj(y)[..., np.newaxis, :]
    return b_bar @ adjoint(y)


def on_columns(function: Function, b: Any, rank: int) -> Any:
    """A function of matrices of columns, of a stack of vectors where the rank of one is 1."""
    if rank == 1 and np.ndim(b) > 1:
        return function(b[..., np.newaxis])[..., 0]
    return function(b)


def triangular_bar_right(
    y_bar: Any, a: Any, b: Any, trans: Any, lower: bool, unit_diagonal: bool
) -> Any:
    """Cotangent of b in y = solve_triangular(a, b, trans, lower, unit_diagonal)."""
    return unbroadcast(triangular_back(y_bar, a, np.ndim(b), trans, lower, unit_diagonal), b)


def triangular_back(
    y_bar: Any, a: Any, rank: int, trans: Any, lower: bool, unit_diagonal: bool
) -> Any:
    """The same for each matrix of a stack. rank: that of b."""
    code = transpose_code(trans)
    back = {"N": "C", "T": "N", "C": "N"}[code]
    given = np.conj(y_bar) if code == "T" else y_bar
    found = on_columns(
        lambda c: scipy_solve_triangular(a, c, back, lower=lower, unit_diagonal=unit_diagonal),
        given,
        rank,
    )
    return np.conj(found) if code == "T" else found


def triangular_bar_left(
    y_bar: Any, y: Any, a: Any, b: Any, trans: Any, lower: bool, unit_diagonal: bool
) -> Any:
    """Cotangent of a in y = solve_triangular(a, b, trans, lower, unit_diagonal)."""
    rank = np.ndim(b)
    b_bar = triangular_back(y_bar, a, rank, trans, lower, unit_diagonal)
    a_bar = applied(-outer_columns(b_bar, y, rank), trans)
    return unbroadcast(triangle(a_bar, lower, unit_diagonal), a)


def triangular_dot_left(
    a_dot: Any, y: Any, a: Any, b: Any, trans: Any, lower: bool, unit_diagonal: bool
) -> Any:
    """Tangent of solve_triangular along a_dot."""
    m_dot = applied(triangle(a_dot, lower, unit_diagonal), trans)
    return on_columns(
        lambda c: scipy_solve_triangular(
            a, -m_dot @ c, trans, lower=lower, unit_diagonal=unit_diagonal
        ),
        y,
        np.ndim(b),
    )


def read_part(a: Any, assume_a: Any) -> Any:
    """The entries of a that scipy.linalg.solve(assume_a=...) reads; symmetric ones as they are."""
    kind = assume_a or "general"
    if kind == "upper triangular":
        return np.triu(a)
    if kind == "lower triangular":
        return np.tril(a)
    if kind == "diagonal":
        return np.tril(np.triu(a))
    return np.tril(np.triu(a, -1), 1) if kind == "tridiagonal" else a


def solve_adjoint(y_bar: Any, a: Any, b: Any, transposed: bool) -> Any:
    """Cotangent of b in scipy.linalg.solve(a, b, transposed=transposed)."""
    return unbroadcast(solve_back(y_bar, a, np.ndim(b), transposed), b)


def solve_back(y_bar: Any, a: Any, rank: int, transposed: bool) -> Any:
    """The same for each matrix of a stack. rank: that of b."""
    back = np.conj(a) if transposed else adjoint(a)
    return on_columns(lambda c: np.linalg.solve(back, c), y_bar, rank)


def solve_adjoint_left(y_bar: Any, y: Any, a: Any, b: Any, transposed: bool) -> Any:
    """Cotangent of a in y = scipy.linalg.solve(a, b, transposed=transposed)."""
    rank = np.ndim(b)
    a_bar = -outer_columns(solve_back(y_bar, a, rank, transposed), y, rank)
    return unbroadcast(matrix_transpose(a_bar) if transposed else a_bar, a)


def solve_tangent_left(a_dot: Any, y: Any, a: Any, b: Any, transposed: bool) -> Any:
    """Tangent of y = scipy.linalg.solve(a, b, transposed=transposed) along a_dot."""
    if transposed:
        a, a_dot = matrix_transpose(a), matrix_transpose(a_dot)
    return -on_columns(lambda c: np.linalg.solve(a, a_dot @ c), y, np.ndim(b))


def cho_factor_pullback(y_bar: Any, y: Any) -> Any:
    """Cotangent of a in (c, lower) = cho_factor(a); the unused triangle of c is that of a."""
    c, lower = y[0], np.all(y[1])  # a stack of matrices has a stack of equal flags
    factor_bar = cholesky_pullback(triangle(y_bar[0], lower), triangle(c, lower), not lower)
    return factor_bar + triangle(y_bar[0], not lower, True)


def cho_factor_pushforward(a_dot: Any, y: Any) -> Any:
    """Tangent of (c, lower) = cho_factor(a) along a_dot."""
    c, lower = y[0], np.all(y[1])  # a stack of matrices has a stack of equal flags
    factor_dot = cholesky_pushforward(a_dot, triangle(c, lower), not lower)
    return factor_dot + triangle(a_dot, not lower, True), 0


def cho_solve_bar_left(y_bar: Any, y: Any, c_and_lower: Any, b: Any) -> Any:
    """Cotangent of (c, lower) in y = cho_solve((c, lower), b)."""
    c, lower = c_and_lower[0], np.all(c_and_lower[1])
    factor, rank = triangle(c, lower), np.ndim(b)
    product_bar = -outer_columns(cho_solve_dot(y_bar, c_and_lower, rank), y, rank)
    twice = product_bar + adjoint(product_bar)
    c_bar = twice @ factor if lower else factor @ twice
    return [unbroadcast(triangle(c_bar, lower), c), 0.0]


def cho_solve_bar_right(y_bar: Any, c_and_lower: Any, b: Any) -> Any:
    """Cotangent of b in y = cho_solve((c, lower), b): the matrix is Hermitian."""
    return unbroadcast(cho_solve_dot(y_bar, c_and_lower, np.ndim(b)), b)


def cho_solve_dot(b_dot: Any, c_and_lower: Any, rank: int) -> Any:
    """cho_solve itself, for each matrix of a stack. rank: that of its right side."""
    c, lower = c_and_lower[0], np.all(c_and_lower[1])
    first, second = ("N", "C") if lower else ("C", "N")

    def once(trans: str) -> Function:
        return lambda v: scipy_solve_triangular(c, v, trans, lower=lower)

    return on_columns(once(second), on_columns(once(first), b_dot, rank), rank)


def cho_solve_dot_left(c_dot: Any, y: Any, c_and_lower: Any, b: Any) -> Any:
    """Tangent of y = cho_solve((c, lower), b) along (c_dot, .)."""
    c, lower = c_and_lower[0], np.all(c_and_lower[1])
    factor, factor_dot = triangle(c, lower), triangle(c_dot[0], lower)
    if lower:
        moved = factor_dot @ adjoint(factor)
    else:
        moved = adjoint(factor_dot) @ factor
    moved = moved + adjoint(moved)
    return on_columns(lambda v: -cho_solve_dot(moved @ v, c_and_lower, 2), y, np.ndim(b))


def pivot_order(piv: Any, rows: int) -> Any:
    """LAPACK's row exchanges as one permutation: (P a) = a[order]; and of a stack."""
    if np.ndim(piv) == 1:
        places = list(range(rows))
        for i, other in enumerate(piv.tolist()):
            places[i], places[other] = places[other], places[i]
        return np.array(places)
    order = np.tile(np.arange(rows), (*np.shape(piv)[:-1], 1))
    for i in range(np.shape(piv)[-1]):
        other = piv[..., i : i + 1]
        taken, held = np.take_along_axis(order, other, -1), order[..., i : i + 1].copy()
        np.put_along_axis(order, other, held, -1)
        order[..., i : i + 1] = taken
    return order


def rows_taken(m: Any, order: Any) -> Any:
    """The rows of each matrix of a stack in the order of its permutation."""
    return np.take_along_axis(m, order[..., np.newaxis], -2)


def unit_lower(lu: Any) -> Any:
    """The unit lower factor stored in lu."""
    k = min(np.shape(lu)[-2:])
    return np.tril(lu[..., :k], -1) + np.eye(np.shape(lu)[-2], k, dtype=lu.dtype)


def lu_parts_pullback(low_bar: Any, up_bar: Any, low: Any, up: Any) -> Any:
    """Cotangent of a square m = low up, low unit lower and up upper triangular."""
    inner = np.tril(adjoint(low) @ np.tril(low_bar, -1), -1) + np.triu(
        np.triu(up_bar) @ adjoint(up)
    )
    left = np.linalg.solve(adjoint(low), inner)
    return adjoint(np.linalg.solve(up, adjoint(left)))


def lu_pullback(low_bar: Any, up_bar: Any, low: Any, up: Any) -> Any:
    """Cotangent of m = low up for any shape: the part outside the square follows it."""
    rows, columns = np.shape(low)[-2], np.shape(up)[-1]
    k = min(rows, columns)
    if rows > k:
        rest = adjoint(np.linalg.solve(up, adjoint(low_bar[..., k:, :])))
        square_bar = up_bar - adjoint(low[..., k:, :]) @ rest
        top = lu_parts_pullback(low_bar[..., :k, :], square_bar, low[..., :k, :], up)
        return np.concatenate([top, rest], axis=-2)
    if columns > k:
        rest = np.linalg.solve(adjoint(low), up_bar[..., k:])
        square_bar = low_bar - rest @ adjoint(up[..., k:])
        left = lu_parts_pullback(square_bar, up_bar[..., :k], low, up[..., :k])
        return np.concatenate([left, rest], axis=-1)
    return lu_parts_pullback(low_bar, up_bar, low, up)


def lu_pushforward(m_dot: Any, low: Any, up: Any) -> tuple[Any, Any]:
    """Tangents of low and up in m = low up, any shape, along m_dot."""
    k = np.shape(low)[-1]
    low1, up1 = low[..., :k, :], up[..., :k]
    left = np.linalg.solve(low1, m_dot[..., :k, :k])
    inner = adjoint(np.linalg.solve(adjoint(up1), adjoint(left)))
    low_dot, up_dot = low1 @ np.tril(inner, -1), np.triu(inner) @ up1
    rest = m_dot[..., k:, :k] - low[..., k:, :] @ up_dot
    below = adjoint(np.linalg.solve(adjoint(up1), adjoint(rest)))
    beside = np.linalg.solve(low1, m_dot[..., :k, k:] - low_dot @ up[..., k:])
    return np.concatenate([low_dot, below], axis=-2), np.concatenate([up_dot, beside], axis=-1)


def lu_factor_pullback(y_bar: Any, y: Any) -> Any:
    """Cotangent of a in (lu, piv) = lu_factor(a)."""
    lu, order = y[0], pivot_order(y[1], np.shape(y[0])[-2])
    k = min(np.shape(lu)[-2:])
    low, up = unit_lower(lu), np.triu(lu[..., :k, :])
    m_bar = lu_pullback(np.tril(y_bar[0][..., :k], -1), np.triu(y_bar[0][..., :k, :]), low, up)
    return rows_taken(m_bar, np.argsort(order, -1))


def lu_factor_pushforward(a_dot: Any, y: Any) -> Any:
    """Tangent of (lu, piv) = lu_factor(a) along a_dot."""
    lu, order = y[0], pivot_order(y[1], np.shape(y[0])[-2])
    rows, columns = np.shape(lu)[-2:]
    k = min(rows, columns)
    moved = rows_taken(a_dot, order)
    low_dot, up_dot = lu_pushforward(moved, unit_lower(lu), np.triu(lu[..., :k, :]))
    if rows > k:
        inside = np.concatenate([low_dot[..., :k, :] + up_dot, low_dot[..., k:, :]], axis=-2)
    elif columns > k:
        inside = np.concatenate([low_dot + up_dot[..., :k], up_dot[..., k:]], axis=-1)
    else:
        inside = low_dot + up_dot
    return inside, np.zeros(np.shape(y[1]))


def lu_matrix(lu_and_piv: Any) -> Any:
    """The square matrix that lu_factor took apart."""
    lu, piv = lu_and_piv
    order = np.argsort(pivot_order(piv, np.shape(lu)[-2]), -1)
    return rows_taken(unit_lower(lu) @ np.triu(lu), order)


def lu_solve_bar_right(y_bar: Any, lu_and_piv: Any, b: Any, trans: Any) -> Any:
    """Cotangent of b in y = lu_solve((lu, piv), b, trans)."""
    return unbroadcast(lu_solve_back(y_bar, lu_and_piv, np.ndim(b), trans), b)


def lu_solve_back(y_bar: Any, lu_and_piv: Any, rank: int, trans: Any) -> Any:
    """The same for each matrix of a stack. rank: that of b."""
    if np.ndim(lu_and_piv[0]) == 2 and rank <= 2:  # the factors are at hand
        if transpose_code(trans) == "T":
            return np.conj(scipy_lu_solve(lu_and_piv, np.conj(y_bar), 0))
        return scipy_lu_solve(lu_and_piv, y_bar, 2 if transpose_code(trans) == "N" else 0)
    back = adjoint(applied(lu_matrix(lu_and_piv), trans))
    return on_columns(lambda c: np.linalg.solve(back, c), y_bar, rank)


def lu_solve_bar_left(y_bar: Any, y: Any, lu_and_piv: Any, b: Any, trans: Any) -> Any:
    """Cotangent of (lu, piv) in y = lu_solve((lu, piv), b, trans)."""
    lu, rank = lu_and_piv[0], np.ndim(b)
    b_bar = lu_solve_back(y_bar, lu_and_piv, rank, trans)
    order = pivot_order(lu_and_piv[1], np.shape(lu)[-2])
    if np.ndim(lu) == 2 and rank == 1:  # of rank one, as products of vectors
        code = transpose_code(trans)
        left, right = (b_bar, y) if code == "N" else (y, b_bar)
        left, right = (np.conj(left), np.conj(right)) if code == "T" else (left, right)
        low_bar = outer_columns(-left[order], np.triu(lu) @ right, 1)
        up_bar = outer_columns(adjoint(unit_lower(lu)) @ -left[order], right, 1)
    else:
        a_bar = unbroadcast(applied(-outer_columns(b_bar, y, rank), trans), lu)
        m_bar = rows_taken(a_bar, order)
        low_bar, up_bar = m_bar @ adjoint(np.triu(lu)), adjoint(unit_lower(lu)) @ m_bar
    return [np.tril(low_bar, -1) + np.triu(up_bar), 0.0]


def lu_solve_dot_left(parts_dot: Any, y: Any, lu_and_piv: Any, b: Any, trans: Any) -> Any:
    """Tangent of y = lu_solve((lu, piv), b, trans) along (parts_dot, .)."""
    lu, order = lu_and_piv[0], pivot_order(lu_and_piv[1], np.shape(lu_and_piv[0])[-2])
    moved = np.tril(parts_dot[0], -1) @ np.triu(lu) + unit_lower(lu) @ np.triu(parts_dot[0])
    a_dot = applied(rows_taken(moved, np.argsort(order, -1)), trans)
    a = applied(lu_matrix(lu_and_piv), trans)
    return on_columns(lambda c: -np.linalg.solve(a, a_dot @ c), y, np.ndim(b))


def lu_tuple_pullback(y_bar: Any, a: Any, permute_l: bool) -> Any:
    """Cotangent of a in (p, l, u) = lu(a), or (p l, u) for permute_l=True."""
    p, low, up = scipy_lu(a)
    if permute_l:
        return p @ lu_pullback(matrix_transpose(p) @ y_bar[0], y_bar[1], low, up)
    return p @ lu_pullback(y_bar[1], y_bar[2], low, up)


def lu_tuple_pushforward(a_dot: Any, a: Any, permute_l: bool) -> Any:
    """Tangent of (p, l, u) = lu(a), or (p l, u) for permute_l=True, along a_dot."""
    p, low, up = scipy_lu(a)
    low_dot, up_dot = lu_pushforward(matrix_transpose(p) @ a_dot, low, up)
    return (p @ low_dot, up_dot) if permute_l else (np.zeros_like(p), low_dot, up_dot)


def solve_tangent_right(b_dot: Any, a: Any, b: Any, transposed: bool) -> Any:
    """Tangent of y = scipy.linalg.solve(a, b, transposed=transposed) along b_dot."""
    matrix = matrix_transpose(a) if transposed else a
    return on_columns(lambda c: np.linalg.solve(matrix, c), b_dot, np.ndim(b))
