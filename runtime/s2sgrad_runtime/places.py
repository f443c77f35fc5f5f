"""Which of several writes to places of an array last."""

from __future__ import annotations

from typing import Any

import numpy as np


def last_at(places: Any, count: int) -> Any:
    """Whether no later one of these places, of so many, is the same one."""
    writer = np.empty(count, np.int64)
    order = np.arange(len(places))
    writer[places] = order
    return writer[places] == order


def last_at_both(rows: Any, columns: Any, height: int, width: int) -> Any:
    """The same of the entries of a matrix at pairs of places."""
    return last_at((rows % height) * width + columns % width, height * width)


__all__ = ["last_at", "last_at_both"]
