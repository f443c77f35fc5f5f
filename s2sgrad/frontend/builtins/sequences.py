"""Floor 4: builtins that make, measure and walk sequences."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.analysis.infer import element_type
from s2sgrad.analysis.whole import mixes
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.builtins.spelled import MOST_AXES
from s2sgrad.frontend.models import makers as model_makers
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.state import Fails, constant
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.item_sizes import length_of
from s2sgrad.ir.types import (
    BOOL,
    FLOAT,
    INT,
    Dict,
    List,
    Opaque,
    Scalar,
    Tuple,
    carries,
)

UNROLLED = 16  # more rows than this become a loop
Handler = Callable[[list[Value], dict[str, Value], ast.AST], Value]


class SequenceBuiltins(Base):
    """Lowering of len, range, zip, list, sorted and their like."""

    def on_len(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        made = self.by_class(args[0], lambda v: self.on_len([v], {}, node), node)
        if made is not None:
            return made
        if (table := self.shown_table(args[0])) is not None:
            args = [table]
        contents = self.contents(args[0])
        if isinstance(contents, Sequence | Mapping):
            return Static(len(contents.items))
        if isinstance(contents, Instance) or self.held_object(args[0]) is not None:
            return self.call(self.attribute(args[0], "__len__", node), [], {}, node)
        if isinstance(args[0], Static):
            return Static(len(args[0].value))
        expr = self.residual(args[0], node)
        if type(expr.type) is Scalar:  # no place of an object
            raise Fails("len() of a number", self.span(node), *say.NO_ITEMS)
        if isinstance(expr.type, Tuple):
            return Static(len(expr.type.items))
        kind = Scalar("int", length_of(expr.type))
        return Dyn(nodes.Call(len, "len", (expr,), type=kind, span=self.span(node)))

    def on_iterator(self, kind: str) -> Handler:
        def make(args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
            return Iterator(kind, tuple(self._begun([*args, *kwargs.values()], node)))

        return make

    def on_range(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        args = [self.as_count(a, node) for a in args]
        held = [a if isinstance(a, Static) else Dyn(self.residual(a, node)) for a in args]
        return Iterator("range", tuple(held))

    def on_zip(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        begun = self._begun(args, node)
        self.refuse_taken_too_far(tuple(begun), node)
        strict = self.truth(kwargs.get("strict", Static(False)))
        if strict is None:
            raise self.refuse(
                "zip(strict=...) of what only a run knows", node,
                "whether it compares the lengths is decided while compiling",
                "compare them: if strict and len(a) != len(b): raise ValueError",
            )  # fmt: skip
        return self.strict_zip(begun, node) if strict else Iterator("zip", tuple(begun))

    def _begun(self, values: list[Value], node: ast.AST) -> list[Value]:
        """What iteration over objects of classes with `__iter__` goes through."""
        return [v if self.is_stepping(v) else self.items_of(v, node) for v in values]

    def on_enumerate(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        start = kwargs.get("start", args[1] if len(args) > 1 else None)
        args = self._begun(args[:1], node)
        known = self.constant_value(start) if start is not None else 0
        if known == 0:
            return Iterator("enumerate", (args[0],))
        expr = self.residual(start, node) if start is not None else None
        counter = self.on_count([Static(0) if expr is None else Dyn(expr)], {}, node)
        return Iterator("zip", (counter, args[0]))

    def on_count(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        given = dict(zip(("start", "step"), args, strict=False)) | kwargs
        return Iterator("count", (given.get("start", Static(0)), given.get("step", Static(1))))

    def on_reversed(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if getattr(self.class_of(args[0]), "__reversed__", None) is not None:
            return self.call(self.attribute(args[0], "__reversed__", node), [], {}, node)
        if self.held_object(args[0]) is not None:
            raise self.refuse(
                "reversed() of an object",
                node,
                "its class has no __reversed__, and how long it is only its methods know",
                "make a list of its items first",
            )
        return Iterator("reversed", (args[0],))

    def on_map(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Iterator("map", (args[0], *self._begun(args[1:], node)))

    def on_list(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._collect(args, "list", node)

    def on_tuple(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if args and isinstance(args[0], Iterator) and args[0].kind == "range":  # axes, mostly
            bounds = [self.known_whole(p) for p in args[0].parts]
            if None not in bounds and len(range(*bounds)) <= MOST_AXES:
                return self.sequence([Static(i) for i in range(*bounds)])
        known = self.known_tuple(args[0], node) if args else None
        return known or self._collect(args, "tuple", node)

    def _collect(self, args: list[Value], kind: str, node: ast.AST) -> Value:
        if not args:
            return self.sequence([], kind)
        items = self.iterate(args[0], node)
        if items is not None:
            return self.sequence(items, kind)
        if isinstance(args[0], Iterator | Generator):
            made = self.comprehend_value(args[0], node)
            items = self.static_items(made)
            if items is not None:
                return self.sequence(items, kind)
            return made if kind == "list" else self._collection(made, kind, node)
        if isinstance(self.contents(args[0]), Instance) or self.held_object(args[0]) is not None:
            return self._collect([self.items_of(args[0], node)], kind, node)
        if kind == "tuple" and (known := self.few_whole_numbers(args[0], node)) is not None:
            return known
        return self._collection(args[0], kind, node)

    def _collection(self, value: Value, kind: str, node: ast.AST) -> Value:
        """A list or tuple of some length. Tuples with derivatives are lists that none changes."""
        expr = self.residual(value, node)
        if isinstance(expr.type, Dict):
            expr = self.keys_of(expr, node)
            if kind == "list":
                return Dyn(expr)
        item = element_type(expr.type)
        is_tuple = kind == "tuple"
        made: Any = tuple if is_tuple and not carries(item) else list
        type_ = List(item, fixed=is_tuple)
        call = nodes.Call(made, made.__name__, (expr,), type=type_, span=self.span(node))
        return Dyn(self.builder.bind(self.label("items"), call))

    def on_dict(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        table: dict[Any, Value] = {}
        if args:
            contents = self.contents(args[0])
            if isinstance(contents, Mapping):
                table.update(contents.items)
            elif isinstance(args[0], Dyn) and isinstance(args[0].type, Dict):
                return self._merged(self.container_method(args[0], "copy", [], {}, node), kwargs)
            else:
                made = self.model(model_makers.to_dict, [args[0]], node)
                contents = self.contents(made)
                if not isinstance(contents, Mapping):
                    return self._merged(made, kwargs)
                table.update(contents.items)
        return self.new(Mapping(tuple({**table, **kwargs}.items())))

    def _merged(self, made: Value, kwargs: dict[str, Value]) -> Value:
        """A dict made at run time with entries given as keywords."""
        for key, value in kwargs.items():
            self.set_item(made, Static(key), value, ast.Pass())
        return made

    def on_sorted(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not self.is_stepping(args[0]):
            args = [self.items_of(args[0], node), *args[1:]]
        found = self.ordered_with("sorted", args[0], kwargs, node)
        if found is not None:
            return found
        key = kwargs.get("key", Static(None))
        if key != Static(None):
            given = self.iterate(args[0], node) if isinstance(args[0], Heap) else None
            by_key = self._sorted_now(given, key, kwargs, node)
            return by_key or self.model(models.sorted_by, args, node, **kwargs)
        values = self._as_list(args[0], node)
        found = self.ordered_with("sorted", values, kwargs, node)
        if found is not None:
            return found
        known = self.iterate(values, node)
        reverse = self.truth(kwargs["reverse"]) if "reverse" in kwargs else False
        ordered = self._sorted_now(known, key, kwargs, node)
        if ordered is not None:
            return ordered
        mixed = self._numbers(values, known) and self._is_mixed(self.residual(values))
        if mixed or not self._numbers(values, known) or reverse is None:  # integers stay such
            return self.model(models.sorted_by, [values], node, **kwargs)
        if element_type(self.residual(values).type) in (INT, BOOL):
            return self._sorted_whole(self.residual(values), reverse, node)
        made = self.apply(np.sort, "np.sort", [values], node=node)
        if "reverse" in kwargs and self.truth(kwargs["reverse"]):
            step = nodes.Slice(None, None, nodes.Const(-1, type=INT), type=Opaque("slice"))
            made = self.index(made, Dyn(step), node)
        expr = self.residual(made, node)
        own = element_type(self.residual(values).type) == FLOAT  # Python's, no longer NumPy's
        item = FLOAT if own else element_type(expr.type)
        call = nodes.Call(list, "list", (expr,), type=List(item), span=self.span(node))
        return Dyn(self.builder.bind("ordered", call))

    def _is_mixed(self, numbers: nodes.Expr) -> bool:
        """Whether integers and floats may be in a list or tuple."""
        kind = numbers.type
        return self.may_be_whole(Dyn(numbers)) or (isinstance(kind, Tuple) and mixes(kind.items))

    def _sorted_whole(self, numbers: nodes.Expr, reverse: bool, node: ast.AST) -> Value:
        """A list of Python's own integers in their order, which stay Python's own."""
        named = (("reverse", constant(True)),) if reverse else ()
        kind = List(element_type(numbers.type))
        call = nodes.Call(sorted, "sorted", (numbers,), named, type=kind, span=self.span(node))
        return Dyn(self.builder.bind("ordered", call))

    def _sorted_now(
        self, items: list[Value] | None, key: Value, kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """The sorted list, where it is known while compiling what decides about the order."""
        reverse = self.truth(kwargs["reverse"]) if "reverse" in kwargs else False
        if items is None or reverse is None:
            return None
        before, names = self.state, self.builder.names
        self.state = before.copy()  # in which the key may change something
        order = self._order_now(items, key, reverse, node)
        if order is None:
            self.state, self.builder.names = before, names
            return None
        return self.sequence([items[i] for i in order], "list")

    def _order_now(
        self, items: list[Value], key: Value, reverse: bool, node: ast.AST
    ) -> list[int] | None:
        """Which item comes first, and so on; None where it is not known while compiling."""
        keys = [self._key_now(item, key, node) for item in items]
        if MISSING in keys:
            return None
        whole = key != Static(None) or all(map(self.known, items))
        if not whole and any(k in keys[:i] for i, k in enumerate(keys)):
            return None  # what follows in the tuples decides
        try:
            return sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
        except TypeError:
            return None

    def _key_now(self, item: Value, key: Value, node: ast.AST) -> Any:
        """What an item is sorted by: itself, the first of a tuple, or what the key gives."""
        if key == Static(None):
            contents = self.contents(item)
            known = self.constant_value(item)
            if known is not MISSING or not isinstance(contents, Sequence) or not contents.items:
                return known
            return self.constant_value(contents.items[0])
        self.builder.blocks.append([])
        made = self.constant_value(self.call(key, [item], {}, node))
        return MISSING if self.builder.blocks.pop() else made

    def _numbers(self, values: Value, known: list[Value] | None) -> bool:
        """Whether all items are numbers, which NumPy can sort."""
        if known is not None:
            return all(isinstance(self.residual(v).type, Scalar) for v in known)
        return isinstance(element_type(self.residual(values).type), Scalar)

    def on_product(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        columns = [self.iterate(a, node) for a in args]
        repeat = self.constant_value(kwargs.get("repeat", Static(1)))
        known = [c for c in columns if c is not None]
        count = math.prod(map(len, known)) ** (repeat if type(repeat) is int else 9)
        if len(known) < len(columns) or count > UNROLLED:
            return self.model(models.product, args, node, **kwargs)
        rows = itertools.product(*known, repeat=repeat)
        return self.sequence([self.sequence(row) for row in rows], "list")

    def on_combinations(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        items, count = self.iterate(args[0], node), self.constant_value(args[1])
        few = items is not None and type(count) is int and math.comb(len(items), count) <= UNROLLED
        if items is None or not few:
            return self.model(models.combinations, args, node)
        return self.sequence(
            [self.sequence(row) for row in itertools.combinations(items, count)], "list"
        )
