"""Floor 8: what a function that ran on tensors has put into lists, dicts and objects from outside.

There it left the values that it saw, which record what is done with them. Once the run is over they
become the numbers and arrays that the function would have left.
"""

from __future__ import annotations

import functools
import itertools
import types
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from s2sgrad.calls.reached import reached, read_outside

MOST = 10_000  # things that are looked at: some milliseconds, as long as a small run on tensors


def plain_again(function: Any) -> None:
    """Give what a function reaches plain numbers and arrays, where a run on tensors left others.

    Not inside of another such run, whose values they may be. Of functions that reach very much
    only the first things are looked at.
    """
    from s2sgrad.eager.numpy_code.tracing import left, may_trace, traces, tracing

    def plain(value: Any) -> Any:
        return left(value, False, None, own=True) if traces(value) else value

    if tracing():
        return
    for holder in itertools.islice(reached([function]), MOST):
        plainly = isinstance(holder, list | deque) and not any(map(may_trace, {*map(type, holder)}))
        if not plainly:
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
