"""Floor 4: keywords in the places where their parameters stand: all of those of Python's own
functions, and of NumPy's and SciPy's those that must be given: `np.dot(a, b=x)`."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

from s2sgrad.frontend.values import Static, Value

_HIDDEN = {int: ("x", "base")}  # parameters of functions that tell no signature
_MODULES = frozenset({"builtins", "itertools", "copy"})
_LIBRARIES = ("numpy", "scipy")


def placed(
    function: Any, args: list[Value], kwargs: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a call with keywords, as `round(x, ndigits=2)`, in their places.

    Keywords that can only be given by name stay.
    """
    module = getattr(function, "__module__", None) or ""
    if not kwargs or not (module in _MODULES or module.startswith(_LIBRARIES)):
        return args, kwargs
    parameters = _parameters(function)
    if module not in _MODULES:
        empty = inspect.Parameter.empty
        parameters = [*itertools.takewhile(lambda p: p[1] is empty, parameters)]
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
