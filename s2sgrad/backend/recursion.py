"""Floor 6: room for the compiler on Python's stack.

Each call, loop and branch of the user's that is read inside another takes some thirty calls of the
compiler's. Python's usual limit of 1000 would be met by functions that call themselves six deep.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

LIMIT = 3000  # calls inside each other; as many fit on the stack of any thread

_LOCK = threading.Lock()
_users: list[int] = []  # the limit that there was, for each compilation under way


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """While this lasts, Python allows at least `LIMIT` calls inside each other."""
    with _LOCK:
        _users.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_users[0], LIMIT))
    try:
        yield
    finally:
        with _LOCK:
            before = _users[0]
            _users.pop()
            if not _users:
                sys.setrecursionlimit(before)


__all__ = ["deep_recursion"]
