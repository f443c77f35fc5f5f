"""Floor 6: errors of names that a run has left without a value, as Python says them.

Generated code has names of its own (`y_0` for an entry of `y`), and holds None for what must be
kept whether it has a value or not: an operation with that None is the user's name without a value.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Collection, Iterable
from types import TracebackType

from s2sgrad.analysis.unbound import TEXT
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Function

_NAMED = re.compile(r"local variable '(\w+)'")
_OF_NONE = ("NoneType", "'float' object is not subscriptable")  # the latter of its cotangent
_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")  # no attributes


def unbound_error(
    error: BaseException,
    trace: TracebackType,
    places: Collection[tuple[str, int]],
    parts: Iterable[Function],
) -> UnboundLocalError | None:
    """What Python says in place of an error in generated code; None where that is its own.

    trace: where in the code it happened. places: the user's lines that it may
    be. parts: the functions of the code.
    """
    if isinstance(error, UnboundLocalError):
        found = _NAMED.search(str(error))
        name = found.group(1) if found else None
    elif isinstance(error, TypeError | AttributeError) and any(t in str(error) for t in _OF_NONE):
        name = _held_as_none(trace, parts)
    else:
        return None
    if name is None:
        return None
    told = UnboundLocalError(TEXT.format(_of_the_user(name, places)))
    return told.with_traceback(error.__traceback__)


def _held_as_none(trace: TracebackType, parts: Iterable[Function]) -> str | None:
    """The name on a line of generated code that has no value yet, and is None for that."""
    frame = trace.tb_frame
    line = linecache.getline(frame.f_code.co_filename, trace.tb_lineno)
    kept = {
        target
        for part in parts
        for stmt in nodes.walk_block(part.body)
        if isinstance(stmt, nodes.Assign)
        and stmt.span is None
        and not stmt.move  # no value of the user
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if value == nodes.Const(None)
    }
    values = frame.f_locals
    return next((w for w in _WORD.findall(line) if w in kept and values.get(w, 0) is None), None)


def _of_the_user(name: str, places: Collection[tuple[str, int]]) -> str:
    """The user's name for a variable: its beginning, as far as the user's lines have it."""
    words = {word for place in places for word in _WORD.findall(linecache.getline(*place))}
    parts = name.split("_")
    begun = ("_".join(parts[:k]) for k in range(len(parts), 0, -1))
    return next((b for b in begun if b in words), name)


__all__ = ["unbound_error"]
