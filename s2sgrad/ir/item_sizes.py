"""Floor 1: sizes of the items of a list of arrays, and which of them are equal within each item.

In `[(w, b), ...]` every b may be as long as its own w is wide. `List.each` is the type of an item
with such a letter for both; it stands for another size in each item, so that it means nothing
until an item is taken out: `opened` puts letters of the item in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.ir.sizes import SOME, Size, of
from s2sgrad.ir.types import Array, List, Tuple, Type, shape_of

EACH = "each_"  # how the letters begin


def is_each(size: Size | None) -> bool:
    """Whether a size stands for another number in each item of a list."""
    return size is not None and (size.letter or "").startswith(EACH)


def with_sizes(kind: Type, change: Callable[[Size | None], Size | None]) -> Type:
    """The type of an array, or of a tuple of arrays, with its sizes changed."""
    if isinstance(kind, Array) and kind.shape is not None:
        return replace(kind, shape=tuple(map(change, kind.shape)))
    if isinstance(kind, Tuple):
        return replace(kind, items=tuple(with_sizes(i, change) for i in kind.items))
    return kind


def letters_in(kind: Type) -> list[str]:
    """The letters of a list's items."""
    found: list[str] = []

    def note(size: Size | None) -> Size | None:
        found.extend([size.letter or ""] if size is not None and is_each(size) else [])
        return size

    with_sizes(kind, note)
    return found


def opened(kind: Type, letters: Callable[[str], Size | None]) -> Type | None:
    """The type of an item that is taken out of a list; None where nothing more is known of it.

    letters: what a letter of the list stands for in this item.
    """
    if not isinstance(kind, List) or kind.each is None:
        return None
    return with_sizes(
        kind.each, lambda s: letters(s.letter or "") if s is not None and is_each(s) else s
    )


def length_of(kind: Type) -> Size | None:
    """What `len` says of an array or a list, where that is known."""
    if isinstance(kind, List):
        return kind.count
    shape = shape_of(kind)
    return shape[0] if shape else None


def cut_out(kind: List, part: str | None) -> List:
    """The type of some of a list's items, in the list's order; part: which, None if that is not
    known. The letters are new, for `ws[1:]` and `bs` are beside each other in other pairs."""
    if kind.each is None or kind.count is None or part is None:
        return replace(kind, each=None, count=None)

    def renamed(size: Size | None) -> Size | None:
        return of(f"{size.letter}[{part}]") if size is not None and is_each(size) else size

    count = of(f"{SOME}{kind.count}[{part}]")
    return replace(kind, each=with_sizes(kind.each, renamed), count=count)
