"""Floor 4: slices of lists that are assigned to or deleted."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import lists as models
from s2sgrad.frontend.values import Dyn, Heap, Sequence, Static, Value
from s2sgrad.ir import nodes


class ListSlices(Base):
    """`items[i:j] = values` and `del items[i:j]`."""

    def replace_items(self, base: Dyn, index: Value, value: Value, node: ast.AST) -> bool:
        """`items[i:j] = values` of a list that is made at run time."""
        part = index.expr if isinstance(index, Dyn) else None
        if not isinstance(part, nodes.Slice):
            return False
        start, stop, step = map(_bound, (part.lower, part.upper, part.step))
        by = 1 if part.step is None else self.constant_value(step)
        if by == 1:
            start = Static(0) if part.lower is None else start
            self.model(models.list_replace, [base, start, stop, value], node)
        else:
            replace = models.list_replace_each if type(by) is int else models.list_replace_by
            self.model(replace, [base, start, stop, step, value], node)
        return True

    def delete_items(self, base: Value, index: Value, node: ast.AST) -> None:
        """`del items[i:j]`."""
        self.refuse_outside(base, node)
        part = index.expr if isinstance(index, Dyn) else None
        contents, bounds = self.contents(base), self._constant_slice(part)
        if isinstance(base, Heap) and isinstance(contents, Sequence) and bounds is not None:
            kept = list(contents.items)
            del kept[bounds]
            self.state.heap[base.id] = Sequence("list", tuple(kept))
        elif isinstance(part, nodes.Slice) and part.step not in (None, nodes.Const(1)):
            ends = map(_bound, (part.lower, part.upper, part.step))
            self.model(models.list_delete_each, [base, *ends], node)
        else:
            self.set_item(base, index, self.sequence([], "list"), node)

    def assign_slice(
        self, base: Heap, contents: Sequence, index: Value, value: Value, node: ast.AST
    ) -> bool:
        """`items[1:3] = [...]` with known bounds and items."""
        part = self._constant_slice(index.expr if isinstance(index, Dyn) else None)
        items = None if part is None else self.iterate(value, node)
        if part is None or items is None:
            return False
        held = list(contents.items)
        if part.step not in (None, 1) and len(held[part]) != len(items):
            return False  # an error of the run
        held[part] = [self._settled("item", v, node) for v in items]
        self.state.heap[base.id] = Sequence("list", tuple(held))
        return True

    def _constant_slice(self, part: nodes.Expr | None) -> slice | None:
        """The slice whose ends and step are constants."""
        if not isinstance(part, nodes.Slice):
            return None
        bounds = [
            None if p is None else self.constant_value(Dyn(p))
            for p in (part.lower, part.upper, part.step)
        ]
        return slice(*bounds) if all(b is None or type(b) is int for b in bounds) else None


def _bound(end: nodes.Expr | None) -> Value:
    return Static(None) if end is None else Dyn(end)
