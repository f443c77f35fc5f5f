"""What a nest of Python values becomes: its shape, its dtype, torch's errors for the rest."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.tensor import Tensor

NUMBERS = {bool, int, float, complex}


def as_array(data: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """A fresh array of `data` (numbers, nested sequences, arrays, tensors) in `dtype`, or its own.

    dtype: ours, or None for the type torch gives such data: that of an array or tensor, the
    default for Python floats, and for a sequence the one that all its entries convert to.
    """
    if isinstance(data, (Tensor, np.ndarray, np.generic)):
        own = data._array if isinstance(data, Tensor) else np.asarray(data)
        return cast(own, dtypes.from_numpy(own.dtype) if dtype is None else dtype)
    shape, entries = flattened(data)
    kinds = set(map(type, entries))
    if kinds <= NUMBERS:
        target = of_numbers(kinds) if dtype is None else dtype
    else:
        target = of_entries(entries) if dtype is None else dtype
        entries = [e if type(e) in NUMBERS else number_of(e) for e in entries]
        kinds = set(map(type, entries))
    return from_numbers(entries, kinds, target).reshape(shape)


def flattened(data: Any) -> tuple[tuple[int, ...], list[Any]]:
    """(shape, entries) of nested sequences; ValueError where their lengths differ."""
    if isinstance(data, str):
        refuse(data)
    shape: list[int] = []
    level: list[Any] = [data]
    while level and is_sequence(level[0]):
        size = len(level[0])
        for part in level:
            if isinstance(part, str):
                refuse(part)
            if not is_sequence(part):
                raise TypeError("not a sequence")
            if len(part) != size:
                raise ValueError(
                    f"expected sequence of length {size} at dim {len(shape)} (got {len(part)})"
                )
        shape.append(size)
        level = list(chain.from_iterable(level))
    if not set(map(type, level)) <= NUMBERS:
        for part in level:
            if isinstance(part, str):
                refuse(part)
            if is_sequence(part):
                raise not_a_number(part, level[0])
    return tuple(shape), level


def not_a_number(part: Any, first: Any) -> TypeError:
    """The error for a sequence where a number is expected."""
    name = type(part).__name__
    if isinstance(first, int):
        return TypeError(f"'{name}' object cannot be interpreted as an integer")
    return TypeError(f"must be real number, not {name}")


def is_sequence(value: Any) -> bool:
    """Whether a value is taken apart: lists and their like, arrays with axes."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    if isinstance(value, str):
        raise ValueError("too many dimensions 'str'")
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (Tensor, np.generic, bytes, dict)):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def of_numbers(kinds: set[Any]) -> dtypes.dtype:
    """The type of Python numbers of these kinds together."""
    if complex in kinds:
        return dtypes.default_complex()
    if float in kinds or not kinds:
        return dtypes.get_default_dtype()
    return dtypes.int64 if int in kinds else dtypes.bool_


def of_entries(entries: list[Any]) -> Any:
    """The type that all entries convert to, tensors and NumPy's scalars among them."""
    found: Any = None
    for entry in entries:
        if isinstance(entry, (Tensor, np.ndarray, np.generic)):
            array = entry._array if isinstance(entry, Tensor) else entry
            own = dtypes.from_numpy(array.dtype)
        elif isinstance(entry, (bool, int, float, complex)):
            own = dtypes.python_scalar_dtype(entry)
        else:
            refuse(entry)
        found = own if found is None else dtypes.promote_types(found, own)
    return found


def number_of(entry: Any) -> Any:
    """The Python number that an entry stands for."""
    if isinstance(entry, Tensor):
        if entry.requires_grad:
            float(entry)  # warns
        if entry._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return entry.item()
    if isinstance(entry, (np.ndarray, np.generic)):
        return entry.item()
    if not isinstance(entry, (bool, int, float, complex)):
        refuse(entry)
    return entry


def from_numbers(entries: list[Any], kinds: set[Any], target: dtypes.dtype) -> Any:
    """Python numbers as an array of this type, with torch's errors for those it cannot hold."""
    if target.category == dtypes.COMPLEX or target.category == dtypes.BOOLEAN:
        return np.array(entries, target.np)
    if target.category == dtypes.FLOATING:
        if complex in kinds:
            raise TypeError("must be real number, not complex")
        with np.errstate(all="ignore"):
            return np.array(entries, target.np)
    if complex in kinds:
        raise TypeError("'complex' object cannot be interpreted as an integer")
    wholes = entries if kinds <= {int, bool} else [whole(e, target) for e in entries]
    if target.name == "uint64":
        return np.array(wholes, np.uint64)
    try:
        return narrowed(np.array(wholes, np.int64), target)
    except OverflowError:
        raise ValueError("Overflow when unpacking long long") from None


def whole(number: Any, target: dtypes.dtype) -> int:
    """A number without its fraction."""
    if number != number or abs(number) >= 2.0**63:
        raise RuntimeError(f"value cannot be converted to type {target.name} without overflow")
    return int(number)


def narrowed(array: Any, target: dtypes.dtype) -> Any:
    """Whole numbers in a type that holds all of them; unsigned ones may be given as negative."""
    limits = np.iinfo(target.np)
    lowest = -int(limits.max) if target.kind == "u" else int(limits.min)
    if array.size and (array.max() > limits.max or array.min() < lowest):
        raise RuntimeError(f"value cannot be converted to type {target.name} without overflow")
    return array.astype(target.np)


def cast(array: Any, target: dtypes.dtype) -> Any:
    """A copy in another type; nothing is checked, as in C."""
    with np.errstate(all="ignore"):
        if array.dtype.kind == "c" and target.np.kind not in "cb":
            array = array.real
        return array.astype(target.np)


def refuse(value: Any) -> None:
    """Raise for a value that is no number."""
    name = type(value).__name__
    if isinstance(value, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{name}'")
    raise RuntimeError(f"Could not infer dtype of {name}")
