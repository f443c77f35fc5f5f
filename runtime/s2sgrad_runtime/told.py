"""What a call has printed and logged: where it runs again, in another way, it tells nothing twice.

Compiled code gives up in the midst of a run where its numbers turn out not to suit it. Whatever
runs then goes the same way again; what was told up to there is counted, and left out.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["may_tell"]


class _Told(threading.local):
    """count: what this run has come to; known: so much of it was told by a run before."""

    count = 0
    known = 0


_TOLD = _Told()


def may_tell() -> bool:
    """Counts something that is about to be told; False where it was told before."""
    _TOLD.count += 1
    return _TOLD.count > _TOLD.known


def told_once(tell: Callable[..., None]) -> Callable[..., None]:
    """The function, which does nothing where it was run before."""

    @functools.wraps(tell)
    def run(*args: Any) -> None:
        if may_tell():
            count = _TOLD.count
            tell(*args)
            _TOLD.count = count  # what is printed may run gradients of its own

    return run


@contextmanager
def runs() -> Iterator[Callable[[], None]]:
    """One call that may run several times; call what this gives before each run but the first."""
    begin, known = _TOLD.count, _TOLD.known

    def once_more() -> None:
        _TOLD.known = max(_TOLD.known, _TOLD.count)
        _TOLD.count = begin

    try:
        yield once_more
    finally:
        _TOLD.known = known
