"""Entries in the order in which an array lies in memory, as `np.nditer` takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["as_it_lies", "as_it_stands", "order_in_memory"]


def order_in_memory(a: Any) -> np.ndarray:
    """Which entry of `a`, counted in C order, `np.nditer(a)` takes first, second...

    >>> order_in_memory(np.zeros((2, 3)).T)
    array([0, 2, 4, 1, 3, 5])
    >>> order_in_memory(np.zeros(3)[::-1])
    array([2, 1, 0])
    """
    a = np.asarray(a)
    if a.size == 0:
        raise ValueError("Iteration of zero-sized operands is not enabled")  # as NumPy
    if a.flags.c_contiguous:
        return np.arange(a.size)
    taken = np.nditer(a, flags=["multi_index"])
    places = [taken.multi_index for _ in taken]
    return np.ravel_multi_index(tuple(np.reshape(places, (-1, a.ndim)).T), a.shape)


def as_it_lies(z: Any, a: Any) -> Any:
    """The entries of `z`, which has the shape of `a`, in the order in which those of `a` lie."""
    return np.ravel(z)[order_in_memory(a)]


def as_it_stands(z: Any, a: Any) -> Any:
    """Entries in the order of memory back in the shape of `a`: the transpose of `as_it_lies`."""
    placed = np.empty_like(z)
    placed[order_in_memory(a)] = z
    return np.reshape(placed, np.shape(a))
