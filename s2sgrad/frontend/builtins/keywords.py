"""Floor 4: keywords of Python's own functions, in the places where their parameters stand."""

from __future__ import annotations

import inspect
from typing import Any

from s2sgrad.frontend.values import Static, Value

_HIDDEN = {int: ("x", "base")}  # parameters of functions that tell no signature
_MODULES = frozenset({"builtins", "itertools", "copy"})


def placed(
    function: Any, args: list[Value], kwargs: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a call with keywords, as `round(x, ndigits=2)`, in their places.

    Keywords that can only be given by name stay.
    """
    if not kwargs or getattr(function, "__module__", None) not in _MODULES:
        return args, kwargs
    parameters = _parameters(function)
    last = max((i for i, (name, _) in enumerate(parameters) if name in kwargs), default=-1)
    args, kwargs = list(args), dict(kwargs)
    for name, default in parameters[len(args) : last + 1]:
        if name not in kwargs and default is inspect.Parameter.empty:
            break
        args.append(kwargs.pop(name) if name in kwargs else Static(default))
    return args, kwargs


def _parameters(function: Any) -> list[tuple[str, Any]]:
    """(name, default) of the parameters that may be given by place or by name."""
    if function in _HIDDEN:
        return [(name, inspect.Parameter.empty) for name in _HIDDEN[function]]
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return []
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [(p.name, p.default) for p in found if p.kind in places]
