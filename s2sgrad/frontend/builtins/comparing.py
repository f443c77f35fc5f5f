"""Floor 4: sorted, min and max where items compare themselves, or by functools.cmp_to_key."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.containers.row_types import has_order
from s2sgrad.frontend.models import ordering
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.values import Dyn, Partial, Static, Value, bound_to, is_mixed
from s2sgrad.ir.types import Dict, List, Row, Type

_WITH = {
    "sorted": ordering.sorted_with,
    "min": ordering.smallest_with,
    "max": ordering.largest_with,
}


class Comparing(Base):
    """Order by comparisons of the user's."""

    def on_cmp_to_key(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """A key that only sorted, min and max understand."""
        return Partial(Static(ordering.by_less), tuple(args), ())

    def ordered_with(
        self, name: str, items: Value, kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """sorted, min or max by comparing two items; None where the items are numbers or texts."""
        key = kwargs.get("key", Static(None))
        rest = {k: v for k, v in kwargs.items() if k != "key"}
        if isinstance(key, Partial) and key.function == Static(ordering.by_less):
            compare = key.args[0]
        elif key == Static(None) and self._compare_themselves(items):
            compare = Static(ordering.by_less)
        else:
            return None
        items = self.model(models.sequence, [self.items_of(items, node)], node)
        return self.model(_WITH[name], [items, compare], node, **rest)

    def _compare_themselves(self, items: Value) -> bool:
        """Whether items are objects of classes that have an order."""
        known = self.static_items(items)
        classes = {c for item in known or () for c in self._classes_of(item)}
        if isinstance(items, Dyn) and isinstance(items.type, List):
            classes = set(_classes_in(items.type.item))
        return bool(classes) and all(map(has_order, classes))

    def _classes_of(self, item: Value) -> Iterable[Any]:
        """The classes that an item may be of; None for what is no object."""
        if is_mixed(item):
            return (c for option in bound_to(item) for c in self._classes_of(option))
        found = self.class_of(item)
        return _classes_in(item.type) if found is None and isinstance(item, Dyn) else (found,)


def _classes_in(kind: Type) -> Iterable[Any]:
    """The classes of the objects of a type; None for other types."""
    if isinstance(kind, Row):
        return kind.classes
    return (kind.made_by if isinstance(kind, Dict) else None,)
