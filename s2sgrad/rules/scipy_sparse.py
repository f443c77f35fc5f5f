"""Floor 2: rules of scipy.sparse.linalg with constant sparse matrices, or dense ones."""

from __future__ import annotations

from typing import Any

from s2sgrad.rules.declare import structural, tangent
from s2sgrad.rules.unserved import GIVEN
from s2sgrad_runtime import (
    adjoint,
    as_columns,
    matrix_function_along,
    only_if,
    scipy_expm_multiply,
    scipy_spsolve,
    sparse_adjoint,
)


@structural(sparse_adjoint, holomorphic=False)
def sparse_adjoint_(y_bar: Any, y: Any, a: Any) -> Any:
    """Its own transpose; only dense matrices move."""
    return adjoint(y_bar)


@tangent(sparse_adjoint)
def sparse_adjoint_tangent(y: Any, a: Any, *, a_dot: Any) -> Any:
    """The same derivative, forward."""
    return adjoint(a_dot)


@structural("scipy.sparse.linalg.spsolve", holomorphic=False, linear=("b",))
def spsolve_(
    y_bar: Any, y: Any, A: Any, b: Any, permc_spec: Any = None, use_umfpack: Any = True
) -> Any:
    """A solve with the adjoint; A is a constant."""
    return None, scipy_spsolve(sparse_adjoint(A), y_bar)


@structural(
    "scipy.sparse.linalg.expm_multiply",
    holomorphic=False,
    linear=("B",),
    extra={"not_for": {"start": GIVEN}},
)
def expm_multiply_(
    y_bar: Any,
    y: Any,
    A: Any,
    B: Any,
    start: Any = None,
    stop: Any = None,
    num: Any = None,
    endpoint: Any = None,
    traceA: Any = None,
) -> Any:
    """exp(A) B: the adjoint's exponential; A moves if it is dense; without start and stop."""
    bar = only_if(start is None, y_bar, "expm_multiply(start=...)")
    return (
        matrix_function_along("expm", adjoint(A), as_columns(bar) @ adjoint(as_columns(B))),
        scipy_expm_multiply(sparse_adjoint(A), bar),
    )


@tangent("scipy.sparse.linalg.expm_multiply")
def expm_multiply_tangent(
    y: Any,
    A: Any,
    B: Any,
    start: Any = None,
    stop: Any = None,
    num: Any = None,
    endpoint: Any = None,
    traceA: Any = None,
    *,
    A_dot: Any,
    B_dot: Any,
) -> Any:
    """The same derivative, forward."""
    moved = only_if(start is None, A_dot, "expm_multiply(start=...)")
    return (
        matrix_function_along("expm", A, moved) @ B,
        scipy_expm_multiply(A, B_dot, start, stop, num, endpoint),
    )
