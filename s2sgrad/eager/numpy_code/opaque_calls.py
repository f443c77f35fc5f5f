"""Opaque functions in traced code: they get values, and no derivative passes through them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from s2sgrad.eager.numpy_code.arrays import Traced

Function = Callable[..., Any]


def on_values(function: Function) -> Function:
    """An opaque function that gets the values alone.

    What holds no traced value is handed on as it is; of what does, the function gets a copy that
    can't be written to.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_value, args), **{key: _value(v) for key, v in kwargs.items()})

    return call


def _value(given: Any) -> Any:
    if type(given) is Traced:
        found = given.detach()
        if type(found) is Traced:
            found = found.tensor._array
            found.flags.writeable = False
        return found
    if type(given) in (list, tuple):
        items = [_value(item) for item in given]
        same = all(new is old for new, old in zip(items, given, strict=True))
        return given if same else type(given)(items)
    if type(given) is dict:
        values = {key: _value(item) for key, item in given.items()}
        return given if all(values[key] is given[key] for key in given) else values
    return given


__all__ = ["on_values"]
