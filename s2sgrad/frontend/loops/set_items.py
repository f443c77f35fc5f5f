"""Floor 4: the items of sets, in the order in which Python goes through them."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models.sets import ADDED, CHANGED, MADE, FrozenSet, Set, in_order
from s2sgrad.frontend.values import Dyn, Heap, Mapping, Static, Value
from s2sgrad.ir.types import carries

_LEAST = 8  # places in the table of any set
_ANY_ORDER = frozenset(  # any order will do
    ["sorted", "Set", "set", "FrozenSet", "frozenset", "len", "min", "max", "any", "all"]
)


class SetItems(Base):
    """Taking sets apart."""

    def set_items(self, value: Value, node: ast.AST) -> Value:
        """The items of a set whose order is known; `sorted` takes those of any set."""
        table = self.attribute(value, "table", node)
        contents = self.contents(table)
        if self._runs_method_of_set():
            return table
        if isinstance(table, Dyn) and carries(table.type.key):  # type: ignore[attr-defined]
            raise self.refuse(
                "the items of a set of computed numbers", node,
                "generated code has them as the keys of a dict, and keys carry no derivative",
                "use np.unique(values), which has each once, in order",
            )  # fmt: skip
        caller = node.func if isinstance(node, ast.Call) else None
        if isinstance(caller, ast.Name) and caller.id in _ANY_ORDER:
            return table
        keys = [k for k, _ in contents.items] if isinstance(contents, Mapping) else None
        if keys and all(isinstance(k, Heap) for k in keys):
            return self.sequence(keys, "list")  # in an order that Python might have, too
        history = getattr(self.attribute(value, "history", node), "value", None)  # None: a run's
        fixed = keys is not None and all(type(k) in (int, bool) for k in keys)
        if fixed and history == ADDED:
            return self.sequence([Static(k) for k in set(keys or ())], "list")
        if fixed and history == MADE and all(0 <= k < _LEAST for k in keys or ()):
            return self.sequence([Static(k) for k in sorted(keys or ())], "list")
        if history in (MADE, CHANGED):
            raise self.refuse(
                "iterating over a set", node, "a set has no order of its own",
                "use a list; or iterate over sorted(...) of it, where it holds texts or integers",
            )  # fmt: skip
        return self.model(in_order, [value], node)

    def _runs_method_of_set(self) -> bool:
        """Whether the innermost function is a method of the class that is read for sets."""
        name = self.source.node.args.args[0].arg if self.source.node.args.args else ""
        owner = self.get(self.frame, name)
        return owner is not None and name == "self" and self.class_of(owner) in (Set, FrozenSet)


__all__ = ["SetItems"]
