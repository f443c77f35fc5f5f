"""Methods of traced values that NumPy has no function for: most of them write in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad.eager.numpy_code.losses import lost


def fill(self: Any, value: Any) -> None:
    """Overwrite with one value."""
    self[...] = value


def sort(self: Any, axis: int = -1, **options: Any) -> None:
    """Sort in place."""
    self[...] = np.sort(self, axis=axis, **options)


def item(self: Any, *place: Any) -> Any:
    """One entry as Python's own number."""
    flat = np.ravel(self)
    if place:
        places = np.arange(self.size).reshape(self.shape).item(*place)
        return flat[places].tolist()
    if self.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return flat[0].tolist()


def is_integer(self: Any) -> bool:
    """Whether a number is a whole one."""
    return bool(self.tensor._array.item().is_integer())


def partition(self: Any, kth: Any, axis: int = -1, **options: Any) -> None:
    """Put the entries in such an order that the kth is where sorting puts it."""
    self[...] = np.partition(self, kth, axis=axis, **options)


def resize(self: Any, *shape: Any, refcheck: bool = True) -> None:
    """Another shape for as many entries."""
    wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    if np.prod(wanted, dtype=int) != self.size:
        raise lost(".resize to another number of entries")
    self.shape = wanted


def put(self: Any, indices: Any, values: Any, mode: str = "raise") -> None:
    """Overwrite the entries at places counted over all entries."""
    np.put(self, indices, values, mode)  # type: ignore[arg-type]


for _method in (fill, sort, item, is_integer, partition, resize, put):
    setattr(Traced, _method.__name__, _method)
