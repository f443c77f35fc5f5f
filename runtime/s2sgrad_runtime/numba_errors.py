"""A short text where Numba would compile twenty functions to write a long one.

Each `a[...] = b` of arrays comes with code that puts the lengths into the message of an error. It
takes Numba longer to compile than all else in a small function. An error in our code is raised once
more in Python, with NumPy's own words.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload
from numba.np import arrayobj

from s2sgrad_runtime.numba_parts import helpers_as_parts

__all__ = ["short_errors"]


def _raise_mismatch(source: Any, target: Any) -> None:
    """What raises an error for lengths that differ."""
    raise NotImplementedError


@overload(_raise_mismatch, strict=False)
def _overload(source: Any, target: Any) -> Any:
    def mismatch(source: Any, target: Any) -> None:
        raise ValueError("cannot assign slice from input of different size")

    return mismatch


@contextlib.contextmanager
def short_errors() -> Iterator[None]:
    """While our code is compiled: for other code Numba's text stays what it is."""
    with global_compiler_lock:
        kept = getattr(arrayobj, "raise_with_shape_context", None)
        if kept is not None:
            arrayobj.raise_with_shape_context = _raise_mismatch
        try:
            with helpers_as_parts():
                yield
        finally:
            if kept is not None:
                arrayobj.raise_with_shape_context = kept
