"""Floor 4: lists, tuples, dicts and objects: attributes, methods, item assignment."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from typing import Any

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.expressions import tuple_items
from s2sgrad.frontend.values import (
    Bound,
    Dyn,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Method,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Dict, Known, List, Maybe, Number, Opaque, Tuple, Type, join
from s2sgrad.rules.methods import OPERATORS

_SPECIAL = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
            "**": "pow", "@": "matmul", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq",
            "!=": "ne", "in": "contains"}  # fmt: skip


class Containers(Base):
    # --- attributes --------------------------------------------------------------------------
    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        if (
            isinstance(owner, Method)
            and owner.name == "<super>"
            and isinstance(owner.owner, Iterator)
        ):
            instance, cls = owner.owner.parts
            assert isinstance(cls, Static)
            return self.super_attribute(instance, cls.value, name, node)  # type: ignore[attr-defined]
        if isinstance(owner, Dyn):
            return self.array_attribute(owner, name, node)  # type: ignore[attr-defined]
        contents = self.contents(owner)
        if isinstance(contents, Instance):
            return self._instance_attribute(owner, contents, name, node)
        if contents is not None:
            made_by = getattr(contents, "made_by", None)
            if made_by is not None and name in made_by._fields:
                return contents.items[made_by._fields.index(name)]  # type: ignore[union-attr,return-value]
            return Method(owner, name)
        if isinstance(owner, Static):
            return self._static_attribute(owner, name, node)
        return Method(owner, name)

    def _static_attribute(self, owner: Static, name: str, node: ast.AST) -> Value:
        if isinstance(owner.value, str | bytes):
            return Method(owner, name)
        try:
            found = (
                inspect.getattr_static(owner.value, name)
                if isinstance(owner.value, type)
                else getattr(owner.value, name)
            )
        except AttributeError:
            raise self.refuse(f"{owner.value!r} has no attribute '{name}'", node) from None
        if isinstance(owner.value, type):
            found = getattr(owner.value, name)
            if inspect.ismethod(found):  # a class method
                return Bound(Static(found.__func__), owner)
        if (
            inspect.ismodule(owner.value)
            and not _is_library(owner.value)
            and inspect.isfunction(found)
        ):
            self.guards["global", id(vars(owner.value)), name] = (vars(owner.value), found)  # type: ignore[attr-defined]
        text = f"{owner.text or getattr(owner.value, '__name__', '')}.{name}"
        if inspect.ismodule(owner.value) and isinstance(found, int | float | complex):
            return self.module_number(owner.value, name, found)
        return Static(found, text)

    def _instance_attribute(
        self, owner: Value, contents: Instance, name: str, node: ast.AST
    ) -> Value:
        for field, value in contents.fields:
            if field == name:
                return value
        try:
            found = inspect.getattr_static(contents.cls, name)
        except AttributeError:
            why = "__getattr__ runs arbitrary code" if hasattr(contents.cls, "__getattr__") else ""
            raise self.refuse(
                f"{contents.cls.__name__} has no attribute '{name}'", node, why
            ) from None
        return self._class_attribute(owner, contents.cls, name, found, node)

    def _class_attribute(
        self, owner: Value, cls: type, name: str, found: Any, node: ast.AST
    ) -> Value:
        if isinstance(found, property) and found.fget is not None:
            return self.call(Static(found.fget), [owner], {}, node)
        if isinstance(found, staticmethod):
            return Static(found.__func__)
        if isinstance(found, classmethod):
            return Bound(Static(found.__func__), Static(cls))
        if type(found).__name__ == "cached_property":
            return self.call(Static(found.func), [owner], {}, node)
        if inspect.isfunction(found) or (callable(found) and not isinstance(found, type)):
            return Bound(Static(found), owner)
        return self.outside(f"{cls.__name__}_{name}", found, ("attribute", (cls, name)))  # type: ignore[attr-defined]

    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        contents = self.contents(owner)
        if not isinstance(contents, Instance):
            raise self.refuse(
                f"can't set the attribute '{name}' of this",
                node,
                "changes of objects from outside would be lost",
                "return the new value instead",
            )
        if contents.outside:
            raise self.refuse(
                f"writing the attribute '{name}' of an object from outside",
                node,
                "the object belongs to the caller, and a gradient call must leave it as it was",
                "use a local variable, or build a new object inside the function",
            )
        found = inspect.getattr_static(contents.cls, name, None)
        if isinstance(found, property) and found.fset is not None:
            self.call(Static(found.fset), [owner, value], {}, node)
            return
        assert isinstance(owner, Heap)
        fields = {**dict(contents.fields), name: value}
        self.state.heap[owner.id] = dataclasses.replace(contents, fields=tuple(fields.items()))

    # --- item assignment ---------------------------------------------------------------------
    def set_item(
        self, base: Value, index: Value, value: Value, node: ast.stmt, op: str = ""
    ) -> None:
        contents = self.contents(base)
        known = self.constant_value(index)  # type: ignore[attr-defined]
        if contents is not None:
            label = known if isinstance(known, str) else "item"
            value = self._settled(label, value, node)  # type: ignore[attr-defined]
        if isinstance(contents, Mapping) and isinstance(base, Heap):
            if isinstance(index, Static) or type(known) in (str, int):
                items = {**dict(contents.items), known: value}
                self.state.heap[base.id] = Mapping(tuple(items.items()))
                return
            base = Dyn(self.materialize(base.id))
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
            if contents.kind == "list" and self._assign_slice(base, contents, index, value, node):
                return
            if contents.kind == "tuple":
                raise self.refuse("a tuple does not support item assignment", node)
            base = Dyn(self.materialize(base.id))
        elif isinstance(contents, Instance):
            self.call(self.attribute(base, "__setitem__", node), [index, value], {}, node)
            return
        if not isinstance(base, Dyn):
            raise self.refuse("can't assign to an item of this", node)
        self._store(base, index, value, node, op)

    def _assign_slice(
        self, base: Heap, contents: Sequence, index: Value, value: Value, node: ast.AST
    ) -> bool:
        """`items[1:3] = [...]` with known bounds and items."""
        part = index.expr if isinstance(index, Dyn) else None
        items = self.iterate(value, node)
        if not isinstance(part, nodes.Slice) or items is None:
            return False
        bounds = [
            None if p is None else self.constant_value(Dyn(p))
            for p in (part.lower, part.upper, part.step)
        ]  # type: ignore[attr-defined]
        if not all(b is None or type(b) is int for b in bounds):
            return False
        held = list(contents.items)
        held[slice(*bounds)] = [self._settled("item", v, node) for v in items]  # type: ignore[attr-defined]
        self.state.heap[base.id] = Sequence("list", tuple(held))
        return True

    def _store(self, base: Dyn, index: Value, value: Value, node: ast.stmt, op: str) -> None:
        parts = self.index_parts(index, node)  # type: ignore[attr-defined]
        expr = self.residual(value, node)
        if (
            isinstance(base.type, List)
            and isinstance(base.expr, nodes.Var)
            and not isinstance(parts[0], nodes.Slice)
        ):
            self.retype(base.expr, List(join(base.type.item, expr.type)))
        if isinstance(base.type, Dict) and isinstance(base.expr, nodes.Var):
            self.retype(
                base.expr, Dict(join(base.type.key, parts[0].type), join(base.type.item, expr.type))
            )
        self.builder.emit(nodes.Store(base.expr, parts, expr, op, span=self.span(node)))

    # --- operators ---------------------------------------------------------------------------
    def special_operator(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        for one, other, prefix in ((left, right, ""), (right, left, "r")):
            contents = self.contents(one)
            if isinstance(contents, Instance) and sign in _SPECIAL:
                name = f"__{prefix}{_SPECIAL[sign]}__"
                if hasattr(contents.cls, name):
                    return self.call(self.attribute(one, name, node), [other], {}, node)
        if all(self._pure(v) for v in (left, right)) and sign in OPERATORS:
            a, b = self.constant_value(left), self.constant_value(right)  # type: ignore[attr-defined]
            if isinstance(a, str) or isinstance(b, str):
                return Static(eval(f"a {sign} b", {}, {"a": a, "b": b}))
        if sign == "%" and self._is_text(left):
            part = self._text_part(right, node)
            expr = nodes.Call(
                "%", "%", (self.residual(left), part), form="operator", type=Opaque("str")
            )
            return Dyn(expr)
        if sign == "+" and (self._is_text(left) or self._is_text(right)):
            args = (self.residual(left), self.residual(right))
            return Dyn(nodes.Call("+", "+", args, form="operator", type=Opaque("str")))
        return self._list_operator(sign, left, right, node)

    def special_unary(self, sign: str, value: Value, node: ast.AST) -> Value | None:
        contents = self.contents(value)
        name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}.get(sign)
        if isinstance(contents, Instance) and name and hasattr(contents.cls, name):
            return self.call(self.attribute(value, name, node), [], {}, node)
        return None

    def _pure(self, value: Value) -> bool:
        return isinstance(value, Static)

    def _is_text(self, value: Value) -> bool:
        if isinstance(value, Static):
            return isinstance(value.value, str)
        return isinstance(value, Dyn) and value.type == Opaque("str")

    def _text_part(self, value: Value, node: ast.AST) -> nodes.Expr:
        return self.residual(value, node)

    def _list_operator(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """`+` and `*` of lists and tuples."""
        a, b = self.contents(left), self.contents(right)
        if sign == "+" and isinstance(a, Sequence) and isinstance(b, Sequence):
            return self.sequence((*a.items, *b.items), a.kind)
        if sign == "*":
            for one, contents, other in ((left, a, right), (right, b, left)):
                known = self.constant_value(other)  # type: ignore[attr-defined]
                if (
                    isinstance(contents, Sequence)
                    and type(known) is int
                    and known * len(contents.items) <= 16
                ):
                    return self.sequence(contents.items * known, contents.kind)
                if isinstance(contents, Sequence) or (
                    isinstance(one, Dyn) and isinstance(one.type, List)
                ):
                    return self._repeat(one, other, node)
        if sign == "+" and any(
            isinstance(v, Dyn) and isinstance(v.type, List) for v in (left, right)
        ):
            exprs = (self.residual(left, node), self.residual(right, node))
            kind = join(exprs[0].type, exprs[1].type)
            call = nodes.Call("list+", "+", exprs, form="operator", type=kind, span=self.span(node))
            return Dyn(self.builder.bind("joined", call))
        if sign == "+":
            parts = [tuple_items(v) or self.static_items(v) for v in (left, right)]
            if parts[0] is not None and parts[1] is not None:
                return self.sequence((*parts[0], *parts[1]), "tuple")
        return None

    def _repeat(self, items: Value, times: Value, node: ast.AST) -> Value:
        known, count = self.static_items(items), constant_of(self.residual(times, node))
        contents = self.contents(items)
        if (
            known is not None
            and type(count) is int
            and isinstance(contents, Sequence)
            and contents.kind == "tuple"
        ):
            return self.sequence(known * count, "tuple")
        expr = self.residual(items, node)
        kind: Type = expr.type
        if isinstance(kind, Tuple):
            raise self.refuse("a tuple repeated a number of times known only at run time", node)
        args = (expr, self.residual(times, node))
        call = nodes.Call("list*", "*", args, form="operator", type=kind, span=self.span(node))
        return Dyn(self.builder.bind("items", call))

    # --- methods of containers ---------------------------------------------------------------
    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        contents = self.contents(owner)
        if isinstance(contents, Mapping):
            return self._dict_method(owner, contents, name, args, node)
        if isinstance(contents, Sequence) and isinstance(owner, Heap):
            return self._static_list_method(owner, contents, name, args, node)
        if isinstance(owner, Dyn) and isinstance(owner.type, List):
            return self._list_method(owner, name, args, kwargs, node)
        if (
            isinstance(owner, Static)
            and isinstance(owner.value, str)
            and all(map(self.known, args))
        ):  # type: ignore[attr-defined]
            values = [self.constant_value(a) for a in args]  # type: ignore[attr-defined]
            return Static(getattr(owner.value, name)(*values))
        return self.opaque_method(owner, name, args, kwargs, node)

    def opaque_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method of an object that only matters forward: logger.info, 'text'.format, rng.normal."""
        exprs = tuple(self.residual(a, node) for a in (owner, *args))
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        text_like = self._is_text(owner)
        kind: Type = Opaque("str") if text_like else Number()
        call = nodes.Call("opaque", name, exprs, named, "method", type=kind, span=self.span(node))
        return Dyn(call if text_like else self.builder.bind(name, call))

    def _dict_method(
        self, owner: Value, contents: Mapping, name: str, args: list[Value], node: ast.AST
    ) -> Value:
        table = dict(contents.items)
        assert isinstance(owner, Heap)
        if name == "items":
            return self.sequence([self.sequence([Static(k), v]) for k, v in contents.items], "list")
        if name == "keys":
            return self.sequence([Static(k) for k in table], "list")
        if name == "values":
            return self.sequence(list(table.values()), "list")
        if name == "copy":
            return self.new(contents)
        key = self.constant_value(args[0]) if args else None  # type: ignore[attr-defined]
        if name == "get":
            return table.get(key, args[1] if len(args) > 1 else Static(None))
        if name == "update":
            other = self.contents(args[0]) if args else None
            if isinstance(other, Mapping):
                self.state.heap[owner.id] = Mapping(tuple({**table, **dict(other.items)}.items()))
                return Static(None)
        if name in ("setdefault", "pop") and (key in table or len(args) > 1):
            value = table.get(key, args[-1])
            rest = (
                {**table, key: value}
                if name == "setdefault"
                else {k: v for k, v in table.items() if k != key}
            )
            self.state.heap[owner.id] = Mapping(tuple(rest.items()))
            return value
        if name == "clear":
            self.state.heap[owner.id] = Mapping(())
            return Static(None)
        raise self.refuse(f"dict.{name} is not supported here", node)

    def _static_list_method(
        self, owner: Heap, contents: Sequence, name: str, args: list[Value], node: ast.AST
    ) -> Value:
        items = list(contents.items)
        result: Value = Static(None)
        label = getattr(self, "target_hint", "item")
        args = [self._settled(label, a, node) for a in args]  # type: ignore[attr-defined]
        position = self.constant_value(args[0]) if args else -1  # type: ignore[attr-defined]
        if name == "append":
            items.append(args[0])
        elif name == "extend" and (more := self.iterate(args[0], node)) is not None:
            items += more
        elif name == "insert" and type(position) is int:
            items.insert(position, args[1])
        elif name == "pop" and type(position) is int and items:
            result = items.pop(position)
        elif name == "reverse":
            items.reverse()
        elif name == "clear":
            items.clear()
        elif name == "copy":
            return self.sequence(items, "list")
        elif name in ("index", "count") and all(map(self.known, (*items, *args))):  # type: ignore[attr-defined]
            values = [self.constant_value(v) for v in items]  # type: ignore[attr-defined]
            return Static(getattr(values, name)(position))
        else:
            return self._list_method(Dyn(self.materialize(owner.id)), name, args, {}, node)
        self.state.heap[owner.id] = Sequence(contents.kind, tuple(items))
        return result

    def _list_method(
        self, owner: Dyn, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        kind = owner.type
        assert isinstance(kind, List)
        if not isinstance(owner.expr, nodes.Var):
            owner = Dyn(self.builder.bind("items", owner.expr))
        var = owner.expr
        assert isinstance(var, nodes.Var)
        exprs = tuple(self.residual(a, node) for a in args)
        if name in ("append", "insert"):
            kind = List(join(kind.item, exprs[-1].type))
        elif name == "extend":
            kind = List(join(kind.item, _item(exprs[0].type)))
        elif name == "copy":
            return Dyn(self.builder.bind("copied", nodes.Call(list, "list", (var,), type=kind)))
        elif name not in ("pop", "reverse", "clear"):
            if name in ("index", "count"):
                return Dyn(nodes.Call(name, name, (var, *exprs), form="method", type=Opaque("int")))
            raise self.refuse(
                f"list.{name} is not supported", node, "", "use append, pop, insert or an array"
            )
        self.retype(var, kind)
        target = self.builder.fresh("item", kind.item) if name == "pop" else None
        self.builder.emit(
            nodes.Mutate(var, name, exprs, target.name if target else None, span=self.span(node))
        )
        return Dyn(target) if target else Static(None)

    # --- iteration ---------------------------------------------------------------------------
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
            bounds = [self.constant_value(p) for p in value.parts]  # type: ignore[attr-defined]
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
            ]  # type: ignore[arg-type]
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


def _is_library(module: Any) -> bool:
    root = module.__name__.split(".")[0]
    return root in ("numpy", "scipy", "math") or root in sys.stdlib_module_names


def _item(kind: Type) -> Type:
    from s2sgrad.analysis.infer import element_type

    return element_type(kind)


__all__ = ["Any", "Array", "Containers", "Known", "Maybe"]
