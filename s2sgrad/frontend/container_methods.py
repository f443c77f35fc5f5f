"""Floor 4: methods of lists and dicts."""

from __future__ import annotations

import ast

from s2sgrad.analysis.infer import element_type
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Mapping,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import List, Number, Opaque, Type, join


class ContainerMethods(Base):
    """Lowering of append, items, get and their like."""

    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method call of a list, dict, string or unknown object."""
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
        ):
            values = [self.constant_value(a) for a in args]
            return Static(getattr(owner.value, name)(*values))
        return self.opaque_method(owner, name, args, kwargs, node)

    def opaque_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method of an object that only matters forward: logger.info, rng.normal."""
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
        key = self.constant_value(args[0]) if args else None
        if name == "get":
            return table.get(key, args[1] if len(args) > 1 else Static(None))
        self.refuse_outside(owner, node)
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
        if name not in ("copy", "index", "count"):
            self.refuse_outside(owner, node)
        items = list(contents.items)
        result: Value = Static(None)
        label = getattr(self, "target_hint", "item")
        args = [self._settled(label, a, node) for a in args]
        position = self.constant_value(args[0]) if args else -1
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
        elif name in ("index", "count") and all(map(self.known, (*items, *args))):
            values = [self.constant_value(v) for v in items]
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
            kind = List(join(kind.item, element_type(exprs[0].type)))
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
