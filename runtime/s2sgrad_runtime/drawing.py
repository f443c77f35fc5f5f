"""Random numbers that the program draws, where more than their values is needed."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["shuffled_places"]


def shuffled_places(rng: Any, count: int) -> np.ndarray:
    """Where the items come from when `rng` shuffles a list of this length."""
    places = list(range(count))
    rng.shuffle(places)
    return np.array(places, dtype=np.int64)
