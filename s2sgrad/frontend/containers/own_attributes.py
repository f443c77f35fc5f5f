"""Floor 4: what Python's own kinds of values have: methods, and what is known of functions."""

from __future__ import annotations

import ast
import inspect
from collections import OrderedDict
from enum import Enum

import numpy as np

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base, in_class
from s2sgrad.frontend.exits import Absent
from s2sgrad.frontend.records import classes_of
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import Bound, Dyn, Func, Iterator, Method, Static, Value
from s2sgrad.ir.types import Array, Bottom, Scalar

_BOUNDS = ("start", "stop", "step")


class OwnAttributes(Base):
    """Lowering of attributes of lists, dicts, texts, functions, ranges, iterators."""

    def own_attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`owner.name`: a method to be called, or what is known while compiling."""
        if isinstance(owner, Bound):
            if name in ("__self__", "__func__"):
                return owner.owner if name == "__self__" else owner.function
            if name.startswith("__"):
                return self.attribute(owner.function, name, node)  # type: ignore[no-any-return]
        if isinstance(owner, Iterator) and owner.kind == "range" and name in _BOUNDS:
            given = (Static(0), *owner.parts) if len(owner.parts) == 1 else owner.parts
            return (*given, Static(1))[_BOUNDS.index(name)]
        cls = self.python_class(owner)
        cls = OrderedDict if cls is dict else cls  # it may be one, and knows more
        if cls is None or (callable(found := getattr(cls, name, None)) and in_class(cls, name)):
            return Method(owner, name)
        if name == "__doc__":
            return Static(_docstring(owner) if isinstance(owner, Func) else found)
        if not in_class(cls, name):
            what = f"{_named(cls)} has no attribute '{name}'"
            failed = Fails(what, self.span(node), *say.NO_ATTRIBUTE)
            failed.raises = AttributeError
            raise failed
        raise self.refuse(
            f"'{name}' of {_named(cls)}", node,
            "generated code does not hold this value, and what it says of itself is not followed",
            "keep what you need in a variable of its own",
        )  # fmt: skip

    def known_text_method(
        self, text: str, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """What a method of a text gives that is known while compiling, with all it is given."""
        named = {k: self.constant_value(v) for k, v in kwargs.items()}
        try:
            found = getattr(text, name)(*map(self.constant_value, args), **named)
        except Exception as error:
            failed = Fails(str(error), self.span(node), say.ALSO, "ask before: text in texts")
            failed.raises = type(error)
            raise failed from None
        if isinstance(found, list | tuple):  # of "a b".split(), "a=b".partition("=")
            return self.sequence([Static(v) for v in found], type(found).__name__)
        return Static(found)

    def cant_set(self, owner: Value, name: str, node: ast.AST) -> UnsupportedError:
        """The error for `owner.name = ...` of what is no object that is made here."""
        if isinstance(owner, Dyn) and isinstance(owner.type, Bottom):
            return Absent(
                f"the attribute '{name}' of an item of a list or dict",
                self.span(node),
                "there are no items in it, as far as the code to here tells",
                "put one in first",
            )
        numbers = isinstance(owner, Dyn) and type(owner.type) in (Array, Scalar)
        if numbers and not hasattr(np.ndarray, name):
            failed = Fails(
                f"an array has no attribute '{name}'", self.span(node), *say.NO_ATTRIBUTE
            )
            failed.raises = AttributeError
            return failed
        if isinstance(owner, Dyn) and classes_of(owner.type):
            return self.refuse(
                f"can't set the attribute '{name}' of this object",
                node,
                "it may be None or a deep copy of linked objects, which are read only here",
                "copy them in a loop that makes new ones: copy = Node(node.value, copy)",
            )
        return self.refuse(
            f"can't set the attribute '{name}' of this",
            node,
            "changes of objects from outside would be lost",
            "return the new value instead",
        )


def is_given_by_members(text: str | bytes, name: str) -> bool:
    """Whether an attribute of a text is one that its enumeration gives it: `Unit.KM.value`."""
    plain = inspect.getattr_static(bytes if isinstance(text, bytes) else str, name, None)
    return isinstance(text, Enum) and inspect.getattr_static(type(text), name, plain) is not plain


def _docstring(function: Func) -> str | None:
    made = function.source.node
    return None if isinstance(made, ast.Lambda) else ast.get_docstring(made, clean=False)


def _named(cls: type) -> str:
    name = "dict" if cls is OrderedDict else cls.__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


__all__ = ["OwnAttributes", "is_given_by_members"]
