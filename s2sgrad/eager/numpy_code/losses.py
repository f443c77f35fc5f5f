"""What would drop the derivative of a traced value, and functions that go on all the same."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from s2sgrad.errors import UnsupportedError

_WRITTEN = "setting an array element with a sequence"  # what NumPy says of a number it can't write


class _Said(threading.local):
    """The losses that this thread has refused."""

    count = 0
    last = ""


_SAID = _Said()


class LostWriteError(UnsupportedError):
    """A traced value can't be written into an array of numbers."""


def lost(what: str, kind: type[UnsupportedError] = UnsupportedError) -> UnsupportedError:
    """The error for an operation that would drop the derivative."""
    _SAID.count += 1
    _SAID.last = what
    return kind(
        f"{what} loses the derivative",
        why="a plain Python number or array can't remember how it was computed",
        fix="use the NumPy function (np.sin for math.sin), and build arrays with np.stack or "
        "np.concatenate instead of writing into np.zeros",
    )


@contextmanager
def watched() -> Iterator[None]:
    """The run of a traced function: it may not catch, unheard, the error that says what is lost."""
    before = _SAID.count
    try:
        yield
    except ValueError as error:
        if _SAID.count > before and _WRITTEN in str(error):
            what = "writing a traced value into an array that is not traced"
            raise lost(what, LostWriteError) from error
        raise
    if _SAID.count > before:
        warnings.warn(
            f"{_SAID.last} loses the derivative: the function caught the error that says so, and "
            "went on without it",
            stacklevel=4,
        )
