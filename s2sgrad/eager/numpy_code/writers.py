"""NumPy's functions that write into their first argument, for tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.errors import MissingRuleError, UnsupportedError

Function = Any


def no_history() -> UnsupportedError:
    """What is raised where a tensor is written into an array."""
    return UnsupportedError(
        "writing what carries a derivative into an array",
        why="an array can't keep the history of what is written to it",
        fix="write into a tensor: np.zeros_like(t) of a tensor t, or t.clone()",
    )


def into(function: Function) -> Function:
    """The function for a target that is a tensor; an array can't keep a history."""

    def write(target: Any, *args: Any, **kwargs: Any) -> None:
        if not isinstance(target, Tensor):
            raise no_history()
        function(target, *map(joined, args), **{k: joined(v) for k, v in kwargs.items()})

    write.__name__ = function.__name__
    return write


def joined(value: Any) -> Any:
    """A list or tuple with tensors among its entries as one tensor."""
    if not isinstance(value, (list, tuple)):
        return value
    parts = [joined(part) for part in value]
    return np.stack(parts) if any(isinstance(part, Tensor) for part in parts) else value


def plain(value: Any) -> Any:
    """The array of a tensor that says where to write."""
    return value._array if isinstance(value, Tensor) else np.asarray(value)


def spread(values: Any, shape: tuple[int, ...]) -> Any:
    """The values broadcast to a shape."""
    return values.expand(shape) if isinstance(values, Tensor) else np.broadcast_to(values, shape)  # type: ignore[attr-defined]


def repeated(values: Any, count: int) -> Any:
    """The first `count` entries of the values put end to end again and again."""
    flat = values.reshape(-1) if isinstance(values, Tensor) else np.ravel(values)  # type: ignore[attr-defined]
    return flat[np.arange(count) % len(flat)]


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """`dst[...] = src`, where a mask says so."""
    if where is True:
        dst[...] = src
        return
    mask = np.broadcast_to(plain(where), dst._array.shape)
    dst[mask] = spread(src, dst._array.shape)[mask]


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Entries replaced at places counted over all entries."""
    size = a._array.size
    places = plain(ind).reshape(-1)
    if mode != "raise":
        places = places % size if mode == "wrap" else np.clip(places, 0, size - 1)
    places = np.where(places < 0, places + size, places)
    a[np.unravel_index(places, a._array.shape)] = repeated(v, places.size)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """Entries replaced where a mask holds, by the values at the same place (or repeated)."""
    held = plain(mask).astype(bool)
    a[held] = repeated(values, a._array.size)[np.flatnonzero(held)]


def place(arr: Any, mask: Any, vals: Any) -> None:
    """Entries replaced where a mask holds, by one value after the other."""
    held = plain(mask).astype(bool)
    arr[held] = repeated(vals, int(held.sum()))


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """Entries replaced at the places that indices name along an axis."""
    where = plain(indices)
    if axis is None:
        put(arr, where, values)
        return
    shape = arr._array.shape
    grid = list(np.ogrid[tuple(slice(n) for n in shape)])
    grid[axis] = where
    full = np.broadcast_shapes(*(g.shape for g in grid))
    arr[tuple(grid)] = spread(values, full)


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """The main diagonal replaced."""
    if wrap:
        raise MissingRuleError("np.fill_diagonal", why="wrap=True is not supported")
    places = np.arange(min(a._array.shape))
    a[(places,) * a._array.ndim] = repeated(val, places.size)


WRITERS: dict[Any, Any] = {
    getattr(np, f.__name__): into(f)
    for f in (copyto, put, putmask, place, put_along_axis, fill_diagonal)
}
