"""Floor 4: the items of values whose length is known while compiling."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.expressions import tuple_items
from s2sgrad.frontend.values import (
    Instance,
    Iterator,
    Mapping,
    Sequence,
    Static,
    Value,
)


class Iteration(Base):
    """Taking sequences and iterators apart."""

    def iterate(self, value: Value, node: ast.AST) -> list[Value] | None:
        """The items of a value whose length is known while compiling; None otherwise."""
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return list(contents.items)
        if isinstance(contents, Mapping):
            return [Static(k) for k, _ in contents.items]
        if isinstance(contents, Instance):
            return None
        items = tuple_items(value)
        if items is not None:
            return list(items)
        if isinstance(value, Static) and isinstance(
            value.value, str | tuple | list | dict | frozenset | set
        ):
            return [Static(v) for v in value.value]
        if isinstance(value, Iterator):
            return self._iterate_lazily(value, node)
        return None

    def _iterate_lazily(self, value: Iterator, node: ast.AST) -> list[Value] | None:
        if value.kind == "range":
            bounds = [self.constant_value(p) for p in value.parts]
            plain = all(isinstance(p, Static) for p in value.parts)
            if plain and all(type(b) is int for b in bounds) and len(range(*bounds)) <= 4:
                return [Static(i) for i in range(*bounds)]
            return None
        if value.kind == "map":
            found = [self.iterate(p, node) for p in value.parts[1:]]
            if any(f is None for f in found):
                return None
            return [
                self.call(value.parts[0], list(row), {}, node) for row in zip(*found, strict=False)
            ]
        parts = [self.iterate(p, node) for p in value.parts]
        if value.kind == "zip" and any(p is not None for p in parts):
            length = min(len(p) for p in parts if p is not None)
            columns = [
                p if p is not None else self._first(v, length, node)
                for p, v in zip(parts, value.parts, strict=True)
            ]
            return [self.sequence(row) for row in zip(*columns, strict=False)]
        if any(p is None for p in parts):
            return None
        if value.kind == "reversed":
            return list(reversed(parts[0] or []))
        start = 0
        return [self.sequence([Static(i + start), v]) for i, v in enumerate(parts[0] or [])]

    def _first(self, value: Value, length: int, node: ast.AST) -> list[Value]:
        """The first items of a sequence of unknown length, zipped with one of known length."""
        if isinstance(value, Iterator):
            raise self.refuse("can't zip this with a sequence of known length", node)
        return [self.index(value, Static(i), node) for i in range(length)]
