"""Floor 4: lists, tuples, dicts and objects: attributes, methods, item assignment."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import types
from enum import Enum

import numpy as np

from s2sgrad.analysis.effects import holds_arrays
from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import MISSING
from s2sgrad.frontend.containers.class_attributes import ClassAttributes, is_slot
from s2sgrad.frontend.containers.counting_objects import CountingObjects
from s2sgrad.frontend.containers.filled_later import repeated_kind
from s2sgrad.frontend.containers.list_slices import ListSlices
from s2sgrad.frontend.containers.own_attributes import OwnAttributes, is_given_by_members
from s2sgrad.frontend.containers.sparse import KINDS, is_sparse
from s2sgrad.frontend.expressions.expressions import tuple_items
from s2sgrad.frontend.functions.standing_in import stand_in
from s2sgrad.frontend.models import functions
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.state import Fails, constant, joined
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Method,
    Partial,
    Sequence,
    Static,
    Value,
    is_mixed,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    Array,
    Dict,
    Known,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    carries,
    forget,
    join,
    member_class,
)  # fmt: skip

_BOUNDS = ("start", "stop", "step")  # of a slice
_PARTS = ("real", "imag")  # of an array: setting one writes into the array


class Containers(ListSlices, ClassAttributes, CountingObjects, OwnAttributes):
    """Lowering of attributes, item assignment and operators of containers."""

    # --- attributes --------------------------------------------------------------------------
    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`owner.name`, by what the owner is."""
        if (
            isinstance(owner, Method)
            and owner.name == "<super>"
            and isinstance(owner.owner, Iterator)
        ):
            instance, cls = owner.owner.parts
            assert isinstance(cls, Static)
            return self.super_attribute(instance, cls.value, name, node)
        if name == "__class__" and not isinstance(owner, Chosen):
            return self.call(Static(type), [owner], {}, node)
        if isinstance(owner, Chosen):
            first = self.attribute(owner.options[0], name, node)
            if isinstance(first, Method | Bound):
                return Method(owner, name)
            return self.dispatch(owner, lambda v: self.attribute(v, name, node), node)
        if isinstance(owner, Dyn) and isinstance(owner.expr, nodes.Slice) and name in _BOUNDS:
            part = (owner.expr.lower, owner.expr.upper, owner.expr.step)[_BOUNDS.index(name)]
            return Static(None) if part is None else Dyn(part)
        known = owner.type if isinstance(owner, Dyn) else None
        if isinstance(known, Known) and isinstance(known.value, Enum):  # out of a list, say
            return self._static_attribute(Static(known.value), name, node)
        if isinstance(owner, Dyn):
            owner = self.held_object(owner) or owner
            found = self._made_attribute(owner, name, node) or self.date_attribute(owner, name)
            if owner.type == Opaque("mixed") and not hasattr(np.ndarray, name):
                self.write_objects_out()  # an object, or a number: which, is known then
            if found is None and is_sparse(owner):
                found = self.sparse_attribute(owner, name, node) or Method(owner, name)
            return self.array_attribute(owner, name, node) if found is None else found
        contents = self.contents(owner)
        if isinstance(contents, Instance):
            return self._instance_attribute(owner, contents, name, node)
        if contents is not None:
            if isinstance(contents, Sequence) and contents.made_by is not None:
                return self.record_attribute(owner, contents, name, node)
            return self.own_attribute(owner, name, node)
        if isinstance(owner, Static):
            return self._static_attribute(owner, name, node)
        if isinstance(owner, Partial) and name in ("func", "args", "keywords"):
            parts = owner.function, self.sequence(owner.args), self.new(Mapping(owner.kwargs))
            return parts[("func", "args", "keywords").index(name)]
        return self.own_attribute(owner, name, node)

    def _made_attribute(self, owner: Dyn, name: str, node: ast.AST) -> Value | None:
        """An attribute of an object or named tuple that generated code holds."""
        kind = owner.type
        if (members := member_class(kind)) is not None:
            return self._member_attribute(owner, members, name, node)
        cls = kind.made_by if isinstance(kind, Tuple | Dict) else None
        if cls is None:
            return None
        if isinstance(kind, Tuple):
            parts = tuple_items(Dyn(self.named(owner, "item", node)))
            return self.attribute(self.new(Sequence("tuple", parts or (), cls)), name, node)
        assert isinstance(kind, Dict)
        if name in dict(kind.fields or ()):
            return self.index_expr(owner, self.key_parts(owner, Static(name), node), node)
        found = inspect.getattr_static(cls, name, None)
        if found is None or name == "__dict__":
            return self.missing_attribute(owner, cls, name, node)
        return self.class_attribute(owner, cls, name, found, node)

    def _member_attribute(
        self, owner: Dyn, cls: type[Enum], name: str, node: ast.AST
    ) -> Value | None:
        """An attribute of a member of an enumeration that only a run knows."""
        if name in ("name", "value"):
            held = (getattr(m, name) for m in cls)
            kind = joined(tuple(forget(constant(v).type) for v in held))
            return Dyn(nodes.Call("attribute", name, (owner.expr,), form="attribute", type=kind))
        found = inspect.getattr_static(cls, name, None)
        if inspect.isfunction(found) or isinstance(found, property):
            return self.class_attribute(owner, cls, name, found, node)
        return None

    def _static_attribute(self, owner: Static, name: str, node: ast.AST) -> Value:
        if isinstance(owner.value, str | bytes) and not is_given_by_members(owner.value, name):
            return self.own_attribute(owner, name, node)
        if name == "_make" and hasattr(owner.value, "_fields"):
            return Partial(Static(models.make_record), (owner,), ())
        try:
            look = inspect.getattr_static if isinstance(owner.value, type) else getattr
            found = look(owner.value, name)
        except AttributeError:
            what = getattr(owner.value, "__name__", repr(owner.value))
            failed = Fails(f"{what} has no attribute '{name}'", self.span(node), *say.NO_ATTRIBUTE)
            failed.raises = AttributeError
            raise failed from None
        if isinstance(owner.value, type):
            found = getattr(owner.value, name)
            if inspect.ismethod(found):  # a class method
                own = stand_in(owner.value)
                if isinstance(own, type) and any(name in vars(c) for c in own.__mro__[:-1]):
                    return self._static_attribute(Static(own), name, node)
                self.rely_on(name, found.__func__, ("method", (owner.value, name)))
                return Bound(Static(found.__func__), owner)
        if isinstance(owner.value, np.finfo | np.iinfo) and isinstance(found, int | float):
            return Static(found.item() if isinstance(found, np.generic) else found)
        text = f"{owner.text or getattr(owner.value, '__name__', '')}.{name}".lstrip(".")
        if inspect.ismodule(owner.value) and isinstance(found, int | float | complex):
            return self.module_number(owner.value, name, found)
        if inspect.ismodule(owner.value) and type(found).__name__ in KINDS:
            return self.outside(name, found, ("attribute", (owner.value, name)))
        if isinstance(owner.value, Enum) and inspect.ismethod(found):
            cls = type(owner.value)
            self.rely_on(name, getattr(cls, name), ("attribute", (cls, name)))
        if isinstance(owner.value, types.ModuleType | type | types.FunctionType):
            return self.of_namespace(owner.value, name, found, text)
        return Static(found, text if "." in text else "")

    def _instance_attribute(
        self, owner: Value, contents: Instance, name: str, node: ast.AST
    ) -> Value:
        held = inspect.getattr_static(contents.cls, name, None)
        getter = getattr(type(held), "__get__", None)
        if hasattr(type(held), "__set__") and inspect.isfunction(getter):  # a descriptor
            return self.call(
                Static(getter), [self.object_value(held), owner, Static(contents.cls)], {}, node
            )
        for field, value in contents.fields:
            if field == name:
                return value
        key = "" if name == "__dict__" else name
        found = inspect.getattr_static(contents.cls, key, MISSING)
        if found is MISSING or is_slot(contents.cls, key):
            return self.missing_attribute(owner, contents.cls, name, node)
        return self.class_attribute(owner, contents.cls, name, found, node)

    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """`owner.name = value` for objects made inside the function."""
        if is_mixed(owner):
            self.for_each(owner, value, lambda v, new: self.set_attribute(v, name, new, node), node)
            return
        if isinstance(owner, Dyn) and isinstance(owner.type, Dict) and owner.type.made_by:
            if self.set_by(owner.type.made_by, owner, name, value, node):
                return
            if name not in dict(owner.type.fields or ()):
                self.want_from_start(owner.type.made_by, name)
            self.refuse_late(name, node)
            self.refuse_stale(owner.type.made_by, node)
            self._store(owner, Static(name), value, node)
            return
        if isinstance(owner, Dyn) and isinstance(owner.type, Array) and name == "flat":
            self.model(functions.set_flat, [owner, value], node)
            return
        if isinstance(owner, Dyn) and isinstance(owner.type, Array) and name in _PARTS:
            self.set_item(self.attribute(owner, name, node), Static(...), value, node)
            return
        if not isinstance(contents := self.contents(owner), Instance):
            raise self.cant_set(owner, name, node)
        if contents.outside and not contents.given:
            raise self.refuse(
                f"writing the attribute '{name}' of an object from outside",
                node,
                "the object belongs to the caller, and a gradient call must leave it as it was",
                "use a local variable, or build a new object inside the function",
            )
        if contents.given:
            self.refuse_magic(contents.cls, node)
        if self.set_by(contents.cls, owner, name, value, node):
            return
        assert isinstance(owner, Heap)
        self.refuse_outside(owner, node)
        if name not in dict(contents.fields):
            self.refuse_late(name, node, contents.cls)
        self.refuse_stale(contents.cls, node)
        fields = {**dict(contents.fields), name: value}
        self.state.heap[owner.id] = dataclasses.replace(contents, fields=tuple(fields.items()))

    # --- item assignment ---------------------------------------------------------------------
    def set_item(
        self, base: Value, index: Value, value: Value, node: ast.AST, bare: bool = False
    ) -> None:
        """`base[index] = value`. bare: in a display, whose entries need no names yet."""
        if is_mixed(base):
            self.for_each(base, value, lambda v, new: self.set_item(v, index, new, node), node)
            return
        if is_mixed(index):
            self.for_each(index, value, lambda i, new: self.set_item(base, i, new, node), node)
            return
        self.refuse_outside(base, node)
        if (held := self.held_object(base)) is not None:
            self.call(self.attribute(held, "__setitem__", node), [index, value], {}, node)
            return
        if isinstance(base, Dyn) and isinstance(base.type, Tuple) and base.type.listed:
            raise self.refuse_given_list(node)
        index = self.as_place(base, index, node)
        contents = self.contents(base)
        known = self.constant_value(index)
        if contents is not None and not bare:
            label = known if isinstance(known, str) else "item"
            value = self._settled(label, value, node)
        if isinstance(contents, Mapping) and isinstance(base, Heap):
            known = self.key_of(index)
            if known is not MISSING:
                items = dict(contents.items)
                items[self.told_apart(known, items)] = value
                self.state.heap[base.id] = dataclasses.replace(contents, items=tuple(items.items()))
                return
            base, (value,) = self.built_beside(base.id, [value])
        elif isinstance(contents, Sequence) and isinstance(base, Heap):
            if (
                contents.kind == "list"
                and type(known) is int
                and -len(contents.items) <= known < len(contents.items)
            ):
                items_list = list(contents.items)
                items_list[known] = value
                self.state.heap[base.id] = Sequence("list", tuple(items_list))
                return
            if contents.kind == "list" and self.assign_slice(base, contents, index, value, node):
                return
            if contents.kind == "tuple":
                raise self.refuse("a tuple does not support item assignment", node, *say.TUPLE_ITEM)
            base, (value,) = self.built_beside(base.id, [value])
        elif isinstance(contents, Instance):
            self.call(self.attribute(base, "__setitem__", node), [index, value], {}, node)
            return
        if not isinstance(base, Dyn):
            raise self.refuse("can't assign to an item of this", node, *say.NO_ITEMS)
        if isinstance(base.type, List) and self.replace_items(base, index, value, node):
            return
        self._store(base, index, value, node)

    def _store(self, base: Dyn, index: Value, value: Value, node: ast.AST) -> None:
        kind = base.type.item if isinstance(base.type, Maybe) else base.type
        keyed, inside = isinstance(kind, Dict), isinstance(kind, List | Dict)
        parts = self.key_parts(base, index, node) if keyed else self.index_parts(index, node)
        expr = self.held(value, node) if inside else self.residual(value, node)
        if inside:
            self.grow(nodes.Index(base.expr, parts), forget(expr.type))
        self.emit_store(nodes.Store(base.expr, parts, expr, span=self.span(node)))

    # --- operators of texts and lists ---------------------------------------------------------
    def is_text(self, value: Value) -> bool:
        if isinstance(value, Static):
            return isinstance(value.value, str)
        return isinstance(value, Dyn) and value.type == Opaque("str")

    def _list_operator(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`+` and `*` of lists and tuples. Those of arrays, and of what may be one, are NumPy's."""
        if any(isinstance(v, Dyn) and isinstance(v.type, Array | Number) for v in (left, right)):
            return None
        if sign == "*" and any(map(self.is_text, (left, right))):  # a number of times
            exprs = self.operand(left, node), self.operand(right, node)
            call = nodes.Call("list*", "*", exprs, form="operator", type=Opaque("str"))
            return Dyn(dataclasses.replace(call, span=self.span(node)))
        if sign == "*":
            left, right = self._as_display(left, right), self._as_display(right, left)
        a, b = self.contents(left), self.contents(right)
        if sign == "+" and isinstance(a, Sequence) and isinstance(b, Sequence):
            return self.sequence((*a.items, *b.items), a.kind)
        if sign == "*":
            for one, contents, other in ((left, a, right), (right, b, left)):
                if isinstance(contents, Sequence):
                    other = self.as_count(other, node)
                known = self.constant_value(other)
                if (
                    isinstance(contents, Sequence)
                    and type(known) is int
                    and known * len(contents.items) <= 16
                ):
                    return self._times(contents, known, node)
                if isinstance(contents, Sequence) or (
                    isinstance(one, Dyn) and isinstance(one.type, List)
                ):
                    return self._repeat(one, other, node)
        if sign == "+" and any(
            isinstance(v, Dyn) and isinstance(v.type, List) for v in (left, right)
        ):
            exprs = (self.operand(left, node), self.operand(right, node))
            kind = join(exprs[0].type, exprs[1].type)
            self.objects_met([e.type for e in exprs], kind)
            call = nodes.Call("list+", "+", exprs, form="operator", type=kind, span=self.span(node))
            return Dyn(self.builder.bind(self.label("joined"), call))
        if sign == "+":
            first, second = (
                self.static_items(v) if isinstance(v, Heap) else tuple_items(v)
                for v in (left, right)
            )
            if first is not None and second is not None:
                return self.sequence((*first, *second), "tuple")
        return None

    def _as_display(self, value: Value, times: Value) -> Value:
        """`x.shape`, which is repeated, as `(n, m)`."""
        items = tuple_items(value) if isinstance(value, Dyn) else None
        kind = times.type if isinstance(times, Dyn) else None
        whole = isinstance(kind, Scalar) and kind.dtype.startswith("int")
        whole = whole or (isinstance(times, Static) and type(times.value) is int)
        return self.sequence(items, "tuple") if items is not None and whole else value

    def _times(self, shown: Sequence, count: int, node: ast.AST) -> Value:
        """A display several times over; what stands in it is computed once."""
        items = (Dyn(self.named(v, "item", node)) if isinstance(v, Dyn) else v for v in shown.items)
        return self.sequence(tuple(items) * count, shown.kind)

    def _repeat(self, items: Value, times: Value, node: ast.AST) -> Value:
        contents, count = self.contents(items), constant_of(self.residual(times, node))
        if isinstance(contents, Sequence) and contents.kind == "tuple" and type(count) is int:
            return self._times(contents, count, node)
        if isinstance(contents, Sequence):  # containers in it are built once too
            built = [
                Dyn(self.materialize(v.id)) if isinstance(v, Heap) else v for v in contents.items
            ]
            items = self._times(dataclasses.replace(contents, items=tuple(built)), 1, node)
        expr = self.operand(items, node)
        kind = repeated_kind(self, contents, expr.type, node)
        if isinstance(kind, Tuple):
            item = joined(kind.items)
            kind = List(item, fixed=True)
        if isinstance(expr.type, Tuple) and (carries(item) or holds_arrays(item)):
            raise self.refuse("a tuple repeated as often as only a run knows", node, *say.REPEATED)
        args = (expr, self.residual(times, node))
        call = nodes.Call("list*", "*", args, form="operator", type=kind, span=self.span(node))
        return Dyn(self.builder.bind(self.label("items"), call))
