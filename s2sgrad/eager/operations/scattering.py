"""Writing along a dim by index: scatter, index_add and their like, out of place and in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import bottom
from s2sgrad.eager.operations.primitives import index_put
from s2sgrad.eager.operations.shaping import axis_of, grid
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.tensors.inplace import check_inplace, write
from s2sgrad.eager.tensors.tensor import Tensor, wrap


def _put(name: str, input: Tensor, index: Any, source: Any, accumulate: bool) -> Tensor:
    if not isinstance(source, Tensor):
        source = wrap(np.asarray(source, input._array.dtype))
    return apply(op_of(index_put, name), (input, source, index, accumulate), {})


def _part(source: Any, index: Tensor) -> Any:
    """The corner of `source` that has the shape of the index."""
    if not isinstance(source, Tensor) or source._array.shape == index._array.shape:
        return source
    return source[tuple(slice(n) for n in index._array.shape)] if source._array.ndim else source


def check_range(input: Tensor, dim: int, index: Tensor) -> None:
    """RuntimeError, as in torch, for an index that is not there."""
    if not input._array.ndim:
        return
    size, places = input._array.shape[axis_of(dim, input._array.ndim)], bottom(index._array)
    wrong = places[(places < 0) | (places >= size)]
    if wrong.size:
        raise RuntimeError(
            f"index {wrong.flat[0]} is out of bounds for dimension {dim} with size {size}"
        )


def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None,
    reduce: str | None = None,
) -> Tensor:  # fmt: skip
    """`input` with `src` (or one value) stored where `index` says along `dim`."""
    source = value if src is None else src
    check_range(input, dim, index)
    where = grid(index._array, axis_of(dim, input._array.ndim))
    name = "ScatterBackward0" if isinstance(source, Tensor) else "ScatterBackward1"
    return _put(name, input, where, _part(source, index), reduce == "add")


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """`input` with `src` added where `index` says along `dim`."""
    check_range(input, dim, index)
    where = grid(index._array, axis_of(dim, input._array.ndim))
    return _put("ScatterAddBackward0", input, where, _part(src, index), True)


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """`input` with slices of `source` added at `index` along `dim`."""
    where = (*(slice(None),) * axis_of(dim, input._array.ndim), index._array)
    return _put("IndexAddBackward0", input, where, source if alpha == 1 else source * alpha, True)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """`input` with slices of `source` stored at `index` along `dim`."""
    where = (*(slice(None),) * axis_of(dim, input._array.ndim), index._array)
    return _put("IndexCopyBackward0", input, where, source, False)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """`input` with one value in the slices at `index` along `dim`."""
    where = (*(slice(None),) * axis_of(dim, input._array.ndim), index._array)
    return _put("IndexFillBackward0", input, where, value, False)


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """`input` with the entries of `source`, in order, where the mask holds."""
    held = np.broadcast_to(mask._array, input._array.shape)
    values = source.reshape(-1)[: int(held.sum())]
    return _put("MaskedScatterBackward0", input, held, values, False)


def _in_place(function: Any) -> Any:
    def method(t: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_inplace(t)
        return write(t, function(t, *args, **kwargs))

    method.__name__ = method.__qualname__ = f"{function.__name__}_"
    return method


FUNCTIONS: dict[str, Any] = {
    f.__name__: f for f in (scatter, scatter_add, index_add, index_copy, index_fill, masked_scatter)
}
for _name, _function in FUNCTIONS.items():
    setattr(Tensor, _name, _function)
    setattr(Tensor, f"{_name}_", _in_place(_function))
