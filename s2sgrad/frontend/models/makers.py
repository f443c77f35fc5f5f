"""Floor 4: makers of dicts and decorators of the standard library, written out in plain Python."""

from __future__ import annotations

from typing import Any


def fromkeys(keys: Any, value: Any = None) -> Any:
    """dict.fromkeys."""
    return {key: value for key in keys}  # noqa: C420


def to_dict(pairs: Any) -> Any:
    """dict(pairs), or dict of something with keys."""
    if hasattr(pairs, "keys"):
        return {key: pairs[key] for key in pairs.keys()}  # noqa: SIM118
    return {pair[0]: pair[1] for pair in pairs}


def undecorated(*args: Any, **kwargs: Any) -> Any:
    """functools.lru_cache and cache: the values are the same without."""
    if len(args) == 1 and callable(args[0]):
        return args[0]
    return lambda function: function


def remembering(function: Any) -> Any:
    """What functools.cache makes of a function: it runs once for the same arguments."""
    known: dict[Any, Any] = {}

    def remembered(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            return function(*args, **kwargs)
        if args in known:
            return known[args]
        result = function(*args)
        known[args] = result
        return result

    return named_as(remembered, function)


def named_as(function: Any, wrapped: Any) -> Any:
    """A function under the name of another."""
    return function


def wraps(wrapped: Any, *assigned: Any, **updated: Any) -> Any:
    """functools.wraps: of what it copies the name may be asked for."""
    return lambda function: named_as(function, wrapped)


def update_wrapper(wrapper: Any, wrapped: Any, *assigned: Any, **updated: Any) -> Any:
    """functools.update_wrapper: as wraps."""
    return named_as(wrapper, wrapped)
