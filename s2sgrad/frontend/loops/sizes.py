"""Floor 4: sizes that change from one iteration of a loop to the next.

`v = v[:-1]` makes an array shorter in each iteration. The head of the loop gives such an axis a
letter of its own, and arrays that began equally long the same one. It may stay if they are equally
long again on every way round: then nothing between them is broadcast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2sgrad.frontend.state import Builder
from s2sgrad.ir.sizes import SOME, Size, of
from s2sgrad.ir.types import Array, Type


class LoopSizes:
    """The letters of one attempt at a loop."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.letters: dict[tuple[Size, ...], Size] = {}  # the sizes seen so far -> their letter
        self.next: dict[Size, Size] = {}  # letter -> what it is at the end of a path

    def given(self, kind: Type, seen: Sequence[Type]) -> Type:
        """The type of a variable at the head; sizes that differ in what was seen get letters."""
        if not isinstance(kind, Array) or kind.shape is None:
            return kind
        shapes = [k.shape for k in seen if isinstance(k, Array)]
        if len(shapes) < len(seen):
            return kind
        columns = zip(*shapes, strict=True)  # type: ignore[arg-type]
        found = (
            size if size is not None else self._letter(column)
            for size, column in zip(kind.shape, columns, strict=True)
        )
        return replace(kind, shape=tuple(found))

    def _letter(self, column: tuple[Size | None, ...]) -> Size | None:
        known = tuple(size for size in column if size is not None)
        if len(known) < len(column):
            return None
        if known not in self.letters:
            self.letters[known] = of(f"{SOME}{next(self.builder.ids)}")
        return self.letters[known]

    def next_path(self) -> None:
        """Another path that ends an iteration: its sizes are compared with each other."""
        self.next = {}

    def renewed(self, head: Type, end: Type) -> Type:
        """The type at the end of a path, where its sizes may stand for the letters of the head."""
        if not isinstance(head, Array) or not isinstance(end, Array):
            return end
        if head.shape is None or end.shape is None or len(head.shape) != len(end.shape):
            return end
        pairs = zip(head.shape, end.shape, strict=True)
        return replace(end, shape=tuple(self._stands_for(p, q) for p, q in pairs))

    def _stands_for(self, letter: Size | None, size: Size | None) -> Size | None:
        if letter is None or size is None or letter not in self.letters.values():
            return size
        return letter if self.next.setdefault(letter, size) == size else size
