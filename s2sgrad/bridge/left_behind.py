"""Floor 8: what a function that ran on tensors has put into lists, dicts and objects from outside.

There it left the values that it saw, which record what is done with them. Once the run is over they
become the numbers and arrays that the function would have left.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from s2sgrad.calls.reached import reached, read_outside


def plain_again(function: Any) -> None:
    """Give what a function reaches plain numbers and arrays, where a run on tensors left others.

    Not inside of another such run, whose values they may be.
    """
    from s2sgrad.eager.numpy_code.tracing import left, traces, tracing

    def plain(value: Any) -> Any:
        if not traces(value):
            return value
        return left(value, False, None, own=True)

    if not tracing():
        for holder in reached([function]):
            _clean(holder, plain)


def _clean(holder: Any, plain: Callable[[Any], Any]) -> None:
    """Change what one container, object or function holds."""
    if isinstance(holder, list | deque):
        _change(enumerate(holder), holder.__setitem__, plain)
    elif isinstance(holder, dict):
        _change(holder.items(), holder.__setitem__, plain)
    elif isinstance(holder, types.FunctionType):
        names = read_outside(holder.__code__) & holder.__globals__.keys()
        _change([(n, holder.__globals__[n]) for n in names], holder.__globals__.__setitem__, plain)
        for cell in holder.__closure__ or ():
            _change(_held(cell), functools.partial(setattr, cell), plain)
        _change(vars(holder).items(), vars(holder).__setitem__, plain)
    elif isinstance(holder, type):
        _change(vars(holder).items(), functools.partial(setattr, holder), plain)
    elif isinstance(getattr(holder, "__dict__", None), dict):
        _change(vars(holder).items(), vars(holder).__setitem__, plain)


def _change(
    entries: Iterable[tuple[Any, Any]],
    put: Callable[[Any, Any], None],
    plain: Callable[[Any], Any],
) -> None:
    for key, value in list(entries):
        new = plain(value)
        if new is not value:
            put(key, new)


def _held(cell: types.CellType) -> list[tuple[str, Any]]:
    try:
        return [("cell_contents", cell.cell_contents)]
    except ValueError:  # not bound yet
        return []


__all__ = ["plain_again"]
