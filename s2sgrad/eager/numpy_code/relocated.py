"""A function seen through other globals: its `np` makes arrays that can be traced when written to.

`y = np.zeros(n); y[i] = x[i]` can't be recorded on a plain array. The function, and the plain
functions and classes of users' modules that it reaches, are therefore copied with `stand_ins` for
NumPy's functions. Nothing of the original is touched.
"""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code import class_stand_ins, generators, vectorized
from s2sgrad.eager.numpy_code.kinds import Kind
from s2sgrad.eager.numpy_code.models import MODELS
from s2sgrad.eager.numpy_code.past_rules import refusing_past_rules
from s2sgrad.eager.numpy_code.stand_ins import (
    CALLED,
    CALLING,
    NUMBERS,
    NUMPY,
    shadow_of,
    stands_for,
    to_map,
)
from s2sgrad.eager.numpy_code.stores import FOLLOWED, codes, followed, following

Function = Callable[..., Any]
_TYPES = {"type", "__class__", "__mro__", "mro", "__bases__", "__base__", "__subclasses__"}
CUTTING = "s2sgrad.standins.cutting"  # cotangent blocks, which ask whether they are on tensors
_OWN = {"numpy", "scipy", "s2sgrad", "s2sgrad_runtime", *sys.stdlib_module_names} - {"__main__"}


@lru_cache(maxsize=4096)
def only_calls(code: types.CodeType, names: frozenset[str]) -> bool:
    """Whether `float` (or `np.float64`) and its kin are only called there, never named as types."""
    for inner in codes(code):
        steps = list(dis.get_instructions(inner))
        for i, step in enumerate(steps):
            loads = step.opname.startswith("LOAD_") and step.argval in names
            if loads and not is_called(steps, i):
                return False
    return True


@lru_cache(maxsize=4096)
def takes_equals(code: types.CodeType, name: str) -> bool:
    """Whether code may be given a class's equal (see `Kind`): it does not ask which one it is."""
    for inner in codes(code):
        steps = list(dis.get_instructions(inner))
        named = [
            i for i, s in enumerate(steps) if s.opname.startswith("LOAD_") and s.argval == name
        ]
        if not named:
            continue
        if "register" in inner.co_names:  # of functions for classes
            return False
        for i in named:
            if any(s.opname in ("IS_OP", "MATCH_CLASS") for s in steps[i + 1 : i + 4]):
                return False
        identities = any(
            s.opname == "IS_OP" and steps[i - 1].argval is not None for i, s in enumerate(steps)
        )
        if identities and _TYPES & {*inner.co_names}:
            return False
        if any(s.opname == "LOAD_BUILD_CLASS" for s in steps):  # of which it may be a base
            return False
    return True


def is_called(steps: list[dis.Instruction], i: int) -> bool:
    """Whether an instruction loads a name, or an attribute of a module, in order to call it."""
    step, after = steps[i], steps[i + 1].opname
    if step.opname == "LOAD_METHOD" or pushes_null(step):
        return True
    if step.opname != "LOAD_ATTR" or after in ("LOAD_ATTR", "LOAD_METHOD"):
        return False
    before = steps[max(i - 2, 0)].opname == "PUSH_NULL" or pushes_null(steps[i - 1])
    return before or after == "PUSH_NULL"


def asks_for_types(code: types.CodeType) -> bool:
    """Whether code tells classes apart, or says by name whose parent it calls."""
    for inner in codes(code):
        names = {*inner.co_names}
        if _TYPES & names or ("super" in names and "__class__" not in inner.co_freevars):
            return True
    return False


def is_only_used(steps: list[dis.Instruction], i: int) -> bool:
    """Whether a class is loaded to be called, asked for an attribute, or what is made of it."""
    then = steps[i + 1 + (steps[i + 1].opname == "COPY")].opname  # copied for `C.count += 1`
    if is_called(steps, i) or then in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"):
        return True
    asked = any(s.argval in ("isinstance", "issubclass") for s in steps[max(i - 6, 0) : i])
    return asked or any(s.opname == "MATCH_CLASS" for s in steps[i : i + 4])


def pushes_null(step: dis.Instruction) -> bool:
    """Whether an instruction does what a call needs besides loading a name."""
    flagged = ("LOAD_GLOBAL", "LOAD_ATTR") if sys.version_info >= (3, 12) else ("LOAD_GLOBAL",)
    return step.opname in flagged and bool((step.arg or 0) & 1)


@lru_cache(maxsize=4096)
def writes_globals(code: types.CodeType) -> bool:
    """Whether the code assigns to a global name: a copy would assign elsewhere."""
    return any(
        step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")
        for inner in codes(code)
        for step in dis.get_instructions(inner)
    )


def is_users(module: Any) -> bool:
    """Whether a module (by name) is the user's own: neither NumPy's kin nor Python's library.

    What the compiler reads as a user's code is seen so here too, but not what it knows by itself.
    """
    if not isinstance(module, str) or module == CUTTING:
        return False
    return module.startswith(MODELS) or module.partition(".")[0] not in _OWN


@contextmanager
def relocated(function: Any) -> Iterator[Any]:
    """Block with the function with NumPy's creators replaced, where that is safe; else itself.

    What is made refers to itself (functions and their globals, classes); that is undone behind the
    block, so that nothing waits for the garbage collector.
    """
    copiers = [_Copier()]
    try:
        made = copiers[0].relocated(function)
        if copiers[0].types_matter:
            copiers.append(_Copier(types_matter=True))
            made = copiers[1].relocated(function)
        with refusing_past_rules():
            yield made
    finally:
        for copier in copiers:
            copier.release()


class _Scope:
    """The globals of one module, changed. Only what the copied functions name is replaced.

    Functions that do nothing with `float`, `complex` or `np.float64` but call them get globals in
    which these stand for functions that take traced numbers.
    """

    def __init__(self, original: dict[str, Any]) -> None:
        self.original = original
        self.replaced: dict[str, Any] = {}
        self.made: dict[tuple[frozenset[str], bool], dict[str, Any]] = {}

    def of(self, code: types.CodeType) -> dict[str, Any]:
        """The changed globals for a function."""
        called = frozenset(
            name
            for name in CALLED
            if only_calls(code, frozenset((name,)))
            or (type(CALLED[name]) is Kind and takes_equals(code, name))
        )
        kind = called, only_calls(code, NUMBERS)
        if kind not in self.made:
            builtin = {name: CALLED[name] for name in called} | {"map": to_map}
            builtin[FOLLOWED] = followed
            self.made[kind] = builtin | self.original
            for name, new in self.replaced.items():
                self.write(kind, name, new)
        return self.made[kind]

    def write(self, kind: tuple[frozenset[str], bool], name: str, new: Any) -> None:
        self.made[kind][name] = CALLING if kind[1] and new is NUMPY else new

    def enter(self, code: types.CodeType, replaced: Function) -> None:
        """Replace the globals that a function names."""
        names = {name for inner in codes(code) for name in inner.co_names}
        for name in sorted(names & self.original.keys()):
            if name not in self.replaced:
                self.replaced[name] = None  # being looked at
                self.replaced[name] = new = replaced(self.original[name])
                for kind in list(self.made):
                    self.write(kind, name, new)

    def release(self) -> None:
        """Let the changed globals forget the copies, which hold them."""
        for changed in self.made.values():
            changed.update({name: self.original[name] for name in self.replaced})


class _Copier:
    """Copies functions and classes, each once, onto changed copies of their globals."""

    def __init__(self, types_matter: bool = False) -> None:
        self.types_matter = types_matter  # code asks for types: classes are not stood for
        self.scopes: dict[int, _Scope] = {}
        self.known: dict[int, Any] = {}
        self.alive: list[Any] = []  # what numbers in `known` belong to
        self.classes: list[type] = []

    def release(self) -> None:
        """Undo what refers to itself."""
        for scope in self.scopes.values():
            scope.release()
        for made in self.classes:
            class_stand_ins.release(made)
        self.known.clear()

    def relocated(self, function: Any) -> Any:
        """See `relocated`."""
        if isinstance(function, types.MethodType):
            owner = function.__self__
            owner = self(owner) if isinstance(owner, type) else self.copied_object(owner)
            return types.MethodType(self(function.__func__), owner)
        return self.copied_object(self(function)) if callable(function) else function

    def __call__(self, value: Any) -> Any:
        """What a global name or closure cell stands for in the copy."""
        if isinstance(value, types.ModuleType):
            if is_users(value.__name__) and value.__name__ in sys.modules:
                return self.known.setdefault(id(value), _Module(value, self))
            return shadow_of(value)
        found = self.known.get(id(value))
        if found is not None:
            return found
        found = stands_for(value)
        if found is not value:
            return self.known.setdefault(id(value), found)
        if isinstance(value, types.FunctionType):
            return self.copy(value)
        if isinstance(value, np.vectorize):
            return vectorized.again(value, self)
        if isinstance(value, functools.partial):
            return functools.partial(self(value.func), *value.args, **value.keywords)
        if isinstance(value, type) and is_users(value.__module__):
            return self.copied_class(value)
        if type(value) in (dict, list, tuple) and is_table(value):
            if type(value) is dict:
                return {key: self(entry) for key, entry in value.items()}
            return type(value)(map(self, value))
        if type(value) in generators.KINDS:
            return generators.Drawing(value)
        return value

    def copy(self, function: types.FunctionType) -> Any:
        """The function on the changed globals; of a library's, with what it wraps changed."""
        found = self.known.get(id(function))
        if found is not None:
            return found
        code, original = function.__code__, function.__globals__
        name = original.get("__name__", "")
        users = is_users(name)
        wraps = bool(function.__closure__) and name in sys.stdlib_module_names
        if writes_globals(code) or not (users or wraps):
            return function
        scope = self.scopes.setdefault(id(original), _Scope(original))
        found = scope.of(code) if users else original
        cells = None if function.__closure__ is None else self.cells(function)
        if not users and cells == function.__closure__:
            return function
        body = following(code) if users else code
        made = types.FunctionType(body, found, function.__name__, None, cells)
        self.known[id(function)] = made
        given, named = function.__defaults__, function.__kwdefaults__
        made.__defaults__ = given and tuple(map(self.default, given))
        made.__kwdefaults__ = named and {name: self.default(v) for name, v in named.items()}
        made.__dict__ = function.__dict__  # shared: what is kept there is seen outside
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        if users:
            self.types_matter |= asks_for_types(code) or self.holds_classes(function)
            scope.enter(code, self)
        return made

    def default(self, value: Any) -> Any:
        """The default of a parameter."""
        return self(value) if isinstance(value, types.FunctionType) else value

    def holds_classes(self, function: types.FunctionType) -> bool:
        """Whether a function does something else with a user's class than use it."""
        for inner in codes(function.__code__):
            steps = [*dis.get_instructions(inner)]
            for i, step in enumerate(steps):
                loads = step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
                value = function.__globals__.get(step.argval) if loads else None
                users = isinstance(value, type) and is_users(value.__module__)
                if users and not is_only_used(steps, i):
                    return True
        return False

    def cells(self, function: types.FunctionType) -> tuple[Any, ...]:
        """The closure; cells that hold NumPy or a user's functions get replaced ones.

        Other cells are shared, so that `nonlocal` writes are seen outside.
        """
        made = []
        for cell in function.__closure__ or ():
            try:
                held = cell.cell_contents
            except ValueError:  # not assigned yet
                made.append(cell)
                continue
            kept = held is function or isinstance(held, (type, list, dict))  # may be added to
            new = held if kept else self(held)
            made.append(cell if new is held else types.CellType(new))
        return tuple(made)

    def copied_class(self, cls: type) -> type:
        """A subclass with copies of the methods, which stands for the class; else the class itself.

        Its other bases stand for the class's own, so that `super()` finds theirs. Classes that are
        told of their subclasses and exceptions (which are caught by their class) stay as they are.
        """
        if id(cls) in self.known:
            return self.known[id(cls)]  # type: ignore[no-any-return]
        if (
            self.types_matter
            or type(cls) not in class_stand_ins.KINDS
            or issubclass(cls, BaseException)
            or class_stand_ins.is_told(cls)
        ):
            return cls
        self.known[id(cls)] = cls  # methods that name their own class
        bases = [self.copied_class(b) for b in cls.__bases__ if is_users(b.__module__)]
        bases = [b for b in bases if b is not class_stand_ins.own_class(b)]
        methods = {n: self.method(v) for n, v in vars(cls).items() if is_method(v)}
        if not (bases or methods):
            return cls
        made = class_stand_ins.standing_for(cls, bases, methods)
        self.known[id(cls)] = made
        self.classes.append(made)
        return made

    def copied_object(self, value: Any) -> Any:
        """An object with the same attributes (not copies) whose class is stood for; else itself.

        For what is called only: code can tell it from the object, which other names may hold.
        """
        if id(value) in self.known:
            return self.known[id(value)]
        cls = type(value)
        made: Any = self.copied_class(cls) if is_users(cls.__module__) else cls
        if made is cls or not class_stand_ins.is_plain(cls):
            return value
        found = object.__new__(made)
        object.__setattr__(found, "__dict__", value.__dict__)
        self.known[id(value)] = found
        self.alive.append(value)
        return found

    def method(self, value: Any) -> Any:
        """A copy of a method or property; None where nothing in it changes."""
        if isinstance(value, property):
            get, put, drop = (f and self(f) for f in (value.fget, value.fset, value.fdel))
            return property(get, put, drop, value.__doc__)
        if isinstance(value, functools.cached_property):
            made: Any = functools.cached_property(self(value.func))
            made.__set_name__(None, value.attrname)
            return made
        if isinstance(value, (staticmethod, classmethod)):
            return type(value)(self(value.__func__))
        return self(value)


def is_method(value: Any) -> bool:
    """Whether an attribute of a class is a function, or made of some."""
    wrappers = (property, functools.cached_property, staticmethod, classmethod)
    return isinstance(value, (types.FunctionType, *wrappers))


def is_table(value: Any) -> bool:
    """Whether a container holds functions and nothing else."""
    entries = value.values() if type(value) is dict else value
    return bool(value) and all(isinstance(e, types.FunctionType) for e in entries)


class _Module(types.ModuleType):
    """A user's module whose functions and classes are given as the copier copies them."""

    def __init__(self, original: types.ModuleType, copier: _Copier) -> None:
        vars(self).update(_original=original, _copier=copier, __name__=original.__name__)

    def __getattr__(self, name: str) -> Any:
        return self._copier(getattr(self._original, name))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._original, name, value)
