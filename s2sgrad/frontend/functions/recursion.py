"""Floor 4: functions that call themselves become functions of their own in generated code.

The body is lowered once, with the types of the arguments but without their sizes and constants;
calls of it, the inner ones too, call the generated pair (see transform/reverse/pullback.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.containers.row_types import holds_functions
from s2sgrad.frontend.functions.specialising import Specialising, UserPair, general
from s2sgrad.frontend.functions.unfolding import Unfold
from s2sgrad.frontend.state import Fails, Unbound
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Func,
    Heap,
    Instance,
    Mapping,
    Sequence,
    Static,
    Value,
    bound_to,
    is_made_by_a_run,
    parts_of,
    without_parts,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Opaque, Tuple


class Recursive(Exception):
    """A function being inlined calls itself: start again, knowing that."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__(node)
        self.node = node


class Recursion(Specialising):
    """Lowering of functions that call themselves. shaping: objects whose shape is being read."""

    shaping: tuple[int, ...] = ()

    def call_recursive(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of a recursive function, specialised to its arguments."""
        self.check_changes(function)
        if function.source.node not in self.recursive:
            raise Recursive(function.source.node)
        try:
            return self._call_pair(function, args, kwargs, node)
        except (Unbound, Fails):
            raise
        except (UnsupportedError, MissingRuleError):
            if self.open or function.source.node in self.handing:
                raise
            raise Unfold(function.source.node) from None  # what is known here may end it

    def _call_pair(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        frame = self.make_frame(function)
        self.bind_arguments(function, frame, args, kwargs, node)
        names = [k[1] for k in self.state.vars if k[0] == frame.id]
        values = {n: self.state.vars.pop((frame.id, n)) for n in names}
        readers = [function, *self._functions_in(values.values())]
        keys = [*self._all_outer_names(readers), *self.row_lists()]
        outer = {k: self.state.vars[k] for k in keys if k in self.state.vars}
        values = self.as_generated(function.source.node, values)
        self.as_generated(function.source.node, outer)
        outer = {k: self.state.vars[k] for k in outer}
        flat: list[nodes.Expr] = []
        shapes = tuple((n, self.shape(v, flat, node)) for n, v in values.items())
        around = tuple((k, self.shape(v, flat, node)) for k, v in outer.items())
        pair = self.specialised(function, shapes, around, node)
        for held in pair.captured.values():
            self.shape(self.outside(*held), flat, node)
        kind = Tuple((pair.result, Opaque("saved")))
        call = nodes.Call(pair, pair.__name__, tuple(flat), type=kind, span=self.span(node))
        result = self.builder.fresh(pair.name, pair.result)
        saved = self.builder.fresh(f"{pair.name}_saved", Opaque("saved"))
        self.builder.emit(nodes.Unpack((result.name, saved.name), call, span=self.span(node)))
        if not pair.changes:
            return Dyn(result)
        parts = self._taken_apart(pair, result, node)
        new = parts if pair.bare else parts[1:]
        self.put_back(pair.changes, new, values | outer, flat, node)
        return Static(None) if pair.bare else Dyn(parts[0])

    def _taken_apart(self, pair: UserPair, result: nodes.Var, node: ast.AST) -> list[nodes.Var]:
        """What a function returns, and what it hands back."""
        if pair.bare and len(pair.changes) == 1:
            return [result]
        assert isinstance(result.type, Tuple)
        parts = [self.builder.fresh(pair.name, kind) for kind in result.type.items]
        names = tuple(p.name for p in parts)
        self.builder.emit(nodes.Unpack(names, result, span=self.span(node)))
        return parts

    def _all_outer_names(self, readers: list[Func]) -> list[tuple[int, str]]:
        """What functions read of those around them, also through other nested functions."""
        found = dict.fromkeys(self.names_of_classes())
        held = [self.state.vars[key] for key in found if key in self.state.vars]
        for function in self.reached_functions([*readers, *self._functions_in(held)]):
            found |= dict.fromkeys(self._outer_names(function))
        return list(found)

    def reached_functions(self, readers: list[Func]) -> list[Func]:
        """Functions, and those around them that they read, and so on."""
        found: list[Func] = []
        while readers:
            function = readers.pop(0)
            if any(function.source.node is f.source.node for f in found):
                continue
            found.append(function)
            held = (self.state.vars.get(key) for key in self._outer_names(function))
            readers += self._functions_in(v for v in held if v is not None)
        return found

    def _functions_in(self, values: Iterable[Value]) -> list[Func]:
        """The functions of the user's that values are, hold or were made with."""
        found: list[Func] = []
        todo, seen = list(values), set[int]()
        while todo:
            value = todo.pop(0)
            if isinstance(value, Func):
                found.append(value)
            if isinstance(value, Heap) and value.id not in seen:
                seen.add(value.id)
                todo += parts_of(self.state.heap[value.id]) if value.id in self.state.heap else []
            todo += bound_to(value)
        return found

    def _outer_names(self, function: Func) -> list[tuple[int, str]]:
        """Variables of enclosing functions that a nested function reads."""
        read = {n.id for n in ast.walk(function.source.node) if isinstance(n, ast.Name)}
        found = []
        scope = function.scope
        while scope is not None:
            found += [(scope.id, n) for n in sorted(read & scope.local_names)]
            scope = scope.parent
        return found

    def shape(self, value: Value, flat: list[nodes.Expr], node: ast.AST) -> Any:
        """What a pair is specialised to: a type for each number, other values as they are."""
        if isinstance(value, Dyn):
            if holds_functions(value.type):
                raise self.refuse(
                    "lists of functions as arguments of a recursive function",
                    node,
                    "a recursive function is made for the kinds of its arguments, and a list "
                    "holds one kind",
                    "pass the functions one by one, or a number that says which one is called",
                )
            flat.append(self.named(value, "argument", node))
            return ("number", general(value.type))
        if isinstance(value, Static) and type(value.value) in (int, float, complex):
            expr = self.residual(value)
            flat.append(expr)
            return ("number", general(expr.type))
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return (
                contents.kind,
                contents.made_by,
                *(self.shape(v, flat, node) for v in contents.items),
            )
        if isinstance(contents, Mapping):
            if any(isinstance(key, Heap) for key, _ in contents.items):
                self.residual(value, node)  # raises
            return ("dict", *((k, self.shape(v, flat, node)) for k, v in contents.items))
        if isinstance(value, Heap) and isinstance(contents, Instance):
            if value.id in self.shaping:
                raise self.refuse(
                    "an object that holds itself, or a method of its own, in a recursive function",
                    node, "its fields are handed on one by one, and would never end",
                    "call the method by its name, or pass it beside the object",
                )  # fmt: skip
            before, self.shaping = self.shaping, (*self.shaping, value.id)
            try:
                fields = [(k, self.shape(v, flat, node)) for k, v in contents.fields]
            finally:
                self.shaping = before
            return ("object", contents.cls, contents.given, contents.outside, *fields)
        if isinstance(value, Chosen) and any(map(is_made_by_a_run, value.options)):
            raise self.refuse(
                "a recursive function that a run gives one of several functions, made with values",
                node,
                "the values are there only where the function was made that is called with them",
                "choose the values, and make the function once: k = a if test else b; "
                "f = functools.partial(g, k)",
            )
        if is_made_by_a_run(value):
            which = self.shape(Dyn(value.which), flat, node) if isinstance(value, Chosen) else None
            parts = [self.shape(v, flat, node) for v in bound_to(value)]
            return ("made with", without_parts(value), which, *parts)
        return ("known", value)
