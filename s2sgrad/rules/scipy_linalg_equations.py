"""Floor 2: rules of scipy.linalg's matrix equations and structured matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    adjoint,
    block_diag_bars,
    block_diag_pushforward,
    care_parts,
    care_pullback,
    care_pushforward,
    companion_pullback,
    companion_pushforward,
    counting,
    dare_parts,
    dare_pullback,
    dare_pushforward,
    discrete_lyapunov_bar_left,
    gather_pullback,
    hankel_parts,
    hankel_pushforward,
    khatri_rao_pullback,
    lyapunov_bar_left,
    matrix_transpose,
    only_if,
    riccati_change,
    scipy_circulant,
    scipy_convolution_matrix,
    scipy_leslie,
    scipy_solve_continuous_lyapunov,
    scipy_solve_discrete_lyapunov,
    scipy_solve_sylvester,
    sylvester_is_solved,
    toeplitz_parts,
    toeplitz_pullback,
    toeplitz_pushforward,
)

UNSOLVED = (
    "scipy.linalg.solve_sylvester gives no solution where one of two matrices is complex and the"
    " other a real one with complex eigenvalues: make both complex"
)


@structural("scipy.linalg.solve_sylvester")
def solve_sylvester_(y_bar: Any, y: Any, a: Any, b: Any, q: Any) -> Any:
    """a y + y b = q."""
    y_bar = only_if(sylvester_is_solved(a, b), y_bar, UNSOLVED)
    q_bar = scipy_solve_sylvester(matrix_transpose(a), matrix_transpose(b), y_bar)
    return -q_bar @ matrix_transpose(y), -matrix_transpose(y) @ q_bar, q_bar


@tangent("scipy.linalg.solve_sylvester")
def solve_sylvester_tangent(
    y: Any, a: Any, b: Any, q: Any, *, a_dot: Any, b_dot: Any, q_dot: Any
) -> Any:
    """a y_dot + y_dot b = q_dot - a_dot y - y b_dot."""
    return (
        -scipy_solve_sylvester(a, b, only_if(sylvester_is_solved(a, b), a_dot, UNSOLVED) @ y),
        -scipy_solve_sylvester(a, b, y @ only_if(sylvester_is_solved(a, b), b_dot, UNSOLVED)),
        scipy_solve_sylvester(a, b, only_if(sylvester_is_solved(a, b), q_dot, UNSOLVED)),
    )


@structural("scipy.linalg.solve_continuous_lyapunov", holomorphic=False)
def solve_continuous_lyapunov_(y_bar: Any, y: Any, a: Any, q: Any) -> Any:
    """a y + y a^H = q."""
    q_bar = scipy_solve_continuous_lyapunov(adjoint(a), y_bar)
    return lyapunov_bar_left(q_bar, y), q_bar


@tangent("scipy.linalg.solve_continuous_lyapunov")
def solve_continuous_lyapunov_tangent(y: Any, a: Any, q: Any, *, a_dot: Any, q_dot: Any) -> Any:
    """a y_dot + y_dot a^H = q_dot - a_dot y - y a_dot^H."""
    moved = a_dot @ y + y @ adjoint(a_dot)
    return -scipy_solve_continuous_lyapunov(a, moved), scipy_solve_continuous_lyapunov(a, q_dot)


@structural("scipy.linalg.solve_discrete_lyapunov", holomorphic=False)
def solve_discrete_lyapunov_(y_bar: Any, y: Any, a: Any, q: Any, method: Any = None) -> Any:
    """a y a^H - y + q = 0."""
    q_bar = scipy_solve_discrete_lyapunov(adjoint(a), y_bar)
    return discrete_lyapunov_bar_left(q_bar, y, a), q_bar


@tangent("scipy.linalg.solve_discrete_lyapunov")
def solve_discrete_lyapunov_tangent(
    y: Any, a: Any, q: Any, method: Any = None, *, a_dot: Any, q_dot: Any
) -> Any:
    """y_dot = a y_dot a^H + q_dot + a_dot y a^H + a y a_dot^H."""
    moved = a_dot @ y @ adjoint(a) + a @ y @ adjoint(a_dot)
    return scipy_solve_discrete_lyapunov(a, moved), scipy_solve_discrete_lyapunov(a, q_dot)


@structural("scipy.linalg.solve_continuous_are", holomorphic=False)
def solve_continuous_are_(y_bar: Any, y: Any, a: Any, b: Any, q: Any, r: Any) -> Any:
    """The implicit function theorem: a Lyapunov equation of the closed loop."""
    return (
        care_pullback(y_bar, y, a, b, r, "a"),
        care_pullback(y_bar, y, a, b, r, "b"),
        care_pullback(y_bar, y, a, b, r, "q"),
        care_pullback(y_bar, y, a, b, r, "r"),
    )


@tangent("scipy.linalg.solve_continuous_are")
def solve_continuous_are_tangent(
    y: Any, a: Any, b: Any, q: Any, r: Any, *, a_dot: Any, b_dot: Any, q_dot: Any, r_dot: Any
) -> Any:
    """The same derivative, forward."""
    return (
        care_pushforward(riccati_change(y, care_parts(y, a, b, r), a_dot, "a", False), y, a, b, r),
        care_pushforward(riccati_change(y, care_parts(y, a, b, r), b_dot, "b", False), y, a, b, r),
        care_pushforward(q_dot, y, a, b, r),
        care_pushforward(riccati_change(y, care_parts(y, a, b, r), r_dot, "r", False), y, a, b, r),
    )


@structural("scipy.linalg.solve_discrete_are", holomorphic=False)
def solve_discrete_are_(y_bar: Any, y: Any, a: Any, b: Any, q: Any, r: Any) -> Any:
    """The implicit function theorem: a Lyapunov equation of the closed loop."""
    return (
        dare_pullback(y_bar, y, a, b, r, "a"),
        dare_pullback(y_bar, y, a, b, r, "b"),
        dare_pullback(y_bar, y, a, b, r, "q"),
        dare_pullback(y_bar, y, a, b, r, "r"),
    )


@tangent("scipy.linalg.solve_discrete_are")
def solve_discrete_are_tangent(
    y: Any, a: Any, b: Any, q: Any, r: Any, *, a_dot: Any, b_dot: Any, q_dot: Any, r_dot: Any
) -> Any:
    """The same derivative, forward."""
    return (
        dare_pushforward(riccati_change(y, dare_parts(y, a, b, r), a_dot, "a", True), y, a, b, r),
        dare_pushforward(riccati_change(y, dare_parts(y, a, b, r), b_dot, "b", True), y, a, b, r),
        dare_pushforward(q_dot, y, a, b, r),
        dare_pushforward(riccati_change(y, dare_parts(y, a, b, r), r_dot, "r", True), y, a, b, r),
    )


@structural("scipy.linalg.block_diag", sequences=("arrs",))
def block_diag(y_bar: Any, y: Any, *arrs: Any) -> Any:
    """The blocks of y_bar."""
    return block_diag_bars(y_bar, arrs)


@tangent("scipy.linalg.block_diag")
def block_diag_tangent(y: Any, *arrs: Any, arrs_dot: Any) -> Any:
    """The tangents in the same blocks."""
    return block_diag_pushforward(arrs_dot, arrs)


@structural("scipy.linalg.toeplitz", holomorphic=False, optional=("r",))
def toeplitz_(y_bar: Any, y: Any, c: Any, r: Any = None) -> Any:
    """Each entry of y is one of c, r."""
    return toeplitz_parts(y_bar, y, c, r, "c"), toeplitz_parts(y_bar, y, c, r, "r")


@tangent("scipy.linalg.toeplitz")
def toeplitz_tangent(y: Any, c: Any, r: Any = None, *, c_dot: Any, r_dot: Any) -> Any:
    """The same derivative, forward."""
    return toeplitz_pushforward(c_dot, c, r, "c"), toeplitz_pushforward(r_dot, c, r, "r")


@structural("scipy.linalg.hankel", optional=("r",))
def hankel_(y_bar: Any, y: Any, c: Any, r: Any = None) -> Any:
    """Each entry of y is one of c, r."""
    return hankel_parts(y_bar, c, r, "c"), hankel_parts(y_bar, c, r, "r")


@tangent("scipy.linalg.hankel")
def hankel_tangent(y: Any, c: Any, r: Any = None, *, c_dot: Any, r_dot: Any) -> Any:
    """The same derivative, forward."""
    return hankel_pushforward(c_dot, c, r, "c"), hankel_pushforward(r_dot, c, r, "r")


@structural("scipy.linalg.circulant", linear=("c",))
def circulant_(y_bar: Any, y: Any, c: Any) -> Any:
    """Each entry of y is one of c."""
    return np.reshape(gather_pullback(y_bar, scipy_circulant(counting(c)), np.size(c)), np.shape(c))


@structural("scipy.linalg.leslie")
def leslie_(y_bar: Any, y: Any, f: Any, s: Any) -> Any:
    """Each entry of y is one of f, s or 0."""
    index = scipy_leslie(counting(f), counting(s, np.size(f) + 1))
    return toeplitz_pullback(y_bar, index, f, s, "c"), toeplitz_pullback(y_bar, index, f, s, "r")


@tangent("scipy.linalg.leslie")
def leslie_tangent(y: Any, f: Any, s: Any, *, f_dot: Any, s_dot: Any) -> Any:
    """The same derivative, forward."""
    return scipy_leslie(f_dot, np.zeros_like(s)), scipy_leslie(np.zeros_like(f), s_dot)


@structural("scipy.linalg.convolution_matrix", linear=("a",))
def convolution_matrix_(y_bar: Any, y: Any, a: Any, n: Any, mode: Any = "full") -> Any:
    """Each entry of y is one of a or 0."""
    index = scipy_convolution_matrix(counting(a), n, mode)
    return np.reshape(gather_pullback(y_bar, index, np.size(a)), np.shape(a)), None


@structural("scipy.linalg.companion")
def companion_(y_bar: Any, y: Any, a: Any) -> Any:
    """The first row is -a[1:] / a[0]."""
    return companion_pullback(y_bar, a)


@tangent("scipy.linalg.companion")
def companion_tangent(y: Any, a: Any, *, a_dot: Any) -> Any:
    """The same derivative, forward."""
    return companion_pushforward(a_dot, a)


@structural("scipy.linalg.khatri_rao", linear=("a", "b"))
def khatri_rao_(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """The column-wise Kronecker product."""
    return khatri_rao_pullback(y_bar, a, b, True), khatri_rao_pullback(y_bar, a, b, False)
