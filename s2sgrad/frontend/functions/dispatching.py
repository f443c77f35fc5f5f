"""Floor 4: functools.singledispatch: the function for the class of the first argument."""

from __future__ import annotations

import ast
import functools
import types
from dataclasses import dataclass
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Value


@dataclass(frozen=True)
class _Entry:
    """What is registered for a class. It is looked up at each call: code may be registered anew."""

    generic: Any
    cls: type

    @property
    def found(self) -> Any:
        """The function."""
        return self.generic.dispatch(self.cls)


_entry = functools.lru_cache(maxsize=1024)(_Entry)  # one object for each, by which it is known


def _is_generic(target: Any) -> bool:
    """Whether functools.singledispatch has made a function."""
    plain = isinstance(target, types.FunctionType) and target.__globals__ is vars(functools)
    return plain and hasattr(target, "dispatch")


class Dispatching(Base):
    """Lowering of generic functions."""

    def for_class(self, target: Any, args: list[Value], node: ast.AST) -> Any:
        """What a call of a generic function or method calls; None for other functions."""
        place = 0
        if isinstance(target, functools.singledispatchmethod):
            target, place = target.dispatcher, 1  # behind the object itself
        if len(args) <= place or not _is_generic(target):
            return None
        cls = self.python_class(args[place])
        if cls is None:
            raise self.refuse(
                "a generic function of something whose class is not known here", node,
                "only a run knows which of its functions that calls",
                "ask with isinstance(...), and call the function for it",
            )  # fmt: skip
        entry = _entry(target, cls)
        self.rely_on("found", entry.found, ("attribute", (entry, "found")))
        return entry.found


__all__ = ["Dispatching"]
