"""Floor 4: objects that are linked with each other while the program runs: lists, trees, graphs.

Generated code keeps each field of such objects in a list of its own; an object is its place in
these lists. So `node.next` is `node_next[node]`, a link that is set is an entry that is written,
and what is true of lists is true of the objects too: they may change, be shared and go in circles.
Where there are several classes, a place counts all of them: `place % 2` says which class it is of.

Lowering begins without that: objects of known make are taken apart. It starts again with `Rows`
where that comes to nothing.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterable, Set
from typing import Any

from s2sgrad.analysis.tree_types import is_linked
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.containers.outside_rows import ROWS, OutsideRows
from s2sgrad.frontend.containers.row_questions import row_number
from s2sgrad.frontend.containers.row_types import (
    classes_in,
    given_to,
    holds_rows,
    kept_as,
    nested_classes,
    takes_rows,
)
from s2sgrad.frontend.source import find_source
from s2sgrad.frontend.state import Key, Unbound
from s2sgrad.frontend.values import Chosen, Dyn, Heap, Instance, Value, inside
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    INT,
    Bottom,
    Row,
)

Fields = dict[type, tuple[str, ...]]
_USES: dict[Any, str] = {nodes.Text: "a text", nodes.Index: "a subscript", nodes.Slice: "a slice"}


class Rows(Exception):
    """Start again: objects of these classes are places in lists of these fields."""

    def __init__(self, fields: Fields) -> None:
        super().__init__(fields)
        self.fields = fields


@dataclasses.dataclass
class Linking:
    """Which objects are places in lists, from one attempt at a function to the next.

    allowed: whether there may be more. first: what was refused without them. early: no object is
    to be held as a record, since code will be differentiated that could not be then. local: classes
    defined inside, as of the last attempt. outside: what is read from outside.
    """

    early: bool = False
    fields: Fields = dataclasses.field(default_factory=dict)
    allowed: bool = True
    first: UnsupportedError | None = None
    local: dict[ast.ClassDef, type] = dataclasses.field(default_factory=dict, repr=False)
    outside: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False)

    def note(self, lowering: LinkedObjects) -> None:
        """Remember what an attempt has read from outside."""
        self.outside |= lowering.captured_objects()

    def refusal(self, error: UnsupportedError, lowering: LinkedObjects) -> UnsupportedError | None:
        """What to say where an attempt was refused; None: another one may do better."""
        self.note(lowering)
        self.first = self.first if self.fields and not error.decisive else error
        self.fields = (self.allowed and lowering.further_rows()) or {}
        self.allowed = bool(self.fields)
        refused = None if self.allowed else self.first
        self.first = self.first if self.allowed else None
        return refused


class LinkedObjects(OutsideRows):
    """Lowering of objects that are places in lists of their fields.

    linked: the classes of these, and all fields they have. made_of: classes of which objects were
    made. always_has: the fields that each of them has once it is made. parts: classes whose objects
    are fields of others.
    """

    linked: Fields
    linking: Linking
    made_of: Fields
    always_has: dict[type, Set[str]]
    part_classes: dict[type, None]
    classes_here: set[ast.ClassDef]
    never_linked: set[type]

    # --- which objects -----------------------------------------------------------------------
    def note_made(self, cls: type) -> None:
        """An object of a class is made; those of models of libraries are taken apart always."""
        if not cls.__module__.startswith("s2sgrad.") and cls not in self.never_linked:
            self.made_of.setdefault(cls, ())

    def _made_class(self, stmt: ast.ClassDef) -> type:
        """A class defined inside: in each attempt another one, which stands for the last one's."""
        made: type = super()._made_class(stmt)  # type: ignore[misc]
        if stmt in self.classes_here:
            self.never_linked.add(made)  # another activation's
            return made
        self.classes_here.add(stmt)
        last = self.linking.local.get(stmt)
        self.linking.local[stmt] = made
        self.linked = {made if c is last else c: f for c, f in self.linked.items()}
        return made

    def note_part(self, value: Value) -> None:
        """A value becomes a field of an object."""
        for identity in sorted(inside(value, self.state.heap)):
            contents = self.state.heap.get(identity)
            if isinstance(contents, Instance) and not contents.outside:
                self.part_classes[contents.cls] = None
        if isinstance(value, Dyn):
            found = classes_in(value.type) & self.made_of.keys()
            self.part_classes |= dict.fromkeys(c for c in self.made_of if c in found)

    def further_rows(self) -> Fields | None:
        """What to start again with after a refusal: fields of others first, then all objects."""
        outside = self.outside_classes()
        known = outside | self.made_of
        for found in (self.part_classes, self.made_of, outside):
            new = {cls: known[cls] for cls in found if cls not in self.linked and cls in known}
            if new:
                return self.linked | new
        return None

    def check_linked(self, body: nodes.Block, types: Iterable[Any]) -> None:
        """Start again where generated code would hold nodes within nodes."""
        if self.linked or self.functions:
            self._check_uses(body)
        if self.linked:
            self.check_outside_rows(body)
        early = self.linking.early
        kinds = [k for k in types if early or is_linked(k)] if self.linking.allowed else []
        found = set().union(*map(classes_in, kinds)) & self.made_of.keys() - self.linked.keys()
        if found:
            raise Rows(self.linked | {c: f for c, f in self.made_of.items() if c in found})

    def check_nested(self, kind: Any) -> None:
        """Start again where objects in a container hold each other, to any depth."""
        found = nested_classes(kind) & self.made_of.keys() if self.linking.allowed else set()
        if found:
            raise Rows(self.linked | {c: f for c, f in self.made_of.items() if c in found})

    def _check_uses(self, body: nodes.Block) -> None:
        """Refuse what would get the place of an object in its stead."""
        for stmt in nodes.walk_block(body):
            for expr in (e for whole in nodes.expressions(stmt) for e in nodes.walk(whole)):
                held = [a for a in given_to(expr) if holds_rows(a.type)]
                if held and not (isinstance(expr, nodes.Call) and takes_rows(expr.function)):
                    what = expr.text if isinstance(expr, nodes.Call) else _USES[type(expr)]
                    raise UnsupportedError(
                        f"'{what}' of {kept_as(held[0].type)[0]}",
                        expr.span or stmt.span,
                        *kept_as(held[0].type)[1:],
                    )

    # --- the lists ---------------------------------------------------------------------------
    def row_lists(self) -> list[Key]:
        """The names that hold the lists."""
        return [key for key in self.state.vars if key[0] == ROWS]

    def row_list_name(self, cls: type, field: str) -> str:
        same = [c for c in self.linked if c.__name__ == cls.__name__]
        number = same.index(cls)
        return f"{cls.__name__.lower()}{number + 1 if number else ''}_{field}"

    def _row_list(self, cls: type, field: str) -> Dyn:
        held = self.state.vars[ROWS, self.row_list_name(cls, field)]
        assert isinstance(held, Dyn)
        return held

    # --- objects -----------------------------------------------------------------------------
    def begun_object(self, owner: Heap, cls: type, node: ast.AST) -> Value:
        """What a constructor is called with: an object without fields; its place, if it is one
        that makes further objects of its class."""
        if cls not in self.linked:
            return owner
        init = find_source(cls.__init__)  # type: ignore[misc]
        return self.as_row(owner, cls, node) if init.node in self.recursive else owner

    def as_linked(self, owner: Heap, cls: type, node: ast.AST) -> Value:
        """An object that was just made: its place in the lists, where its class has such."""
        if self.row_of(owner) is not None:
            return owner
        contents = self.state.heap.get(owner.id)
        if contents is None:
            what = f"making a {cls.__name__} within a {cls.__name__}, to any depth"
            why = "it is not known yet what it holds"
            raise self.refuse(what, node, why, "make the inner objects first, and pass them on")
        if cls in self.made_of and isinstance(contents, Instance):
            fields = dict(contents.fields)
            self.made_of[cls] = tuple(dict.fromkeys((*self.made_of[cls], *fields)))
            self.always_has[cls] = self.always_has.get(cls, fields.keys()) & fields.keys()
        return self.as_row(owner, cls, node) if cls in self.linked else owner

    def as_row(self, owner: Heap, cls: type, node: ast.AST) -> Value:
        """An object that was just made goes into the lists; its place is what names hold."""
        contents = self.state.heap[owner.id]
        assert isinstance(contents, Instance)
        self.refuse_half_set(contents)
        held = dict(contents.fields)
        self.need_lists(cls, held or ("",))
        fields = self.linked[cls]
        row: nodes.Expr = nodes.Call(len, "len", (self._row_list(cls, fields[0]).expr,), type=INT)
        if len(self.linked) > 1:
            tag = list(self.linked).index(cls)
            row = row_number("*", row, len(self.linked))
            row = row_number("+", row, tag) if tag else row
        row = dataclasses.replace(row, type=Row(classes=frozenset({cls})))
        place = Dyn(self.builder.bind(cls.__name__.lower(), row, self.span(node)))
        for field in fields:
            value = held.get(field) or self.not_set(cls, field)
            if value != owner and isinstance(value, Heap) and owner.id in self._row_within(value):
                raise self.refuse(
                    "an object whose field holds it in a container",
                    node,
                    "while it is made it has no place yet that the container could hold",
                    "put it into the container after it is made: node.items.append(node)",
                )
            value = place if value == owner else value
            self.container_method(self._row_list(cls, field), "append", [value], {}, node)
        self._substitute_all(owner, place)
        del self.state.heap[owner.id]
        return place

    def _row_within(self, value: Value) -> set[int]:
        return inside(value, self.state.heap)

    def need_lists(self, cls: type, fields: Iterable[str]) -> None:
        """Start again where a field has no list yet."""
        known = self.linked[cls]
        new = tuple(f for f in fields if f not in known)
        if new:
            raise Rows(self.linked | {cls: (*known, *new)})

    def opened(self, value: Value, fitting: Any = None) -> Value:
        """An object of several classes as one of several objects, each of one class.

        fitting: tells the classes that may be meant; the others would fail in Python.
        """
        kind = self.row_of(value)
        if kind is None or len(kind.classes) < 2:
            return value
        order = [c for c in self.linked if c in kind.classes]
        order = [c for c in order if fitting is None or fitting(c)] or order
        expr = self.named(value, "node")
        options = tuple(
            Dyn(dataclasses.replace(expr, type=Row(classes=frozenset({c})))) for c in order
        )
        if len(options) == 1:
            return options[0]
        tags = [list(self.linked).index(c) for c in order]
        which: nodes.Expr = row_number("%", expr, len(self.linked))
        return Chosen(self.builder.bind("which", which), options, tuple(tags))

    # --- attributes --------------------------------------------------------------------------
    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`node.name`: an entry of the list of the field, or what the class has."""
        if self.row_of(owner) is None or name == "__class__":
            return super().attribute(owner, name, node)
        owner = self.opened(owner, lambda cls: self._row_has(cls, name))
        cls = self.row_class(owner)
        if cls is None:
            return self.attribute(owner, name, node)
        owner = self.not_none(owner)
        found = inspect.getattr_static(cls, name, None)
        if name in self.linked[cls] and not isinstance(found, property):
            self.refuse_late_magic(cls, name, node)
            value = self.index(self._row_list(cls, name), Dyn(self._row_place(owner)), node)
            if isinstance(value, Dyn) and isinstance(value.type, Bottom):
                raise Unbound(f"nothing was put into '{name}' so far", self.span(node))
            return value
        if found is None or name == "__dict__":
            return self.missing_attribute(owner, cls, name, node)
        return self.class_attribute(owner, cls, name, found, node)

    def _row_has(self, cls: type, name: str) -> bool:
        return name in self.linked[cls] or hasattr(cls, name)

    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """`node.name = value`."""
        self.note_part(value)
        if self.row_of(owner) is None:
            super().set_attribute(owner, name, value, node)  # type: ignore[misc]
            return
        opened = self.opened(owner)
        cls = self.row_class(opened)
        if cls is None:
            self.set_attribute(opened, name, value, node)
            return
        owner = self.not_none(opened)
        if self.set_by(cls, owner, name, value, node):  # type: ignore[attr-defined]
            return
        self.refuse_stale(cls, node)  # type: ignore[attr-defined]
        if name not in self.linked[cls]:
            self.want_from_start(cls, name)  # type: ignore[attr-defined]
        self.need_lists(cls, (name,))
        self.set_item(self._row_list(cls, name), Dyn(self._row_place(owner)), value, node)

    def _row_place(self, owner: Value) -> nodes.Expr:
        expr = self.residual(owner)
        if len(self.linked) == 1:
            return dataclasses.replace(expr, type=INT)
        return row_number("//", expr, len(self.linked))

    def set_item(
        self, base: Value, index: Value, value: Value, node: ast.AST, bare: bool = False
    ) -> None:
        """`node[index] = value`."""
        super().set_item(self.opened(base), index, value, node, bare)  # type: ignore[misc]

    def index(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`node[index]`."""
        return super().index(self.opened(base), index, node)

    def row_copy(self, value: Value, node: ast.AST) -> Value:
        """copy.copy of an object: another one with the same fields."""
        cls = self.row_class(value)
        if cls is None:
            return self.dispatch(self.opened(value), lambda v: self.row_copy(v, node), node)
        names = [f for f in self.linked[cls] if f]
        fields = tuple((f, self.attribute(value, f, node)) for f in names)
        return self.as_row(self.new(Instance(cls, fields)), cls, node)


__all__ = ["LinkedObjects", "Rows"]
