"""Floor 4: methods of the user's classes that Python calls by itself: `__abs__`, `__iadd__`."""

from __future__ import annotations

import ast
import inspect
import math
from typing import Any

import numpy as np

from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.values import Instance, Static, Value

CALLING = (abs, round, float, int, complex, divmod, math.floor, math.ceil, math.trunc)
IN_PLACE = {
    "+": "__iadd__", "-": "__isub__", "*": "__imul__", "/": "__itruediv__", "//": "__ifloordiv__",
    "%": "__imod__", "**": "__ipow__", "@": "__imatmul__",
}  # fmt: skip


class SpecialMethods(Base):
    """Lowering of what Python hands on to an object's class."""

    def special_builtin(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """`abs(v)` where the class of `v` has `__abs__`; None where nothing of the kind holds."""
        cls = self.class_of(args[0]) if args else None
        if cls is None or not any(target is f for f in CALLING):
            return None
        name = f"__{target.__name__}__"
        if not inspect.isfunction(getattr(cls, name, None)):
            return None
        return self.call(self.attribute(args[0], name, node), args[1:], kwargs, node)

    def special_update(self, sign: str, old: Value, value: Value, node: ast.AST) -> Value | None:
        """`old += value` where the class of `old` has `__iadd__`, and so on; else None."""
        contents, name = self.contents(old), IN_PLACE.get(sign, "")
        if not isinstance(contents, Instance) or not hasattr(contents.cls, name):
            return None
        return self.call(self.attribute(old, name, node), [value], {}, node)

    def on_number_limits(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`np.finfo(float)`: known while compiling, as its argument is."""
        kind = self.constant_value(args[0])
        if kind is MISSING:
            raise self.refuse("the limits of a dtype known only at run time", node)
        make = np.iinfo if np.issubdtype(np.dtype(kind), np.integer) else np.finfo
        return Static(make(kind))
