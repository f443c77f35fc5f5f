"""Floor 4: objects of the user's that stand for whole numbers, by their `__index__`."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Dyn, Instance, Mapping, Sequence, Value
from s2sgrad.ir.types import Dict, List, Maybe, Tuple, carries


class CountingObjects(Base):
    """Such objects where Python asks for a number: in subscripts, slices, `range`, `list * n`."""

    def as_count(self, value: Value, node: ast.AST | None) -> Value:
        """The number that an object stands for; other values as they are."""
        cls = self.class_of(value)
        if cls is None or issubclass(cls, int) or not hasattr(cls, "__index__"):
            return value
        node = node or ast.Pass()
        found: Value = self.call(self.attribute(value, "__index__", node), [], {}, node)
        return found

    def as_place(self, base: Value, index: Value, node: ast.AST | None) -> Value:
        """What stands in a subscript, as a place in a sequence or an array: keys of dicts stay,
        and so does what an object of the user's is asked for."""
        keyed = isinstance(base, Dyn) and isinstance(base.type, Dict)
        if keyed or isinstance(self.contents(base), Mapping | Instance):
            return index
        if self.held_object(base) is not None:
            return index
        return self.as_counts(index, node)

    def as_counts(self, value: Value, node: ast.AST | None) -> Value:
        """The same of a tuple's items, too: a shape, axes, a subscript of several parts."""
        kind = value.type if isinstance(value, Dyn) else None
        held = kind.item if isinstance(kind, Maybe) else None
        if isinstance(held, List) or (isinstance(held, Tuple) and carries(held)):
            return self.not_none(value)  # type: ignore[no-any-return] # None would fail
        contents = self.contents(value)
        if not isinstance(contents, Sequence) or contents.kind != "tuple":
            return self.as_count(value, node)
        parts = [self.as_count(v, node) for v in contents.items]
        return value if parts == list(contents.items) else self.sequence(parts)


__all__ = ["CountingObjects"]
