"""Floor 8: several runs of a function that draw the same random numbers.

A Jacobian by columns runs the function once per column: they belong together only if all runs draw
what the first one drew. After them the generators are where one run leaves them.
"""

from __future__ import annotations

import functools
import random
import sys
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.calls.homes import trusted

_PLAIN = (str, bytes, int, float, complex, type(None), np.ndarray, np.generic, np.ufunc)
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
_OF_MODULES = (np.random.mtrand._rand, random._inst)  # type: ignore[attr-defined]


class Draws:
    """The generators that a call of a function with these arguments may draw from."""

    def __init__(self, function: Any, values: Iterable[Any]) -> None:
        self.generators = _generators([function, *values])
        self.states = _states(self.generators)
        self.runs = 0

    def again(self) -> None:
        """To be called before each run: all but the first begin where the first began."""
        self.runs += 1
        if self.runs > 1:
            _reset(self.generators, self.states)

    @contextmanager
    def replayed(self) -> Iterator[None]:
        """A block in which the first run's numbers are drawn; they count as drawn once."""
        now = _states(self.generators)
        _reset(self.generators, self.states)
        try:
            yield
        finally:
            _reset(self.generators, now)


def _states(generators: list[Any]) -> list[Any]:
    return [_state(g) for g in generators]


def _state(generator: Any) -> Any:
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    if isinstance(generator, random.Random):
        return generator.getstate()
    return generator.get_state(legacy=False)


def _reset(generators: list[Any], states: list[Any]) -> None:
    for generator, state in zip(generators, states, strict=True):
        if isinstance(generator, np.random.Generator):
            generator.bit_generator.state = state
        elif isinstance(generator, random.Random):
            generator.setstate(state)
        else:
            generator.set_state(state)


def _generators(todo: list[Any]) -> list[Any]:
    """The generators held by values, and reached by the code of functions; the first is the one
    that is differentiated."""
    reach = _Reach(_root(getattr(todo[0], "__module__", None)))
    found: dict[int, Any] = {}
    seen: dict[int, Any] = {}
    while todo:
        value = todo.pop()
        if isinstance(value, _PLAIN) or id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, _GENERATORS):
            found[id(value)] = value
        else:
            todo += reach.within(value)
    return list(found.values())


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
        for cell in function.__closure__ or ():
            try:
                held.append(cell.cell_contents)
            except ValueError:  # not bound yet
                continue
        names = _names(function.__code__)
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


def _names(code: types.CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return {*code.co_names, *(n for c in inner for n in _names(c))}


__all__ = ["Draws"]
