"""Floor 4: copy.copy and copy.deepcopy."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.state import Contents
from s2sgrad.frontend.values import Dyn, Heap, Instance, Mapping, Sequence, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Dict, List, Number, Scalar


class Copies(Base):
    """Copies of containers, objects and arrays."""

    def on_copy(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """copy.copy: a new container of the same items."""
        value = args[0]
        if self.row_of(value) is not None:
            return self.row_copy(value, node)
        contents = self.contents(value)
        if isinstance(contents, Instance):
            if hasattr(contents.cls, "__copy__"):
                return self.call(self.attribute(value, "__copy__", node), [], {}, node)
            return self.new(replace(contents, outside=False))
        if isinstance(contents, Sequence) and contents.kind == "tuple":
            return value
        if contents is not None:
            return self.new(contents)
        expr = self.residual(value, node)
        if isinstance(expr.type, List | Dict):
            make = list if isinstance(expr.type, List) else dict
            call = nodes.Call(make, make.__name__, (expr,), type=expr.type)
            return Dyn(self.builder.bind("copied", call))
        return self._array_copy(value, node)

    def on_deepcopy(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """copy.deepcopy: what is held twice is one copy held twice."""
        return self._deep(args[0], {}, node)

    def _deep(self, value: Value, made: dict[object, Value], node: ast.AST) -> Value:
        if isinstance(value, Heap):
            contents = self.state.heap[value.id]
            if value.id not in made:
                made[value.id] = copied = self.new(contents)  # now: it may hold itself
                self.state.heap[copied.id] = self._deep_container(contents, made, node)
            return made[value.id]
        self.refuse_rows([value], "copy.deepcopy", node)
        if not isinstance(value, Dyn) or isinstance(value.type, Scalar):
            return value
        expr = self.named(value, "item", node)
        key = self._first_name(expr.name) if isinstance(expr, nodes.Var) else expr
        if key not in made:
            made[key] = self._deep_value(Dyn(expr), node)
        return made[key]

    def _first_name(self, name: str) -> str:
        """The first of the names that were bound to one value: `b = a` gives a."""
        for block in reversed(self.builder.blocks):
            for stmt in reversed(block):
                if isinstance(stmt, nodes.Assign) and name in stmt.targets:
                    value = stmt.values[stmt.targets.index(name)]
                    if not isinstance(value, nodes.Var):
                        return name
                    name = value.name
        return name

    def _deep_container(
        self, contents: Contents, made: dict[object, Value], node: ast.AST
    ) -> Contents:
        if isinstance(contents, Sequence):
            return replace(contents, items=tuple(self._deep(v, made, node) for v in contents.items))
        if isinstance(contents, Mapping):
            pairs = ((k, self._deep(v, made, node)) for k, v in contents.items)
            return replace(contents, items=tuple(pairs))
        if hasattr(contents.cls, "__deepcopy__"):
            raise self.refuse(
                "an object with a __deepcopy__ of its own", node,
                "how it copies itself is not followed", "call a method that makes the copy",
            )  # fmt: skip
        fields = tuple((k, self._deep(v, made, node)) for k, v in contents.fields)
        return replace(contents, fields=fields, outside=False)

    def _deep_value(self, value: Dyn, node: ast.AST) -> Value:
        if isinstance(value.type, Array | Number):
            return self._array_copy(value, node)
        helper = s2sgrad_runtime.deep_copy
        call = nodes.Call(helper, "deep_copy", (value.expr,), type=value.type, span=self.span(node))
        return Dyn(self.builder.bind(self.label("copied"), call))

    def _array_copy(self, value: Value, node: ast.AST) -> Value:
        kind = value.type if isinstance(value, Dyn) else None
        if not isinstance(kind, Array | Number):
            return value
        return Dyn(self.named(self.apply(np.copy, "np.copy", [value], node=node), "copied", node))


__all__ = ["Copies"]
