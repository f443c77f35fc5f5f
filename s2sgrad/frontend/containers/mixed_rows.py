"""Floor 4: lists of texts and numbers that generated code holds in its lists and dicts.

`rows.append([name, v])`: such a list is an object with a field for each place from there on, whose
class does what a list does.
"""

from __future__ import annotations

from s2sgrad.frontend.loops.carried import type_of
from s2sgrad.frontend.models.mixed_lists import CLASSES
from s2sgrad.frontend.state import Contents, State, joined
from s2sgrad.frontend.values import Instance, Sequence
from s2sgrad.ir.types import Opaque, carries, forget

_UNCLEAR = tuple(map(Opaque, ("mixed", "object", "clash", "container", "")))


def as_record(contents: Contents, state: State) -> Contents:
    """What a container holds; a list of several kinds of values as an object."""
    if not isinstance(contents, Sequence) or contents.kind != "list" or contents.made_by:
        return contents
    kinds = [forget(type_of(item, state)) for item in contents.items]
    if joined(tuple(kinds)) != Opaque("mixed") or any(k in _UNCLEAR for k in kinds):
        return contents
    if not any(map(carries, kinds)):
        return contents  # constants: the list may be any list
    cls = CLASSES.get(len(kinds))
    if cls is None:
        return contents
    return Instance(cls, tuple(zip(cls().names(), contents.items, strict=True)))
