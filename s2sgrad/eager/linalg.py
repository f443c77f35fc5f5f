"""`torch.linalg` by the rules of `np.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations import shaping
from s2sgrad.eager.operations.linalg_errors import _LinAlgError
from s2sgrad.eager.operations.named import FUNCTIONS, LINALG, known, resolved, return_type
from s2sgrad.eager.operations.products import torch_matmul as matmul
from s2sgrad.eager.operations.reducing import norm as _norm
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.tensor import Tensor, wrap

globals().update(known(LINALG))


def complex_first(function: Any) -> Any:
    """The function of the matrix as a complex one: eigenvalues are complex in torch."""

    def call(A: Tensor, **options: Any) -> Any:
        given: Any = A
        kind = A._array.dtype.kind
        return function(
            given if kind == "c" else given.to(complex_dtype(A._array.dtype)), **options
        )

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    return call


def complex_dtype(real: Any) -> Any:
    """The complex type whose parts are of this type."""
    return dtypes.from_numpy(np.result_type(real, np.complex64))


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The diagonals of the matrices in the last two dims, as a view."""
    return shaping.diagonal(A, offset, dim1, dim2)


eig, eigvals = (complex_first(globals()[name]) for name in ("eig", "eigvals"))
LinAlgError = _LinAlgError

__all__ = [
    "LinAlgError", "diagonal", "lstsq", "matmul", "matrix_norm", "norm", "solve_triangular",
    "vander", "vector_norm", *LINALG,
]  # fmt: skip
Lstsq = return_type("linalg_lstsq", "solution residuals rank singular_values")


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None) -> Any:
    """The least squares solution of A X = B."""
    op = op_of(np.linalg.lstsq, "LinalgLstsqBackward0")
    solution, _, rank, _ = apply(op, (A, B), {"rcond": rcond})
    none = A.new_zeros(0)  # type: ignore[attr-defined]
    return Lstsq(solution, none, wrap(np.asarray(rank)), none)


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """X with A X = B (left) or X A = B, for a triangular A."""
    if not left:
        flipped = solve_triangular(A.mT, B.mT, upper=not upper, unitriangular=unitriangular)
        return flipped.mT
    op = op_of(resolved("scipy.linalg.solve_triangular"), "LinalgSolveTriangularBackward0")
    return apply(op, (A, B), {"lower": not upper, "unit_diagonal": unitriangular})


def vander(x: Tensor, N: Any = None) -> Tensor:
    """The powers of the entries of x, from 0 up, one a column."""
    made = FUNCTIONS["vander"](x, N=N, increasing=True)
    return named_as(made, "CumprodBackward0")  # type: ignore[no-any-return]


def vector_norm(x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The p-norm of all entries, or along `dim`."""
    return _norm(x, ord, dim, keepdim)


def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    dim: tuple[int, int] = (-2, -1),
    keepdim: bool = False,
) -> Tensor:
    """The norm of each matrix: "fro", "nuc", 1, 2, inf and their negatives."""
    if ord == "fro":
        return _norm(A, 2, dim, keepdim)
    if isinstance(ord, str) and ord != "nuc":
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    op = op_of(np.linalg.norm, "LinalgVectorNormBackward0")
    return apply(op, (A,), {"ord": ord, "axis": tuple(dim), "keepdims": keepdim})


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The norm of a vector or matrix; without `ord`, of all entries."""
    if ord in ("fro", "nuc") and A._array.ndim < 2:
        raise RuntimeError(
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions."
        )
    if ord is None or (isinstance(dim, int) or (dim is None and A._array.ndim == 1)):
        return _norm(A, 2 if ord is None else ord, dim, keepdim)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)
