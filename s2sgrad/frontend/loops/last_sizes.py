"""Floor 4: sizes behind a loop over all items of a list: those of the last item.

    for w, b in layers:
        x = np.tanh(x @ w + b)

In each iteration x has another width; behind the loop it has that of the last w.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.indexing import size_of
from s2sgrad.frontend.loops.carried import Slot, slots_of, type_of
from s2sgrad.frontend.loops.loop import Loop
from s2sgrad.frontend.values import Dyn, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.item_sizes import letters_in, with_sizes
from s2sgrad.ir.sizes import Size, changes
from s2sgrad.ir.types import List, Type, shape_of

Pair = tuple[Type, Type]  # of a variable: at the head of the loop, and where an iteration ends


def behind(low: Any, header: Any, loop: Loop, phis: dict[Slot, Any]) -> dict[Any, Value]:
    """The variables behind a loop of which more is known there than at its head."""
    if any(kind == "break" for kind, _ in loop.paths):
        return {}
    heads = {s: p for s, p in phis.items() if s[0] == "v" and isinstance(p, Dyn)}
    pairs = []
    for _, path in loop.paths:
        ends = slots_of(path.state)
        pairs += [(p.type, type_of(ends[s], path.state)) for s, p in heads.items() if s in ends]
    known = last_sizes(low, header, pairs)
    if not known:
        return {}
    kinds = {s: with_sizes(p.type, lambda n: n and known.get(n, n)) for s, p in heads.items()}
    return {
        s[1:]: Dyn(replace(p.expr, type=kinds[s])) for s, p in heads.items() if kinds[s] != p.type
    }


def last_sizes(low: Any, header: Any, pairs: Iterable[Pair]) -> dict[Size, Size]:
    """Sizes that change in a loop -> what they are behind it."""
    last_item = _last_item(low, header)
    if last_item is None:
        return {}
    number, length = last_item
    letters = {size: letter for letter, size in header.place.items()}
    found: dict[Size, set[Size | None]] = {}
    for head, end in pairs:
        for p, q in zip(shape_of(head) or (), shape_of(end) or (), strict=False):
            if p is not None and changes(p.letter or ""):
                whole = q in letters and low.length_of_column(letters[q]) == length
                last = low.size_at(letters[q], number) if whole else None
                found.setdefault(p, set()).add(last)
    alike = {p: sizes.pop() for p, sizes in found.items() if len(sizes) == 1}
    return {p: last for p, last in alike.items() if last is not None}


def _last_item(low: Any, header: Any) -> tuple[int, int] | None:
    """The number of the item at which a loop ends, if it goes through whole lists, or counts up to
    their length; and that length."""
    lengths = {
        _length(low, source)
        for source in getattr(header, "sources", ())
        if not nodes.counts(source)
    }
    length = lengths.pop() if len(lengths) == 1 else None
    return None if length is None else (0 if header.backwards else -1, length)


def _length(low: Any, source: nodes.Expr) -> int | None:
    """The length of a list that the caller passes, which a loop goes through or counts to."""
    if isinstance(source, nodes.Call) and source.function is range and len(source.args) == 1:
        count = size_of(source.args[0])
        return next((n for n, size in low.counts.items() if size == count), None)
    each = source.type.each if isinstance(source.type, List) else None
    letters = [] if each is None else letters_in(each)
    found = {len(low.column_places[n][0]) for n in letters if n in low.column_places}
    return found.pop() if len(found) == 1 else None


__all__ = ["behind"]
