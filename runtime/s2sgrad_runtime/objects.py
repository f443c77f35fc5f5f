"""Walks through what users pass: containers in each other, and objects of their classes."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import numpy as np

from s2sgrad_runtime.shapes import empty_as

_NOT_USERS = sys.stdlib_module_names | {"numpy", "scipy", "s2sgrad", "s2sgrad_runtime"}
CONTAINERS = (list, dict)  # that generated code knows, beside tuples
ALL_CONTAINERS = (*CONTAINERS, deque)
_NO_VALUES = ("__dict__", "__weakref__")


def is_function(value: Any) -> bool:
    """Whether a value is a function or a class; objects that can be called are not."""
    return inspect.isroutine(value) or isinstance(value, type | functools.partial | np.ufunc)


def has_attributes(value: Any) -> bool:
    """Whether a value is an object whose attributes may hold numbers; members of enumerations
    are constants, and the same for all."""
    if is_function(value) or isinstance(value, Enum | types.ModuleType):
        return False
    return hasattr(value, "__dict__") or any(slots(type(value)))


def attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object: the fields of a dataclass, what lies in slots, its `__dict__`.

    >>> class Point:
    ...     __slots__ = ("x", "y")
    >>> p = Point(); p.x = 1.0; attributes(p)
    {'x': 1.0}
    """
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    named = [*(f.name for f in fields), *slots(type(value))]
    found = {name: getattr(value, name) for name in named if hasattr(value, name)}
    return found | getattr(value, "__dict__", {})


def slots(cls: type) -> Iterator[str]:
    """The names of the slots of a class and those it is made from, as Python stores them."""
    for base in reversed(cls.__mro__):
        names = vars(base).get("__slots__", ())
        if not names or base.__module__.partition(".")[0] in _NOT_USERS:
            continue  # what a library's methods know of, not what a user computes with
        for name in (names,) if isinstance(names, str) else names:
            private = name.startswith("__") and not name.endswith("__")
            if name not in _NO_VALUES:
                yield f"_{base.__name__.lstrip('_')}{name}" if private else name


def blank(cls: type) -> Any:
    """An object of a class on which neither its `__new__` nor its `__init__` has run."""
    made = (vars(base).get("__new__") for base in cls.__mro__)
    return next(new for new in made if isinstance(new, types.BuiltinFunctionType))(cls)


def mapped(
    value: Any,
    change: Callable[[Any], Any],
    is_object: Callable[[Any], bool] = has_attributes,
    known: dict[int, Any] | None = None,
    own_class: Callable[[type], type] | None = None,
    containers: tuple[type, ...] = CONTAINERS,
) -> Any:
    """The value with `change` applied to all that is no container and no object.

    is_object: of which values the attributes are looked into. known: the copies of the objects
    met so far, by the ids of those: what is held in several places is one. own_class: the class of
    a copy, where it is another than that of the object. containers: what is looked into.
    """
    kind = type(value)
    known = {} if known is None else known

    def inside(entry: Any) -> Any:
        return mapped(entry, change, is_object, known, own_class, containers)

    if kind is list or kind is tuple:
        return kind(map(inside, value))
    if kind is dict:
        return {key: inside(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        cls = own_class(kind) if own_class else kind
        named = hasattr(value, "_fields")
        return cls(*map(inside, value)) if named else tuple.__new__(cls, map(inside, value))
    base: Any = next((b for b in containers if isinstance(value, b)), None)
    if base is not None:
        made = _another(value, own_class)
        for key in dict.keys(value) if base is dict else range(len(value)):
            base.__setitem__(made, key, inside(base.__getitem__(value, key)))
        return made
    if not is_object(value):
        return change(value)
    if id(value) not in known:
        made = known[id(value)] = _another(value, own_class)
        for name, entry in attributes(value).items():
            object.__setattr__(made, name, inside(entry))
    return known[id(value)]


def _another(value: Any, own_class: Callable[[type], type] | None) -> Any:
    """A shallow copy of an object, of the class that it shall have."""
    cls = own_class(type(value)) if own_class else type(value)
    made = copy.copy(value)
    if made is value:  # an object that is its own copy must not be written into
        return blank(cls)
    if type(made) is not cls:
        object.__setattr__(made, "__class__", cls)
    if getattr(value, "__dict__", None) is value:  # a dict whose entries are its attributes
        object.__setattr__(made, "__dict__", made)
    return made


def copied(value: Any) -> Any:
    """What a function may write into in place of its arguments: other objects, other arrays."""

    def other(entry: Any) -> Any:
        if type(entry) is np.ndarray:
            return array_copy(entry)
        stands_for_array = isinstance(entry, np.ndarray) and type(entry) is not entry.__class__
        return np.copy(entry) if stands_for_array else entry

    return mapped(value, other, containers=ALL_CONTAINERS)


def holds_floats(value: Any) -> bool:
    """Whether a float, a complex number or an array of such is in a value.

    >>> holds_floats([1, {"a": np.ones(2)}]), holds_floats((1, "text"))
    (True, False)
    """
    found: list[bool] = []

    def look(entry: Any) -> None:
        kind = getattr(getattr(entry, "dtype", None), "kind", "")
        found.append(isinstance(entry, (float, complex)) or kind in ("f", "c"))

    mapped(value, look, containers=ALL_CONTAINERS)
    return any(found)


def array_copy(array: np.ndarray) -> np.ndarray:
    """A copy in which entries lie as far apart as in the array: what is a view of the one is a
    view of the other, and what is a copy a copy.

    >>> every_other = np.arange(6.0)[::2]
    >>> array_copy(every_other).strides == every_other.strides
    True
    """
    laid = empty_as(array, array.dtype)
    laid[...] = array
    return laid
