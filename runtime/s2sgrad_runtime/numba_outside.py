"""What compiled code gets back from a piece of it that Python ran."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["held"]


def held(value: Any) -> Any:
    """The value as compiled code holds it: arrays in C order, lists of parts as tuples."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value) if value.ndim else value[()]
    if isinstance(value, list | tuple):
        return tuple(held(item) for item in value)
    return value.item() if isinstance(value, np.bool_) else value
