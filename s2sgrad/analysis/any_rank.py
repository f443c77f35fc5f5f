"""Floor 3: what functions make of an array of which not even the number of axes is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.analysis.samples import Samples, run
from s2sgrad.ir import sizes
from s2sgrad.ir.types import Array, Type

_SHAPES = ((5,), (5, 7), (5, 7, 3))


def array_of_any_rank(
    function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]
) -> Array | None:
    """An array of a dtype, where a vector, a matrix and a stack all give one: `a.astype(float)`."""
    places = [k for k, kind in enumerate(args) if isinstance(kind, Array) and kind.shape is None]
    if len(places) != 1:
        return None
    dtypes = set()
    for shape in _SHAPES:
        one = Array(args[places[0]].dtype, tuple(map(sizes.of, shape)))  # type: ignore[attr-defined]
        given = (*args[: places[0]], one, *args[places[0] + 1 :])
        try:
            found = run(function, given, kwargs, Samples(), 0)
        except Exception:
            return None
        if not isinstance(found, np.ndarray) or not found.ndim:
            return None
        dtypes.add(str(found.dtype))
    return Array(dtypes.pop(), None) if len(dtypes) == 1 else None


__all__ = ["array_of_any_rank"]
