"""Functions of torch's namespace that are a few of the others in a row."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from s2sgrad.eager.operations import primitives
from s2sgrad.eager.operations.joining import stack
from s2sgrad.eager.operations.reducing import norm
from s2sgrad.eager.operations.shaping import (
    axis_of,
    diagonal,
    narrow,
    select,
    tensor_split,
    transpose,
)
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.tensors.tensor import Tensor, wrap


def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """The integrals from the first point to each later one along a dim, by trapezoids."""
    axis = axis_of(dim, y._array.ndim)
    n = y._array.shape[axis]
    pairs = narrow(y, axis, 0, n - 1) + narrow(y, axis, 1, n - 1)
    if x is None:
        return (pairs * (dx / 2)).cumsum(axis)  # type: ignore[no-any-return]
    width = x.diff(dim=-1 if x._array.ndim == 1 else axis)
    if x._array.ndim == 1:
        width = width.reshape(-1, *(1,) * (y._array.ndim - axis - 1))
    return named_as((pairs * width).cumsum(axis) / 2, "DivBackward1")  # type: ignore[no-any-return]


def logcumsumexp(input: Any, dim: int) -> Tensor:
    """The logarithms of the running sums of exp(input) along a dim."""
    a, axis = input._array, axis_of(dim, input._array.ndim)
    if a.ndim == 0 or a.size == 0:
        return input.clone()  # type: ignore[no-any-return]
    peak = np.max(a, axis=axis, keepdims=True)
    spread = np.real(peak - np.min(a, axis=axis, keepdims=True))
    made: Any
    if np.all(spread < _SPREAD[a.dtype.itemsize > 4]):
        made = (input - wrap(peak)).exp().cumsum(dim).log() + wrap(peak)
    else:  # beside the largest exponentials the others would be 0
        totals = [select(input, axis, 0)]
        add = _ADD_COMPLEX if a.dtype.kind == "c" else _ADD
        for i in range(1, a.shape[axis]):
            totals.append(apply(add, (totals[-1], select(input, axis, i)), {}))
        made = stack(totals, axis)
    return named_as(made, "LogcumsumexpBackward0")  # type: ignore[no-any-return]


_SPREAD = (40.0, 300.0)  # of exponents, in single and in double precision
_ADD = op_of(np.logaddexp, "LogaddexpBackward0")  # has slopes of any order far apart too
_ADD_COMPLEX = op_of(primitives.logaddexp_array, "LogaddexpBackward0")


def take_along_dim(input: Any, indices: Tensor, dim: int | None = None) -> Tensor:
    """The entries named along a dim; indices and input broadcast. Without `dim`, of all entries."""
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))  # type: ignore[attr-defined, no-any-return]
    axis = axis_of(dim, input._array.ndim)
    whole = list(np.broadcast_shapes(*(
        tuple(1 if i == axis else n for i, n in enumerate(t._array.shape)) for t in (input, indices)
    )))  # fmt: skip
    places = wrap(np.broadcast_to(indices._array, _with(whole, axis, indices)).copy())
    return input.expand(_with(whole, axis, input)).gather(axis, places)  # type: ignore[no-any-return]


def _with(shape: list[int], axis: int, t: Tensor) -> tuple[int, ...]:
    return (*shape[:axis], t._array.shape[axis], *shape[axis + 1 :])


def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of r entries of a vector, one a row."""
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input._array.size), r)), np.int64).reshape(-1, r)
    return named_as(input[wrap(rows)], "StackBackward0")  # type: ignore[no-any-return]


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """The tensors expanded to their common shape."""
    shape = np.broadcast_shapes(*(t._array.shape for t in tensors))
    return tuple(t if t._array.shape == shape else t.expand(shape) for t in tensors)


def places_of(given: tuple[Any, ...]) -> Any:
    """How many pieces, or where to cut: given as one argument, or as several."""
    return given[0] if len(given) == 1 else given


def hsplit(input: Tensor, *places: Any) -> tuple[Tensor, ...]:
    """Pieces along the second dim (the only one of a vector)."""
    return tensor_split(input, places_of(places), 0 if input._array.ndim == 1 else 1)


def vsplit(input: Tensor, *places: Any) -> tuple[Tensor, ...]:
    """Pieces along the first dim."""
    return tensor_split(input, places_of(places), 0)


def dsplit(input: Tensor, *places: Any) -> tuple[Tensor, ...]:
    """Pieces along the third dim."""
    return tensor_split(input, places_of(places), 2)


def fliplr(input: Any) -> Tensor:
    """The second dim turned round."""
    return input.flip(1)  # type: ignore[no-any-return]


def flipud(input: Any) -> Tensor:
    """The first dim turned round."""
    return input.flip(0)  # type: ignore[no-any-return]


def adjoint(input: Tensor) -> Tensor:
    """The conjugate transpose of each matrix."""
    made: Any = transpose(input, -2, -1)
    return made.conj() if input._array.dtype.kind == "c" else made  # type: ignore[no-any-return]


def scattering(part: Any, name: str) -> Any:
    """A copy of a tensor in which the part that a view names is replaced."""

    def scatter(input: Any, src: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        made = input.clone()
        part(made, *args, **kwargs).copy_(src)
        return made  # type: ignore[no-any-return]

    scatter.__name__ = scatter.__qualname__ = name
    return scatter


def sliced(
    input: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """`input[start:end:step]` along a dim."""
    lead = (slice(None),) * axis_of(dim, input._array.ndim)
    return input[(*lead, slice(start, end, step))]


def put(input: Any, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """A copy with entries replaced (or added to) at places counted over all entries."""
    flat = input.reshape(-1).index_put((index,), source, accumulate)
    return named_as(flat.reshape(input._array.shape), "PutBackward0")  # type: ignore[no-any-return]


def nuclear_or_norm(input: Tensor, p: Any = "fro", *args: Any, **kwargs: Any) -> Tensor:
    """The p-norm of all entries, or along `dim`; "nuc" is the sum of singular values."""
    if p != "nuc":
        return norm(input, p, *args, **kwargs)
    from s2sgrad.eager.linalg import matrix_norm

    return matrix_norm(input, "nuc", *args, **kwargs)


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        cumulative_trapezoid, logcumsumexp, take_along_dim, combinations, broadcast_tensors,
        hsplit, vsplit, dsplit, fliplr, flipud, adjoint, put,
        scattering(select, "select_scatter"), scattering(sliced, "slice_scatter"),
        scattering(diagonal, "diagonal_scatter"),
    )
}  # fmt: skip
FUNCTIONS["norm"] = nuclear_or_norm
for _name, _function in FUNCTIONS.items():
    if _name not in ("combinations", "broadcast_tensors", "cumulative_trapezoid"):
        setattr(Tensor, _name, _function)
