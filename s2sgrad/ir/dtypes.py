"""Floor 1: names of dtypes: which carry derivatives, and which one covers two of them."""

from __future__ import annotations

from typing import Any

import numpy as np

_FLOAT_NAMES = ("float", "complex")


def is_float_dtype(dtype: str | None) -> bool:
    """Whether values of a dtype carry derivatives; an unknown dtype may."""
    return dtype is None or dtype.startswith(_FLOAT_NAMES) or dtype in ("longdouble", "bfloat16")


def is_complex_dtype(dtype: str | None) -> bool:
    """Whether a dtype is complex."""
    return dtype is None or dtype.startswith(("complex", "clongdouble"))


def is_long_dtype(dtype: str | None) -> bool:
    """Whether numbers of a dtype have more digits than a double."""
    if dtype is None or not dtype.startswith(_FLOAT_NAMES) or dtype in _FLOAT_NAMES:
        return False
    return np.dtype(dtype).type in (np.longdouble, np.clongdouble)


_ORDER = ("bool", "int", "float", "complex")


def same_number(one: Any, two: Any) -> bool:
    """Whether two constants are the same number: 1 is not 1.0 or True, and 0.0 is not -0.0."""
    return type(one) is type(two) and repr(one) == repr(two)


def joined_dtype(a: str | None, b: str | None) -> str | None:
    """Two dtypes of one variable: the wider where both are Python's, a float if one is."""
    if a == b:
        return a
    if a in _ORDER and b in _ORDER:
        return max(a, b, key=_ORDER.index)
    if a is None or b is None:
        return None
    for one, other in ((a, b), (b, a)):
        if one in _ORDER and (is_float_dtype(other) or one in ("bool", "int")):
            return other if is_float_dtype(other) or not is_float_dtype(one) else one
    weak = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
    return str(np.result_type(weak.get(a, a), weak.get(b, b)))
