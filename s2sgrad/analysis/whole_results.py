"""Floor 3: the dtype of what a function makes of integers, where nothing else is known of it.

What writes into an array of integers is rounded, and has no derivative.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.samples import Samples, holds_integers, run
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
    is_float_dtype,
)
from s2sgrad.rules.declare import lookup


def whole_result(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """Numbers of a dtype of integers, where a run on lists of one length and matrices says so: of
    integers, or of places and tests of any numbers."""
    given = (*args, *kwargs.values())
    rule = lookup(function)
    places = rule is not None and rule.kind == "none"
    if not places and (not any(map(_of_integers, given)) or any(map(_of_others, given))):
        return None
    try:
        found = run(function, tuple(map(_sampled, args)), kwargs, Samples(alike=True), 0)
    except Exception:
        return None
    if isinstance(found, np.ndarray | np.generic) and found.dtype.kind in "biu":
        is_array = np.ndim(found) > 0 and all(map(_of_known_rank, given))
        return Array(str(found.dtype), None) if is_array else Number(str(found.dtype))
    return None


def _of_known_rank(kind: Type) -> bool:
    match kind:
        case Tuple(items=items):
            return all(map(_of_known_rank, items))
        case List(item=item):
            return _of_known_rank(item)
    return isinstance(kind, Scalar | Known) or (isinstance(kind, Array) and kind.shape is not None)


def _of_integers(kind: Type) -> bool:
    whole = isinstance(kind, Number) and kind.dtype is not None
    return (whole and not is_float_dtype(kind.dtype)) or holds_integers(kind)  # type: ignore[attr-defined]


def _of_others(kind: Type) -> bool:
    """Whether a value may hold other numbers than integers."""
    match kind:
        case Array(dtype=dtype) | Number(dtype=dtype) | Scalar(dtype=dtype):
            return dtype is None or is_float_dtype(dtype)
        case List(item=item) | Maybe(item=item):
            return _of_others(item)
        case Tuple(items=items):
            return any(map(_of_others, items))
    return isinstance(kind, Dict | Opaque)


def _sampled(kind: Type) -> Type:
    """Axes of one length; a matrix for an array of any rank."""
    if isinstance(kind, Tuple):
        return replace(kind, items=tuple(map(_sampled, kind.items)))
    if isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape is None):
        return Array(kind.dtype, (None, None))
    return replace(kind, shape=(None,) * len(kind.shape or ())) if isinstance(kind, Array) else kind


__all__ = ["whole_result"]
