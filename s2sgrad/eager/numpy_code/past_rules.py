"""Notices calls of functions with a user's rule that would run past the rule.

Traced code calls what stands for such a function. A method of an object that was made outside, or
a library that was given the function, calls the function itself: its own code might run on traced
values, and give another derivative than the rule does.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.rules.declare import RULES

_KNOWN: list[Any] = [0, frozenset()]  # how many rules there were, and the users' functions


def ruled_codes() -> frozenset[types.CodeType]:
    """The code of the Python functions for which users gave rules."""
    if _KNOWN[0] != len(RULES):
        marks = ("by_user", "opaque")
        users = [f for f, rule in RULES.items() if any(map(rule.extra.get, marks))]
        codes = [f.__code__ for f in users if isinstance(f, types.FunctionType)]
        _KNOWN[:] = len(RULES), frozenset(codes)
    return _KNOWN[1]  # type: ignore[no-any-return]


@contextmanager
def refusing_past_rules() -> Iterator[None]:
    """A block in which such a call raises UnsupportedError; not while a profiler runs."""
    codes = ruled_codes()
    if not codes or sys.getprofile() is not None:
        yield
        return

    def look(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in codes:
            _refuse_traced(frame)

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


def _refuse_traced(frame: Any) -> None:
    if any(type(value) is Traced for value in frame.f_locals.values()):
        name, caller = frame.f_code.co_name, frame.f_back
        raise UnsupportedError(
            f"{name} has a rule, or is opaque, which this call on tensors would pass by",
            Span(caller.f_code.co_filename, caller.f_lineno),
            "what calls it is not seen through: a method of an object that was made outside of the "
            "function, or of a dataclass",
            f"make the object inside of the function, or call {name} from functions",
        )
