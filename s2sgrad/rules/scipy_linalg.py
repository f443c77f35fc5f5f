"""Floor 2: rules of scipy.linalg's solvers."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import no_derivative, structural, tangent
from s2sgrad_runtime import (
    cho_factor_pullback,
    cho_factor_pushforward,
    cho_solve_bar_left,
    cho_solve_bar_right,
    cho_solve_dot,
    cho_solve_dot_left,
    cholesky_pullback,
    cholesky_pushforward,
    det_cofactors,
    lu_factor_pullback,
    lu_factor_pushforward,
    lu_solve_bar_left,
    lu_solve_bar_right,
    lu_solve_dot_left,
    lu_tuple_pullback,
    lu_tuple_pushforward,
    matrix_transpose,
    opposite,
    pivot_order,
    read_part,
    scale_matrix,
    scipy_lu_solve,
    scipy_solve_triangular,
    solve_adjoint,
    solve_adjoint_left,
    solve_tangent_left,
    solve_tangent_right,
    triangular_bar_left,
    triangular_bar_right,
    triangular_dot_left,
)


@structural("scipy.linalg.inv")
def inv_(
    y_bar: Any,
    y: Any,
    a: Any,
    overwrite_a: Any = False,
    check_finite: Any = True,
    assume_a: Any = None,
    lower: Any = False,
) -> Any:
    """y_dot = -y a_dot y."""
    return read_part(-matrix_transpose(y) @ y_bar @ matrix_transpose(y), assume_a)


@tangent("scipy.linalg.inv")
def inv_tangent(
    y: Any,
    a: Any,
    overwrite_a: Any = False,
    check_finite: Any = True,
    assume_a: Any = None,
    lower: Any = False,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return -y @ read_part(a_dot, assume_a) @ y


@structural("scipy.linalg.det")
def det_(y_bar: Any, y: Any, a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """The derivative by an entry is its cofactor."""
    return scale_matrix(y_bar, det_cofactors(y, a))


@tangent("scipy.linalg.det")
def det_tangent(
    y: Any, a: Any, overwrite_a: Any = False, check_finite: Any = True, *, a_dot: Any
) -> Any:
    """The same derivative, forward."""
    return np.sum(det_cofactors(y, a) * a_dot, axis=(-2, -1))


@structural("scipy.linalg.solve", holomorphic=False, linear=("b",))
def solve_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    assume_a: Any = None,
    transposed: Any = False,
) -> Any:
    """y = a^-1 b: b_bar = a^-H y_bar, a_bar = -b_bar y^H."""
    return read_part(
        solve_adjoint_left(y_bar, y, read_part(a, assume_a), b, transposed), assume_a
    ), solve_adjoint(y_bar, read_part(a, assume_a), b, transposed)


@tangent("scipy.linalg.solve")
def solve_tangent(
    y: Any,
    a: Any,
    b: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    assume_a: Any = None,
    transposed: Any = False,
    *,
    a_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return solve_tangent_left(
        read_part(a_dot, assume_a), y, read_part(a, assume_a), b, transposed
    ), solve_tangent_right(b_dot, read_part(a, assume_a), b, transposed)


@structural("scipy.linalg.solve_triangular", holomorphic=False)
def solve_triangular_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: Any = False,
    unit_diagonal: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
) -> Any:
    """Only the triangle that is read has a cotangent."""
    return triangular_bar_left(y_bar, y, a, b, trans, lower, unit_diagonal), triangular_bar_right(
        y_bar, a, b, trans, lower, unit_diagonal
    )


@tangent("scipy.linalg.solve_triangular")
def solve_triangular_tangent(
    y: Any,
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: Any = False,
    unit_diagonal: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return triangular_dot_left(a_dot, y, a, b, trans, lower, unit_diagonal), scipy_solve_triangular(
        a, b_dot, trans, lower, unit_diagonal
    )


@structural("scipy.linalg.cholesky", holomorphic=False)
def cholesky_(
    y_bar: Any,
    y: Any,
    a: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
) -> Any:
    """a = y^H y, or y y^H for lower=True; the cotangent is Hermitian."""
    return cholesky_pullback(y_bar, y, opposite(lower))


@tangent("scipy.linalg.cholesky")
def cholesky_tangent(
    y: Any,
    a: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return cholesky_pushforward(a_dot, y, opposite(lower))


@structural("scipy.linalg.cho_factor", holomorphic=False, tuple_output=True)
def cho_factor_(
    y_bar: Any,
    y: Any,
    a: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
) -> Any:
    """The factor's triangle as cholesky, the other one as a."""
    return cho_factor_pullback(y_bar, y)


@tangent("scipy.linalg.cho_factor")
def cho_factor_tangent(
    y: Any,
    a: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return cho_factor_pushforward(a_dot, y)


@structural("scipy.linalg.cho_solve", holomorphic=False, sequence=True)
def cho_solve_(
    y_bar: Any, y: Any, c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True
) -> Any:
    """Two triangular solves."""
    return cho_solve_bar_left(y_bar, y, c_and_lower, b), cho_solve_bar_right(y_bar, c_and_lower, b)


@tangent("scipy.linalg.cho_solve")
def cho_solve_tangent(
    y: Any,
    c_and_lower: Any,
    b: Any,
    overwrite_b: Any = False,
    check_finite: Any = True,
    *,
    c_and_lower_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return cho_solve_dot_left(c_and_lower_dot, y, c_and_lower, b), cho_solve_dot(
        b_dot, c_and_lower, np.ndim(b)
    )


@structural("scipy.linalg.lu_factor", holomorphic=False, tuple_output=True)
def lu_factor_(
    y_bar: Any, y: Any, a: Any, overwrite_a: Any = False, check_finite: Any = True
) -> Any:
    """p a = l u, l unit lower."""
    return lu_factor_pullback(y_bar, y)


@tangent("scipy.linalg.lu_factor")
def lu_factor_tangent(
    y: Any, a: Any, overwrite_a: Any = False, check_finite: Any = True, *, a_dot: Any
) -> Any:
    """The same derivative, forward."""
    return lu_factor_pushforward(a_dot, y)


@structural("scipy.linalg.lu_solve", holomorphic=False, sequence=True)
def lu_solve_(
    y_bar: Any,
    y: Any,
    lu_and_piv: Any,
    b: Any,
    trans: Any = 0,
    overwrite_b: Any = False,
    check_finite: Any = True,
) -> Any:
    """Two triangular solves and a permutation."""
    return lu_solve_bar_left(y_bar, y, lu_and_piv, b, trans), lu_solve_bar_right(
        y_bar, lu_and_piv, b, trans
    )


@tangent("scipy.linalg.lu_solve")
def lu_solve_tangent(
    y: Any,
    lu_and_piv: Any,
    b: Any,
    trans: Any = 0,
    overwrite_b: Any = False,
    check_finite: Any = True,
    *,
    lu_and_piv_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return lu_solve_dot_left(lu_and_piv_dot, y, lu_and_piv, b, trans), scipy_lu_solve(
        lu_and_piv, b_dot, trans
    )


@structural("scipy.linalg.lu", holomorphic=False, tuple_output=True)
def lu_(
    y_bar: Any,
    y: Any,
    a: Any,
    permute_l: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
    p_indices: Any = False,
) -> Any:
    """a = p l u; the permutation is locally constant."""
    return lu_tuple_pullback(y_bar, a, permute_l)


@tangent("scipy.linalg.lu")
def lu_tangent(
    y: Any,
    a: Any,
    permute_l: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
    p_indices: Any = False,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return lu_tuple_pushforward(a_dot, a, permute_l)


no_derivative(pivot_order)
