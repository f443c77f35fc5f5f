"""Floor 8: derivatives go to other processes, and into copies of objects that hold them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Self


class Remade:
    """Base of derivatives: pickled and deeply copied as what they were made of.

    Their code is generated anew, or recalled from the disk. What a module holds by its name (a
    decorated function) is pickled by that name, as functions are.
    """

    _made_of: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        made._made_of = args, kwargs
        return made

    def _shown(self, kind: str, function: Any) -> str:
        """How a derivative is printed."""
        return f"<s2sgrad.{kind} of {getattr(function, '__qualname__', function)}>"

    def __copy__(self) -> Self:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __reduce__(self) -> str | tuple[Callable[..., Any], tuple[Any, ...]]:
        module, name = (vars(self).get(n, "") for n in ("__module__", "__qualname__"))
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return str(name)
        args, kwargs = self._made_of
        return functools.partial(type(self), **kwargs), args


__all__ = ["Remade"]
