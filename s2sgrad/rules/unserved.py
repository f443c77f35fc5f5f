"""Floor 2: values of arguments for which a rule does not serve, so that other code is read."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np


class Given:
    """All values of an argument but None."""

    def __contains__(self, value: Any) -> bool:
        return value is not None


class OutOfOrder:
    """Places where parts of an array begin, some of them before the end of the part before."""

    def __contains__(self, places: Any) -> bool:
        if not isinstance(places, tuple | list | np.ndarray):
            return False
        return any(a > b or (a < 0) != (b < 0) for a, b in itertools.pairwise(places))


GIVEN = Given()
OUT_OF_ORDER = OutOfOrder()
