"""Floor 4: lists of texts and numbers that generated code holds in its lists and dicts.

`rows.append([name, v])`: such a list is an object with a field for each place from there on, whose
class does what a list does.
"""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.loops.carried import type_of
from s2sgrad.frontend.models.mixed_lists import CLASSES
from s2sgrad.frontend.state import Contents, State, joined
from s2sgrad.frontend.values import Dyn, Instance, Sequence, Value, is_mixed
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Opaque, carries, forget

_RESIZING = ("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort")
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


class MixedRows(Base):
    """Lists of several kinds of values in containers of generated code."""

    records: set[int]  # those that are held as objects

    def as_record(self, identity: int) -> Contents:
        """What a container holds; a list of several kinds of values is an object from here on."""
        contents = self.state.heap[identity]
        made = as_record(contents, self.state)
        if made is not contents:
            self.records.add(identity)
            self.state.heap[identity] = made
        return made

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`row.append`: the length of such a list stays."""
        if name in _RESIZING and self.class_of(owner) in CLASSES.values():
            raise self.refuse(
                "a list of several kinds of values that changes its length, in another list", node,
                "generated code holds it by a field for each place",
                "keep what is added in a list of its own: [name, [v]], then row[1].append(w)",
            )  # fmt: skip
        return super().attribute(owner, name, node)

    def index(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`row[1]`, `row[1:]`."""
        part = isinstance(index, Dyn) and isinstance(index.expr, nodes.Slice)
        if not part:
            self._check_place(base, index, node)
        found: Value = super().index(base, index, node)  # type: ignore[misc]
        return found

    def set_item(
        self, base: Value, index: Value, value: Value, node: ast.AST, bare: bool = False
    ) -> None:
        """`row[1] = v`."""
        self._check_place(base, index, node)
        super().set_item(base, index, value, node, bare)  # type: ignore[misc]

    def _check_place(self, base: Value, index: Value, node: ast.AST) -> None:
        if self.class_of(base) not in CLASSES.values() or is_mixed(index):
            return
        if type(self.constant_value(index)) is not int:
            raise self.refuse(
                "a place that only a run knows, of a list of several kinds of values", node,
                "generated code holds it by a field for each place",
                "keep what is alike in a list of its own: [name, [v, w]], then row[1][k]",
            )  # fmt: skip
