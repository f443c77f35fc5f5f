"""Floor 8: what was made of a function, found again by the function itself.

By identity: objects that are called like functions may say that they are equal while they compute
different things.
"""

from __future__ import annotations

import weakref
from typing import Any


class Tables:
    """A dict for each object; it goes when the object goes."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Any], dict[Any, Any]]] = {}

    def of(self, owner: Any) -> dict[Any, Any]:
        """The dict of an object; a new one each time where there are no weak references to it."""
        key = id(owner)
        known = self._known.get(key)
        if known is not None and known[0]() is owner:
            return known[1]
        table: dict[Any, Any] = {}
        try:
            reference = weakref.ref(owner, lambda _: self._known.pop(key, None))
        except TypeError:
            return table
        self._known[key] = reference, table
        return table


__all__ = ["Tables"]
