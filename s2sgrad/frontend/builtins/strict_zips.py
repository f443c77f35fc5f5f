"""Floor 4: `zip(strict=True)`, which asks ahead whether all are of one length."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.values import Generator, Iterator, Static, Value


class StrictZips(Base):
    """Lowering of the lengths that `zip(strict=True)` compares."""

    def of_one_length(self, parts: list[Value], node: ast.AST) -> list[Value]:
        """What zip goes through; an error as the code runs where they give not equally many."""
        parts = [self._countable(p, node) for p in parts]
        sizes = [n for p in parts for n in self._turns(p, parts, node)]
        if len(sizes) > 1:
            self.model(models.of_one_length, [self.sequence(sizes)], node)
        return parts

    def _countable(self, value: Value, node: ast.AST) -> Value:
        """What gives the same items, and tells how many: lists in place of generators."""
        if isinstance(value, Iterator):
            return Iterator(value.kind, tuple(self._countable(p, node) for p in value.parts))
        if not isinstance(value, Generator) or self.as_map(value) is not None:
            return value
        if self.runs_others(value):
            return self.listed_ahead(value, node)
        return self.comprehend_value(value, node)

    def _turns(self, value: Value, parts: list[Value], node: ast.AST) -> list[Value]:
        """How many turns there are items for: where zip takes from one iterator several times at
        each turn, of the first and of the last of them."""
        count = self._items_left(value, node)
        times = parts.count(value) if self.is_stepping(value) else 1
        if times == 1:
            return [count]
        given = (Static(times - 1), Static(0))
        return [self.model(models.turns, [count, Static(times), more], node) for more in given]

    def _items_left(self, value: Value, node: ast.AST) -> Value:
        """How many items there are to go through."""
        if isinstance(value, Generator):
            return self._items_left(value.first, node)
        if self.is_stepping(value):
            return self.call(self.attribute(value, "left", node), [], {}, node)
        if not isinstance(value, Iterator) or value.kind == "range":
            return self.call(Static(len, "len"), [value], {}, node)
        if value.kind == "count":
            raise self.refuse(
                "zip(strict=True) of what has no end", node,
                "nothing else is as long as that", "leave strict=True out",
            )  # fmt: skip
        counts = [self._items_left(p, node) for p in value.parts[value.kind == "map" :]]
        least = counts[0]
        for count in counts[1:]:
            least = self.call(Static(min, "min"), [least, count], {}, node)
        return least


__all__ = ["StrictZips"]
