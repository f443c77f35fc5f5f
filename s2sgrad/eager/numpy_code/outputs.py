"""Results of scipy.ndimage that go into an array which is given: `nd.shift(x, 0.5, output=y)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from s2sgrad.rules.methods import place_of_output


def into_output(function: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    """`call` in place of a function, whose result it writes where that is asked for."""
    place = place_of_output(function)
    if place is None:
        return call

    @wraps(function)
    def write(*args: Any, **kwargs: Any) -> Any:
        out = args[place] if place < len(args) else kwargs.get("output")
        if not isinstance(out, np.ndarray):  # a dtype, or None
            return call(*args, **kwargs)
        args = tuple(None if i == place else a for i, a in enumerate(args))
        out[...] = call(*args, **{k: v for k, v in kwargs.items() if k != "output"})
        return out

    return write


__all__ = ["into_output"]
