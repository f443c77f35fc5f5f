"""Floor 4: builtins that reduce sequences and convert numbers."""

from __future__ import annotations

import ast
import builtins
import types
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import generators
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Func,
    Generator,
    Heap,
    Iterator,
    Partial,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import BOOL, FLOAT, INT, Array, List, Number, Scalar, Tuple, Type


def _is_its_sum(items: list[Value]) -> bool:
    """Whether 0 and the first of several items is that item: True becomes a number, an object
    may have its own `__radd__`, and a single array would not be a new one."""
    first = items[0]
    if isinstance(first, Static):
        return type(first.value) in (int, float, complex)
    kind = first.type if isinstance(first, Dyn) else None
    if not isinstance(kind, Scalar | Array | Number) or kind.dtype in (None, "bool"):
        return False
    return isinstance(kind, Scalar) or len(items) > 1


def _calls_own(value: Iterator) -> bool:
    """Whether it is a map of a function of the user's, which may do something at each call."""
    function = value.parts[0]
    own = isinstance(function, Func | Bound | Partial) or (
        isinstance(function, Static) and isinstance(function.value, types.FunctionType)
    )
    return value.kind == "map" and own


class NumberBuiltins(Base):
    """Lowering of sum, min, float, abs and their like."""

    def on_sum(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        start = kwargs.get("start", args[1] if len(args) > 1 else Static(0))
        items = self.iterate(args[0], node)
        if items is not None:
            if items and start == Static(0) and _is_its_sum(items):
                start, *items = items
            for item in items:
                start = self.binary("+", start, item, node)
            return start
        if (
            isinstance(args[0], Dyn)
            and isinstance(args[0].type, Array)
            and isinstance(start, Static)
            and start.value == 0
        ):
            return self.apply(
                np.sum,
                "np.sum",
                [args[0]],
                {"axis": Static(0)} if len(args[0].type.shape or ()) != 1 else {},
                node=node,
            )
        return self.reduce_loop(args[0], start, lambda a, b: self.binary("+", a, b, node), node)

    def on_min(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._extreme("min", np.minimum, args, kwargs, node)

    def on_max(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._extreme("max", np.maximum, args, kwargs, node)

    def _extreme(
        self, name: str, ufunc: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """Python's min and max of several numbers or of a sequence: the same as ufuncs.

        Tuples and lists are compared entry by entry: the first of the largest is taken whole.
        """
        first = models.largest if name == "max" else models.smallest
        if len(args) == 1 and not self.is_stepping(args[0]):
            args = [self.items_of(args[0], node)]
        if "default" in kwargs:
            if self.iterate(args[0], node) == []:
                return kwargs["default"]
            nonempty = models.max_or if name == "max" else models.min_or
            values = self.call(Static(models.sequence), args, {}, node)
            key = {k: v for k, v in kwargs.items() if k == "key"}
            items = self.iterate(values, node)
            if items is not None:
                found = self._extreme(name, ufunc, [values], key, node) if items else None
                return found or kwargs["default"]
            return self.model(nonempty, [values, kwargs["default"], *key.values()], node)
        found = self.ordered_with(
            name, args[0] if len(args) == 1 else self.sequence(args), kwargs, node
        )
        if found is not None:
            return found
        if "key" in kwargs:
            source = args[0] if len(args) == 1 else self.sequence(args)
            function = models.max_by if name == "max" else models.min_by
            return self.model(function, [source, kwargs["key"]], node)
        items = args if len(args) > 1 else self.iterate(args[0], node)
        if items is None:
            if isinstance(args[0], Dyn) and isinstance(args[0].type, Array):
                function = getattr(np, name)
                return self.apply(function, f"np.{name}", [args[0]], node=node)
            return self._extreme_of_list(name, ufunc, self._as_list(args[0], node), kwargs, node)
        if len(items) == 1:
            return items[0]
        if not items:
            failed = Fails(f"{name}() of nothing", self.span(node), *say.NO_EXTREME)
            failed.raises = ValueError
            raise failed
        if all(self._is_row(i) for i in items):
            return self.model(first, [self.sequence(items, "list")], node)
        if all(self.known(i) for i in items):
            plain = [self.constant_value(i) for i in items]
            if all(isinstance(i, Static) for i in items):
                return Static(getattr(builtins, name)(plain))
        exprs = tuple(self.residual(i, node) for i in items)
        if all(isinstance(e.type, Scalar) for e in exprs) and not any(
            _is_float(e.type) for e in exprs
        ):
            return Dyn(
                nodes.Call(getattr(builtins, name), name, exprs, type=INT, span=self.span(node))
            )
        return self._extreme_of(name, ufunc, items, exprs, node)

    def _extreme_of(
        self, name: str, ufunc: Any, items: Any, exprs: tuple[nodes.Expr, ...], node: ast.AST
    ) -> Value:
        """min and max of several numbers that a run computes."""
        result: Value = items[0]
        numbers = all(isinstance(e.type, Scalar) for e in exprs)
        text = name if numbers else f"np.{ufunc.__name__}"
        bare = any(isinstance(e.type, Array) and e.type.shape == () for e in exprs)
        for item in items[1:]:
            if bare:  # the array itself, not a copy
                taken = models.larger if name == "max" else models.smaller
                result = self.model(taken, [result, item], node)
            else:
                result = self.apply(ufunc, text, [result, item], node=node)
        own = numbers and all(e.type.dtype in ("float", "int", "bool") for e in exprs)  # type: ignore[attr-defined]
        if own and isinstance(result, Dyn):  # one of Python's numbers, no longer NumPy's
            return Dyn(replace(result.expr, type=FLOAT))
        return result

    def _extreme_of_list(
        self, name: str, ufunc: Any, values: Value, kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """min and max of a list that a run has made."""
        if self.iterate(values, node) is not None:
            return self._extreme(name, ufunc, [values], {}, node)
        found = self.ordered_with(name, values, kwargs, node)
        if found is not None:
            return found
        kind = values.type if isinstance(values, Dyn) else None
        rows = isinstance(kind, List) and isinstance(kind.item, Tuple | List)
        if rows or self.may_be_whole(values):  # of mixed numbers it is one as it is
            first = models.largest if name == "max" else models.smallest
            return self.model(first, [values], node)
        found = self.apply(getattr(np, name), f"np.{name}", [values], node=node)
        item: Any = kind.item if isinstance(kind, List) else None
        own = {FLOAT: float, INT: int, BOOL: bool}.get(item) if isinstance(item, Scalar) else None
        return found if own is None else self._convert(own, [found], item, node)  # not NumPy's

    def _is_row(self, value: Value) -> bool:
        """Whether a value is a tuple or a list."""
        if isinstance(value, Static):
            return isinstance(value.value, tuple | list)
        if isinstance(value, Dyn):
            return isinstance(value.type, Tuple | List)
        return isinstance(value, Heap) and isinstance(self.contents(value), Sequence)

    def on_any(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._logical("or", args, node)

    def on_all(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._logical("and", args, node)

    def _logical(self, sign: str, args: list[Value], node: ast.AST) -> Value:
        name = "any" if sign == "or" else "all"
        args = [self.as_they_come(args[0], node), *args[1:]]
        if isinstance(args[0], Generator) and self.acts(args[0]):
            return self.search(args[0], sign == "or", node)
        own = isinstance(args[0], Iterator) and _calls_own(args[0])
        if own or self._answer_themselves(args[0], node):
            return self.model(generators.any_of if sign == "or" else generators.all_of, args, node)
        items = self.iterate(args[0], node)
        if items is None:
            values = self._as_list(args[0], node)
            expr = self.residual(values, node)
            return Dyn(nodes.Call(getattr(builtins, name), name, (expr,), type=BOOL))
        exprs = []
        for item in items:
            known = self.truth(item)
            if known is None:
                item = self.condition(item, node) if isinstance(item, Chosen) else item
                exprs.append(_as_truth(self.residual(item, node)))
            elif known == (sign == "or"):
                return Static(known)
        if not exprs:
            return Static(sign == "and")
        result = exprs[0]
        for expr in exprs[1:]:
            result = nodes.Call(sign, sign, (result, expr), form="operator", type=BOOL)
        return Dyn(result)

    def _answer_themselves(self, values: Value, node: ast.AST) -> bool:
        """Whether items are objects whose class says what their truth is."""
        kind = values.type if isinstance(values, Dyn) else None
        if isinstance(kind, List):
            items: list[Value] = [Dyn(nodes.Var("item", type=kind.item))]
        elif isinstance(values, Heap):
            items = self.static_items(values) or []
        else:
            return False
        parts = [o for v in items for o in (v.options if isinstance(v, Chosen) else (v,))]
        classes = [c for v in parts if isinstance(v, Heap | Dyn) for c in self._classes_of(v)]
        return any(hasattr(c, "__bool__") or hasattr(c, "__len__") for c in classes)

    def _classes_of(self, value: Value) -> list[type]:
        """The classes that an object may be of."""
        row = self.row_of(value)
        if row is not None:
            return list(row.classes)
        cls = self.class_of(value)
        return [] if cls is None or issubclass(cls, tuple) else [cls]

    def on_float(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._convert(float, args, FLOAT, node)

    def on_int(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        given = [*args, *([kwargs["base"]] if "base" in kwargs else [])]
        return self._convert(int, given, INT, node)

    def on_bool(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        value = self.condition(args[0], node) if args else Static(False)
        known = self.truth(value)
        return Static(known) if known is not None else self._convert(bool, [value], BOOL, node)

    def on_complex(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) == 2:
            scaled = self.binary("*", Static(1j), args[1], node)
            args = [self.binary("+", args[0], scaled, node)]
        return self._convert(complex, args, Scalar("complex"), node)

    def _convert(self, function: Any, args: list[Value], kind: Type, node: ast.AST) -> Value:
        if all(isinstance(a, Static) for a in args):
            try:
                return Static(function(*(a.value for a in args)))  # type: ignore[attr-defined]
            except (ValueError, TypeError, OverflowError) as error:
                failed = Fails(str(error), self.span(node))
                failed.raises = type(error)
                raise failed from None
        exprs = tuple(self.residual(a, node) for a in args)
        first = exprs[0].type
        if isinstance(first, Scalar) and function is int and isinstance(kind, Scalar):
            kind = Scalar("int", first.size)
        return Dyn(nodes.Call(function, function.__name__, exprs, type=kind, span=self.span(node)))

    def on_abs(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        expr = self.residual(args[0], node)
        text = "abs"
        made = self.apply(np.absolute, text, [Dyn(expr)], node=node)
        if (
            isinstance(expr.type, Scalar)
            and isinstance(made, Dyn)
            and expr.type.dtype in ("float", "int", "complex")
        ):
            kind: Type = Scalar("int" if expr.type.dtype == "int" else "float")
            return Dyn(nodes.Call(np.absolute, text, (expr,), type=kind, span=self.span(node)))
        return made

    def on_round(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        args = [a for a in args if a != Static(None)]  # no number of digits
        exprs = tuple(self.residual(a, node) for a in args)
        kind: Type = INT if len(args) == 1 and isinstance(exprs[0].type, Scalar) else exprs[0].type
        return Dyn(nodes.Call(np.round, "round", exprs, type=kind, span=self.span(node)))

    def on_pow(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) == 2 or args[2] == Static(None):
            return self.binary("**", args[0], args[1], node)
        if all(map(self.known, args)):
            return Static(pow(*map(self.constant_value, args)))
        exprs = tuple(self.residual(a, node) for a in args)
        return Dyn(nodes.Call(pow, "pow", exprs, type=INT, span=self.span(node)))

    def on_divmod(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        quotient = self.binary("//", args[0], args[1], node)
        return self.sequence([quotient, self.binary("%", args[0], args[1], node)])

    def refuse_complex(self, name: str, args: list[Value], node: ast.AST) -> None:
        """Refuse complex arguments of a function of `math`, which drops their imaginary parts."""
        for value in args:
            dtype = getattr(value.type, "dtype", None) if isinstance(value, Dyn) else None
            if dtype and is_complex_dtype(dtype) and not self.may_be_real(value):
                raise self.refuse(
                    f"math.{name} of a complex number", node,
                    "it computes with real numbers only",
                    f"take np.{name} or cmath.{name}, or the real part of the number",
                )  # fmt: skip

    def on_log(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        self.refuse_complex("log", args, node)
        if len(args) == 2:
            top, bottom = (self.on_log([arg], {}, node) for arg in args)
            return self.binary("/", top, bottom, node)
        return _as_float(self.apply(np.log, "math.log", args, node=node))


def _as_float(value: Value) -> Value:
    """The value, where it is a number, as one of Python's floats."""
    if isinstance(value, Dyn) and isinstance(value.expr.type, Scalar):
        return replace(value, expr=replace(value.expr, type=FLOAT))
    return value


def _as_truth(expr: nodes.Expr) -> nodes.Expr:
    """A number among the items of `any` or `all`: the result is a truth value."""
    if isinstance(expr.type, Scalar) and expr.type.dtype == "bool":
        return expr
    return nodes.Call(bool, "bool", (expr,), type=BOOL, span=getattr(expr, "span", None))


def _is_float(kind: Type) -> bool:
    return (
        isinstance(kind, Scalar)
        and kind.dtype not in ("int", "bool")
        and not kind.dtype.startswith("int")
    )
