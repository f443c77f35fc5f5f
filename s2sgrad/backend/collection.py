"""Floor 6: no search for garbage while code is made.

A compiler makes many small objects and throws few of them away; looking through all of them again
and again takes a seventh of the time.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """While this lasts, Python does not look for circles of objects that nobody holds."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


__all__ = ["uncollected"]
