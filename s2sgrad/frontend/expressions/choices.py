"""Floor 4: what a run chooses: a number says which function or value, and its uses are branches."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.exits import FALL
from s2sgrad.frontend.expressions.tables import Tables
from s2sgrad.frontend.options import chosen_of, is_chosen, numbered
from s2sgrad.frontend.state import Fails, joined
from s2sgrad.frontend.values import Chosen, Dyn, Mapping, Static, Value, is_function, is_mixed
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOOL, INT, List, Number, Opaque, Scalar, Type
from s2sgrad.rules.methods import METHODS


class Choices(Tables):
    """Calls of chosen functions."""

    def call_chosen(
        self, chosen: Chosen, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A branch for each function, each with its call."""
        args = [self._once(a, node) for a in args]
        kwargs = {k: self._once(v, node) for k, v in kwargs.items()}
        called = self._not_none(chosen)
        if not isinstance(called, Chosen):
            return self.call(called, args, kwargs, node)
        return self.dispatch(called, lambda f: self.call(f, args, kwargs, node), node)

    def _once(self, value: Value, node: ast.AST) -> Value:
        compound = isinstance(value, Dyn) and not isinstance(value.expr, nodes.Slice)
        return Dyn(self.named(value, "argument", node)) if compound else value

    def _not_none(self, chosen: Chosen) -> Value:
        """A choice without None, which fails in Python where it is called."""
        there = {n: v for n, v in numbered(chosen).items() if v != Static(None)}
        return chosen_of(chosen.which, there) if there else chosen

    def dispatch(self, chosen: Chosen, run: Callable[[Value], Value], node: ast.AST) -> Value:
        """What `run` gives for the function that was chosen."""
        name, frame = f"<result{len(self.frames)}>", self.frame

        def side(position: int) -> str:
            if position == len(chosen.options) - 1:
                return take(position)
            if chosen.options[position] is chosen.options[-1]:
                return side(position + 1)
            test = is_chosen(chosen, position)
            return self.choose(test, lambda: take(position), lambda: side(position + 1), node)

        def take(position: int) -> str:
            self.set(frame, name, run(chosen.options[position]))
            return FALL

        side(0)
        return self.state.vars.pop((frame.id, name))

    def by_class(self, value: Value, run: Callable[[Value], Value], node: ast.AST) -> Value | None:
        """What `run` gives for a value that is one of several things; None for other values."""
        opened = self.opened(value)
        return self.dispatch(opened, run, node) if is_mixed(opened) else None  # type: ignore[arg-type]

    def for_each(
        self, chosen: Value, value: Value, write: Callable[[Value, Value], None], node: ast.AST
    ) -> None:
        """A write into one of several things: one for each, on its path."""
        assert isinstance(chosen, Chosen)
        value = self._once(value, node)

        def run(option: Value) -> Value:
            write(option, value)
            return Static(None)

        self.dispatch(chosen, run, node)

    def chosen_item(self, items: tuple[Value, ...], index: Value, node: ast.AST) -> Chosen:
        """An item of a sequence of different things, at a place known only at run time."""
        if (row := self.row_of_table(items, index, node)) is not None:
            return row
        count = nodes.Const(len(items), type=Scalar("int", None, len(items)))
        places = nodes.Call(range, "range", (count,), type=List(INT))
        number = nodes.Index(places, (self.residual(index, node),), type=INT)
        return Chosen(self.builder.bind("which", number, self.span(node)), items)

    def chosen_entry(self, table: Mapping, key: Value, node: ast.AST) -> Chosen:
        """An entry of a dict of different things, under a key known only at run time."""
        keys = self.residual(self.sequence([self.object_value(k) for k, _ in table.items], "list"))
        args = (keys, self.residual(key, node))
        number = nodes.Call("index", "index", args, form="method", type=INT)
        which = self.builder.bind("which", number, self.span(node))
        return Chosen(which, tuple(v for _, v in table.items))

    def differ(self, items: Sequence[Value]) -> bool:
        """Whether values are of different make: no variable of generated code could hold all."""
        if not items:
            return False
        if all(map(is_function, items)):
            return True
        try:
            kinds = tuple(self.residual(v).type for v in items)
        except UnsupportedError:
            return True
        return joined(kinds) == Opaque("mixed")

    def call_mixed(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call with an argument that is one of several things: a call for each."""
        place = next(i for i, a in enumerate(args) if is_mixed(a))
        chosen = args[place]
        assert isinstance(chosen, Chosen)
        rest = [a if i == place else self._once(a, node) for i, a in enumerate(args)]

        def run(value: Value) -> Value:
            return self.call(function, [*rest[:place], value, *rest[place + 1 :]], kwargs, node)

        return self.dispatch(chosen, run, node)

    def class_of_chosen(self, args: list[Value], node: ast.AST) -> Value:
        """`isinstance` of one of several things: a question which one it is."""
        return self.asked_of_chosen(
            args[0], lambda v: self.truth(self.on_isinstance([v, args[1]], {}, node))
        )

    def asked_of_chosen(self, chosen: Value, ask: Callable[[Value], bool | None]) -> Value:
        """What is known of each of several things as a question which one it is."""
        assert isinstance(chosen, Chosen)
        answers = list(map(ask, chosen.options))
        tests = tuple(is_chosen(chosen, i) for i, yes in enumerate(answers) if yes)
        if len(tests) in (0, len(answers)):
            return Static(bool(tests))
        if len(tests) == 1:
            return Dyn(tests[0])
        return Dyn(nodes.Call("or", "or", tests, form="operator", type=BOOL))

    def binary_mixed(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """An operator on one of several things."""
        if isinstance(left, Chosen):
            other = self._once(right, node)
            return self.dispatch(left, lambda v: self.binary(sign, v, other, node), node)
        assert isinstance(right, Chosen)
        first = self._once(left, node)
        return self.dispatch(right, lambda v: self.binary(sign, first, v, node), node)

    def check_attribute(self, kind: Type, name: str, node: ast.AST) -> None:
        """An attribute that no array or number has fails in Python too."""
        if name in ("base", "data", "ctypes", "__array_interface__", "__array_struct__"):
            raise self.refuse(
                f"the attribute '{name}' of an array", node,
                "where an array lies in memory, only a run knows",
                "ask np.shares_memory(a, b) of two names, or tell the code by a flag",
            )  # fmt: skip
        fitting = any(hasattr(cls, name) for cls in (np.ndarray, float, int, np.float64))
        of_enum = name == "value" and getattr(kind, "dtype", None) == "int"
        if fitting or name in METHODS or isinstance(kind, Number) or of_enum:
            return
        if name == "name" and isinstance(kind, Scalar):  # plain numbers have none
            raise self.refuse(
                "the name of an IntEnum's member that a run chooses", node,
                "generated code has the number in its place",
                "derive the class from Enum, or look the name up in a list",
            )  # fmt: skip
        error = Fails(f"arrays have no method or attribute '{name}'", self.span(node))
        error.raises = AttributeError
        raise error
