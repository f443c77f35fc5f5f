"""Floor 4: objects as generated code holds them: records of their fields, of one class."""

from __future__ import annotations

import numpy as np

from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Func,
    Generator,
    Instance,
    Iterator,
    Method,
    Partial,
    Value,
)
from s2sgrad.ir.types import Dict, List, Maybe, Type

_WHAT = {
    Func: "a function of yours",
    Bound: "a method of an object",
    Method: "a method",
    Partial: "a function with some of its arguments given",
    Generator: "a generator",
    Iterator: "an iterator",
}

_CALLED = "call it, or loop over it, where it is made"
_OBJECTS = (
    "call it where it is made; or hold objects of a class whose __init__ takes what it needs, and "
    "whose __call__ does what it does"
)


class NotHeld(UnsupportedError):
    """A value that is followed while compiling would have to be held by generated code.

    function: whether it is a function, which may hold numbers."""

    function = False


def not_held(value: Value | Instance, span: Span | None) -> NotHeld:
    """The error for a value that is no expression of generated code."""
    if isinstance(value, Instance):
        return _object_not_held(value.cls, span)
    if isinstance(value, Chosen):
        return NotHeld(
            "a result that is a number, a list or another thing as a run decides",
            span,
            "generated code has one type for each value",
            "test for its kind, and use each by itself",
        )
    if isinstance(value, Method) and isinstance(value.owner, Dyn) and not _of_arrays(value):
        return NotHeld(
            f"'{value.name}' of what is not known while compiling",
            span,
            "it has no such attribute as an array or a number",
            "give the function that made it a rule, or hold its arguments fixed "
            "(s2sgrad.stop_gradient)",
        )
    error = NotHeld(
        f"{_WHAT.get(type(value), 'this value')} can't be held by generated code",
        span,
        "it is followed while compiling, and is no value that the code could pass on",
        _OBJECTS if isinstance(value, Func | Partial) else _CALLED,
    )
    error.function = isinstance(value, Func | Partial)
    return error


def _object_not_held(cls: type, span: Span | None) -> NotHeld:
    """The error for an object that generated code would hold, where it can't. What stands for a
    class of Python's says in PASSED_ON what that class is called and what to write instead."""
    named, fix = getattr(cls, "PASSED_ON", (cls.__name__, "pass the arrays it holds"))
    what = f"an object of class {named} can't be passed on here"
    return NotHeld(what, span, "objects are taken apart while compiling", fix)


def _of_arrays(method: Method) -> bool:
    """Whether an array or a list has a method of that name."""
    return any(hasattr(kind, method.name) for kind in (np.ndarray, list, dict, str))


def is_record(contents: Instance, records: bool, outside: bool) -> bool:
    """Whether an object may be a dict. outside: and made an object again for the user, which
    what stands for a class of Python's or NumPy's can't be, unless it says AS_OWN."""
    ours = contents.cls.__module__.startswith("s2sgrad.") and not hasattr(contents.cls, "AS_OWN")
    return records and not ours if outside else records and not contents.outside


def classes_of(kind: Type) -> set[type]:
    """The classes of the objects that generated code would hold as records, or in a list."""
    while isinstance(kind, Maybe | List) or (isinstance(kind, Dict) and kind.made_by is None):
        kind = kind.item
    return {kind.made_by} if isinstance(kind, Dict) and kind.made_by is not None else set()


def several_classes(span: Span | None) -> NotHeld:
    """The error for a list, built by generated code, of objects of several classes."""
    return NotHeld(
        "objects of several classes in a list whose length a run decides",
        span,
        "generated code holds objects as records of their fields, of one class in each list",
        "keep one list for each class, or numbers and a tag that says which formula to use",
    )
