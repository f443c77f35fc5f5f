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


@dataclass(frozen=True)
class _Family:
    """The subclasses that a class has. They are looked at before each call: more may be defined."""

    cls: type

    @property
    def members(self) -> tuple[type, ...]:
        """The classes, in the order in which they were defined."""
        return tuple(type.__subclasses__(self.cls))

    @property
    def known_as(self) -> str:
        """A text that other subclasses would change."""
        return " ".join(f"{c.__qualname__}@{id(c)}" for c in self.members)


_family = functools.lru_cache(maxsize=256)(_Family)


class Dispatching(Base):
    """Lowering of generic functions, and of the list of a class's subclasses."""

    def for_class(self, target: Any, args: list[Value], node: ast.AST) -> Any:
        """What a call of a generic function or method calls; None for other functions."""
        place = 0
        if (listed := self._subclasses(target)) is not None:
            return listed
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

    def _subclasses(self, target: Any) -> Any:
        """A function that gives what `Base.__subclasses__` does, where these are of a module."""
        cls = getattr(target, "__self__", None)
        if getattr(target, "__name__", "") != "__subclasses__" or not isinstance(cls, type):
            return None
        family = _family(cls)
        members = family.members
        if any("<locals>" in c.__qualname__ for c in members):
            return None  # each call of a function may define another
        self.rely_on("known_as", family.known_as, ("attribute", (family, "known_as")))
        return lambda: [*members]


__all__ = ["Dispatching"]
