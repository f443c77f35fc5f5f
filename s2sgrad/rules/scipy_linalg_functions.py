"""Floor 2: rules of scipy.linalg's matrix functions."""

from __future__ import annotations

from typing import Any

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    matrix_function_pushforward,
    matrix_power_real_pushforward,
    matrix_transpose,
    scipy_coshm,
    scipy_cosm,
    scipy_expm,
    scipy_fractional_matrix_power,
    scipy_logm,
    scipy_sinhm,
    scipy_sinm,
    scipy_solve_sylvester,
    scipy_tanhm,
    scipy_tanm,
)


@structural("scipy.linalg.expm")
def expm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_expm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.expm")
def expm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_expm, A, A_dot)


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
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_cosm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.cosm")
def cosm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_cosm, A, A_dot)


@structural("scipy.linalg.sinm")
def sinm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_sinm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.sinm")
def sinm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_sinm, A, A_dot)


@structural("scipy.linalg.tanm")
def tanm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_tanm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.tanm")
def tanm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_tanm, A, A_dot)


@structural("scipy.linalg.coshm")
def coshm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_coshm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.coshm")
def coshm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_coshm, A, A_dot)


@structural("scipy.linalg.sinhm")
def sinhm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_sinhm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.sinhm")
def sinhm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_sinhm, A, A_dot)


@structural("scipy.linalg.tanhm")
def tanhm_(y_bar: Any, y: Any, A: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_tanhm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.tanhm")
def tanhm_tangent(y: Any, A: Any, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_tanhm, A, A_dot)


@structural("scipy.linalg.logm")
def logm_(y_bar: Any, y: Any, A: Any, disp: Any = True) -> Any:
    """A matrix function's derivative, off the function of a block matrix."""
    return matrix_function_pushforward(scipy_logm, matrix_transpose(A), y_bar)


@tangent("scipy.linalg.logm")
def logm_tangent(y: Any, A: Any, disp: Any = True, *, A_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_function_pushforward(scipy_logm, A, A_dot)


@structural("scipy.linalg.fractional_matrix_power")
def fractional_matrix_power_(y_bar: Any, y: Any, A: Any, t: Any) -> Any:
    """A matrix function's derivative, off the function of a block matrix; none in t."""
    return matrix_power_real_pushforward(
        scipy_fractional_matrix_power, matrix_transpose(A), y_bar, t
    ), None


@tangent("scipy.linalg.fractional_matrix_power")
def fractional_matrix_power_tangent(y: Any, A: Any, t: Any, *, A_dot: Any, t_dot: Any) -> Any:
    """The same derivative, forward."""
    return matrix_power_real_pushforward(scipy_fractional_matrix_power, A, A_dot, t), None
