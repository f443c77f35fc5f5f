"""Numba's versions of helpers that give an array the shape, kind or order of another one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from s2sgrad_runtime import lying, shapes
from s2sgrad_runtime.numba_optional import helper_overload as _overload

__all__: list[str] = []


def is_array(kind: Any) -> bool:
    """Whether a type is one of arrays."""
    return isinstance(kind, types.Array)


@_overload(shapes.as_cotangent)
def as_cotangent(x_bar: Any, x: Any) -> Any:
    if not is_array(x):
        return None if is_array(x_bar) else lambda x_bar, x: shapes.real_like(x_bar, x)
    if not is_array(x_bar) or not x_bar.ndim:
        return lambda x_bar, x: np.full(x.shape, shapes.real_like(np.sum(x_bar), x[:0].sum()))

    def checked(x_bar: Any, x: Any) -> Any:
        if x_bar.shape != x.shape:
            raise ValueError("a block made another shape of a cotangent")
        return shapes.real_like(x_bar, x)

    return checked if x_bar.ndim == x.ndim else None


@_overload(lying.as_it_lies)
def as_it_lies(z: Any, a: Any) -> Any:
    if not is_array(z):
        return lambda z, a: np.full(1, z)
    if a.ndim != 1 and a.layout != "C":
        return None

    def lying_so(z: Any, a: Any) -> Any:
        if a.size == 0:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        return z[::-1].copy() if a.strides[0] < 0 else z.copy().reshape(-1)

    def as_in_c(z: Any, a: Any) -> Any:
        if a.size == 0:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        return z.copy().reshape(-1)

    return lying_so if a.ndim == 1 else as_in_c


@_overload(lying.as_it_stands)
def as_it_stands(z: Any, a: Any) -> Any:
    if not is_array(a):
        return lambda z, a: z[0]
    if a.ndim == 1:
        return lambda z, a: z.copy() if a.strides[0] >= 0 else z[::-1].copy()
    return (lambda z, a: z.copy().reshape(a.shape)) if a.layout == "C" else None
