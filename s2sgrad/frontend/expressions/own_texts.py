"""Floor 4: texts of objects whose class says how they look: `str(o)`, `f"{o}"`, `"%s" % o`."""

from __future__ import annotations

import ast
import inspect
import string
from collections.abc import Sequence as Items
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Heap, Sequence, Static, Value, is_mixed

_ASKED = {"__str__": ("__str__", "__repr__"), "__repr__": ("__repr__",)}
_NAMES: dict[Any, str] = {str: "__str__", repr: "__repr__", format: "__format__"}


class OwnTexts(Base):
    """Lowering of texts that a class of the user's makes."""

    def text_builtin(self, target: Any, args: list[Value], node: ast.AST) -> Value | None:
        """`str(o)`, `repr(o)` and `format(o, spec)` where the class of `o` says what they give."""
        if target not in (str, repr, format) or not args:
            return None
        spec = args[1] if len(args) > 1 else None
        return self.own_text(args[0], _NAMES[target], spec, node)

    def own_text(self, value: Value, name: str, spec: Value | None, node: ast.AST) -> Value | None:
        """The text by `__str__`, `__repr__` or `__format__` of the value's class; None where the
        user wrote none."""
        if is_mixed(opened := self.opened(value)):
            return self.dispatch(opened, lambda v: self._chosen_text(v, name, spec, node), node)
        cls = self.class_of(value)
        if name == "__format__" and cls is not None and not _written(cls, name):
            name = "__str__" if spec in (None, Static("")) else name
        for asked in _ASKED.get(name, (name,)):
            if cls is not None and _written(cls, asked):
                given = [spec or Static("")] if asked == "__format__" else []
                return self.call(self.attribute(value, asked, node), given, {}, node)
        return None

    def _chosen_text(self, value: Value, name: str, spec: Value | None, node: ast.AST) -> Value:
        made = self.own_text(value, name, spec, node)
        return made or self.call(Static(str), [value], {}, node)

    def texts_in(self, value: Value, node: ast.AST) -> Value:
        """What `"%s" % value` writes for objects, each as its own text."""
        contents = self.contents(value)
        if isinstance(contents, Sequence) and contents.kind == "tuple":
            items = [self.own_text(v, "__str__", None, node) or v for v in contents.items]
            return self.sequence(items, "tuple")
        return self.own_text(value, "__str__", None, node) or value

    def format_arguments(
        self, owner: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[list[Value], dict[str, Value]]:
        """The arguments of `"...".format(...)`, objects as the texts that its `{}` ask for."""
        template = self.constant_value(owner)
        if not isinstance(template, str) or not all(map(_is_plain, _fields(template))):
            return args, kwargs
        made = [self.own_text(a, "__format__", None, node) or a for a in args]
        named = {k: self.own_text(v, "__format__", None, node) or v for k, v in kwargs.items()}
        return made, named

    def address_text(self, value: Value) -> str:
        """What stands for an object without a text of its own: another for each object."""
        which = f" {value.id}" if isinstance(value, Heap) else ""
        cls = self.class_of(value)
        return f"<{type(value).__name__ if cls is None else cls.__name__}{which}>"


def _written(cls: type, name: str) -> bool:
    """Whether a class has this method from the user, not from Python or a dataclass."""
    found = getattr(cls, name, None)
    return inspect.isfunction(found) and found.__code__.co_filename != "<string>"


def _fields(template: str) -> Items[tuple[str, str, str]]:
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        return [("!", "", "")]
    return [(name, spec or "", how or "") for _, name, spec, how in parts if name is not None]


def _is_plain(field: tuple[str, str, str]) -> bool:
    """Whether a field of a format asks for a text by itself: not `{0.name}`, `{!r}`."""
    name, spec, how = field
    return not how and (not name or name.isidentifier() or name.isdigit()) and "{" not in spec
