"""Floor 4: what a function reads from outside: known while compiling, or read at each call.

Code holds only as long as what was known stays as it was: functions and classes, flags, the code of
functions. `rely_on` notes it, and each call looks at it first.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import inspect
import os
import sys
import types
from collections.abc import Callable
from enum import EnumMeta
from typing import Any, get_origin

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.held_values import OF_AN_OWNER
from s2sgrad.frontend.state import Local, Unbound
from s2sgrad.frontend.values import Dyn, Heap, Instance, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Opaque, Scalar
from s2sgrad.rules.declare import is_opaque, lookup

ATOMS: tuple[type, ...] = (str, bytes, type(None), bool, type, types.ModuleType, np.dtype)
ATOMS = (*ATOMS, range, slice, frozenset, enum.Enum, types.UnionType)

READ_AT_EACH_CALL = ("stdout", "stderr", "environ")  # what is there may be replaced, or change


def is_code(value: Any) -> bool:
    """Functions, classes and modules: known while compiling, part of the cache key."""
    return callable(value) and (
        inspect.isroutine(value)
        or is_opaque(value)
        or (lookup(value) is not None and not isinstance(value, types.MethodType))
        or isinstance(value, type | np.ufunc | np.vectorize)
        or hasattr(value, "__wrapped__")
        or get_origin(value) is not None  # list[int], typing.Counter
        or is_distribution(value)
        or hasattr(type(value), "__s2sgrad_enter__")  # derivatives
        or hasattr(value, "__s2sgrad_primal__")
    )


def is_distribution(value: Any) -> bool:
    """Whether this is a distribution of scipy.stats, without parameters."""
    cls = type(value)
    return cls.__module__.startswith("scipy.stats.") and cls.__name__.endswith("_gen")


def is_library(value: Any) -> bool:
    """Whether a module, or the module of a class or function, does not change in a session."""
    return _is_library_name(
        value.__name__ if isinstance(value, types.ModuleType) else value.__module__
    )


def _is_library_name(module: Any) -> bool:
    root = str(module).partition(".")[0]
    own = root in ("numpy", "scipy", "s2sgrad", "s2sgrad_runtime")
    return own or (root in sys.stdlib_module_names and root != "__main__")


def is_fixed(value: Any) -> bool:
    """Whether this is a `functools.partial` of code, with arguments that can't change."""
    if not isinstance(value, functools.partial):
        return False
    given = (*value.args, *value.keywords.values())
    plain = (isinstance(v, (*ATOMS, int, float)) or is_code(v) for v in given)
    return is_code(value.func) and all(plain)


class Outside(Base):
    """Globals, closure and class variables, defaults, attributes of modules."""

    capture_names: dict[str, str]
    captures: dict[str, tuple[str, Any]]
    guards: dict[tuple[Any, ...], Any]  # (kind, holder, name) -> (place, what the code relies on)
    outside_variables: set[str]  # variables that hold values from outside
    outside_ids: set[int]  # containers from outside
    class_ids: set[int]  # those of them that a class holds
    filling_ids: set[int]  # dicts among them that make the entries which they lack
    places: dict[int, nodes.Expr]  # containers and objects of the caller's -> where they are
    changed_places: set[int]  # those that the function may change
    compared_places: set[tuple[int, int]]  # those of which it asks whether they are the same
    _captured: dict[tuple[str, int], Value]
    _seen: dict[tuple[str, int], tuple[str, Any, Any]]
    _outside_contents: dict[int, Any]

    def outside(self, name: str, value: Any, where: tuple[str, Any]) -> Value:
        """A global, closure or class variable: numbers are read when the gradient is called."""
        if isinstance(value, Local):
            if value.value is None:
                raise Unbound(f"name '{value.name}' is not defined here")
            return value.value
        if isinstance(value, ATOMS) or is_code(value) or is_fixed(value):
            if where[0] != "object":
                self.rely_on(name, value, where)
            return Static(value, name)
        key = (name, id(value))
        if key not in self._captured:
            parameter = self.builder.names.fresh(name)
            self.captures[parameter] = where if where[0] == "attribute" else (where[0], where[1])
            self.capture_names[parameter] = name
            self._seen[key] = (name, value, where)
            before = set(self.outside_ids)
            self.take_outside(key, lambda: self.input_value(value, nodes.Var(parameter), parameter))
            if where[0] == "attribute" and isinstance(where[1][0], type):
                self.class_ids |= self.outside_ids - before
        for identity, contents in self._outside_contents.items():
            self.state.heap.setdefault(identity, contents)  # it may have been met on another path
        return self._captured[key]

    def rely_on(self, name: str, value: Any, where: tuple[str, Any]) -> None:
        """The code holds only as long as this stands there: it is looked at before each call."""
        kind, place = where
        for key, part in value.keywords.items() if is_fixed(value) else ():
            self.rely_on(key, part, ("global", value.keywords))  # it may be given another
        if is_fixed(value):
            self.rely_on("keywords", " ".join(value.keywords), ("keys", value.keywords))
        if kind == "global" and _is_library_name(place.get("__name__")):
            return  # of a library, or of generated code
        holder, label = place if kind in OF_AN_OWNER else (place, name)
        self.guards.setdefault((kind, id(holder), label), (place, value))

    def rely_on_presence(self, owner: Any, name: str) -> None:
        """The code holds only as long as a function, class or module has an attribute, or not."""
        if isinstance(owner, types.FunctionType | type | types.ModuleType) and not is_library(
            owner
        ):
            self.rely_on(name, hasattr(owner, name), ("present", (owner, name)))

    def rely_on_code(self, function: types.FunctionType) -> None:
        """Functions may get new code, or defaults, where modules are loaded again in a session."""
        if is_library(function) or function.__module__ is None:
            return
        self.rely_on("code", function.__code__, ("attribute", (function, "__code__")))
        for name in ("__defaults__", "__kwdefaults__"):
            if getattr(function, name):
                self.rely_on(name, getattr(function, name), ("attribute", (function, name)))

    def of_namespace(self, owner: Any, name: str, found: Any, text: str) -> Value:
        """An attribute of a module or class, of the user's or of a library."""
        owned = owner if isinstance(owner, type) else None
        if owner in (sys, os) and name in READ_AT_EACH_CALL:
            kind = Opaque(type(found).__name__, type(found))
            return Dyn(nodes.Ref(f"{owner.__name__}.{name}", found, type=kind))
        if is_library(owner) or name.startswith("__") or isinstance(owned, EnumMeta):
            return Static(found, text)
        where = ("attribute", (owner, name))
        if isinstance(found, ATOMS) or is_code(found) or is_fixed(found):
            if not inspect.ismethod(found):  # made anew each time it is looked at
                self.rely_on(name, found, where)
            return Static(found, text)
        return self.outside(name if owned is None else f"{owner.__name__}_{name}", found, where)

    def take_outside(self, key: tuple[str, int], make: Callable[[], Value]) -> Value:
        """Make the value that stands for something from outside."""
        before, containers = set(self.builder.types), set(self.state.heap)
        self._captured[key] = make()
        self.outside_variables |= set(self.builder.types) - before
        made = set(self.state.heap) - containers
        self.outside_ids |= made
        for identity in made:
            if isinstance(contents := self.state.heap[identity], Instance):
                self.state.heap[identity] = dataclasses.replace(contents, given=False)
        self._outside_contents |= {i: self.state.heap[i] for i in made}
        return self._captured[key]

    def captured_objects(self) -> dict[tuple[str, int], tuple[str, Any, Any]]:
        """(name, value, where) of what was read from outside."""
        return dict(self._seen)

    def refuse_outside(self, owner: Value, node: ast.AST) -> None:
        """Containers from outside belong to others: they must not change. Nor may those that
        other names hold on some paths: the change would be lost on the way to them."""
        if isinstance(owner, Heap):
            self.changed_places.add(owner.id)
            self.keep_apart(owner.id, node)
        if isinstance(owner, Heap) and owner.id in self.class_ids:
            raise self.refuse(
                "changing a list or dict that a class holds",
                node,
                "the class is there once for all calls, and a gradient call must leave it as it "
                "was; one that the function defines is made while compiling",
                "make it in __init__ (self.items = []), or in the function, beside the class",
            )
        if isinstance(owner, Heap) and owner.id in self.outside_ids:
            raise self.refuse(
                "changing a container from outside",
                node,
                "a gradient call must leave globals, closure variables and defaults as they were",
                "make a copy inside the function: items = dict(ITEMS) or list(ITEMS); in place of "
                "a default: items=None, and items = [] if items is None else items",
            )

    def object_value(self, value: Any) -> Value:
        """A default, a bound object...: known where possible, else read from outside."""
        if type(value) in (int, float, complex) or isinstance(value, ATOMS) or is_code(value):
            return Static(value)
        if type(value) is tuple and all(isinstance(v, (*ATOMS, int, float)) for v in value):
            return self.sequence([self.object_value(v) for v in value])
        name = type(value).__name__.lower()
        return self.outside(name, value, ("object", value))

    def module_number(self, module: Any, name: str, value: Any) -> Value:
        """`np.pi`, `math.e`, or a number in a module of the user's."""
        root = module.__name__.split(".")[0]
        if root in ("numpy", "math", "scipy"):
            text = f"{'np' if root == 'numpy' else module.__name__}.{name}"
            kind = (
                Scalar(type(value).__name__, None, value)
                if type(value) in (int, float)
                else Scalar("float")
            )
            return Dyn(nodes.Ref(text, value, type=kind))
        return self.outside(name, value, ("global", vars(module)))
