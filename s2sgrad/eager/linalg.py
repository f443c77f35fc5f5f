"""`torch.linalg` by the rules of `np.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.named import LINALG, known
from s2sgrad.eager.products import torch_matmul as matmul
from s2sgrad.eager.record import apply, op_of
from s2sgrad.eager.reducing import norm as _norm
from s2sgrad.eager.shaping import diagonal
from s2sgrad.eager.tensor import Tensor

globals().update(known(LINALG))
LinAlgError = np.linalg.LinAlgError

__all__ = ["LinAlgError", "diagonal", "matmul", "matrix_norm", "norm", "vector_norm", *LINALG]


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
    op = op_of(np.linalg.norm, "LinalgVectorNormBackward0")
    return apply(op, (A,), {"ord": ord, "axis": tuple(dim), "keepdims": keepdim})


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The norm of a vector or matrix; without `ord`, of all entries."""
    if ord is None or (isinstance(dim, int) or (dim is None and A._array.ndim == 1)):
        return _norm(A, 2 if ord is None else ord, dim, keepdim)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)
