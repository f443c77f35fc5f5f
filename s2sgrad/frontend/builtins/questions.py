"""Floor 4: what a value is: isinstance, type, callable, hasattr and getattr."""

from __future__ import annotations

import ast
import collections
import functools
import importlib
import types
from enum import Enum
from typing import Any, Union, get_args, get_origin

import numpy as np

from s2sgrad.analysis.several_classes import classes_held
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import MISSING, Base, callable_class, in_class
from s2sgrad.frontend.builtins.iterator_classes import ITERATORS, given_by
from s2sgrad.frontend.containers.sparse import is_sparse
from s2sgrad.frontend.functions.standing_in import stands_for
from s2sgrad.frontend.models.containers import DefaultDict
from s2sgrad.frontend.state import Clash
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Generator,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Method,
    Partial,
    Sequence,
    Static,
    Value,
    is_function,
    is_mixed,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    Array,
    Dict,
    List,
    Member,
    Number,
    Opaque,
    Scalar,
    Truth,
    Tuple,
)


def classes_asked(known: Any) -> Any:
    """The class or classes in the second argument of isinstance: of unions and aliases too."""
    origin = get_origin(known)
    if origin in (Union, types.UnionType):
        return tuple(map(classes_asked, get_args(known)))
    if isinstance(known, tuple):
        return tuple(map(classes_asked, known))
    return (
        origin if isinstance(origin, type) else _real(known) if isinstance(known, type) else known
    )


_WHOLE = (int, bool, np.bool_, np.int64)


def _classes_of(kind: Number) -> tuple[type, ...]:
    """The classes of the numbers that a value may be."""
    dtypes = (kind.dtype,) if kind.dtype else ("float64", "float32", "int64", "complex128", "bool")
    samples = [np.dtype(d).type() for d in dtypes]
    return tuple(c for s in samples for c in (type(s), type(s.item())))


_TRUTHS = (bool, np.bool_)


def _real(cls: type) -> type:
    """The class that the user names, for what is read in place of a class of a library."""
    if hasattr(cls, "AS_LIST"):
        return list
    real = stands_for(cls)
    return real if isinstance(real, type) else cls


def is_chosen_class(value: Value) -> bool:
    """Whether a value is one of several things, some of which are classes or other constants."""
    return isinstance(value, Chosen) and any(isinstance(v, Static) for v in value.options)


def is_stand_in(contents: Any) -> bool:
    """Whether an object is read in place of one of a library's, of a class that is known."""
    return isinstance(contents, Instance) and _real(contents.cls) is not contents.cls


def _unknown(actual: type, classes: Any) -> bool:
    """Whether what is read in place of an object of a library may be of a class of that library:
    several of its classes are read as one."""
    asked = classes if isinstance(classes, tuple) else (classes,)
    homes = {str(getattr(c, "__module__", "")).partition(".")[0] for c in asked}
    return actual.__module__.startswith("s2sgrad.") and "scipy" in homes


class Questions(Base):
    """Builtins that ask what a value is."""

    def on_isinstance(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        classes = classes_asked(self.constant_value(args[1]))
        actual = self.python_class(args[0])
        kind = args[0].type if isinstance(args[0], Dyn) else None
        if actual is None and isinstance(kind, Number) and isinstance(classes, type | tuple):
            return self._number_or_array(args, kind, classes, node)
        if actual is None and getattr(classes, "__module__", "").startswith("s2sgrad."):
            return Static(False)  # objects of ours are taken apart
        if is_sparse(args[0]) and classes in (np.ndarray, types.NoneType):
            return Static(False)
        if self.may_be_real(args[0]) and actual is not np.ndarray:
            pair = (self.named(args[0], "value", node), self.residual(args[1], node))
            return Dyn(nodes.Call(isinstance, "isinstance", pair, type=BOOL))
        asked = self._asked_of_a_run(args, classes, node)
        if asked is not None:
            return asked
        maybe = self.isinstance_or_none(args[0], classes, node)
        if maybe is not None:
            return maybe
        several = _plain_classes(kind)
        if several and isinstance(classes, type | tuple):
            answers = {issubclass(c, classes) for c in several}
            if len(answers) == 1:
                return Static(answers.pop())
        unclear = self.is_stepping(args[0]) and issubclass(types.GeneratorType, classes)
        # it may have been a generator
        unclear = unclear and actual is not None and not issubclass(actual, classes)
        if (
            actual is None
            or not isinstance(classes, type | tuple)
            or unclear
            or (_unknown(actual, classes))
        ):
            raise self.refuse(
                "can't tell while compiling what isinstance gives here", node,
                "only a run knows which class the value is of",
                "go down a tree with a function that calls itself, or ask for a number it holds",
            )  # fmt: skip
        if actual is dict and issubclass(collections.OrderedDict, classes) > issubclass(
            dict, classes
        ):
            raise self.refuse(
                "can't tell while compiling whether this is an OrderedDict", node,
                "generated code takes OrderedDicts and dicts for the same",
                "ask for dict, or tell the code by a flag",
            )  # fmt: skip
        if self.may_be_int(args[0]) and issubclass(int, classes) != issubclass(actual, classes):
            raise self.whole_or_not("isinstance", node)
        return Static(issubclass(actual, classes))

    def _asked_of_a_run(self, args: list[Value], classes: Any, node: ast.AST) -> Value | None:
        """isinstance of what is of several classes, by path: generated code holds the value."""
        if is_chosen_class(args[0]) and isinstance(classes, type | tuple):
            return self.asked_of_chosen(
                args[0], lambda v: self.truth(self.on_isinstance([v, args[1]], {}, node))
            )
        held = self.several_classes(args[0])
        if not isinstance(classes, type | tuple) or not held:
            return None
        found = {issubclass(c, classes) for c in held}
        if len(found) == 1:
            return Static(found.pop())
        if self.may_be_int(args[0]) and {int, float} <= held:
            raise self.whole_or_not("isinstance", node)
        if any(issubclass(c, Enum) or c in (collections.defaultdict, range) for c in held):
            raise self.differs_by_path("isinstance", node)
        pair = (self.named(args[0], "value", node), self.residual(args[1], node))
        return Dyn(nodes.Call(isinstance, "isinstance", pair, type=BOOL))

    def differs_by_path(self, asks: str, node: ast.AST) -> UnsupportedError:
        """The error for a class that a run's path decides, where generated code can't ask it."""
        kept = "ask isinstance(...), or keep a flag" if asks == "type()" else "keep a flag"
        return self.refuse(
            f"can't tell while compiling what {asks} gives here", node,
            "the class of the value differs by path",
            f"{kept} of its own: set where the value is, and asked here",
        )  # fmt: skip

    def several_classes(self, value: Value) -> frozenset[type]:
        """The classes of a value that differs by path, if these are several."""
        contents = self.contents(value)
        if isinstance(contents, Instance) and contents.cls is DefaultDict:  # see plain_dicts.py
            factory = dict(contents.fields).get("default_factory")
            plain = factory is None or not is_function(factory) or isinstance(factory, Chosen)
            return frozenset({dict, collections.defaultdict} if plain else ())
        held = classes_held(value.expr, self.builder.classes) if isinstance(value, Dyn) else ()
        found = frozenset(np.ndarray if isinstance(c, np.dtype) else c for c in held)
        return found if len(found) > 1 else frozenset()

    def several_dtypes(self, value: Value) -> bool:
        """Whether the dtype of a number or an array differs by path."""
        held = classes_held(value.expr, self.builder.classes) if isinstance(value, Dyn) else ()
        return len(held) > 1

    def whole_or_not(self, asks: str, node: ast.AST) -> UnsupportedError:
        """The error for a number that is an integer on some paths."""
        return self.refuse(
            f"can't tell while compiling what {asks} gives here", node,
            "the number is an integer on some paths and a float on others",
            "make it a float at the start (n = 3.0), or tell the code by a flag",
        )  # fmt: skip

    def _number_or_array(
        self, args: list[Value], kind: Number, classes: Any, node: ast.AST
    ) -> Value:
        """isinstance of a number or an array: where all numbers answer alike, it asks which."""
        found = {issubclass(c, classes) for c in (*_classes_of(kind), *_WHOLE)}  # on some paths
        array = issubclass(np.ndarray, classes)
        if found == {array}:
            return Static(array)
        asked = args[1] if len(found) > 1 else Static(np.ndarray, "np.ndarray")
        pair = (self.named(args[0], "value", node), self.residual(asked, node))
        test = nodes.Call(isinstance, "isinstance", pair, type=BOOL)
        return Dyn(test) if array or len(found) > 1 else self.negated(Dyn(test), node)

    def python_class(self, value: Value) -> type | None:
        """The class of a value, where it is known."""
        contents = self.contents(value)
        if (view := self.view_class(value)) is not None:
            return view
        if isinstance(value, Generator):
            return given_by(value)
        if isinstance(value, Iterator) and value.kind in ITERATORS:
            return ITERATORS[value.kind]
        if isinstance(contents, Sequence):
            return contents.made_by or (list if contents.kind == "list" else tuple)
        if isinstance(contents, Mapping):
            return contents.made_by or dict
        if isinstance(contents, Instance):
            return type(iter(())) if self.is_stepping(value) else _real(contents.cls)
        if isinstance(value, Static):
            return type(value.value)
        if isinstance(value, Partial | Bound):
            return functools.partial if isinstance(value, Partial) else types.MethodType
        if is_function(value):
            return type(lambda: None)
        kind = value.type if isinstance(value, Dyn) else None
        if isinstance(kind, Array):
            return np.ndarray
        if isinstance(kind, Truth):
            return np.bool_ if kind.sure else None
        if isinstance(kind, Member):
            return kind.cls
        if isinstance(kind, Scalar):
            plain = {"float": float, "int": int, "bool": bool, "complex": complex}
            return plain.get(kind.dtype) or np.dtype(kind.dtype).type
        if kind in (Opaque("slice"), Opaque("str")):
            return slice if kind == Opaque("slice") else str
        if isinstance(kind, List):
            return None if kind.either else tuple if kind.fixed else list
        if isinstance(kind, Dict):
            return dict if kind.made_by is None else _real(kind.made_by)
        if isinstance(kind, Opaque):
            return kind.cls
        if isinstance(kind, Tuple):
            return kind.made_by or (list if kind.listed else tuple)
        return None

    def on_type(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) != 1 or kwargs:
            raise self.refuse(
                "a class made by type(name, bases, names)",
                node,
                "the names in it are known only as the code runs",
                "write a class statement",
            )
        if is_mixed(args[0]):
            return self.dispatch(args[0], lambda v: self.on_type([v], {}, node), node)
        actual = self.python_class(args[0])
        if actual is None or self.may_be_real(args[0]) or self.is_stepping(args[0]):
            raise self.refuse(
                "can't tell while compiling what type() gives here",
                node,
                "its class differs by path, or only a run knows it",
                "ask for what it is: isinstance(...), `is None`, or keep a flag of its own",
            )
        if len(self.several_classes(args[0])) > 1:
            raise self.differs_by_path("type()", node)
        if actual is dict and self.ordered:
            raise self.refuse(
                "can't tell while compiling whether this is an OrderedDict", node,
                "generated code takes OrderedDicts and dicts for the same",
                "ask isinstance(..., dict), or tell the code by a flag",
            )  # fmt: skip
        if self.may_be_int(args[0]):
            raise self.whole_or_not("type()", node)
        return Static(actual, actual.__name__)

    def on_callable(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if is_mixed(opened := self.opened(args[0])):
            return self.asked_of_chosen(
                opened, lambda v: self.truth(self.on_callable([v], {}, node))
            )
        if isinstance(args[0], Clash):
            self.residual(args[0], node)  # raises
        if isinstance(args[0], Method):
            return self._callable_attribute(args[0], node)
        cls = self.class_of(args[0])
        if cls is not None and callable_class(cls) and self.not_none(args[0]) is not args[0]:
            raise self.refuse(
                "can't tell while compiling whether this is an object or None",
                node,
                "it is one on some paths and the other on others",
                "ask `is None` first, in an if around it",
            )
        return Static(is_function(args[0]) or (cls is not None and callable_class(cls)))

    def _callable_attribute(self, method: Method, node: ast.AST) -> Value:
        """callable() of what was taken from an object: from one of several, it may be a field."""
        owner, name = method.owner, method.name
        if not isinstance(owner, Chosen):
            return Static(True)
        return self.asked_of_chosen(
            owner,
            lambda v: self.truth(self.on_callable([self.attribute(v, name, node)], {}, node)),
        )

    def on_id(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """The object itself, in which its class sees no more than that it is this one."""
        cls = self.class_of(args[0])
        if cls is None or cls.__eq__ is not object.__eq__:
            raise self.refuse(
                "id() of this value", node,
                "generated code keeps apart only objects of classes without an __eq__ of their own",
                "ask 'a is b', or give each a number of its own",
            )  # fmt: skip
        return args[0]

    def on_hasattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        name = self.constant_value(args[1])
        contents = self.contents(args[0])
        kind = args[0].type if isinstance(args[0], Dyn) else None
        record = kind.made_by if isinstance(kind, Dict) else None
        value = MISSING if isinstance(args[0], Heap) else self.constant_value(args[0])
        actual = self.python_class(args[0])
        if isinstance(contents, Instance) and is_stand_in(contents):
            # What the class doesn't have, its objects may.
            ours = hasattr(contents.cls, name) or name.startswith("_")
            held = not ours and actual is not None and actual.__dictoffset__ != 0
            found = actual is not None and in_class(actual, name)
            return Static(found or (held and self.has_attribute(args[0], name, node)))
        if (isinstance(contents, Instance) or record) and not self.is_stepping(args[0]):
            return Static(self.has_attribute(args[0], name, node))
        if actual is None and isinstance(args[0], Iterator):
            actual = type(iter([]))
        if is_sparse(args[0]):
            actual = getattr(importlib.import_module("scipy.sparse"), args[0].type.what)  # type: ignore[attr-defined]
        if name is MISSING or (actual is None and value is MISSING):
            raise self.refuse(
                "hasattr of something whose class is not known here",
                node,
                "what has an attribute is decided while compiling",
                "ask for what it is: isinstance(...), or `is None`",
            )
        found = hasattr(value, name) if actual is None else in_class(actual, name)
        if self.may_be_int(args[0]) and in_class(int, name) != found:
            raise self.whole_or_not("hasattr", node)
        if value is not MISSING:
            self.rely_on_presence(value, name)
            return Static(hasattr(value, name))
        return Static(found)

    def on_getattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) > 2 and self.truth(self.on_hasattr(args[:2], {}, node)) is False:
            return args[2]
        name = self.constant_value(args[1])
        if not isinstance(name, str):
            raise self.refuse(
                "getattr of a name that only a run knows",
                node,
                "what it gives may differ with the name, in kind and in make",
                "choose between the values: p.a if test else p.b; or keep them in a dict",
            )
        return self.attribute(args[0], name, node)


def _plain_classes(kind: Any) -> tuple[type, ...]:
    """What a value may be by its type, where that is one of several plain classes."""
    if isinstance(kind, Truth):
        return (np.bool_,) if kind.sure else _TRUTHS
    return (list, tuple) if isinstance(kind, List) and kind.either else ()


__all__ = ["Questions", "classes_asked"]
