"""Seldom used functions of torch's namespace, made of the others."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.operations import misc
from s2sgrad.eager.operations.joining import cat
from s2sgrad.eager.operations.named import FUNCTIONS as NAMED
from s2sgrad.eager.operations.named import LINALG, known
from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.tensors.tensor import Tensor, floats, wrap

_DEPRECATED = (
    "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
    "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
    "multiple parameters."
)


def clamp_min(input: Tensor, min: Any) -> Tensor:
    """Cut to values from `min` up."""
    return named_as(misc.clamp(input, min), "ClampMinBackward0")  # type: ignore[no-any-return]


def clamp_max(input: Tensor, max: Any) -> Tensor:
    """Cut to values up to `max`."""
    return named_as(misc.clamp(input, None, max), "ClampMaxBackward0")  # type: ignore[no-any-return]


def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with all entries on a diagonal."""
    row = input.reshape(-1)  # type: ignore[attr-defined]
    return named_as(row.diag(offset), "DiagEmbedBackward0")  # type: ignore[no-any-return]


def chain_matmul(*matrices: Tensor) -> Any:
    """The product of matrices; `linalg.multi_dot` takes them as a list."""
    warnings.warn(_DEPRECATED, UserWarning, stacklevel=2)
    return matrices[0] if len(matrices) == 1 else _MULTI_DOT(list(matrices))


_MULTI_DOT = known({"multi_dot": LINALG["multi_dot"]})["multi_dot"]


def cholesky_inverse(L: Tensor, upper: bool = False) -> Any:
    """The inverse of the matrix of which L is the Cholesky factor."""
    factor = L.triu() if upper else L.tril()  # type: ignore[attr-defined]
    whole = factor.mT @ factor if upper else factor @ factor.mT
    return named_as(NAMED["inverse"](whole), "CholeskyInverseBackward0")


def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> Any:
    """The slopes along each dim by differences, as a tuple."""
    dims = range(input._array.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    listed = spacing if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    op = op_of(np.gradient, "CatBackward0")
    steps = (s._array if isinstance(s, Tensor) else s for s in listed)
    return tuple(
        apply(op, (input, s), {"axis": d, "edge_order": edge_order})
        for d, s in zip(dims, steps, strict=True)
    )


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Tensor:
    """Differences of neighbours along a dim, n times."""
    axis = axis_of(dim, input._array.ndim)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    parts = [p for p in (prepend, input, append) if p is not None]
    found = cat(parts, axis) if len(parts) > 1 else input
    for _ in range(min(n, found._array.shape[axis])):
        size = found._array.shape[axis]
        later, sooner = (found.narrow(axis, k, size - 1) for k in (1, 0))  # type: ignore[attr-defined]
        found = later ^ sooner if found._array.dtype.kind == "b" else later - sooner
    return found


def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many entries fall into each of `bins` equal parts of [min, max] (or of their range)."""
    array = input._array
    if not floats(array.dtype):
        raise NotImplementedError(
            f"\"histogram_cpu\" not implemented for '{input.dtype.type_name}'"
        )
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    ends = (array.min(), array.max()) if min == max == 0 and array.size else (min, max)
    if not np.isfinite(ends).all():
        raise RuntimeError(f"torch.histc: range of [{ends[0]}, {ends[1]}] is not finite")
    if ends[0] > ends[1]:
        raise RuntimeError("torch.histc: max must be larger than min")
    return wrap(np.histogram(array, bins, ends)[0].astype(array.dtype))  # type: ignore[no-any-return]


def can_cast(from_: Any, to: Any) -> bool:
    """Whether values of one dtype may be stored in another by torch's rules of kinds."""
    order = "buifc"
    kinds = [k.np.kind if k.np.kind in order else "f" for k in (from_, to)]
    return order.index(kinds[0].replace("u", "i")) <= order.index(kinds[1].replace("u", "i"))


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        clamp_min, clamp_max, diagflat, chain_matmul, cholesky_inverse, diff, gradient, histc,
        can_cast,
    )
}  # fmt: skip
for _name in ("clamp_min", "clamp_max", "diagflat", "cholesky_inverse", "diff", "histc"):
    setattr(Tensor, _name, FUNCTIONS[_name])
