"""Numbers of two bytes: functions compute them in float32 and round their result once."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import ARRAYS


def two_bytes(arrays: list[Any]) -> Any:
    """The one dtype of two bytes that all floating arrays have, else None.

    Functions compute such values in float32 and round their result once, as in torch.
    """
    found = None
    for array in arrays:
        if array.__class__ in ARRAYS and array.dtype.kind in "fcV":
            if array.dtype.itemsize != 2 or found not in (None, array.dtype):
                return None
            found = array.dtype
    return found


def widened(value: Any) -> Any:
    """A floating array of two-byte numbers as float32; anything else as it is."""
    if value.__class__ in ARRAYS and value.dtype.kind in "fV" and value.dtype.itemsize == 2:
        return value.astype(np.float32)
    return value


def narrowed(result: Any, short: Any) -> Any:
    """float32 results in a dtype of two bytes again."""
    if isinstance(result, (list, tuple)):
        made = [narrowed(r, short) for r in result]
        return type(result)(*made) if hasattr(result, "_fields") else type(result)(made)
    if isinstance(result, (*ARRAYS, np.generic)) and result.dtype == np.float32:
        return result.astype(short)
    return result
