"""Floor 4: objects of classes that are dicts: `class Options(dict)`."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.foreign import own_ways
from s2sgrad.frontend.state import Unbound
from s2sgrad.frontend.values import Bound, Heap, Mapping, Method, Static, Value


class DictObjects(Base):
    """Lowering of what the class of a dict adds: methods, properties, attributes for entries."""

    def dict_object(
        self, cls: type, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """An object that is made inside."""
        own = own_ways(cls, dict)
        if own:
            raise self.refuse(
                f"{cls.__name__} is a dict with a {own[0]} of its own", node,
                "what it does to the entries is not followed",
                "give it a method of another name, or keep the entries in a dict of the object",
            )  # fmt: skip
        owner = self.new(Mapping((), cls))
        init = inspect.getattr_static(cls, "__init__", None)
        start = Static(init) if inspect.isfunction(init) else Method(owner, "update")
        given = [owner, *args] if inspect.isfunction(init) else args
        self.call(start, given, kwargs, node)
        return owner

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`options.rate`: what the class has, or an entry."""
        held = self._dict_object(owner)
        if held is None or name == "__class__":
            return super().attribute(owner, name, node)
        cls = held.made_by
        found = inspect.getattr_static(cls, name, None)
        if found is not None and found is inspect.getattr_static(dict, name, None):
            return Method(owner, name)
        if held.open and (name == "__dict__" or name in dict(held.items)):
            return owner if name == "__dict__" else dict(held.items)[name]
        if found is not None and name != "__dict__":
            return self.class_attribute(owner, cls, name, found, node)
        magic = inspect.getattr_static(cls, "__getattr__", None)
        if magic is dict.__getitem__ and not name.startswith("__"):
            return self.index(owner, Static(name), node)
        if magic is dict.get and not name.startswith("__"):  # None where there is none
            return self.container_method(owner, "get", [Static(name)], {}, node)
        if not inspect.isfunction(magic) or name.startswith("__"):
            raise Unbound(
                f"{cls.__name__} has no attribute '{name}'", self.span(node),
                "of objects that are dicts, only the entries are followed", "make it an entry",
            )  # fmt: skip
        return self.call(Bound(Static(magic), owner), [Static(name)], {}, node)

    def index(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`options[key]`: where the key is not there, what the class's `__missing__` gives."""
        held = self._dict_object(base)
        missing = held and inspect.getattr_static(held.made_by, "__missing__", None)
        if held is None or not inspect.isfunction(missing):
            return super().index(base, index, node)
        key = self.constant_value(index)
        if key is MISSING:
            raise self.refuse(
                f"a {held.made_by.__name__}, which has a __missing__, asked for a key that only a"
                " run knows", node,
                "whether the key is there is not known while compiling",
                "use a collections.defaultdict, or ask first: d[key] if key in d else ...",
            )  # fmt: skip
        if any(key == k for k, _ in held.items):
            return super().index(base, index, node)
        return self.call(Bound(Static(missing), base), [index], {}, node)

    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """`options.rate = 0.1`: an entry, where the class says so."""
        held = self._dict_object(owner)
        if held is None or not isinstance(owner, Heap):
            super().set_attribute(owner, name, value, node)  # type: ignore[misc]
            return
        setter: Any = inspect.getattr_static(held.made_by, "__setattr__", None)
        if name == "__dict__" and value == owner:
            self.state.heap[owner.id] = Mapping(held.items, held.made_by, True)
        elif setter is dict.__setitem__ or held.open:
            self.set_item(owner, Static(name), value, node)
        elif inspect.isfunction(setter):
            self.call(Bound(Static(setter), owner), [Static(name), value], {}, node)
        else:
            raise self.refuse(
                f"setting the attribute '{name}' of an object that is a dict", node,
                "of such objects only entries are followed", f"make it an entry: self['{name}']",
            )  # fmt: skip

    def lets_go_of_entry(self, owner: Value, name: str, node: ast.AST) -> bool:
        """`del options.rate`: an entry, where the class says so; whether it does."""
        held = self._dict_object(owner)
        deleter: Any = held and inspect.getattr_static(held.made_by, "__delattr__", None)
        if deleter is dict.__delitem__:
            self.container_method(owner, "pop", [Static(name)], {}, node)
        elif held is not None and inspect.isfunction(deleter):
            self.call(Bound(Static(deleter), owner), [Static(name)], {}, node)
        else:
            return False
        return True

    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`super().__init__(given)`, `super().__setitem__(key, value)`, `key=items.__getitem__`."""
        if self._dict_object(owner) is not None and name == "__init__":
            name = "update"
        if name == "__setitem__":
            self.set_item(owner, args[0], args[1], node)
            return Static(None)
        if name == "__getitem__":
            return self.index(owner, args[0], node)
        if name in ("__len__", "__contains__"):
            return self.special_method(owner, name, args, node)
        made: Value = super().container_method(owner, name, args, kwargs, node)  # type: ignore[misc]
        return made

    def _dict_object(self, value: Value) -> Mapping | None:
        held = self.contents(value)
        return held if isinstance(held, Mapping) and held.made_by is not None else None


__all__ = ["DictObjects"]
