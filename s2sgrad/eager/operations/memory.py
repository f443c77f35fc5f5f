"""Methods that give a tensor other memory: `resize_`, `resize_as_`, `set_`."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.tensors.inplace import check_inplace
from s2sgrad.eager.tensors.tensor import Tensor


def resize_(t: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Another shape: as many entries as fit, further ones are zeros (in torch: anything)."""
    if t._edge() is not None:
        raise RuntimeError("cannot resize variables that require grad")
    shape = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    made = np.zeros(shape, t._array.dtype)
    count = min(made.size, t._array.size)
    made.reshape(-1)[:count] = t._array.reshape(-1)[:count]
    t._array = made
    t._vc[0] += 1
    return t


def resize_as_(t: Tensor, other: Tensor, memory_format: Any = None) -> Tensor:
    """`resize_` to the shape of another tensor."""
    return resize_(t, other._array.shape)


def set_(t: Tensor, source: Tensor) -> Tensor:
    """The memory of another tensor."""
    check_inplace(t)
    if source._array.dtype != t._array.dtype:
        words = [v.dtype.c_name for v in (source, t)]
        raise RuntimeError(
            f"Could not set tensor of type {words[0]} to a tensor of type {words[1]}"
        )
    t._array = source._array
    t._vc[0] += 1
    return t


METHODS = {"resize_": resize_, "resize_as_": resize_as_, "set_": set_}
