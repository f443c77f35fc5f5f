"""Floor 4: the text of a function in its file, which may have been edited since it was loaded.

What a file says now is compiled, and compared with the code that runs: text that only moved is
found where it stands now, and text that became other code is refused.
"""

from __future__ import annotations
import __future__

import linecache
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import Any

from s2sgrad.errors import Span, UnsupportedError

CLASS_MAKER = "class_in_function"  # in the qualified names of classes made while compiling
_FUTURE = sum({getattr(__future__, n).compiler_flag for n in __future__.all_feature_names})
_COMPARED = (
    "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags",
    "co_argcount", "co_posonlyargcount", "co_kwonlyargcount",
)  # fmt: skip


def as_it_stands(code: CodeType) -> CodeType:
    """The same code as its file has it now, which tells where its text stands.

    Raises UnsupportedError where the file has other code under that name, and OSError where a text
    that has the name of none (`exec` of any, `python -c`) is another one.
    """
    lines = linecache.getlines(code.co_filename)
    entry = linecache.cache.get(code.co_filename)
    nameless = code.co_filename == "<string>"
    if entry is None or len(entry) < 2 or (entry[1] is None and not nameless):
        return code  # a cell or a text that was given: it does not change
    if code.co_qualname.partition(".")[0] == CLASS_MAKER:
        return code  # made of the text of a function that was looked at
    flags = code.co_flags & _FUTURE & ~0xFFFF  # the lower bits say what a function is
    try:
        named = _codes("".join(lines), flags).get(code.co_qualname, ())
    except (SyntaxError, ValueError):
        named = ()
    alike = [found for found in named if _alike(found, code)]
    if alike:
        return next((found for found in alike if found == code), alike[0])
    if any(_instrumented(found, code) for found in named):
        return code
    if nameless:
        raise OSError("the text at hand is another one's")
    raise UnsupportedError(
        f"the file has changed since '{code.co_name}' was loaded",
        Span(code.co_filename, code.co_firstlineno),
        "what stands in it now is other code than what runs",
        "load the module again (importlib.reload), or start anew",
    )


@lru_cache(maxsize=64)
def _codes(text: str, flags: int) -> dict[str, list[CodeType]]:
    """All code in a text, by qualified names."""
    found: dict[str, list[CodeType]] = {}
    for code in _inside(compile(text, "<text>", "exec", flags, dont_inherit=True)):
        found.setdefault(code.co_qualname, []).append(code)
    return found


def _inside(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _inside(part)


def _alike(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects do the same, wherever they stand."""
    if any(getattr(one, name) != getattr(other, name) for name in _COMPARED):
        return False
    both = one.co_consts, other.co_consts
    return len(both[0]) == len(both[1]) and all(map(_same, *both))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _alike(one, other)
    if isinstance(one, frozenset):
        return bool(one == other)
    return repr(one) == repr(other)  # 1 is not 1.0 or True


def _instrumented(text: CodeType, code: CodeType) -> bool:
    """Whether code does more than its text says: what tools for tests put into it."""
    told, held = (
        {repr(c) for c in one.co_consts if not isinstance(c, CodeType)} for one in (text, code)
    )
    same_line = text.co_firstlineno == code.co_firstlineno
    return same_line and told <= held and set(text.co_names) < set(code.co_names)


__all__ = ["CLASS_MAKER", "as_it_stands"]
