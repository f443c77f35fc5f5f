"""Classes that stand for users' classes while a function runs on traced arrays.

A stand-in is a subclass with copies of the methods. A class refers to itself, so that only the
garbage collector frees it: behind the run a stand-in loses its methods, and the next run that needs
one for the same class takes it again. Objects that are left of a run find the user's methods.
"""

from __future__ import annotations

import abc
import threading
from typing import Any

_TOLD = {"__init_subclass__", "__eq__"}
_LOCK = threading.Lock()
_ASKED = threading.local()  # the questions under way: (stand-in, class)
_METHODS = "_s2sgrad_methods"  # names of the methods of a stand-in that is in use


def standing_for(cls: type, bases: list[type], methods: dict[str, Any]) -> type:
    """A class in the place of `cls`, with these methods; `bases` stand for those of `cls`."""
    made: Any
    with _LOCK:
        for made in type.__subclasses__(cls):
            free = isinstance(made, _Plain) and _METHODS not in vars(made)
            if free and made.__bases__ == (cls, *bases):
                break
        else:
            names = {n: getattr(cls, n) for n in ("__qualname__", "__module__", "__doc__")}
            slots = {} if cls.__dictoffset__ else {"__slots__": ()}
            made = KINDS[type(cls)](cls.__name__, (cls, *bases), {**slots, **names})
        type.__setattr__(made, _METHODS, tuple(methods))
    for name, method in methods.items():
        type.__setattr__(made, name, method)
    return made


def release(made: type) -> None:
    """Take the methods away: the next run may have this class."""
    for name in vars(made)[_METHODS]:
        type.__delattr__(made, name)
    type.__delattr__(made, _METHODS)


def is_told(cls: type) -> bool:
    """Whether a class hears of its subclasses, forbids them, or compares its objects."""
    told = any(vars(base).keys() & _TOLD for base in cls.__mro__[:-1])
    return told or bool(getattr(cls, "__final__", False))


def is_plain(cls: type) -> bool:
    """Whether the objects of a class hold their attributes in a dict, and nothing else."""
    return cls.__basicsize__ <= _Empty.__basicsize__ and bool(cls.__dictoffset__)


class _Empty:
    """What objects with a dict alone are like."""


class _Plain(type):
    """The kind of the stand-ins. Instances of the class that is stood for are instances of it."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.__mro__[1])

    def __subclasscheck__(cls, other: Any) -> bool:
        return issubclass(other, cls.__mro__[1])

    def __setattr__(cls, name: str, value: Any) -> None:
        """What is kept in the class is kept in the user's, but for what Python keeps there."""
        inner = name.startswith("__") or name == "_abc_impl"
        type.__setattr__(cls if inner else cls.__mro__[1], name, value)


class _Abstract(_Plain, abc.ABCMeta):
    """The same for abstract classes, which ask each of their subclasses."""

    def __subclasscheck__(cls, other: Any) -> bool:
        """A stand-in that its own class asks knows nothing beside it."""
        asked = _ASKED.__dict__.setdefault("pairs", set())
        if (cls, other) in asked:
            return False
        asked.add((cls, other))
        try:
            return super().__subclasscheck__(other)
        finally:
            asked.discard((cls, other))


KINDS: dict[type, Any] = {type: _Plain, abc.ABCMeta: _Abstract}


def own_class(cls: type) -> type:
    """The class that a stand-in stands for; any other class itself."""
    return cls.__mro__[1] if issubclass(type(cls), _Plain) else cls
