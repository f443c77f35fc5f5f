"""Floor 3: which values are texts, or arrays and lists of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.ir.types import (
    Array,
    Dict,
    Known,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    carries,
    is_number,
)


def only_texts(kind: Type) -> bool:
    """Whether values of a type are texts, or hold nothing else."""
    match kind:
        case Array(dtype=dtype) | Scalar(dtype=dtype):  # or bytes
            return dtype is not None and dtype.startswith(("<U", "str", "|S"))
        case List(item=item) | Maybe(item=item) | Dict(item=item, fields=None):
            return only_texts(item)
        case Tuple(items=items):
            return bool(items) and all(map(only_texts, items))
    return kind == Opaque("str")


def texts_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of an array of texts, which holds no numbers."""
    if function not in (np.array, np.asarray) or len(args) != 1 or kwargs:
        return None
    if isinstance(args[0], Opaque) or not only_texts(args[0]):
        return None
    flat = isinstance(args[0], List) and args[0].item == Opaque("str")
    return Array("<U1", (None,) if flat else None)


def type_of_others(function: Any, args: tuple[Type, ...]) -> Type:
    """What an operator gives for values that are not all numbers."""
    if function is np.add and all(map(_is_text, args)):
        return Opaque("str")
    return Number() if any(_may_be_number(a) or carries(a) for a in args) else Opaque()


def _is_text(kind: Type) -> bool:
    return kind == Opaque("str") or (isinstance(kind, Known) and isinstance(kind.value, str))


def _may_be_number(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_may_be_number, kind.items))
    return _may_be_number(kind.item) if isinstance(kind, List) else is_number(kind)


__all__ = ["only_texts", "texts_type", "type_of_others"]
