"""Numba's versions of what tells which of several writes to places of an array last."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from s2sgrad_runtime import places
from s2sgrad_runtime.numba_layouts import helper

FEW = 16  # places that are compared with each other, where the array is much longer


@helper
def _last_at(places: Any, count: int) -> Any:
    n = len(places)
    last = np.ones(n, np.bool_)
    if n <= FEW and n * n < count:
        for k in range(n):
            for later in range(k + 1, n):
                if (places[k] - places[later]) % count == 0:
                    last[k] = False
        return last
    writer = np.empty(count, np.int64)
    for k in range(n):
        writer[places[k]] = k
    for k in range(n):
        last[k] = writer[places[k]] == k
    return last


@overload(places.last_at, strict=False)
def last_at(places: Any, count: Any) -> Any:
    return (
        (lambda places, count: _last_at(places, count)) if isinstance(places, types.Array) else None
    )


@overload(places.last_at_both, strict=False)
def last_at_both(rows: Any, columns: Any, height: Any, width: Any) -> Any:
    def last(rows: Any, columns: Any, height: Any, width: Any) -> Any:
        joint = np.empty(len(rows), np.int64)
        for k in range(len(rows)):
            joint[k] = (rows[k] % height) * width + columns[k] % width
        return _last_at(joint, height * width)

    return last
