"""Lists of traced numbers where functions take them for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np


def joined(value: Any) -> Any:
    """Nested lists of traced and plain numbers as one traced array."""
    if isinstance(value, (list, tuple)):
        return np.stack([joined(v) for v in value])
    return value


def holds_traced(value: Any) -> bool:
    """Whether a value is a list with a number in it that is traced."""
    if isinstance(value, (list, tuple)):
        return any(holds_traced(v) or _is_traced(v) for v in value)
    return False


def _is_traced(value: Any) -> bool:
    return hasattr(type(value), "__array_function__") and not isinstance(value, np.ndarray)


def is_row(value: Any) -> bool:
    """Whether a value is a list without lists or arrays in it."""
    return isinstance(value, (list, tuple)) and not any(
        isinstance(v, (list, tuple)) or getattr(v, "ndim", 0) for v in value
    )


def is_ragged(value: Any) -> bool:
    """Whether a value is a list of arrays or lists of several lengths, or of these and numbers."""
    if not isinstance(value, (list, tuple)):
        return False
    deep = (getattr(v, "ndim", isinstance(v, (list, tuple))) for v in value)
    return len({len(v) if d else -1 for v, d in zip(value, deep, strict=True)}) > 1


def joined_each(
    rule: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of an elementwise function, lists among them as arrays."""
    named = {k: _as_array(v) if k in rule.parameters else v for k, v in kwargs.items()}
    return tuple(map(_as_array, args)), named


def _as_array(value: Any) -> Any:
    """A list as an array, that of no items too."""
    return np.array(value) if isinstance(value, (list, tuple)) and not value else joined(value)


def with_axes(made: Any, count: int) -> Any:
    """A view of an array that has so many axes at least, of length 1 in front."""
    lead = count - made.ndim
    return made if lead <= 0 else made.reshape((1,) * lead + made.shape)


__all__ = ["holds_traced", "joined", "joined_each", "with_axes"]
