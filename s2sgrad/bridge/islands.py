"""Floor 8: what generated code calls where a function in it can't be transformed.

The function runs on dynamic-graph tensors, on copies of its arguments. What generated code could
not know of (a write into an argument, a result of another kind than was expected) is noticed
after the run and raises IslandError; then the whole of the outer function runs on tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.analysis.islands import IslandTools
from s2sgrad.bridge.left_behind import plain_again
from s2sgrad.errors import IslandError
from s2sgrad_runtime import copy_tree
from s2sgrad_runtime.objects import blank

Function = Callable[..., Any]
NUMBERS = (np.ndarray, np.generic, bool, int, float, complex)


def eager_vjp(
    function: Function,
    *args: Any,
    wrt: tuple[int, ...] | None = None,
    fresh: bool = False,
    parts: int | None = None,
    **kwargs: Any,
) -> tuple[Any, Any]:
    """`(function(*args, **kwargs), pullback)`.

    Args:
        wrt: the positions of the arguments that vary (keyword arguments come last); None for all.
        fresh: the result or an argument is written in place, so the result must be apart.
        parts: how many entries the result, a tuple, has; None for a number or an array.

    Returns: the value, and a function from its cotangent to those of all arguments, with None
        where an argument does not vary or holds no floats.

    Raises: IslandError where generated code can't go on with what the function did.
    """
    from s2sgrad.eager.numpy_code.islands import Island

    run = Island(function, args, kwargs, wrt)
    value = run.reverse()
    plain_again(function)
    return _checked(function, value, run, fresh, parts), run.pullback


def eager_jvp(
    function: Function,
    values: tuple[Any, ...],
    dots: tuple[Any, ...],
    *,
    fresh: bool = False,
    parts: int | None = None,
) -> tuple[Any, Any]:
    """`(function(*values), its tangent)`; dots: the tangents of the values, None for zero."""
    from s2sgrad.eager.numpy_code.islands import Island

    run = Island(function, values, {}, tuple(i for i, d in enumerate(dots) if d is not None))
    value, dot = run.forward([d for d in dots if d is not None])
    plain_again(function)
    return _checked(function, value, run, fresh, parts), dot


def _checked(function: Function, value: Any, run: Any, fresh: bool, parts: int | None) -> Any:
    """The value, if it is what generated code was made for."""
    name = getattr(function, "__name__", "the function")
    changed = run.changed()
    if changed is not None:
        raise IslandError(f"{name} changes its {changed} in place")
    if parts is None and value is not None and not isinstance(value, NUMBERS):
        raise IslandError(f"{name} returns a {type(value).__name__}, not a number or an array")
    if parts is not None and not (isinstance(value, tuple) and len(value) == parts):
        raise IslandError(f"{name} does not always return {parts} values")
    if fresh and run.shared:
        raise IslandError(f"{name} returns (a view of) its argument, which is written in place")
    return copy_tree(value) if fresh else value  # the pullback may read it


def pull(*args: Any) -> Any:
    """Stands for the call of a pullback while generated code is lowered; never called."""
    raise IslandError("a pullback of an island outside of generated code")


class _Made:
    """A function made of another one, so that generated code can name it.

    made_of: what made it, of what, and with which numbers. outputs: how many values it gives.
    """

    def __init__(
        self, maker: Function, function: Function, numbers: tuple[int, ...], outputs: int
    ) -> None:
        self.made_of, self.outputs = (maker, function, numbers), outputs
        self.__name__ = getattr(function, "__name__", "the function")


class Transposed(_Made):
    """`(y_bar, *args) -> cotangents` of a function, for the arguments `wrt`."""

    def __call__(self, y_bar: Any, *args: Any) -> tuple[Any, ...]:
        from s2sgrad.eager.numpy_code.islands import Island

        _, function, wrt = self.made_of
        run = Island(function, args, {}, wrt)
        run.reverse()
        found = run.pullback(y_bar)
        return tuple(found[i] for i in wrt)


class Pushed(_Made):
    """`(args, dots) -> (value, tangent)` of a function."""

    def __call__(self, values: Any, dots: Any) -> tuple[Any, Any]:
        from s2sgrad.eager.numpy_code.islands import Island

        function = self.made_of[1]
        run = Island(function, values, {}, tuple(i for i, d in enumerate(dots) if d is not None))
        return run.forward([d for d in dots if d is not None])


def transposed(function: Function, *wrt: int) -> Transposed:
    """The function from a cotangent and the arguments to the cotangents of the arguments `wrt`."""
    return Transposed(transposed, function, wrt, len(wrt))


def pushed(function: Function) -> Pushed:
    """The function from arguments and tangents to value and tangent."""
    return Pushed(pushed, function, (), 2)


def with_fields(cls: type, fields: dict[str, Any]) -> Any:
    """An object of a class with these attributes, made without its `__init__`."""
    made: Any = blank(cls)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


TOOLS = IslandTools(eager_vjp, eager_jvp, pull, transposed, pushed, with_fields)
for _function in (eager_vjp, eager_jvp, pull):
    vars(_function)["__s2sgrad_island__"] = TOOLS
for _maker in (transposed, pushed):
    vars(_maker)["__s2sgrad_transform__"] = True

__all__ = ["TOOLS", "eager_jvp", "eager_vjp", "pushed", "transposed", "with_fields"]
