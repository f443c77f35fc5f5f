"""Lists of arrays on their way into compiled code, which gets a list of its own of the same arrays.

Numba's typed lists take 50 microseconds to make, and each item is put in by a call from Python.
Here the list goes over as it is: compiled code takes the arrays out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.cpython import listobj
from numba.extending import NativeValue, models, register_model, unbox


class GivenType(types.List):
    """A list of arrays that was given: Numba's own kind of list, unboxed another way."""

    def __init__(self, item: Any) -> None:
        super().__init__(item, reflected=False)
        self.name = f"given({item})"

    def is_precise(self) -> bool:
        return bool(self.dtype.is_precise())


class Given:
    """Arrays of one dtype and rank, all in C order, for compiled code."""

    __slots__ = ("_numba_type_", "arrays")

    def __init__(self, arrays: list[np.ndarray], kind: GivenType) -> None:
        self.arrays, self._numba_type_ = arrays, kind

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter(self.arrays)


@cache
def given_type(dtype: str, rank: int) -> GivenType:
    """The type of a list of such arrays. Raises NotImplementedError for dtypes Numba lacks."""
    from numba.np.numpy_support import from_dtype

    return GivenType(types.Array(from_dtype(np.dtype(dtype)), rank, "C"))


def packed(dtype: str, rank: int, in_order: Callable[[np.ndarray], np.ndarray]) -> Any:
    """What makes a list of arrays of a dtype and rank ready; raises TypeError for other items.

    in_order: gives an array with its entries in C order."""
    wanted, kind = np.dtype(dtype), given_type(dtype, rank)

    def pack(arrays: Any) -> Given:
        for array in arrays:
            if type(array) is not np.ndarray or array.dtype != wanted or array.ndim != rank:
                raise TypeError("its items are not arrays of one kind")
        return Given([in_order(array) for array in arrays], kind)

    return pack


@register_model(GivenType)
class _Model(models.StructModel):  # type: ignore[misc]
    """As Numba's own lists: the place of the items, and of the list they came from."""

    def __init__(self, manager: Any, kind: Any) -> None:
        payload = types.ListPayload(kind)
        members = [("meminfo", types.MemInfoPointer(payload)), ("parent", types.pyobject)]
        super().__init__(manager, kind, members)


@unbox(GivenType)
def _unbox(kind: Any, value: Any, c: Any) -> NativeValue:
    """A new list with the arrays in it."""
    arrays = c.pyapi.object_getattr_string(value, "arrays")
    count = c.pyapi.list_size(arrays)
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    made, items = listobj.ListInstance.allocate_ex(c.context, c.builder, kind, count)
    with c.builder.if_else(made) as (there, missing):
        with there:
            items.size = count
            with cgutils.for_range(c.builder, count) as loop:
                item = c.pyapi.list_getitem(arrays, loop.index)
                native = c.unbox(kind.dtype, item)
                with c.builder.if_then(native.is_error, likely=False):
                    c.builder.store(cgutils.true_bit, failed)
                items.setitem(loop.index, native.value, incref=False)
        with missing:
            c.builder.store(cgutils.true_bit, failed)
    c.pyapi.decref(arrays)
    return NativeValue(items.value, is_error=c.builder.load(failed))
