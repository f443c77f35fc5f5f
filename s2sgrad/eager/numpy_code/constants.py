"""NumPy's functions called on traced values that no derivative hangs on."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.own_errors import plain_call
from s2sgrad.eager.tensors.tensor import Tensor, floats, wrap


def are_all(value: Any) -> bool:
    """Whether no derivative hangs on nested arguments, and no function among them can add one."""
    if isinstance(value, (list, tuple)):
        return all(map(are_all, value))
    if isinstance(value, dict):
        return all(map(are_all, value.values()))
    if isinstance(value, Tensor):
        return not value.requires_grad and type(value._array) is np.ndarray
    return not callable(value) or isinstance(value, type)


def called(function: Any, args: Any, kwargs: Any) -> Any:
    """What NumPy makes of constants, with or without a rule; its arrays of floats as tensors."""
    return wrapped(plain_call(function, args, kwargs))


def arrays_of(values: Any, kind: Any) -> list[Any] | None:
    """The arrays of traced values (of class `kind`) and arrays that are constants; None if not."""
    found = []
    for value in values:
        cls: Any = type(value)
        if cls is kind:
            t = value.tensor
            if t.requires_grad or type(t._array) is not np.ndarray:
                return None
            value = t._array.item() if value.number else t._array
        elif cls not in _PLAIN and not isinstance(value, np.generic):
            return None
        found.append(value)
    return found


_PLAIN = (np.ndarray, float, int, bool, complex)


def wrapped(value: Any) -> Any:
    """Arrays of floats as tensors, in tuples and lists too."""
    if type(value) is np.ndarray and floats(value.dtype):
        return wrap(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(wrapped, value))
    return type(value)(map(wrapped, value)) if type(value) in (list, tuple) else value
