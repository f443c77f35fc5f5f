"""Operations handed to someone else: one place that the general paths call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager.settings.state import STATE, refresh

Handler = Callable[[Any, tuple[Any, ...], dict[str, Any], Callable[[], Any]], Any]


def intercept(
    op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], proceed: Callable[[], Any]
) -> Any:
    """Give an operation to the innermost handler, which may call `run()` to have it done.

    op: an Op, or the class of a user's Function. While it runs, only outer handlers are active.
    """
    handlers = STATE.interceptors

    def run() -> Any:
        STATE.interceptors = handlers[:-1]
        refresh()
        try:
            return proceed()
        finally:
            STATE.interceptors = handlers
            refresh()

    return handlers[-1](op, args, kwargs, run)


@contextmanager
def intercepting(handler: Handler) -> Iterator[None]:
    """A block in which `handler(op, args, kwargs, run)` sees every operation on tensors."""
    before = STATE.interceptors
    STATE.interceptors = (*before, handler)
    refresh()
    try:
        yield
    finally:
        STATE.interceptors = before
        refresh()
