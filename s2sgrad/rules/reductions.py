"""Floor 2: rules of functions that reduce axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from s2sgrad_runtime import reduced_count, unreduce

from s2sgrad.rules.declare import structural


@structural(np.sum, linear=("a",))
def sum_(y_bar: Any, y: Any, a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """Each entry of a adds with weight 1."""
    return unreduce(y_bar, a, axis, keepdims)


@structural(np.mean, linear=("a",))
def mean(y_bar: Any, y: Any, a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """Each entry of a adds with weight 1 / n."""
    return unreduce(y_bar / reduced_count(a, axis), a, axis, keepdims)
