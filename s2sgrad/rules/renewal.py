"""Floor 2: code that was made before a user declared a rule may rest on another one, or on none."""

from __future__ import annotations

import weakref
from types import CodeType
from typing import Any, Protocol

_OURS = ("s2sgrad", "s2sgrad_runtime")


class _Made(Protocol):
    def forget(self) -> None:
        """Make all code anew from now on."""


_WATCHING: weakref.WeakSet[Any] = weakref.WeakSet()
_READ: weakref.WeakSet[CodeType] = weakref.WeakSet()


def watch(made: _Made) -> None:
    """Tell an object that makes code of new rules, as long as it lives."""
    _WATCHING.add(made)


def note_read(code: CodeType) -> None:
    """The text of a function has become a part of code that was made."""
    _READ.add(code)


def renew(function: Any, known: bool) -> None:
    """Tell all that a function has a new rule, if code was made of it before.

    known: whether it had another rule.
    """
    if known or getattr(function, "__code__", None) in _READ:
        for made in list(_WATCHING):
            made.forget()


def declared_by_user(declaration: Any) -> bool:
    """Whether a declaration stands in code of the user's."""
    home = getattr(declaration, "__module__", None)
    return declaration is not None and str(home).partition(".")[0] not in _OURS


__all__ = ["declared_by_user", "note_read", "renew", "watch"]
