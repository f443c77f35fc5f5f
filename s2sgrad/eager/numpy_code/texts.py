"""Texts of traced values: they may be printed and compared, but no number is read from them.

`float(str(x))` would give a number that has forgotten how it was computed. What is joined to other
text, in an f-string of several parts, is plain text again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.errors import UnsupportedError

_SAME = (
    "__add__", "__getitem__", "__mod__", "__mul__", "expandtabs", "format", "ljust", "lower",
    "lstrip", "removeprefix", "removesuffix", "replace", "rjust", "rstrip", "strip", "upper",
    "zfill",
)  # fmt: skip
_SEVERAL = ("partition", "rpartition", "rsplit", "split", "splitlines")


class TracedText(str):
    """The text of a traced value, or a part of it."""

    __slots__ = ()

    def __str__(self) -> str:
        return self

    def __format__(self, spec: str) -> str:
        return TracedText(super().__format__(spec))

    def __radd__(self, other: str) -> str:
        return TracedText(other + str.__str__(self))

    def __float__(self) -> float:
        raise UnsupportedError(
            "reading a number from the text of a traced value loses the derivative",
            why="a text can't remember how the number in it was computed",
            fix="use the number itself",
        )

    __complex__ = __float__


def _made_again(name: str, several: bool) -> Callable[..., Any]:
    method = getattr(str, name)

    def made(self: TracedText, *args: Any, **kwargs: Any) -> Any:
        found = method(self, *args, **kwargs)
        if found is NotImplemented:
            return found
        return type(found)(map(TracedText, found)) if several else TracedText(found)

    made.__name__ = name
    return made


for _name in (*_SAME, *_SEVERAL):
    setattr(TracedText, _name, _made_again(_name, _name in _SEVERAL))
