"""What a node keeps of its arguments: tensors by value or by shape, in sequences too."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.recording.saved import save, stub
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.tensor import Tensor

_ATOMS = (type(None), bool, int, float, str)


def has_tensor(value: Any) -> bool:
    """Whether a value is a tensor or a list or tuple with one inside."""
    if isinstance(value, (list, tuple)):
        return any(has_tensor(v) for v in value)
    return isinstance(value, Tensor)


def any_edge(args: Any, kwargs: dict[str, Any]) -> bool:
    """Whether an argument (or an entry of one) requires grad."""
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, Tensor):
            if value._edge() is not None:
                return True
        elif isinstance(value, (list, tuple)) and any_edge(value, {}):
            return True
    return False


def plain(value: Any) -> Any:
    """The value with every tensor replaced by its array, every dtype by NumPy's."""
    if value.__class__ in _ATOMS:
        return value
    if isinstance(value, Tensor):
        return value._array
    if isinstance(value, (list, tuple)):
        if type(value) is list or type(value) is tuple:
            return type(value)(plain(v) for v in value)
        return value
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value.np if isinstance(value, dtypes.dtype) else value


class Kept:
    """A saved sequence of values."""

    __slots__ = ("entries", "kind")

    def __init__(self, entries: list[Any], kind: Any) -> None:
        self.entries, self.kind = entries, kind


def keep(value: Any, by_value: bool, by_shape: bool, own: Any = None, node: Any = None) -> Any:
    """One parameter's saved form: a Saved, a stub, a Kept sequence, or a plain value.

    own: "self" for the own result of `node`.
    """
    if value.__class__ in _ATOMS:
        return value
    if isinstance(value, Tensor):
        if by_value:
            return save(value, value._edge() if own is None else own, node)
        return stub(value._array) if by_shape else None
    if isinstance(value, (list, tuple)) and has_tensor(value):
        marks = [own and ("output", i) for i in range(len(value))]
        pairs = zip(value, marks, strict=True)
        return Kept([keep(v, by_value, by_shape, mark, node) for v, mark in pairs], type(value))
    if by_value:
        return unshared(plain(value))
    if value.__class__ is np.ndarray:  # it may be large, and somebody may ask who holds it
        return stub(value) if by_shape else None
    return plain(value)


def unshared(value: Any) -> Any:
    """A plain value whose arrays nobody else can write to: no version counter watches them."""
    if value.__class__ is np.ndarray:
        return value.copy()
    if value.__class__ is list or value.__class__ is tuple:
        return value.__class__(unshared(v) for v in value)
    return value


def has_saved(value: Any) -> bool:
    """Whether a saved form holds a tensor's values."""
    if value.__class__ in _ATOMS:
        return False
    if isinstance(value, Kept):
        return any(has_saved(v) for v in value.entries)
    return hasattr(value, "tensor")


def unpack(value: Any, node: Any, graph: bool) -> Any:
    """A saved form back as array, or as tensor with history."""
    if value.__class__ in _ATOMS:
        return value
    if isinstance(value, Kept):
        entries = [unpack(v, node, graph) for v in value.entries]
        return tuple(entries) if value.kind is tuple else entries
    if hasattr(value, "tensor"):
        return value.tensor(node) if graph else value.value(node)
    return value


__all__ = ["Kept", "has_saved", "has_tensor", "keep", "plain", "unpack"]
