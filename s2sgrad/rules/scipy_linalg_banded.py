"""Floor 2: rules of scipy.linalg's banded and circulant solves and least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    banded_bar_left,
    banded_bar_right,
    banded_product,
    circulant_bar_left,
    circulant_bar_right,
    circulant_dot_left,
    circulant_dot_right,
    fiedler_pullback,
    fiedler_pushforward,
    hermitian_banded_product,
    hermitian_banded_pullback,
    scipy_lstsq_bar_left,
    scipy_lstsq_bar_right,
    scipy_lstsq_dot_left,
    scipy_lstsq_dot_right,
    scipy_solve_banded,
    scipy_solveh_banded,
    toeplitz_bar_column,
    toeplitz_bar_right,
    toeplitz_bar_row,
    toeplitz_product,
    toeplitz_solution,
)


@structural("scipy.linalg.lstsq", holomorphic=False, tuple_output=True)
def lstsq_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any,
    cond: Any = None,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = None,
) -> Any:
    """As np.linalg.lstsq."""
    return (
        scipy_lstsq_bar_left(y_bar, y, a, b, lapack_driver),
        scipy_lstsq_bar_right(y_bar, y, a, b, lapack_driver),
    )


@tangent("scipy.linalg.lstsq")
def lstsq_tangent(
    y: Any,
    a: Any,
    b: Any,
    cond: Any = None,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = None,
    *,
    a_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return (
        scipy_lstsq_dot_left(a_dot, y, a, b, lapack_driver),
        scipy_lstsq_dot_right(b_dot, y, a, b, lapack_driver),
    )


@structural("scipy.linalg.solve_banded", holomorphic=False)
def solve_banded_(
    y_bar: Any,
    y: Any,
    l_and_u: Any,
    ab: Any,
    b: Any,
    overwrite_ab: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
) -> Any:
    """A solve with the transposed bands."""
    return None, banded_bar_left(y_bar, y, l_and_u, ab), banded_bar_right(y_bar, l_and_u, ab)


@tangent("scipy.linalg.solve_banded")
def solve_banded_tangent(
    y: Any,
    l_and_u: Any,
    ab: Any,
    b: Any,
    overwrite_ab: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    *,
    l_and_u_dot: Any,
    ab_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return (
        None,
        -scipy_solve_banded(l_and_u, ab, banded_product(ab_dot, l_and_u, y)),
        scipy_solve_banded(l_and_u, ab, b_dot),
    )


@structural("scipy.linalg.solveh_banded", holomorphic=False)
def solveh_banded_(
    y_bar: Any,
    y: Any,
    ab: Any,
    b: Any,
    overwrite_ab: Any = False,
    overwrite_b: Any = False,
    lower: Any = False,
    check_finite: Any = True,
) -> Any:
    """The matrix is Hermitian: the same solve again."""
    b_bar = scipy_solveh_banded(ab, y_bar, lower=lower)
    return hermitian_banded_pullback(b_bar, y, ab, lower), b_bar


@tangent("scipy.linalg.solveh_banded")
def solveh_banded_tangent(
    y: Any,
    ab: Any,
    b: Any,
    overwrite_ab: Any = False,
    overwrite_b: Any = False,
    lower: Any = False,
    check_finite: Any = True,
    *,
    ab_dot: Any,
    b_dot: Any,
) -> Any:
    """a y_dot = b_dot - a_dot y."""
    return (
        -scipy_solveh_banded(ab, hermitian_banded_product(ab_dot, y, lower), lower=lower),
        scipy_solveh_banded(ab, b_dot, lower=lower),
    )


@structural("scipy.linalg.solve_circulant", holomorphic=False)
def solve_circulant_(
    y_bar: Any,
    y: Any,
    c: Any,
    b: Any,
    singular: Any = "raise",
    tol: Any = None,
    caxis: Any = -1,
    baxis: Any = 0,
    outaxis: Any = 0,
) -> Any:
    """A circulant solve, and a circular correlation."""
    return (
        circulant_bar_left(y_bar, y, c, singular, tol, caxis, outaxis),
        circulant_bar_right(y_bar, c, b, singular, tol, caxis, baxis, outaxis),
    )


@tangent("scipy.linalg.solve_circulant")
def solve_circulant_tangent(
    y: Any,
    c: Any,
    b: Any,
    singular: Any = "raise",
    tol: Any = None,
    caxis: Any = -1,
    baxis: Any = 0,
    outaxis: Any = 0,
    *,
    c_dot: Any,
    b_dot: Any,
) -> Any:
    """a y_dot = b_dot - a_dot y."""
    return (
        circulant_dot_left(c_dot, y, c, singular, tol, caxis, outaxis),
        circulant_dot_right(b_dot, y, c, singular, tol, caxis, baxis, outaxis),
    )


@structural("scipy.linalg.fiedler", holomorphic=False)
def fiedler_(y_bar: Any, y: Any, a: Any) -> Any:
    """The matrix of |a_i - a_j|."""
    return fiedler_pullback(y_bar, a)


@tangent("scipy.linalg.fiedler")
def fiedler_tangent(y: Any, a: Any, *, a_dot: Any) -> Any:
    """The same derivative, forward."""
    return fiedler_pushforward(a_dot, a)


@structural(toeplitz_solution, holomorphic=False)
def toeplitz_solution_(y_bar: Any, y: Any, c: Any, r: Any, b: Any) -> Any:
    """A solve with the adjoint, and sums along its diagonals."""
    b_bar = toeplitz_bar_right(y_bar, c, r)
    return toeplitz_bar_column(b_bar, y), toeplitz_bar_row(b_bar, y), b_bar


@tangent(toeplitz_solution)
def toeplitz_solution_tangent(
    y: Any, c: Any, r: Any, b: Any, *, c_dot: Any, r_dot: Any, b_dot: Any
) -> Any:
    """a y_dot = b_dot - a_dot y."""
    return (
        -toeplitz_solution(c, r, toeplitz_product(c_dot, np.zeros_like(r), y)),
        -toeplitz_solution(c, r, toeplitz_product(np.zeros_like(c), r_dot, y)),
        toeplitz_solution(c, r, b_dot),
    )
