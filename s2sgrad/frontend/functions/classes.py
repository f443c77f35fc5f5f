"""Floor 4: make objects of user classes, and find what super() means."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import sys
import types
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.containers.identity import part_of
from s2sgrad.frontend.functions.library import is_stdlib
from s2sgrad.frontend.models import standard_library
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import (
    Bound,
    Dyn,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Method,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Opaque

_BUILT_IN = (list, tuple, set, frozenset, bytearray, bytes, str, int, float, complex, np.ndarray)
_SINGLE = (bytes, str, int, float, complex, np.ndarray)


class Classes(Base):
    """Lowering of constructors and super()."""

    def _construct(
        self, cls: type, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        if cls is NotImplementedError and self.frame.stands_at is not None:
            raise self.refuse(
                str(self.constant_value(args[0])),
                node,
                "what is read in place of the library's code does not do this",
                "use other options of the function, or give it a rule with s2sgrad.rule",
            )  # said by code of ours
        if issubclass(cls, BaseException):
            exprs = tuple(self.residual(a, node) for a in args)
            return Dyn(nodes.Call(cls, cls.__name__, exprs, type=Opaque(cls.__name__)))
        if cls is slice:
            return self._made_slice(args, node)
        if issubclass(cls, np.generic):
            return self.apply(cls, f"np.{cls.__name__}", args, kwargs, node=node)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            named = [kwargs.get(f) for f in cls._fields[len(args) :]]
            defaults = cls._field_defaults  # type: ignore[attr-defined]
            for i, field in enumerate(cls._fields[len(args) :]):
                if named[i] is None and field in defaults:
                    named[i] = self.object_value(defaults[field])
            return self.new(Sequence("tuple", (*args, *named), cls))  # type: ignore[arg-type]
        if cls is types.SimpleNamespace or _names_only(cls):
            fields = ((k, self._settled(k, v, node)) for k, v in kwargs.items())
            return self.new(Instance(cls, tuple(fields)))
        if issubclass(cls, enum.Enum) and len(args) == 1 and not kwargs:
            if self.known(args[0]):
                return Static(cls(self.constant_value(args[0])))
            members = self.sequence([Static(member) for member in cls])
            return self.model(standard_library.member_of, [members, args[0]], node)
        written = dataclasses.is_dataclass(cls) or issubclass(cls, tuple | enum.Enum)
        if not written and (is_stdlib(cls) or cls.__module__.split(".")[0] == "numpy"):
            found = self.library_call(cls, args, kwargs, node)
            if found is not None:
                return found
        if cls.__module__.split(".")[0] in ("numpy", "scipy", "builtins"):
            raise self.refuse(
                f"objects of class {cls.__name__} are not supported here",
                node,
                "it is an object of a library, whose code is not read",
                "make it outside and pass it, if no derivative goes through it; else compute "
                "with arrays",
            )
        if issubclass(cls, dict):
            return self.dict_object(cls, args, kwargs, node)
        self.refuse_magic(cls, node, made=True)
        self._refuse_built_in(cls, node)
        owner = self.new(Instance(cls, ()))
        self.note_made(cls)
        self.own_from_class(owner, cls, node)
        init = inspect.getattr_static(cls, "__init__", None)
        if dataclasses.is_dataclass(cls) and _init_is_generated(cls):
            self.dataclass_init(owner, cls, args, kwargs, node)
        elif inspect.isfunction(init):
            begun = self.begun_object(owner, cls, node)
            self.call(Static(init), [begun, *args], kwargs, node)
            owner = begun
        return self.as_linked(owner, cls, node)

    def _made_slice(self, args: list[Value], node: ast.AST) -> Value:
        bounds = [
            None if isinstance(a, Static) and a.value is None else self.residual(a, node)
            for a in args
        ]
        lower, upper, step = ([None, *bounds] if len(bounds) == 1 else bounds) + [None] * (
            3 - max(2, len(bounds))
        )
        return Dyn(nodes.Slice(lower, upper, step, type=Opaque("slice"), span=self.span(node)))

    def refuse_magic(self, cls: type, node: ast.AST, made: bool = False) -> None:
        """Refuse classes that take the making of objects, or their attributes, into their own
        hands: objects are taken apart into attributes here. made: inside, by an `__init__`."""
        own = [
            name
            for name in ("__new__", "__getattribute__", "__setattr__", "__delattr__")
            if inspect.isfunction(_unwrapped(vars(_holder(cls, name))[name]))
        ]
        if inspect.isfunction(inspect.getattr_static(type(cls), "__call__", None)):
            own = [f"__call__ of the metaclass {type(cls).__name__}"]
        frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
        if frozen:
            own = [name for name in own if name not in ("__setattr__", "__delattr__")]
        if made and not dataclasses.is_dataclass(cls):  # which sets its fields by itself
            own = [name for name in own if name != "__setattr__"]
        if own:
            raise self.refuse(
                f"{cls.__name__} has a {own[0]} of its own", node,
                "what it does to objects is not followed",
                "set plain attributes in __init__, and compute others in properties or methods",
            )  # fmt: skip

    def _refuse_built_in(self, cls: type, node: ast.AST) -> None:
        """Refuse classes of lists, numbers and texts: what these hold is no attribute."""
        base = next((b for b in cls.__mro__ if b in _BUILT_IN), None)
        if base is not None and not hasattr(cls, "_fields"):
            raise self.refuse(
                f"{cls.__name__} is a class of objects that are a {base.__name__} themselves", node,
                "objects are followed by their attributes, and what is in a "
                f"{base.__name__} is none",
                f"let the objects have a {base.__name__}: "
                f"self.{'value' if base in _SINGLE else 'items'} = ...",
            )  # fmt: skip

    def dataclass_init(
        self, owner: Value, cls: type, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> None:
        """Set the fields of a dataclass, as the `__init__` that its decorator writes does."""
        values: dict[str, Value] = {}
        every = _all_fields(cls)
        fields = [f for f in every if f.init]
        places = [f.name for f in fields if not f.kw_only]
        unknown = [
            k for k in kwargs if k not in [f.name for f in fields] or k in places[: len(args)]
        ]
        if len(args) > len(places) or unknown:
            what = f"the argument '{unknown[0]}'" if unknown else f"{len(args)} arguments"
            raise self.refuse(
                f"{cls.__name__}() does not take {what}",
                node,
                "Python raises an error here as well",
                "name the fields that the class has",
            )
        values.update(zip(places, args, strict=False))
        values.update(kwargs)
        values = {name: self._settled(name, value, node) for name, value in values.items()}
        for field in every:
            if field.name in values:
                continue
            if field.default is not dataclasses.MISSING:
                values[field.name] = self.object_value(field.default)
            elif field.default_factory is not dataclasses.MISSING:
                maker = self.object_value(field.default_factory)
                made = self.call(maker, [], {}, node)
                values[field.name] = self.made(made, part_of(node, field.name))
            elif field.init:
                raise self.refuse(
                    f"{cls.__name__}() is missing the argument '{field.name}'",
                    node,
                    "Python raises an error here as well",
                    "pass it, or give the field a default",
                )
        for value in values.values():
            self.note_part(value)
        kept = {f.name for f in dataclasses.fields(cls)}
        passed = [values[f.name] for f in every if f.name not in kept]  # InitVar
        held = {name: value for name, value in values.items() if name in kept}
        contents = self.contents(owner)
        if isinstance(owner, Heap) and isinstance(contents, Instance):
            held = {**dict(contents.fields), **held}
            self.state.heap[owner.id] = dataclasses.replace(contents, fields=tuple(held.items()))
        else:
            for name, value in held.items():
                self.set_attribute(owner, name, value, node)
        if hasattr(cls, "__post_init__"):
            self.call(self.attribute(owner, "__post_init__", node), passed, {}, node)

    def on_replace(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """dataclasses.replace: a new object with some fields changed."""
        cls, held = self._record(args[0], node)
        init = {f.name: held[f.name] for f in dataclasses.fields(cls) if f.init}
        return self._construct(cls, [], {**init, **kwargs}, node)

    def on_copy_replace(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """copy.replace, of Python 3.13 and later: what the class's `__replace__` gives."""
        cls = self.class_of(args[0])
        own = None if cls is None else inspect.getattr_static(cls, "__replace__", None)
        if hasattr(cls, "_fields"):
            return self.call(self.attribute(args[0], "_replace", node), [], kwargs, node)
        if inspect.isfunction(own) and own.__module__ != "dataclasses":
            return self.call(Bound(Static(own), args[0]), [], kwargs, node)
        if cls is None or not dataclasses.is_dataclass(cls):
            raise self.refuse(
                "copy.replace of this", node,
                "only dataclasses, named tuples and classes with a __replace__ say what it gives",
                "make a new object of the class",
            )  # fmt: skip
        return self.on_replace(args, kwargs, node)

    def on_fields(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """dataclasses.fields: what the class says of them."""
        given = args[0].value if isinstance(args[0], Static) else None
        cls = given if isinstance(given, type) else self.class_of(args[0])
        if cls is None or not dataclasses.is_dataclass(cls):
            raise self.refuse(
                "this is no dataclass whose fields are known",
                node,
                "only a dataclass whose class is known while compiling is taken apart",
                "name the fields: [p.a, p.b], or {'a': p.a, 'b': p.b}",
            )
        return self.sequence([Static(f) for f in dataclasses.fields(cls)])

    def on_asdict(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        _, fields = self._record(args[0], node)
        return self.new(
            Mapping(tuple((k, self._plain(v, self.on_asdict, node)) for k, v in fields.items()))
        )

    def on_astuple(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        _, fields = self._record(args[0], node)
        return self.sequence([self._plain(v, self.on_astuple, node) for v in fields.values()])

    def _record(self, value: Value, node: ast.AST) -> tuple[Any, dict[str, Value]]:
        """The dataclass of an object, and its fields, whoever holds it."""
        contents, cls = self.contents(value), self.class_of(value)
        if cls is not None and dataclasses.is_dataclass(cls):
            if isinstance(contents, Instance):
                return cls, dict(contents.fields)
            if isinstance(value, Dyn):
                names = [f.name for f in dataclasses.fields(cls)]
                return cls, {name: self.attribute(value, name, node) for name in names}
        raise self.refuse(
            "this is no dataclass whose fields are known",
            node,
            "only a dataclass whose class is known while compiling is taken apart",
            "name the fields: [p.a, p.b], or {'a': p.a, 'b': p.b}",
        )

    def _plain(self, value: Value, convert: Any, node: ast.AST) -> Value:
        """A field as dataclasses.asdict gives it: deep, and containers copied."""
        contents = self.contents(value)
        if isinstance(contents, Instance) and dataclasses.is_dataclass(contents.cls):
            return convert([value], {}, node)
        if isinstance(contents, Sequence):
            return self.sequence(
                [self._plain(v, convert, node) for v in contents.items], contents.kind
            )
        copied = isinstance(value, Dyn) and isinstance(value.type, Array)
        return self.apply(np.copy, "copy", [value], form="method", node=node) if copied else value

    def _super(self, node: ast.Call) -> Value:
        cls, owner = self.frame.cls, self.frame.owner
        if node.args:
            given = [self.expr(arg) for arg in node.args]
            cls, owner = self.constant_value(given[0]), given[1] if len(given) == 2 else None
        if not isinstance(cls, type) or owner is None or self._own_class(owner) is None:
            raise self.refuse(
                "super() is not supported here",
                node,
                "whose method this is, is not known here",
                "call the method by its class: Base.method(self, ...)",
            )
        return Method(Iterator("super", (owner, Static(cls))), "<super>")

    def _own_class(self, owner: Value) -> Any:
        held = self.contents(owner)
        if isinstance(owner, Static) and isinstance(owner.value, type):  # of a class method
            return owner.value
        return held.made_by if isinstance(held, Mapping) else self.class_of(owner)

    def super_attribute(self, owner: Value, cls: type, name: str, node: ast.AST) -> Value:
        """`super().name`: found in the classes after `cls`."""
        order = self._own_class(owner).__mro__
        if cls not in order:  # a decorator made another class of it
            raise Fails(
                f"super() of {cls.__name__}, which is no class of this object", self.span(node),
                "Python raises an error here as well",
                f"name the class: super({cls.__name__}, self)",
            )  # fmt: skip
        for base in order[order.index(cls) + 1 :]:
            if name in vars(base):
                if isinstance(owner, Static) and isinstance(vars(base)[name], classmethod):
                    return Bound(Static(vars(base)[name].__func__), owner)
                if base is dict:
                    return Method(owner, name)
                if base is object and name == "__setattr__":
                    return Bound(Static(object.__setattr__), owner)
                if base is object:
                    return Static(lambda *a: None)
                return self.class_attribute(owner, base, name, vars(base)[name], node)
        raise self.refuse(
            f"super() has no attribute '{name}'",
            node,
            "Python raises an error here as well",
            "call a method that a base class has",
        )


def _all_fields(cls: type) -> list[dataclasses.Field[Any]]:
    """The fields of a dataclass, with those that only its `__post_init__` gets."""
    kept = dataclasses.fields(cls)  # type: ignore[arg-type]
    every = cls.__dataclass_fields__.values()  # type: ignore[attr-defined]
    passed = getattr(dataclasses, "_FIELD_INITVAR", None)
    return [f for f in every if f in kept or getattr(f, "_field_type", None) is passed]


def _unwrapped(method: Any) -> Any:
    return method.__func__ if isinstance(method, staticmethod) else method


def _holder(cls: type, name: str) -> type:
    """The class that an attribute comes from."""
    return next((c for c in cls.__mro__ if name in vars(c)), object)


def _is_library_class(cls: type) -> bool:
    root = cls.__module__.split(".")[0]
    return root in ("numpy", "scipy") or root in sys.stdlib_module_names


def dataclass_of_init(function: Any, owner: type | None) -> type | None:
    """The dataclass for which a function was written by the decorator, as its `__init__`."""
    order = owner.__mro__ if owner is not None else ()
    holder = next((c for c in order if vars(c).get("__init__") is function), None)
    return holder if dataclasses.is_dataclass(holder) and _init_is_generated(holder) else None


def _names_only(cls: type) -> bool:
    """Whether a class of the library does no more than hold what it is given by name."""
    return (cls.__module__, cls.__name__) == ("argparse", "Namespace")


def _init_is_generated(cls: Any) -> bool:
    """Whether the decorator has written the `__init__` of a dataclass, for its own fields."""
    holder: Any = _holder(cls, "__init__")
    code = getattr(vars(holder)["__init__"], "__code__", None)
    if code is None or code.co_filename != "<string>":
        return False
    return dataclasses.fields(holder) == dataclasses.fields(cls)
