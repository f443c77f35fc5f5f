"""Floor 4: which texts of values generated code makes as Python does.

What a text is only printed for may look otherwise; one that is used as a value may not.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import logging
import types
import warnings
from collections.abc import Iterator
from enum import Enum
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.containers.methods import LOGGING
from s2sgrad.frontend.refusals import is_library_file
from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Instance,
    Mapping,
    Method,
    Sequence,
    Static,
    Value,
    parts_of,
)
from s2sgrad.frontend.values import Iterator as Items
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Dict, List, Maybe, Opaque, Tuple, Type
from s2sgrad_runtime.texts import Shown

_SHOWING = (print, warnings.warn, *(getattr(logging, name) for name in LOGGING))


class PlainTexts(Base):
    """Texts that are values, and those that are only shown.

    shown_at: how many functions were entered where texts are only shown. views: the lists that
    stand for views of dicts.
    """

    shown_at = 0

    def arguments_of(self, function: Value, node: ast.Call) -> list[Value]:
        """The arguments of a call, in order; texts in those of `print` and loggers are shown."""
        called = isinstance(function, Static) and any(function.value is f for f in _SHOWING)
        logs = isinstance(function, Method) and function.name in LOGGING  # none of a user's class
        with self.only_shown(called or logs):
            return self.spread(node.args, node)  # type: ignore[no-any-return]

    @contextlib.contextmanager
    def only_shown(self, shown: bool, deeper: int = 0) -> Iterator[None]:
        """A block whose texts are for people to read. deeper: one function further in."""
        before = self.shown_at
        if shown:
            self.shown_at = len(self.frames) + deeper
        try:
            yield
        finally:
            self.shown_at = before

    def is_only_shown(self) -> bool:
        """Whether texts that are made here are for people to read."""
        return self.shown_at == len(self.frames)

    def text_as_value(self, value: Value, node: ast.AST) -> None:
        """Refuses the text of what generated code shows otherwise than Python, where it counts."""
        if self.is_only_shown() or self._is_plain_text(value, top=True):
            return
        raise self.refuse(
            "the text of this value is used", node,
            "generated code holds it as a plain list, dict or record, whose text is another; "
            "printing and logging it is no question",
            "make the text of its parts: names, numbers, or dict(...) and list(...) of it",
        )  # fmt: skip

    def text_part(self, value: Value, node: ast.AST) -> nodes.Expr:
        """A value for a text: what Python shows, made again where generated code holds less."""
        contents = self.contents(value)
        if not self.is_made_again(value):
            return self.shown(value, node)  # type: ignore[no-any-return]
        if has_written(self.class_of(value), "__repr__"):
            text = self.residual(self.own_text(value, "__repr__", None, node), node)
            return nodes.Call(Shown, "Shown", (text,), type=Opaque("Shown"))
        if isinstance(contents, Mapping):
            values = tuple(self.text_part(v, node) for _, v in contents.items)
            keys = tuple(constant(k) for k, _ in contents.items)
            return nodes.Mapping(keys, values, type=Opaque("dict"))
        if isinstance(contents, Sequence) and contents.made_by is None:
            items = tuple(self.text_part(v, node) for v in contents.items)
            return nodes.Sequence(contents.kind, items, type=Opaque(contents.kind))
        if isinstance(contents, Instance) and contents.cls is types.SimpleNamespace:
            named = tuple((k, self.text_part(v, node)) for k, v in contents.fields)
            name = self.outside_name(contents.cls)
            return nodes.Call(contents.cls, name, (), named, type=Opaque(name))
        return self.shown(value, node, self.text_part)  # type: ignore[no-any-return]

    def is_made_again(self, value: Value) -> bool:
        """Whether a value is, or holds, what generated code holds as something plainer."""
        contents = self.contents(value)
        if isinstance(value, Items) or has_written(self.class_of(value), "__repr__"):
            return True
        if isinstance(contents, Instance):
            cls: Any = contents.cls
            return dataclasses.is_dataclass(cls) or cls is types.SimpleNamespace
        made = isinstance(contents, Sequence | Mapping) and contents.made_by is not None
        return made or any(map(self.is_made_again, () if contents is None else parts_of(contents)))

    def _is_plain_text(self, value: Value, top: bool = False) -> bool:
        """top: the texts that classes make themselves are asked for before."""
        contents = self.contents(value)
        if has_written(self.class_of(value), "__repr__"):
            return True
        if contents is None:
            if isinstance(value, Static):
                return top or not isinstance(value.value, Enum)
            if self.row_of(value) is not None:
                return _has_no_text(self.row_class(value))
            return not (isinstance(value, Dyn) and self.ordered and _holds_dicts(value.type))
        if isinstance(contents, Sequence):
            shown_as_list = isinstance(value, Heap) and value.id in self.views
            return not shown_as_list and all(map(self._is_plain_text, contents.items))
        if isinstance(contents, Mapping):
            if self.ordered and contents.made_by is None:
                return False
            return all(self._is_plain_text(v) for _, v in contents.items)
        return self._is_plain_object(contents)

    def _is_plain_object(self, contents: Instance) -> bool:
        cls: Any = contents.cls
        if cls is types.SimpleNamespace or (dataclasses.is_dataclass(cls) and _shows_fields(cls)):
            return all(self._is_plain_text(v) for _, v in contents.fields)
        return _has_no_text(cls)


def has_written(cls: type | None, name: str) -> bool:
    """Whether a class has this method from the user, not from Python or a dataclass."""
    found = getattr(cls, name, None)
    if not inspect.isfunction(found) or found.__code__.co_filename == "<string>":
        return False
    return not is_library_file(found.__code__.co_filename)  # around what a dataclass makes


def _has_no_text(cls: Any) -> bool:
    """Whether the text of a class's objects is their address, which nobody counts on."""
    if cls is None or cls.__module__.startswith(__name__.split(".")[0] + "."):
        return False  # what stands for a class of the standard library
    return cls.__repr__ is object.__repr__


def _shows_fields(cls: Any) -> bool:
    """Whether the text of a dataclass is that of its fields, and they make it again."""
    params = cls.__dataclass_params__
    plain = all(f.init for f in dataclasses.fields(cls) if f.repr)
    return bool(params.repr) and plain and not hasattr(cls, "__post_init__")


def _holds_dicts(kind: Type) -> bool:
    match kind:
        case Dict():
            return True
        case List(item=item) | Maybe(item=item):
            return _holds_dicts(item)
        case Tuple(items=items):
            return any(map(_holds_dicts, items))
    return False


def has_fixed_text(value: Any) -> bool:
    """Whether a value known while compiling has the same text wherever the code runs."""
    return value is None or type(value) in (str, int, bool) or isinstance(value, Enum)


def opens_a_brace(expr: nodes.Expr) -> bool:
    """Whether a dict display stands in an expression: in a text its brace would be doubled."""
    return any(isinstance(e, nodes.Mapping) for e in nodes.walk(expr))


__all__ = ["PlainTexts", "has_fixed_text", "has_written", "opens_a_brace"]
