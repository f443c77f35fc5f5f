"""Floor 4: what the class of an object says of its attributes: properties, methods, descriptors."""

from __future__ import annotations

import ast
import inspect
import types
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.outside import is_library
from s2sgrad.frontend.values import Bound, Static, Value


class ClassAttributes(Base):
    """Attributes that are found in a class."""

    def class_attribute(
        self, owner: Value, cls: type, name: str, found: Any, node: ast.AST
    ) -> Value:
        """What a class says `owner.name` is: a property, a method, a constant."""
        if isinstance(found, property | staticmethod | types.FunctionType) and not is_library(cls):
            self.rely_on(name, getattr(cls, name), ("attribute", (cls, name)))
        if isinstance(found, property) and found.fget is not None:
            return self.call(Static(found.fget), [owner], {}, node)
        if isinstance(found, staticmethod):
            return Static(found.__func__)
        if isinstance(found, classmethod):
            return Bound(Static(found.__func__), Static(cls))
        if type(found).__name__ == "cached_property":
            return self.call(Static(found.func), [owner], {}, node)
        getter = getattr(type(found), "__get__", None)
        if inspect.isfunction(getter) and not callable(found):  # a descriptor
            return self.call(
                Static(getter), [self.object_value(found), owner, Static(cls)], {}, node
            )
        if inspect.isfunction(found) or (callable(found) and not isinstance(found, type)):
            return Bound(Static(found), owner)
        return self.outside(f"{cls.__name__}_{name}", found, ("attribute", (cls, name)))

    def set_by(self, cls: type, owner: Value, name: str, value: Value, node: ast.AST) -> bool:
        """Set an attribute by the property or descriptor of that name; False if there is none."""
        found = inspect.getattr_static(cls, name, None)
        setter = getattr(type(found), "__set__", None)
        if isinstance(found, property) and found.fset is not None:
            self.call(Static(found.fset), [owner, value], {}, node)
        elif inspect.isfunction(setter):  # a descriptor
            self.call(Static(setter), [self.object_value(found), owner, value], {}, node)
        else:
            return False
        return True


__all__ = ["ClassAttributes"]
