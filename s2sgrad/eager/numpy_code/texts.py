"""Texts of traced values: they may be printed and compared, but no number is read from them.

`float(str(x))` would give a number that has forgotten how it was computed: an error. What is joined
to other text, in an f-string of several parts, is plain text again, and an array of texts can't
remember either: there, the numbers written last are known again, and a warning says so.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from s2sgrad.errors import UnsupportedError

_LOST = "reading a number from the text of a traced value loses the derivative"
_WHY = "a text can't remember how the number in it was computed"
_MOST = 4096  # numbers whose texts are known again
_WORDS = re.compile(r"[0-9.][0-9.eE+-]*")
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
        raise UnsupportedError(_LOST, why=_WHY, fix="use the number itself")


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


class _Written(threading.local):
    """The numbers that this thread has written as text, the last ones last."""

    def __init__(self) -> None:
        self.words: dict[str, None] = {}


_WRITTEN = _Written()


def written(shown: str) -> TracedText:
    """The text of a traced value, whose numbers are known again when they are read."""
    words = _WRITTEN.words
    words.update(dict.fromkeys(_WORDS.findall(shown)))
    while len(words) > _MOST:
        del words[next(iter(words))]
    return TracedText(shown)


def forget() -> None:
    """Another function is traced now."""
    _WRITTEN.words.clear()


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _texts_in(entry)


def check(value: Any) -> None:
    """Numbers are read from a text, or an array is made of texts: UnsupportedError, or a warning.

    The warning is for what need not be the text of a traced value, or need not become a number.
    """
    if type(value) is TracedText:
        float(value)
    for text in _texts_in(value):
        if not _WRITTEN.words.keys().isdisjoint(_WORDS.findall(text)):
            warnings.warn(f"{_LOST}: {text!r}; {_WHY}", stacklevel=4)
            return
