"""Floor 4: `zip(strict=True)`, which asks ahead whether all are of one length."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import generators
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.values import Generator, Iterator, Static, Value


class StrictZips(Base):
    """Lowering of the lengths that `zip(strict=True)` compares."""

    def strict_zip(self, parts: list[Value], node: ast.AST) -> Value:
        """zip of parts of one length: an error as the code runs where they have not as many
        items, of generators when one of them ends, of others before the first is taken."""
        parts = [self._countable(p, node) for p in parts]
        driver = next((p for p in parts if self._runs_between(p)), None)
        if driver is not None:
            return self._in_its_loop(parts, parts.index(driver), node)
        sizes = [n for p in parts for n in self._turns(p, parts, node)]
        if len(sizes) > 1:
            self.model(models.of_one_length, [self.sequence(sizes)], node)
        return Iterator("zip", tuple(parts))

    def _runs_between(self, value: Value) -> bool:
        """Whether a body has to run between the items, which may see what a loop changes."""
        return not self.is_stepping(value) and self.runs_others(value)

    def _in_its_loop(self, parts: list[Value], place: int, node: ast.AST) -> Value:
        """zip of a generator with others, which are taken step by step in its loop."""
        parts = [
            self.listed_ahead(p, node) if i != place and self._runs_between(p) else p
            for i, p in enumerate(parts)
        ]
        if len(parts) == 1:
            return Iterator("zip", tuple(parts))
        before, after = (self._in_step(p, node) for p in (parts[:place], parts[place + 1 :]))
        if place == 0:
            return self.model(generators.before_as_many, [parts[0], after], node)
        given = [parts[place], before, after, Static(place + 1 < len(parts))]
        return self.model(generators.behind_as_many, given, node)

    def _in_step(self, parts: list[Value], node: ast.AST) -> Value:
        """An iterator over the rows of parts, which is taken from step by step."""
        rows = self.strict_zip(parts, node) if len(parts) > 1 else Iterator("zip", tuple(parts))
        return self.stepping(rows, node)

    def _countable(self, value: Value, node: ast.AST) -> Value:
        """What gives the same items, and tells how many: lists in place of generators."""
        if isinstance(value, Iterator) and not self.holds_others(value):
            return Iterator(value.kind, tuple(self._countable(p, node) for p in value.parts))
        lazy = not isinstance(value, Generator) or self.as_map(value) is not None
        return value if lazy or self.runs_others(value) else self.comprehend_value(value, node)

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
