"""Floor 2: rules of scipy.linalg's matrix functions and pseudo-inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    hermitian_part,
    matrix_function_along,
    matrix_function_along_both,
    matrix_function_along_three,
    matrix_power_along,
    matrix_transpose,
    only_if,
    opposite,
    pinv_pullback,
    pinv_pushforward,
    scipy_logm,
    scipy_solve_sylvester,
)


@structural(matrix_function_along, linear=("e",))
def matrix_function_along_(y_bar: Any, y: Any, function: Any, a: Any, e: Any) -> Any:
    """Derivatives of matrix functions are symmetric in their directions, y_bar among them."""
    a_turned = matrix_transpose(a)
    return (
        None,
        matrix_function_along_both(function, a_turned, matrix_transpose(e), y_bar),
        matrix_function_along(function, a_turned, y_bar),
    )


@tangent(matrix_function_along)
def matrix_function_along_tangent(
    y: Any, function: Any, a: Any, e: Any, *, function_dot: Any, a_dot: Any, e_dot: Any
) -> Any:
    """The second derivative, and the function itself, which is linear in e."""
    along_a = matrix_function_along_both(function, a, e, a_dot)
    return None, along_a, matrix_function_along(function, a, e_dot)


@structural(matrix_function_along_both, linear=("e", "d"))
def matrix_function_along_both_(y_bar: Any, y: Any, function: Any, a: Any, e: Any, d: Any) -> Any:
    """The same, one order up."""
    a_turned = matrix_transpose(a)
    e_turned = matrix_transpose(e)
    d_turned = matrix_transpose(d)
    return (
        None,
        matrix_function_along_three(function, a_turned, e_turned, d_turned, y_bar),
        matrix_function_along_both(function, a_turned, d_turned, y_bar),
        matrix_function_along_both(function, a_turned, e_turned, y_bar),
    )


@tangent(matrix_function_along_both)
def matrix_function_along_both_tangent(
    y: Any, function: Any, a: Any, e: Any, d: Any,
    *, function_dot: Any, a_dot: Any, e_dot: Any, d_dot: Any,
) -> Any:  # fmt: skip
    """The third derivative, and the function itself, which is linear in e and d."""
    along_a = matrix_function_along_three(function, a, e, d, a_dot)
    along_e = matrix_function_along_both(function, a, e_dot, d)
    return None, along_a, along_e, matrix_function_along_both(function, a, e, d_dot)


@structural("scipy.linalg.expm")
def expm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("expm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.expm")
def expm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("expm", A, A_dot)


@structural("scipy.linalg.sqrtm")
def sqrtm_(y_bar: Any, y: Any, A: Any) -> Any:
    """y y = A, so that y A_bar + A_bar y = y_bar, transposed. y says which root it is."""
    return scipy_solve_sylvester(matrix_transpose(y), matrix_transpose(y), y_bar)


@tangent("scipy.linalg.sqrtm")
def sqrtm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """y y_dot + y_dot y = A_dot."""
    return scipy_solve_sylvester(y, y, A_dot)


@structural("scipy.linalg.cosm")
def cosm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("cosm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.cosm")
def cosm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("cosm", A, A_dot)


@structural("scipy.linalg.sinm")
def sinm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("sinm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.sinm")
def sinm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("sinm", A, A_dot)


@structural("scipy.linalg.tanm")
def tanm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("tanm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.tanm")
def tanm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("tanm", A, A_dot)


@structural("scipy.linalg.coshm")
def coshm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("coshm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.coshm")
def coshm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("coshm", A, A_dot)


@structural("scipy.linalg.sinhm")
def sinhm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("sinhm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.sinhm")
def sinhm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("sinhm", A, A_dot)


@structural("scipy.linalg.tanhm")
def tanhm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("tanhm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.tanhm")
def tanhm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("tanhm", A, A_dot)


@structural("scipy.linalg.logm")
def logm_(y_bar: Any, y: Any, A: Any, disp: Any = True) -> Any:
    """A matrix function's derivative, along the cotangent."""
    return matrix_function_along("logm", matrix_transpose(A), y_bar)


@tangent("scipy.linalg.logm")
def logm_tangent(y: Any, A: Any, disp: Any = True, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_along("logm", A, A_dot)


@structural("scipy.linalg.fractional_matrix_power")
def fractional_matrix_power_(y_bar: Any, y: Any, A: Any, t: Any) -> Any:
    """y = exp(t log A); a matrix function's derivative, along the cotangent."""
    return matrix_power_along(matrix_transpose(A), y_bar, t), np.sum(y_bar * (scipy_logm(A) @ y))


@tangent("scipy.linalg.fractional_matrix_power")
def fractional_matrix_power_tangent(y: Any, A: Any, t: Any, *, A_dot: Any, t_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_power_along(A, A_dot, t), t_dot * (scipy_logm(A) @ y)


@structural("scipy.linalg.pinv", holomorphic=False, extra={"not_for": {"return_rank": (True,)}})
def pinv_(
    y_bar: Any,
    y: Any,
    a: Any,
    atol: Any = None,
    rtol: Any = None,
    return_rank: Any = False,
    check_finite: Any = True,
) -> Any:
    """As np.linalg.pinv."""
    return pinv_pullback(only_if(opposite(return_rank), y_bar, "pinv(return_rank=True)"), y, a)


@tangent("scipy.linalg.pinv")
def pinv_tangent(
    y: Any,
    a: Any,
    atol: Any = None,
    rtol: Any = None,
    return_rank: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return pinv_pushforward(only_if(opposite(return_rank), a_dot, "pinv(return_rank=True)"), y, a)


@structural("scipy.linalg.pinvh", holomorphic=False, extra={"not_for": {"return_rank": (True,)}})
def pinvh_(
    y_bar: Any,
    y: Any,
    a: Any,
    atol: Any = None,
    rtol: Any = None,
    lower: Any = True,
    return_rank: Any = False,
    check_finite: Any = True,
) -> Any:
    """As np.linalg.pinv; the cotangent is Hermitian."""
    return hermitian_part(pinv_pullback(y_bar, y, a))


@tangent("scipy.linalg.pinvh")
def pinvh_tangent(
    y: Any,
    a: Any,
    atol: Any = None,
    rtol: Any = None,
    lower: Any = True,
    return_rank: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return pinv_pushforward(hermitian_part(a_dot), y, a)
