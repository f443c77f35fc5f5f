"""Floor 2: rules of scipy.sparse.linalg with constant sparse matrices."""

from __future__ import annotations

from typing import Any

from s2sgrad.rules.declare import structural
from s2sgrad_runtime import only_if, scipy_expm_multiply, scipy_spsolve, sparse_adjoint


@structural("scipy.sparse.linalg.spsolve", holomorphic=False, linear=("b",))
def spsolve_(
    y_bar: Any, y: Any, A: Any, b: Any, permc_spec: Any = None, use_umfpack: Any = True
) -> Any:
    """A solve with the adjoint; A is a constant."""
    return None, scipy_spsolve(sparse_adjoint(A), y_bar)


@structural("scipy.sparse.linalg.expm_multiply", holomorphic=False, linear=("B",))
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
    """exp(A) B: the adjoint's exponential; A is a constant, without start and stop."""
    return None, scipy_expm_multiply(
        sparse_adjoint(A), only_if(start is None, y_bar, "expm_multiply(start=...)")
    )
