"""Floor 4: zip, enumerate and map of the items of generator functions, as generators."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import generators as models
from s2sgrad.frontend.values import Iterator, Static, Value


class GeneratorRows(Base):
    """Lowering of iterators that go through generators, beside other things."""

    def yielding_rows(self, value: Iterator, node: ast.AST) -> Value:
        """zip, enumerate or map of a generator function's items, as a generator."""
        if value.kind == "enumerate":
            return self.model(models.numbered, [value.parts[0]], node)
        if value.kind == "map":
            rows = value.parts[1] if len(value.parts) == 2 else Iterator("zip", value.parts[1:])
            model = models.mapped if len(value.parts) == 2 else models.mapped_rows
            return self.model(model, [value.parts[0], rows], node)
        parts = list(value.parts)
        drivers = [
            i for i, p in enumerate(parts) if not self.is_stepping(p) and self.runs_others(p)
        ]
        if not drivers:
            steps = [self.stepping(p, node) for p in parts]
            return self.model(models.in_step, [self.sequence(steps)], node)
        place = drivers[0]
        driver = parts.pop(place)
        for i, part in enumerate(parts):
            if self.runs_others(part):
                parts[i] = self.listed_ahead(part, node)
        if place and (not self.is_yielding(driver) or self.comes_with_changes(driver)):
            both = (Iterator("zip", tuple(p)) for p in (parts[:place], parts[place:]))
            return self.model(
                models.between, [driver, *(self.stepping(p, node) for p in both)], node
            )
        only = parts[0] if len(parts) == 1 else None
        if isinstance(only, Iterator) and only.kind == "count":
            pair = Static(place)
            return self.model(models.counted, [driver, *only.parts, pair], node)
        others = self.stepping(Iterator("zip", tuple(parts)), node)
        return self.model(models.beside, [driver, others, Static(place)], node)
