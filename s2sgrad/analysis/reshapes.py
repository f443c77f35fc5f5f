"""Floor 3: the type of a reshape whose lengths can't be shown to fit.

`x.reshape(2, 2)` of `x: [n]` works for one n only, so that samples of other sizes tell nothing.
The rank, and what is written in place of a length, are known all the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.ir import sizes
from s2sgrad.ir.types import Array, Scalar, Tuple, Type


def reshaped_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Array | None:
    """The type that a call of `np.reshape` gives if it works; None for other calls."""
    if function is not np.reshape or not args:
        return None
    whole = args[0]
    wanted = args[1] if len(args) > 1 else kwargs.get("shape")
    if not isinstance(whole, Array):
        return None
    if isinstance(wanted, Scalar):
        wanted = Tuple((wanted,))
    if not isinstance(wanted, Tuple) or not all(isinstance(i, Scalar) for i in wanted.items):
        return None
    return Array(whole.dtype, tuple(map(_length, wanted.items)))


def _length(kind: Type) -> sizes.Size | None:
    """A length as it is given; None for -1, and for one that is not known."""
    assert isinstance(kind, Scalar)
    if type(kind.value) is int:
        return sizes.of(kind.value) if kind.value >= 0 else None
    size = kind.size
    return size if size is not None and size.letters() else None


__all__ = ["reshaped_type"]
