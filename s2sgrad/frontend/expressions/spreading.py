"""Floor 4: `*items` in displays and calls, where the number of items is known only at run time."""

from __future__ import annotations

import ast
import builtins
import inspect
import itertools
import math
import types
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from s2sgrad.analysis.infer import element_type
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import functions
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.models.mixed_lists import CLASSES
from s2sgrad.frontend.values import Bound, Dyn, Func, Generator, Iterator, Static, Value
from s2sgrad.frontend.waiting import in_turn
from s2sgrad.ir import nodes
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import Array, Bottom, Dict, List, Opaque, Scalar, Tuple, Type
from s2sgrad.rules.declare import lookup


@dataclass(frozen=True, slots=True)
class Rest(Value):
    """Arguments given as `*items`; how many is known only at run time.

    own: whether the list was made here, and nothing else holds it.
    """

    items: Value
    own: bool = False


class Spreading(Base):
    """Lowering of starred expressions."""

    def spread(self, elements: list[ast.expr], node: ast.AST) -> list[Value]:
        """The values of a display, `*rest` unpacked; a `Rest` where the number is not known."""
        makers = [
            partial(self._one_or_all, element, any(map(_calls, elements[i + 1 :])), node)
            for i, element in enumerate(elements)
        ]
        return [value for group in in_turn(makers, self) for value in group]

    def _one_or_all(self, element: ast.expr, before: bool, node: ast.AST) -> list[Value]:
        """What one element of a display stands for.

        before: whether calls follow, which may change what `*items` goes through."""
        if not isinstance(element, ast.Starred):
            return [self.expr(element)]
        value = self.items_of(self.all_left(self.expr(element.value), node), node)
        if isinstance(value, Generator):
            value = self.comprehend_value(value, node)
        if (found := self.iterate(value, node)) is not None:
            return found
        if before:
            made = self.call(Static(list), [value], {}, node)
            return [Rest(Dyn(self.named(made, "items", node)), own=True)]
        return [Rest(self._listed(value, node))]

    def _listed(self, value: Value, node: ast.AST) -> Value:
        """Something with a length and subscripts."""
        value = self.items_of(value, node)
        if isinstance(value, Iterator | Generator):
            value = self.comprehend_value(value, node)
        return Dyn(self.named(value, "items", node)) if isinstance(value, Dyn) else value

    def display(self, kind: str, elements: list[ast.expr], node: ast.AST) -> Value:
        """A tuple or list; joined from parts where a starred one has no known length."""
        items = self.all_lasting(self.spread(elements, node), node)
        if not any(isinstance(i, Rest) for i in items):
            return self.sequence(items, kind)
        made = self.joined(items, node)
        return made if kind == "list" else self.call(Static(tuple), [made], {}, node)

    def joined(self, items: list[Value], node: ast.AST) -> Value:
        """One list of single items and lists."""
        parts: list[Value] = []
        for rest, group in itertools.groupby(items, lambda i: isinstance(i, Rest)):
            if rest:
                parts += [self._own_list(r, node) for r in group]  # type: ignore[arg-type]
            else:
                parts.append(self.sequence(list(group), "list"))
        result = parts[0]
        for part in parts[1:]:
            result = self.binary("+", result, part, node)
        return result

    def _own_list(self, rest: Rest, node: ast.AST) -> Value:
        return rest.items if rest.own else self.call(Static(list), [rest.items], {}, node)

    # --- calls -------------------------------------------------------------------------------
    def call_spread(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call with arguments whose number is known only at run time."""
        known = function.value if isinstance(function, Static) else None
        if known in (builtins.max, builtins.min) and "key" not in kwargs:
            if len(args) > 2:  # where there is nothing to spread, the others are compared
                return self.call(function, [self.joined(args, node)], kwargs, node)
            if len(args) == 1 and not self.of_numbers(args[0].items):  # type: ignore[attr-defined]
                raise self.refuse(
                    f"{known.__name__}(*items) of what are no numbers", node,
                    "of a single item it is the extreme of what that holds",
                    f"write {known.__name__}(items)",
                )  # fmt: skip
            args = [self.call(function, [a.items], {}, node) if isinstance(a, Rest) else a
                    for a in args]  # fmt: skip
            return args[0] if len(args) == 1 else self.call(function, args, kwargs, node)
        if known is math.hypot:
            return self.model(functions.hypot_of, [self.joined(args, node)], node)
        if len(args) == 1:
            (rest,) = args
            assert isinstance(rest, Rest)
            if known is zip:
                return self._transposed(rest.items, node)
            if known is itertools.chain:
                return self.model(models.chain_from_iterable, [rest.items], node)
        if known is print:
            return self.call(function, [self._shown(a, node) for a in args], kwargs, node)
        return self.call(function, self._counted(function, args, kwargs, node), kwargs, node)

    def _shown(self, value: Value, node: ast.AST) -> Value:
        if not isinstance(value, Rest):
            return value
        return Dyn(nodes.Call("*", "*", (self.residual(value.items, node),), form="operator",
                              type=Opaque("arguments")))  # fmt: skip

    def _counted(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> list[Value]:
        """As many arguments as the function takes; a wrong number fails in generated code."""
        target = self.function_of(function)
        owned = isinstance(function, Bound)
        init = inspect.getattr_static(target, "__init__") if isinstance(target, type) else None
        if inspect.isfunction(init) and init.__code__.co_flags & inspect.CO_VARARGS:
            target, owned = self.function_value(init), True
        if isinstance(target, Func) and target.args.vararg is not None:
            return self._with_rest(target, args, kwargs, owned, node)
        count = self._arity(target, kwargs)
        if count is None:
            args = [v for a in args for v in self._as_in_this_call(a, node)]
        if not any(isinstance(a, Rest) for a in args):
            return args
        if count is None or sum(isinstance(a, Rest) for a in args) > 1:
            self.write_lists_out()
            raise self.refuse(
                "can't unpack a sequence whose length is known only at run time", node,
                "how many arguments the call gets is not known while compiling",
                "pass the sequence itself, or name its items: a, b = items",
            )  # fmt: skip
        count -= len(args) - 1 + owned
        result: list[Value] = []
        for arg in args:
            result += self._exactly(arg.items, count, node) if isinstance(arg, Rest) else [arg]
        return result

    def _as_in_this_call(self, arg: Value, node: ast.AST) -> list[Value]:
        """The items of an array, of which the code supposes that it has as many in every call."""
        kind = arg.items.type if isinstance(arg, Rest) and isinstance(arg.items, Dyn) else None
        size = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
        if not isinstance(arg, Rest) or size is None:
            return [arg]
        known = size.letters() <= self.letters.actual.keys()
        if size.constant is None and known:
            self.suppose([(size, of(size.at(self.letters.actual)))])
        return [arg] if size.constant is None else self._exactly(arg.items, size.constant, node)

    def function_of(self, function: Value) -> Any:
        """A user function with its parameters, or the known function."""
        if isinstance(function, Bound):
            return self.function_of(function.function)
        if isinstance(function, Static):
            target = function.value
            plain = type(target) is type(self._counted.__func__) and lookup(target) is None  # type: ignore[attr-defined]
            return self.function_value(target) if plain else target
        return function

    def _arity(self, target: Any, kwargs: dict[str, Value]) -> int | None:
        if isinstance(target, Func):
            spec = target.args
            names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
            given = [n for n in names if n in kwargs]
            optional = set(names[len(names) - len(target.defaults) :]) - set(given)
            return None if optional else len(names) - len(given)
        if isinstance(target, type):
            return self._fields(target, kwargs)
        if isinstance(target, np.ufunc):
            return target.nin
        try:
            rule = lookup(target)
        except TypeError:
            return None
        if rule is None and isinstance(target, types.BuiltinFunctionType):
            return None if kwargs else self._fields(target, kwargs)
        plain = rule is not None and not rule.variadic and not rule.optional
        return len(rule.parameters) - len(kwargs) if plain and rule is not None else None

    def _fields(self, cls: Any, kwargs: dict[str, Value]) -> int | None:
        """How many arguments a class or built-in function takes; None where that is not the same
        in every call."""
        try:
            found = inspect.signature(cls).parameters.values()
        except (TypeError, ValueError):
            return None
        if any(p.kind is p.VAR_POSITIONAL for p in found):
            return None
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        left = [p for p in found if p.kind in kinds and p.name not in kwargs]
        return None if any(p.default is not p.empty for p in left) else len(left)

    def _exactly(self, items: Value, count: int, node: ast.AST) -> list[Value]:
        """The items as `count` names; another number of items fails where this stands."""
        if count <= 0:
            raise self.refuse(
                "can't unpack a sequence where no more arguments are taken",
                node,
                "the function has no parameter left for its items",
                "leave it out, or name the items that are passed",
            )
        expr = self.residual(items, node)
        kind = element_type(expr.type)
        made = [self.builder.fresh("part", kind) for _ in range(count)]
        self.builder.emit(nodes.Unpack(tuple(m.name for m in made), expr, span=self.span(node)))
        return [Dyn(m) for m in made]

    def _with_rest(
        self, target: Func, args: list[Value], kwargs: dict[str, Value], owned: bool, node: ast.AST
    ) -> list[Value]:
        """Arguments of a function with `*rest` of its own: named ones first. owned: a method."""
        spec = target.args
        names = [a.arg for a in (*spec.posonlyargs, *spec.args)][owned:]
        if target.defaults or not kwargs.keys().isdisjoint(names):
            args = [v for a in args for v in self._as_in_this_call(a, node)]
        free = next((i for i, name in enumerate(names) if name in kwargs), len(names))
        optional = names[max(len(names) - len(target.defaults), 0) :]
        result: list[Value] = []
        for i, arg in enumerate(args):
            if not isinstance(arg, Rest) or len(result) >= free:
                result.append(arg)
                continue
            if free < len(names) and len(result) + 1 == len(args):
                return result + self._exactly(arg.items, free - len(result), node)
            for k, name in enumerate(names[len(result) : free]):
                if name in optional and i + 1 == len(args):
                    default = target.defaults[optional.index(name)]
                    place = [arg.items, Static(k), default]
                    result.append(self.model(_item_or, place, node))
                else:
                    result.append(self.index(arg.items, Static(k), node))
            missing = free - i
            start = nodes.Const(missing, type=Scalar("int", None, missing))
            after = Dyn(nodes.Slice(start, None, None, type=Opaque("slice")))
            result += [Rest(self.index(arg.items, after, node)), *args[i + 1 :]]
            break
        return result

    def _transposed(self, rows: Value, node: ast.AST) -> Value:
        """`zip(*rows)`: the columns."""
        expr = self.residual(rows, node)
        item: Type = element_type(expr.type)
        if isinstance(expr.type, Array):
            return self.attribute(rows, "T", node)
        if (width := _width(item)) is not None and isinstance(expr.type, List):
            columns = [self.model(_column, [rows, Static(i)], node) for i in range(width)]
            return self.sequence(columns, "list")
        if isinstance(item, List | Bottom) and isinstance(expr.type, List | Bottom):
            return self.model(_columns, [rows], node)
        raise self.refuse(
            "zip(*rows) of rows whose length is known only at run time",
            node,
            "how many columns there are is not known while compiling",
            "make an array of them and loop over its transpose",
        )


def _calls(element: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(element))


def _item_or(items: Any, place: int, default: Any) -> Any:
    return items[place] if place < len(items) else default


def _columns(rows: Any) -> Any:
    count = min([len(row) for row in rows]) if len(rows) > 0 else 0
    return [[row[k] for row in rows] for k in range(count)]


def _width(row: Type) -> int | None:
    """How many values a row has: a tuple, or a list of several kinds of values."""
    if isinstance(row, Dict) and row.made_by in CLASSES.values():
        return len(row.fields or ())
    return len(row.items) if isinstance(row, Tuple) else None


def _column(rows: Any, i: int) -> Any:
    return [row[i] for row in rows]
