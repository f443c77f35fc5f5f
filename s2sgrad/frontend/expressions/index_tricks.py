"""Floor 4: objects of NumPy that make grids and subscripts by being indexed: np.mgrid, np.s_..."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import EnumType
from types import NoneType
from typing import Any, get_origin

import numpy as np

from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import Dyn, Heap, Iterator, Static, Value, is_none
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT, STR, List, Opaque


class IndexTricks(Base):
    """Lowering of `np.s_[...]` and its kin; for np.r_ and np.c_ see standins.py."""

    def index_trick(self, trick: Any, index: Value, node: ast.AST) -> Value | None:
        """`trick[index]`, also for texts and constant tables; None for other objects."""
        known = self._known_slice(index) or self.constant_value(index)
        plain = isinstance(trick, str | tuple | list | EnumType) and isinstance(
            known, int | str | slice
        )
        if plain or (isinstance(trick, dict) and known is not MISSING):
            try:
                return Static(trick[known])  # type: ignore[index]
            except (IndexError, KeyError) as error:
                failed = Fails(str(error), self.span(node))
                failed.raises = type(error)
                raise failed from None
        if trick is np.s_ or trick is np.index_exp:
            return index
        if trick is np.r_ or trick is np.c_:
            return self.joined_by(trick, index, node)
        model = next((made for known, made in _MODELS if known is trick), None)
        if model is None:
            return None
        contents = self.contents(index)
        several = isinstance(index, Heap) and getattr(contents, "kind", "") == "tuple"
        parts = list(contents.items) if several else [index]  # type: ignore[union-attr]
        made: list[Value] = [self._axis(p, node) for p in parts]
        return self.call(Static(model), [self.sequence(made, "list")], {}, node)

    def _known_slice(self, index: Value) -> slice | None:
        """A slice whose bounds are known."""
        at = index.expr if isinstance(index, Dyn) else None
        if not isinstance(at, nodes.Slice):
            return None
        ends = [None if p is None else self.constant_value(Dyn(p)) for p in _bounds(at)]
        return slice(*ends) if all(type(e) in (int, NoneType) for e in ends) else None

    def index_static(self, base: Value, index: Value, node: ast.AST) -> Value:
        if is_none(base):  # fails in Python too, unless a later attempt knows of more than None
            raise Fails("'NoneType' object is not subscriptable", self.span(node), *say.NO_PARTS)
        assert isinstance(base, Static)
        made = self.index_trick(base.value, index, node)
        if made is not None:
            return made
        if get_origin(base.value) is not None or hasattr(base.value, "__class_getitem__"):
            return base  # list[int]: the parameters change nothing
        kind = STR if isinstance(base.value, str) else Opaque()
        return Dyn(nodes.Index(self.residual(base), self.index_parts(index, node), type=kind))

    def index_range(self, counter: Iterator, index: Value, node: ast.AST) -> Value:
        """`range(...)[index]`: a range, or a number of it."""
        at = index.expr if isinstance(index, Dyn) else None
        bounds = [self.constant_value(p) for p in counter.parts]
        known = self.constant_value(index)
        if isinstance(at, nodes.Slice):
            ends = self._known_slice(index)
            if ends == slice(None, None, -1):
                return Iterator("reversed", (counter,))
            known = known if ends is None else ends
        if isinstance(known, int | slice) and all(type(b) is int for b in bounds):
            found = range(*bounds)[known]
            if not isinstance(found, range):
                return Static(found)
            return Iterator("range", tuple(map(Static, (found.start, found.stop, found.step))))
        parts = tuple(self.residual(p, node) for p in counter.parts)
        every = nodes.Call(range, "range", parts, type=List(INT), span=self.span(node))
        return self.index_expr(Dyn(every), self.index_parts(index, node), node)

    def _axis(self, part: Value, node: ast.AST) -> Value:
        """A slice as the range it stands for; anything else as it is."""
        if not isinstance(part, Dyn) or not isinstance(part.expr, nodes.Slice):
            return part
        start, stop, step = (Static(None) if b is None else Dyn(b) for b in _bounds(part.expr))
        count = self.constant_value(step)
        if isinstance(count, complex):
            ends: list[Value] = [start, stop, Static(int(abs(count)))]
            return self.call(Static(np.linspace), ends, {}, node)
        first = Static(0) if start == Static(None) else start
        last = Static(1) if step == Static(None) else step
        return self.call(Static(np.arange), [first, stop, last], {}, node)


def _bounds(part: nodes.Slice) -> tuple[nodes.Expr | None, ...]:
    return part.lower, part.upper, part.step


def _dense_grid(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.stack(np.meshgrid(*parts, indexing="ij"))


def _open_grid(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.ix_(*parts)


_MODELS: tuple[tuple[Any, Callable[[list[Any]], Any]], ...] = (
    (np.mgrid, _dense_grid),
    (np.ogrid, _open_grid),
)
