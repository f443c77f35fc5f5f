"""A runtime helper as if it were written among other versions of the helpers that it calls."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

_MADE: dict[Any, Any] = {}


def among(helper: Any, versions: Callable[[], dict[str, Any]]) -> Any:
    """The helper with the names of other helpers bound to their `versions`, for good."""
    made = _MADE.get(helper)
    if made is None:
        made = helper
        if isinstance(helper, types.FunctionType):
            names = {**helper.__globals__, **versions()}
            made = types.FunctionType(
                helper.__code__, names, helper.__name__, helper.__defaults__, helper.__closure__
            )
            made.__kwdefaults__ = helper.__kwdefaults__
        _MADE[helper] = made
    return made


__all__ = ["among"]
