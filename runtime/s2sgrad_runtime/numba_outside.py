"""What compiled code gets back from a piece of it that Python ran."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["compiled_form", "complex_form"]


def compiled_form(value: Any) -> Any:
    """The value as compiled code holds it: arrays in C order, lists of parts as tuples."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value) if value.ndim else value[()]
    if isinstance(value, list | tuple):
        return tuple(compiled_form(item) for item in value)
    return value.item() if isinstance(value, np.bool_) else value


def complex_form(value: Any) -> Any:
    """The same, with real arrays made complex: the function gives either, by its values."""
    if isinstance(value, list | tuple):
        return tuple(complex_form(item) for item in value)
    return compiled_form(np.asarray(value) * np.complex64(1.0))
