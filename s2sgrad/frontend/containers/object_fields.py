"""Floor 4: `vars(self)` and `self.__dict__`: a dict of an object's attributes, that changes them.

It is never copied: what it holds is looked up in the object each time.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import Heap, Instance, Mapping, Method, Sequence, Static, Value

FIELDS = "__dict__"
_CHANGING = ("update", "setdefault", "pop", "popitem", "clear")


class ObjectFields(Base):
    """Lowering of attributes by way of their dict."""

    def contents(self, value: Value) -> Sequence | Mapping | Instance | None:
        """What a container holds; of the dict of an object its attributes."""
        owner = _owner(value)
        if owner is None:
            return super().contents(value)
        held = self._held(owner)
        return Mapping(held.fields)

    def _held(self, owner: Value) -> Instance:
        held = super().contents(owner)
        if not isinstance(held, Instance):
            raise UnsupportedError(
                "the attributes, as a dict, of an object that only a run knows",
                why="generated code holds objects by their fields",
                fix="read and set the attributes by name",
            )
        return held

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`self.__dict__`, and `self.__dict__.update`."""
        if _owner(owner) is not None:
            return Method(owner, name)
        held = self.contents(owner)
        if name == FIELDS and isinstance(held, Instance) and _has_dict(held.cls):
            if self.names_from_class(held.cls):  # type: ignore[attr-defined]
                raise self.refuse(
                    "the dict of the attributes of this object",
                    node,
                    "only a run knows which of them it has, and which are its class's still",
                    "set them all in __init__",
                )
            return Method(owner, FIELDS)
        return super().attribute(owner, name, node)

    def call(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`vars(self)`."""
        if function == Static(vars) and len(args) == 1:
            return self.attribute(args[0], FIELDS, node)
        return super().call(function, args, kwargs, node)

    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`self.__dict__.update(given)`."""
        held = self.contents(owner) if _owner(owner) is not None else None
        if held is None or name not in _CHANGING:
            owner = owner if held is None else self.new(held)  # as it is now
            made: Value = super().container_method(owner, name, args, kwargs, node)  # type: ignore[misc]
            return made
        if name == "setdefault":
            return self._set_default(owner, args, node)
        new = self.contents(self.call(Static(dict), args, kwargs, node))
        if name != "update" or not isinstance(new, Mapping):
            what = f"'{name}' of the dict of an object's attributes"
            raise self.refuse(
                what,
                node,
                "attributes are variables in generated code, which are read and set",
                "set attributes: self.a = ...",
            )
        for key, value in new.items:
            self._set_field(owner, key, value, node)
        return Static(None)

    def delete_attribute(self, owner: Value, name: str, node: ast.AST) -> None:
        """`del self.cache`, of an object that is made inside."""
        if self.lets_go_of_entry(owner, name, node):
            return
        held = self.contents(owner)
        what, fix = "deleting an attribute", "set it to None, or build a new object without it"
        if not isinstance(held, Instance) or not isinstance(owner, Heap) or held.outside:
            why = "the object may belong to the caller, who would find it changed"
            raise self.refuse(what, node, why, fix)
        rolled = [loop for loop in self.loops if not loop.unrolled]
        own = inspect.getattr_static(held.cls, name, None)
        plain: tuple[Any, ...] = (object.__delattr__, SimpleNamespace.__delattr__)
        if hasattr(type(own), "__delete__") or held.cls.__delattr__ not in plain:
            raise self.refuse(what, node, "its class has its own way to delete it", fix)
        if name not in dict(held.fields):
            failed = Fails(f"{held.cls.__name__} has no attribute '{name}'", self.span(node))
            failed.raises = AttributeError
            raise failed
        if any(owner.id in loop.entry for loop in rolled) or name in self.builder.partly:
            why = "only a run knows whether the object has it still"
            raise self.refuse(what, node, why, fix)
        self.refuse_stale(held.cls, node)
        left = tuple((key, value) for key, value in held.fields if key != name)
        self.state.heap[owner.id] = replace(held, fields=left)

    def _set_default(self, owner: Value, args: list[Value], node: ast.AST) -> Value:
        held = self.contents(owner)
        assert isinstance(held, Mapping)
        key = self.constant_value(args[0])
        if key not in dict(held.items):
            self._set_field(owner, key, args[1] if len(args) > 1 else Static(None), node)
        return self.index(owner, args[0], node)

    def set_item(
        self, base: Value, index: Value, value: Value, node: ast.AST, bare: bool = False
    ) -> None:
        """`self.__dict__[name] = value`."""
        if _owner(base) is not None:
            self._set_field(base, self.constant_value(index), value, node)
        else:
            super().set_item(base, index, value, node, bare)  # type: ignore[misc]

    def _set_field(self, view: Value, name: Any, value: Value, node: ast.AST) -> None:
        held = self._held(owner := _owner(view) or view)
        if name is MISSING or not isinstance(name, str):
            raise self.refuse(
                "an attribute whose name only a run knows",
                node,
                "attributes are variables in generated code, and have names",
                "keep such values in a dict of the object",
            )
        if hasattr(type(inspect.getattr_static(held.cls, name, None)), "__set__"):
            what = f"setting '{name}' in the dict of an object"
            raise self.refuse(what, node, "its class has a property of that name", "set another")
        self.set_attribute(owner, name, self.kept(name, value, node), node)


def _owner(value: Value) -> Value | None:
    """The object whose attributes a dict holds."""
    return value.owner if isinstance(value, Method) and value.name == FIELDS else None


def _has_dict(cls: type) -> bool:
    return any("__dict__" in vars(c) for c in cls.__mro__)


__all__ = ["ObjectFields"]
