"""Floor 4: objects that answer otherwise than their base class: the compiler would not see it."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from s2sgrad.errors import UnsupportedError

_ARRAYS = (np.ndarray, np.memmap, np.recarray)
_HARMLESS = frozenset(
    {
        "__init__", "__new__", "__repr__", "__doc__", "__hash__", "__class_getitem__",
        "__init_subclass__", "__reduce__", "__reduce_ex__", "__getstate__", "__sizeof__",
        "__getnewargs__", "__subclasshook__", "__dir__", "__format__", "__str__",
    }
)  # fmt: skip


def refuse_other_array(value: Any) -> None:
    """Raise TypeError for arrays of a class whose operators are its own.

    The `*` of np.matrix is a product of matrices, masked arrays leave entries out, and arrays
    with units convert: a gradient by NumPy's rules would be another function's.
    """
    if isinstance(value, np.ndarray) and type(value) not in _ARRAYS:
        cls = type(value)
        raise TypeError(
            f"can't differentiate through a {cls.__module__.split('.')[0]} {cls.__name__}: "
            "its operations are not those of a plain array; pass np.asarray(x)"
            + (" and a mask for np.where" if isinstance(value, np.ma.MaskedArray) else "")
        )


def refuse_own_ways(value: Any) -> None:
    """Refuse containers with methods of their own in place of Python's, and objects with a
    `__getattribute__`: what they answer can't be read from what they hold.

    Raises TypeError for containers; UnsupportedError for objects, which tensors may go through.
    """
    cls = type(value)
    base = next((b for b in (list, tuple, dict) if issubclass(cls, b)), None)
    if base is None:
        if isinstance(cls.__getattribute__, types.FunctionType):
            raise UnsupportedError(
                f"'{cls.__name__}' has a __getattribute__ of its own", None,
                "what the object answers can't be read from what it holds",
                "pass plain data: a dict of numbers and arrays",
            )  # fmt: skip
        return
    names = own_ways(cls, base)
    if names:
        raise TypeError(
            f"can't differentiate through a {cls.__name__}, which has a {names[0]} of its own: "
            + (
                "make it a dataclass with the same fields and methods"
                if hasattr(cls, "_fields")
                else f"pass a plain {base.__name__}"
            )
        )


def own_ways(cls: type, base: type) -> list[str]:
    """Methods of Python's containers that a class defines anew."""
    own = [c for c in cls.__mro__[: cls.__mro__.index(base)] if c.__module__ != "collections"]
    known = _HARMLESS.union(getattr(cls, "_fields", ()))  # `count` of a named tuple, say
    return [n for c in own for n in vars(c) if n in vars(base) and n not in known]
