"""Floor 8: what a function can reach: what it holds from outside, and what it may call."""

from __future__ import annotations

import functools
import random
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from s2sgrad.calls.homes import trusted

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
_PLAIN = (str, bytes, int, float, complex, type(None), np.ndarray, np.generic, np.ufunc)
_OF_MODULES = (np.random.mtrand._rand, random._inst)  # type: ignore[attr-defined]


def reached(values: Iterable[Any]) -> Iterator[Any]:
    """The values, what they hold, and what the code of functions among them reads; each once. The
    first is a function: libraries that it does not belong to are passed over."""
    todo = deque(values)  # what is near comes first
    reach = _Reach(_root(getattr(todo[0], "__module__", None)))
    seen: dict[int, Any] = {}
    while todo:
        value = todo.popleft()
        if isinstance(value, _PLAIN) or id(value) in seen:
            continue
        seen[id(value)] = value
        yield value
        if not isinstance(value, GENERATORS):
            todo.extend(reach.within(value))


class _Reach:
    """What values hold, and functions call. home: the package that is not passed over."""

    def __init__(self, home: str) -> None:
        self.home = home

    def within(self, value: Any) -> Iterable[Any]:
        """What a value holds, or may call."""
        if isinstance(value, dict):
            return value.values()
        if isinstance(value, list | tuple):
            return () if value and isinstance(value[0], _PLAIN[:5]) else value
        if isinstance(value, types.FunctionType):
            return () if self._apart(value.__module__) else self._of_function(value)
        if isinstance(value, types.MethodType | types.BuiltinMethodType):
            return (value.__self__, getattr(value, "__func__", None))
        if isinstance(value, functools.partial):
            return (value.func, value.args, value.keywords)
        if isinstance(value, types.ModuleType):
            return ()
        if isinstance(value, type):
            return () if self._apart(value.__module__) else list(vars(value).values())
        if isinstance(value, property | staticmethod | classmethod):
            return (getattr(value, "fget", None), getattr(value, "__func__", None))
        if trusted(type(value).__module__):  # a derivative, or a method of our runtime
            return (getattr(value, "function", None), getattr(value, "__wrapped__", None))
        return [*type(value).__mro__, *getattr(value, "__dict__", {}).values()]

    def _of_function(self, function: types.FunctionType) -> list[Any]:
        held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        held += vars(function).values()
        for cell in function.__closure__ or ():
            try:
                held.append(cell.cell_contents)
            except ValueError:  # not bound yet
                continue
        names = read_outside(function.__code__)
        for name in names:
            entry = function.__globals__.get(name)
            held += self._of_module(entry, names) if type(entry) is types.ModuleType else [entry]
        return held

    def _of_module(self, module: types.ModuleType, names: set[str]) -> Iterable[Any]:
        if module is random or (trusted(module.__name__) and "random" in names):
            return _OF_MODULES
        return () if self._apart(module.__name__) else [vars(module).get(n) for n in names]

    def _apart(self, module: str | None) -> bool:
        """Whether a module is of a library: its code is not followed."""
        root = _root(module)
        return trusted(module) or (root != self.home and _installed(root))


def _root(module: str | None) -> str:
    return (module or "").partition(".")[0]


@functools.cache
def _installed(root: str) -> bool:
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    return "site-packages" in file or "dist-packages" in file


def read_outside(code: types.CodeType) -> set[str]:
    """The names of globals and attributes in a function and those inside of it."""
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return {*code.co_names, *(n for c in inner for n in read_outside(c))}


__all__ = ["GENERATORS", "reached", "read_outside"]
