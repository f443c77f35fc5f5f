"""Floor 8: everything that the code generated for a call can depend on, as text.

Two processes with equal footprints generate equal code. From a function all is followed that it
can reach: the code of the functions it names, what they hold from outside, classes, rules of the
user's, and the kinds of the arguments. Rather too much is taken in than too little; where it is
not certain that all is found, there is no footprint.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import inspect
import sys
import types
from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

from s2sgrad.calls.homes import (
    HIDDEN,
    HIDDEN_PARTS,
    at_home,
    code_parts,
    imported,
    plain_enum,
    text_of,
    trusted,
)
from s2sgrad.frontend.inputs import object_fields
from s2sgrad.rules.declare import Rule, declared

LONGEST = 2000  # entries of a container
_ATOMS = (type(None), bool, str, bytes, type(Ellipsis), range, slice)
_NUMBERS = (int, float, complex)
_NOT_IN_CLASSES = frozenset({
    "__module__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__abstractmethods__",
    "_abc_impl", "__dataclass_fields__", "__dataclass_params__", "__parameters__",
    "__orig_bases__", "__firstlineno__", "__static_attributes__", "__annotate_func__",
})  # fmt: skip
_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType)
_BUILT_IN = (types.BuiltinFunctionType, types.MethodDescriptorType, type(np.sum), np.ufunc, *_SLOTS)
_WITHOUT_STATE = (np.random.Generator, np.random.RandomState)  # of which code depends on


class Unknowable(Exception):
    """It can't be told what the code depends on."""


class Footprint:
    """The walk. held: all objects met, in an order that is the same in every process."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.held: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.modules: dict[int, types.ModuleType] = {}
        self.names: set[str] = set()
        self.sizes: dict[int, str] = {}
        self.exact = False  # whether numbers count by their value
        self.known = False  # whether what is met belongs to a package of known version

    def digest(self) -> str:
        text = "\x00".join(self.parts)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def number_of(self, holder: Any) -> int:
        """Where in `held` an object stands, or what a namespace belongs to."""
        found = self.numbers.get(id(holder))
        if found is None:
            found = next((
                k for k, item in enumerate(self.held)
                if getattr(item, "__globals__", None) is holder
                or (type(item) is types.ModuleType and vars(item) is holder)
            ), None)  # fmt: skip
        if found is None:
            raise Unknowable
        return found

    def arguments(self, values: Iterable[Any]) -> None:
        """Take in the arguments of a call: their kinds, and the pattern of their sizes."""
        for value in values:
            self.value(value)

    def outside(self, value: Any) -> None:
        """Take in what does not come with a call, and all that is reached by names from there."""
        self.exact = True
        self.value(value)
        done: set[tuple[int, str]] = set()
        while todo := self._attributes() - done:
            done |= todo
            for number, name in sorted(todo):
                module = self.held[number]
                if name in vars(module):
                    self.parts += "of", str(number), name
                    self.known = trusted(module.__name__)
                    self.value(vars(module)[name])
                    self.known = False
        own = any(not trusted(m.__name__) for m in self.modules.values())
        if self.names & HIDDEN or (own and self.names & HIDDEN_PARTS):
            raise Unknowable

    def _attributes(self) -> set[tuple[int, str]]:
        return {(self.numbers[m], name) for m in self.modules for name in self.names}

    # --- values ------------------------------------------------------------------------------
    def value(self, value: Any) -> None:
        """Take in any object."""
        kind = type(value)
        if kind in _ATOMS:
            self.parts += kind.__name__, repr(value)
        elif kind in _NUMBERS or isinstance(value, np.generic):
            self.parts += kind.__name__, repr(value) if self.exact else ""
        elif isinstance(value, np.dtype):
            self.parts += "dtype", repr(value)
        elif isinstance(value, Enum):
            self.parts += kind.__name__, value.name, repr(value.value)
            self.value(kind)
        elif id(value) in self.numbers:
            self.parts += "again", str(self.numbers[id(value)])
        else:
            self.numbers[id(value)] = len(self.held)
            self.held.append(value)
            self.parts += "(", kind.__name__
            if callable(value):
                self._rule(value)
            self._object(value, kind)
            self.parts.append(")")

    def _object(self, value: Any, kind: type) -> None:
        if kind is np.ndarray:
            self._array(value)
        elif kind in (list, tuple, set, frozenset, dict):
            self._container(value, kind)
        elif kind is types.ModuleType:
            self.parts.append(value.__name__)
            self.modules[id(value)] = value
        elif kind is types.FunctionType:
            self._function(value)
        elif kind is types.MethodType:
            self._all(value.__func__, value.__self__)
        elif kind is functools.partial:
            self._all(value.func, value.args, value.keywords)
        elif isinstance(value, type):
            self._class(value)
        elif kind in (staticmethod, classmethod):
            self._all(value.__func__)
        elif kind is property:
            self._all(value.fget, value.fset)
        elif kind is types.CellType:
            self._all(*_contents(value))
        elif isinstance(value, _BUILT_IN):
            self._built_in(value)
        elif kind is inspect.Signature:  # NumPy keeps that of a ufunc once it was asked for
            self.parts.append(str(value))
        else:
            self._instance(value, kind)

    def _all(self, *values: Any) -> None:
        for value in values:
            self.value(value)

    def _exactly(self, *values: Any) -> None:
        """Take in values that are constants of the code."""
        before, self.exact = self.exact, True
        self._all(*values)
        self.exact = before

    def _array(self, array: np.ndarray[Any, Any]) -> None:
        if array.dtype.hasobject:
            raise Unknowable
        shape = (
            str(n) if n < 2 else self.sizes.setdefault(n, f"n{len(self.sizes)}")
            for n in array.shape
        )  # fmt: skip
        self.parts += array.dtype.str, repr(array.dtype), *shape

    def _container(self, value: Any, kind: type) -> None:
        if len(value) > LONGEST or value is sys.modules:
            raise Unknowable
        self.parts.append(str(len(value)))
        if kind is dict:
            for key, item in value.items():
                self._exactly(key)
                self.value(item)
        elif kind in (list, tuple):
            self._all(*value)
        elif all(type(v) in (str, int, bool) for v in value):
            self.parts += sorted(map(repr, value))
        else:
            raise Unknowable

    # --- code --------------------------------------------------------------------------------
    def _function(self, function: types.FunctionType) -> None:
        home = function.__globals__
        self.parts += str(home.get("__name__")), function.__qualname__
        if at_home(function):
            return
        code = function.__code__
        parts, names = code_parts(code)
        self.parts += code.co_filename, text_of(code), *parts
        for module in imported(code):
            if not trusted(module):
                raise Unknowable  # perhaps it is not even loaded yet
            self._exactly(*(m for m in [sys.modules.get(module)] if m is not None))
        self.names |= names
        for name in sorted(names):
            if name in home:
                self.parts += "global", name
                self._exactly(home[name])
            elif hasattr(builtins, name):
                self.parts += "builtin", name
        self._exactly(function.__defaults__, function.__kwdefaults__, dict(vars(function)))
        self._exactly(*(function.__closure__ or ()))

    def _built_in(self, value: Any) -> None:
        owner = getattr(value, "__self__", None)
        if owner is not None:
            self.value(owner)
        module = getattr(value, "__module__", None) or getattr(value, "__objclass__", None)
        self.parts += str(module), getattr(value, "__qualname__", value.__name__)
        if isinstance(value, np.ufunc | type(np.sum)) and not at_home(value):
            raise Unknowable

    # --- classes and objects -----------------------------------------------------------------
    def _class(self, cls: type) -> None:
        self.parts += cls.__module__, cls.__qualname__
        if at_home(cls):
            return
        self._exactly(type(cls), *cls.__mro__[1:])
        for name, item in vars(cls).items():
            if name not in _NOT_IN_CLASSES:
                self.parts.append(name)
                self._exactly(item)

    def _instance(self, value: Any, kind: type) -> None:
        self.value(kind)
        if isinstance(value, _WITHOUT_STATE) or (self.known and at_home(kind)):
            return
        if hasattr(kind, "__s2sgrad_enter__") or hasattr(kind, "__s2sgrad_primal__"):
            raise Unknowable
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._all(*value)
        special = isinstance(value, (list, tuple, dict, np.ndarray, str, bytes, *_NUMBERS))
        if special and not plain_enum(value):
            raise Unknowable
        fields = object_fields(value)
        if fields is None:
            fields = dict(vars(value)) if hasattr(value, "__dict__") else None
        if fields is None:
            raise Unknowable
        self._container(fields, dict)

    def _rule(self, function: Any) -> None:
        """Take in the derivative that the user has declared for a function."""
        rule = declared(function)
        if rule is None or _is_ours(rule):
            return
        self.parts.append("rule")
        held = {n: v for n, v in vars(rule).items() if n not in ("function", "span")}
        self._exactly(*(held[n] for n in sorted(held) if n in rule.__dataclass_fields__))


def _is_ours(rule: Rule) -> bool:
    made_of: Any = rule.declaration or rule.tangent_declaration or rule.function
    home = getattr(made_of, "__globals__", None)
    return trusted(home.get("__name__") if isinstance(home, dict) else made_of.__module__)


def _contents(cell: types.CellType) -> tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


__all__ = ["Footprint", "Unknowable"]
