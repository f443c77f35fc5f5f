"""Floor 4: texts of objects whose class says how they look: `str(o)`, `f"{o}"`, `"%s" % o`."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Sequence as Items
from enum import Enum
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.exits import FALL
from s2sgrad.frontend.expressions.format_texts import FormatTexts
from s2sgrad.frontend.expressions.plain_texts import PlainTexts, has_written
from s2sgrad.frontend.state import Clash
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Mapping,
    Sequence,
    Static,
    Value,
    is_mixed,
)

_ASKED = {"__str__": ("__str__", "__repr__"), "__repr__": ("__repr__",)}
_CONVERSIONS = re.compile(r"%[-#0 +\d.]*([a-zA-Z])")
_NAMES: dict[Any, str] = {str: "__str__", repr: "__repr__", format: "__format__"}


class OwnTexts(PlainTexts, FormatTexts):
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
        if name == "__repr__" and isinstance(value, Static) and isinstance(value.value, Enum):
            return Static(repr(value.value))
        if is_mixed(opened := self.opened(value)):
            return self.dispatch(opened, lambda v: self._chosen_text(v, name, spec, node), node)
        if isinstance(value, Clash) and self.made_of and not self.linked:
            self.residual(value, node)  # an object, or None: linked ones have texts
        cls = self.class_of(value)
        if cls is not None and self.not_none(value) is not value and spec in (None, Static("")):
            return self._text_or_none(value, name, node)
        if name == "__format__" and cls is not None and not has_written(cls, name):
            name = "__str__" if spec in (None, Static("")) else name
        for asked in _ASKED.get(name, (name,)):
            if cls is not None and has_written(cls, asked):
                given = [spec or Static("")] if asked == "__format__" else []
                with self.only_shown(self.is_only_shown(), deeper=1):
                    return self.call(self.attribute(value, asked, node), given, {}, node)
        if self.row_of(value) is None:
            return None
        self.text_as_value(value, node)
        return Static(self.address_text(value))

    def _text_or_none(self, value: Value, name: str, node: ast.AST) -> Value:
        """The text of an object that may be None."""
        key, held = f"<text{len(self.frames)}>", Dyn(self.named(value, "shown", node))
        frame = self.frame

        def take(text: Value) -> str:
            self.set(frame, key, text)
            return FALL

        def of_object() -> str:
            return take(self._chosen_text(self.not_none(held), name, None, node))

        none = self.residual(self.compare("is", held, Static(None), node))
        self.choose(none, lambda: take(Static("None")), of_object, node)
        return self.state.vars.pop((frame.id, key))

    def _chosen_text(self, value: Value, name: str, spec: Value | None, node: ast.AST) -> Value:
        made = self.own_text(value, name, spec, node)
        return made or self.call(Static(str), [value], {}, node)

    def texts_in(self, template: Value, value: Value, node: ast.AST) -> tuple[Value, Value]:
        """The text and the values of `"%s" % value`, objects as their own texts."""
        contents = self.contents(value)
        several = isinstance(contents, Sequence) and contents.kind == "tuple"
        given = self.static_items(value) if several else [value]
        with self.only_shown(self.is_only_shown()):
            args = self.as_logged([template, *(given or [])], node)
        for item, text in zip(given or [], args[1:], strict=True):
            if item is text or isinstance(self.contents(item), Sequence | Mapping):
                self.text_as_value(item, node)
        return args[0], self.sequence(args[1:], "tuple") if several else args[1]

    def format_arguments(
        self, owner: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[list[Value], dict[str, Value]]:
        """The arguments of `"...".format(...)`, objects as the texts that its `{}` ask for."""
        template = self.constant_value(owner)
        if not isinstance(template, str):
            return args, kwargs
        made = [self._own_or_plain(a, node) for a in args]
        return made, {k: self._own_or_plain(v, node) for k, v in kwargs.items()}

    def _own_or_plain(self, value: Value, node: ast.AST) -> Value:
        """What stands for a value in a template's `{}`."""
        made = self.own_text(value, "__format__", None, node)
        if made is None:
            self.text_as_value(value, node)
        return made or value

    def as_logged(self, args: list[Value], node: ast.AST) -> list[Value]:
        """The arguments of a call that logs, `info("%s: %r", name, o)`: objects as their texts."""
        template = self.constant_value(args[0]) if args else None
        letters = _CONVERSIONS.findall(template) if isinstance(template, str) else []
        made = self.as_shown(args, node, ["", *letters])
        if isinstance(template, str) and letters:  # texts themselves have quotes in `%r`
            whole = [self.is_text(m) and m is not a for m, a in zip(made, args, strict=True)]
            places = iter([*whole[1:], *[False] * len(letters)])
            made[0] = Static(_CONVERSIONS.sub(lambda m: _plain(m, next(places)), template))
        return made

    def as_shown(self, args: list[Value], node: ast.AST, letters: Items[str] = ()) -> list[Value]:
        """What is printed: the texts of objects. letters: "r" asks for `repr`."""
        made = []
        for k, arg in enumerate(args):
            asked = "__repr__" if letters[k : k + 1] == ["r"] else "__str__"
            text = self.own_text(arg, asked, None, node)
            made.append(text or self._that_can_be_shown(arg, node))
        return made

    def _that_can_be_shown(self, value: Value, node: ast.AST) -> Value:
        """The value, with texts in place of what generated code can't hold."""
        again = isinstance(self.contents(value), Sequence | Mapping) and self.is_made_again(value)
        with contextlib.suppress(UnsupportedError):
            self.shown(value, node)
            if not again:
                return value
        try:
            return Dyn(self.builder.bind("shown", self.text_part(value, node)))
        except UnsupportedError:
            return Static(self.address_text(value))

    def address_text(self, value: Value) -> str:
        """What stands for an object without a text of its own: another for each object."""
        which = f" {value.id}" if isinstance(value, Heap) else ""
        cls = self.class_of(value)
        return f"<{type(value).__name__ if cls is None else cls.__name__}{which}>"


def _plain(found: re.Match[str], of_text: bool) -> str:
    return found[0][:-1] + "s" if of_text and found[1] == "r" else found[0]
