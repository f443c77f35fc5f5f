"""Methods of traced values that NumPy has no function for: most of them write in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced, dispatched
from s2sgrad.eager.numpy_code.losses import lost
from s2sgrad.rules.methods import ATTRIBUTES


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


def copied_as(value: Any, laid: Any) -> Any:
    """A copy of a traced value that lies in memory as an array of its shape does."""
    made: Any = np.copy(value)
    mine = made.flags
    if (mine.c_contiguous, mine.f_contiguous) == (laid.flags.c_contiguous, laid.flags.f_contiguous):
        return made
    if laid.flags.f_contiguous and not laid.flags.c_contiguous:
        turned = value.T
        return np.copy(np.ravel(turned)).reshape(turned.shape).T
    return np.copy(np.ravel(value)).reshape(value.shape)


def copy(self: Any, order: Any = "C") -> Any:
    """A copy in an order of memory; np.copy keeps the array's own."""
    if self.ndim < 2:
        return np.copy(self)
    return copied_as(self, self.tensor._array.copy(order))


def _fact(name: str) -> Any:
    return property(lambda self: getattr(self.tensor._array, name))


def _half(name: str) -> Any:
    """`z.real` and `z.imag`, which can be assigned to."""

    def put(self: Any, value: Any) -> None:
        getattr(self, name)[...] = value

    return property(lambda self: dispatched(ATTRIBUTES[name], (self,), {}), put)


for _name in ("flags", "itemsize", "nbytes", "strides"):
    setattr(Traced, _name, _fact(_name))
for _name in ("real", "imag"):
    setattr(Traced, _name, _half(_name))


for _method in (fill, sort, item, is_integer, partition, resize, put, copy):
    setattr(Traced, _method.__name__, _method)
