"""Floor 4: plain dicts under a name that holds a `defaultdict` on other paths.

`p = {start: 1.0}`, and in a loop `p = new`, where `new` is a `defaultdict(float)`. A plain dict is
a defaultdict without a factory there: it does what the dict does, and holds the same entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.models.containers import Counter, DefaultDict
from s2sgrad.frontend.state import State
from s2sgrad.frontend.values import Dyn, Heap, Instance, Mapping, Static, Value
from s2sgrad.ir.types import Dict


def is_plain_dict(value: Value | None, state: State) -> bool:
    """Whether a value is a dict of no other class."""
    if isinstance(value, Heap):
        contents = state.heap.get(value.id)
        return isinstance(contents, Mapping) and contents.made_by is None and not contents.open
    kind = value.type if isinstance(value, Dyn) else None
    return isinstance(kind, Dict) and kind.made_by is None


def is_default_dict(value: Value | None, state: State) -> bool:
    """Whether a value is a defaultdict made here."""
    contents = state.heap.get(value.id) if isinstance(value, Heap) else None
    return isinstance(contents, Instance) and contents.cls is DefaultDict


def without_factory(value: Value, state: State, ids: Iterator[int]) -> Heap:
    """A plain dict as a defaultdict: a new object in this state, around the same dict."""
    made = Heap(next(ids))
    fields = (("default_factory", Static(None)), ("table", value))
    state.heap[made.id] = Instance(DefaultDict, fields)
    return made


def refuse_counter(name: str, values: list[Value | None], states: list[State]) -> None:
    """Refuse a plain dict in whose place a Counter comes round: that has a 0 for every key."""
    pairs = [(v, s.heap.get(v.id)) for v, s in zip(values, states, strict=True) if _held(v)]
    kinds = {c.cls if isinstance(c, Instance) else None for _, c in pairs}
    plain = any(is_plain_dict(v, s) for v, s in zip(values, states, strict=True))
    if plain and Counter in kinds:
        raise UnsupportedError(
            f"'{name}' is a plain dict before the loop, and a Counter comes round",
            None,
            "which of them it is decides what is read for a key that it lacks",
            f"begin with one: {name} = Counter()",
        )


def _held(value: Value | None) -> TypeGuard[Heap]:
    return isinstance(value, Heap)


class Reclassed(Exception):
    """Start again: what a name holds before the loop is of another class than what comes round."""

    def __init__(self, slot: Any) -> None:
        super().__init__(slot)
        self.slot = slot


def with_one_class(
    values: list[Value | None], states: list[State], ids: Iterator[int]
) -> list[Value | None]:
    """What a name holds on several paths; all of one class, where these are the two kinds."""
    pairs = [(v, s) for v, s in zip(values, states, strict=True) if v is not None]
    plain = [is_plain_dict(v, s) for v, s in pairs]
    if not any(plain) or all(plain):
        return values
    if not all(is_plain_dict(v, s) or is_default_dict(v, s) for v, s in pairs):
        return values
    return [
        without_factory(v, s, ids) if v is not None and is_plain_dict(v, s) else v
        for v, s in zip(values, states, strict=True)
    ]
