"""Which of several writes to places of an array last, for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.numba_layouts import helper

FEW = 16  # places that are compared with each other, where the array is much longer


@helper
def last_at(places: Any, count: int) -> Any:
    """Whether no later one of these places, of so many, is the same one."""
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


@helper
def last_at_both(rows: Any, columns: Any, height: int, width: int) -> Any:
    """The same of the entries of a matrix at pairs of places."""
    joint = np.empty(len(rows), np.int64)
    for k in range(len(rows)):
        joint[k] = (rows[k] % height) * width + columns[k] % width
    return last_at(joint, height * width)


__all__ = ["last_at", "last_at_both"]
