"""Floor 4: attributes of functions that are made inside: `g.calls = 0`.

They are variables of the activation in which the function is made.
"""

from __future__ import annotations

import ast
import dataclasses

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models.standins import is_model
from s2sgrad.frontend.values import Func, Static, Value


class OwnAttributes(Base):
    """Lowering of attributes of functions."""

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`g.calls`."""
        if isinstance(owner, Func) and owner.scope is not None:
            held = self.get(owner.scope, _key(owner.source.node, name))
            if held is not None:
                return held
            if name == "__name__" and not is_model(owner.source.filename):
                return Static(owner.name)
        return super().attribute(owner, name, node)

    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """`g.calls = 0`."""
        if not isinstance(owner, Func) or owner.scope is None:
            super().set_attribute(owner, name, value, node)  # type: ignore[misc]
            return
        self.set(owner.scope, _key(owner.source.node, name), value)

    def make_function(self, node: ast.FunctionDef | ast.Lambda, name: str) -> Value:
        """A function with its defaults; refused where it is made anew after it got attributes."""
        begin = _key(node, "")[:-1]
        if any(frame == self.frame.id and key.startswith(begin) for frame, key in self.state.vars):
            raise self.refuse(
                "a function with attributes that is made several times", node,
                "each would have attributes of its own", "make an object of a class with __call__",
            )  # fmt: skip
        made: Value = super().make_function(node, name)  # type: ignore[misc]
        return made

    def on_named_as(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """A function under the name of another, as functools.wraps gives it."""
        function, wrapped = args
        name = wrapped.name if isinstance(wrapped, Func) else None
        if isinstance(wrapped, Static):
            name = getattr(wrapped.value, "__name__", None)
        if name is None or not isinstance(function, Func):
            return function
        return dataclasses.replace(function, name=name)

    def on_hasattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """hasattr(g, "calls")."""
        function, name = args[0], self.constant_value(args[1])
        if isinstance(function, Func) and function.scope is not None:
            if self.get(function.scope, _key(function.source.node, str(name))) is not None:
                return Static(True)
            if any(not loop.unrolled for loop in self.loops):
                raise self.refuse(
                    "hasattr of a function in a loop", node,
                    "the next turn may find an attribute where this one did not",
                    "set the attribute before the loop",
                )  # fmt: skip
        return super().on_hasattr(args, kwargs, node)  # type: ignore[misc, no-any-return]


def _key(node: ast.AST, name: str) -> str:
    """The variable that holds an attribute of a function."""
    return f"<{node.lineno}{node.col_offset:05}{name}>"  # type: ignore[attr-defined]


__all__ = ["OwnAttributes"]
