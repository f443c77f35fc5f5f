"""Floor 4: Python's builtins and the NumPy functions that need more than a rule."""

from __future__ import annotations

import ast
import builtins
import copy
import dataclasses
import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.analysis.infer import element_type
from s2sgrad.frontend.base import Base, is_function
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Partial,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.types import (
    BOOL,
    FLOAT,
    INT,
    STR,
    Array,
    List,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    forget,
    is_number,
)
from s2sgrad_runtime import stop_gradient

Handler = Callable[[list[Value], dict[str, Value], ast.AST], Value]


class Builtins(Base):
    def builtin(self, function: Any) -> Handler | None:
        """The special treatment of a function, if it has one."""
        try:
            name = _HANDLERS.get(function)
        except TypeError:
            return None
        return getattr(self, name) if name else None

    # --- sequences ---------------------------------------------------------------------------
    def on_len(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        contents = self.contents(args[0])
        if isinstance(contents, Sequence | Mapping):
            return Static(len(contents.items))
        if isinstance(contents, Instance):
            return self.call(self.attribute(args[0], "__len__", node), [], {}, node)
        if isinstance(args[0], Static):
            return Static(len(args[0].value))
        expr = self.residual(args[0], node)
        size = None
        if isinstance(expr.type, Array) and expr.type.shape:
            size = expr.type.shape[0]
        if isinstance(expr.type, Tuple):
            return Static(len(expr.type.items))
        call = nodes.Call(len, "len", (expr,), type=Scalar("int", size), span=self.span(node))
        return Dyn(call)

    def on_iterator(self, kind: str) -> Handler:
        def make(args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
            return Iterator(kind, (*args, *kwargs.values()))

        return make

    def on_range(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        held = [a if isinstance(a, Static) else Dyn(self.residual(a, node)) for a in args]
        return Iterator("range", tuple(held))

    def on_zip(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Iterator("zip", tuple(args))

    def on_enumerate(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        start = kwargs.get("start", args[1] if len(args) > 1 else None)
        known = self.constant_value(start) if start is not None else 0  # type: ignore[attr-defined]
        if known == 0:
            return Iterator("enumerate", (args[0],))
        expr = self.residual(start, node) if start is not None else None
        counter = Iterator("count", (Dyn(expr),)) if expr is not None else Iterator("count", ())
        return Iterator("zip", (counter, args[0]))

    def on_reversed(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Iterator("reversed", (args[0],))

    def on_map(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Iterator("map", tuple(args))

    def on_list(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._collect(args, "list", node)

    def on_tuple(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._collect(args, "tuple", node)

    def _collect(self, args: list[Value], kind: str, node: ast.AST) -> Value:
        if not args:
            return self.sequence([], kind)
        items = self.iterate(args[0], node)
        if items is not None:
            return self.sequence(items, kind)
        if isinstance(args[0], Iterator | Generator):
            return self.comprehend_value(args[0], node)  # type: ignore[attr-defined]
        expr = self.residual(args[0], node)
        call = nodes.Call(
            list, "list", (expr,), type=List(element_type(expr.type)), span=self.span(node)
        )
        return Dyn(self.builder.bind("items", call))

    def on_dict(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        table: dict[Any, Value] = {}
        if args:
            contents = self.contents(args[0])
            if isinstance(contents, Mapping):
                table.update(contents.items)
            else:
                for pair in self.iterate(args[0], node) or []:
                    key, value = self.iterate(pair, node) or []
                    table[self.constant_value(key)] = value  # type: ignore[attr-defined]
        return self.new(Mapping(tuple({**table, **kwargs}.items())))

    def on_sum(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        start = kwargs.get("start", args[1] if len(args) > 1 else Static(0))
        items = self.iterate(args[0], node)
        if items is not None:
            total = (
                start if not (isinstance(start, Static) and start.value == 0 and items) else None
            )
            for item in items:
                total = item if total is None else self.binary("+", total, item, node)  # type: ignore[attr-defined]
            return total if total is not None else start
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
        return self.reduce_loop(args[0], start, lambda a, b: self.binary("+", a, b, node), node)  # type: ignore[attr-defined]

    def on_min(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._extreme("min", np.minimum, args, kwargs, node)

    def on_max(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._extreme("max", np.maximum, args, kwargs, node)

    def _extreme(
        self, name: str, ufunc: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """Python's min and max of several numbers or of a sequence: the same as ufuncs."""
        if "key" in kwargs:
            raise self.refuse(
                f"{name}() with a key is not supported", node, "", "find the index with a loop"
            )
        items = args if len(args) > 1 else self.iterate(args[0], node)
        if items is None:
            if isinstance(args[0], Dyn) and isinstance(args[0].type, Array):
                function = getattr(np, name)
                return self.apply(function, f"np.{name}", [args[0]], node=node)
            values = self._as_list(args[0], node)
            return self.apply(getattr(np, name), f"np.{name}", [values], node=node)
        if all(self.known(i) for i in items):  # type: ignore[attr-defined]
            plain = [self.constant_value(i) for i in items]  # type: ignore[attr-defined]
            if all(isinstance(i, Static) for i in items):
                return Static(getattr(builtins, name)(plain))
        exprs = tuple(self.residual(i, node) for i in items)
        if all(isinstance(e.type, Scalar) for e in exprs) and not any(
            _is_float(e.type) for e in exprs
        ):
            return Dyn(
                nodes.Call(getattr(builtins, name), name, exprs, type=INT, span=self.span(node))
            )
        result = items[0]
        for item in items[1:]:
            result = self.apply(ufunc, f"np.{ufunc.__name__}", [result, item], node=node)
        return result

    def _as_list(self, value: Value, node: ast.AST) -> Value:
        if isinstance(value, Iterator | Generator):
            return self.comprehend_value(value, node)  # type: ignore[attr-defined]
        return value

    def on_sorted(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if "key" in kwargs:
            raise self.refuse(
                "sorted() with a key is not supported", node, "", "sort indices with np.argsort"
            )
        values = self._as_list(args[0], node)
        known = self.iterate(values, node)
        if known is not None and all(self.known(v) for v in known):  # type: ignore[attr-defined]
            plain = sorted(self.constant_value(v) for v in known)  # type: ignore[attr-defined]
            return self.sequence([Static(v) for v in plain], "list")
        made = self.apply(np.sort, "np.sort", [values], node=node)
        if "reverse" in kwargs and self.truth(kwargs["reverse"]):
            step = nodes.Slice(None, None, nodes.Const(-1, type=INT), type=Opaque("slice"))
            made = self.index(made, Dyn(step), node)
        expr = self.residual(made, node)
        item = element_type(expr.type)
        call = nodes.Call(list, "list", (expr,), type=List(item), span=self.span(node))
        return Dyn(self.builder.bind("ordered", call))

    def on_any(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._logical("or", args, node)

    def on_all(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._logical("and", args, node)

    def _logical(self, sign: str, args: list[Value], node: ast.AST) -> Value:
        name = "any" if sign == "or" else "all"
        items = self.iterate(args[0], node)
        if items is None:
            values = self._as_list(args[0], node)
            expr = self.residual(values, node)
            return Dyn(nodes.Call(getattr(builtins, name), name, (expr,), type=BOOL))
        exprs = []
        for item in items:
            known = self.truth(item)
            if known is None:
                exprs.append(self.residual(item, node))
            elif known == (sign == "or"):
                return Static(known)
        if not exprs:
            return Static(sign == "and")
        result = exprs[0]
        for expr in exprs[1:]:
            result = nodes.Call(sign, sign, (result, expr), form="operator", type=BOOL)
        return Dyn(result)

    # --- numbers -----------------------------------------------------------------------------
    def on_float(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._convert(float, args, FLOAT, node)

    def on_int(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._convert(int, args, INT, node)

    def on_bool(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        known = self.truth(args[0]) if args else False
        return Static(known) if known is not None else self._convert(bool, args, BOOL, node)

    def on_complex(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) == 2:
            scaled = self.binary("*", Static(1j), args[1], node)  # type: ignore[attr-defined]
            return self.binary("+", args[0], scaled, node)  # type: ignore[attr-defined]
        return self._convert(complex, args, Scalar("complex"), node)

    def _convert(self, function: Any, args: list[Value], kind: Type, node: ast.AST) -> Value:
        if not args or isinstance(args[0], Static):
            return Static(function(*(a.value for a in args if isinstance(a, Static))))
        expr = self.residual(args[0], node)
        if isinstance(expr.type, Scalar) and function is int and isinstance(kind, Scalar):
            kind = Scalar("int", expr.type.size)
        return Dyn(
            nodes.Call(function, function.__name__, (expr,), type=kind, span=self.span(node))
        )

    def on_abs(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        expr = self.residual(args[0], node)
        text = "abs"
        made = self.apply(np.absolute, text, [Dyn(expr)], node=node)
        if (
            isinstance(expr.type, Scalar)
            and isinstance(made, Dyn)
            and expr.type.dtype in ("float", "int")
        ):
            kind: Type = Scalar(expr.type.dtype)
            return Dyn(nodes.Call(np.absolute, text, (expr,), type=kind, span=self.span(node)))
        return made

    def on_round(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        exprs = tuple(self.residual(a, node) for a in args)
        kind: Type = INT if len(args) == 1 and isinstance(exprs[0].type, Scalar) else exprs[0].type
        return Dyn(nodes.Call(np.round, "round", exprs, type=kind, span=self.span(node)))

    def on_pow(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self.binary("**", args[0], args[1], node)  # type: ignore[attr-defined]

    def on_divmod(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        quotient = self.binary("//", args[0], args[1], node)  # type: ignore[attr-defined]
        return self.sequence([quotient, self.binary("%", args[0], args[1], node)])  # type: ignore[attr-defined]

    # --- questions ---------------------------------------------------------------------------
    def on_isinstance(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        classes = self.constant_value(args[1])  # type: ignore[attr-defined]
        actual = self.python_class(args[0])
        if actual is None or not isinstance(classes, type | tuple):
            raise self.refuse("can't tell while compiling what isinstance gives here", node)
        return Static(issubclass(actual, classes))

    def python_class(self, value: Value) -> type | None:
        """The class of a value, where it is known."""
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return contents.made_by or (list if contents.kind == "list" else tuple)
        if isinstance(contents, Mapping):
            return dict
        if isinstance(contents, Instance):
            return contents.cls
        if isinstance(value, Static):
            return type(value.value)
        if is_function(value):
            return type(lambda: None)
        kind = value.type if isinstance(value, Dyn) else None
        if isinstance(kind, Array):
            return np.ndarray
        if isinstance(kind, Scalar):
            plain = {"float": float, "int": int, "bool": bool, "complex": complex}
            return plain.get(kind.dtype) or np.dtype(kind.dtype).type
        if isinstance(kind, List):
            return list
        return tuple if isinstance(kind, Tuple) else None

    def on_type(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        actual = self.python_class(args[0])
        if actual is None:
            raise self.refuse("can't tell while compiling what type() gives here", node)
        return Static(actual, actual.__name__)

    def on_callable(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        contents = self.contents(args[0])
        return Static(
            is_function(args[0])
            or (isinstance(contents, Instance) and hasattr(contents.cls, "__call__"))
        )

    def on_hasattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        name = self.constant_value(args[1])  # type: ignore[attr-defined]
        contents = self.contents(args[0])
        if isinstance(contents, Instance):
            return Static(name in dict(contents.fields) or hasattr(contents.cls, name))
        actual = self.python_class(args[0])
        return Static(actual is not None and hasattr(actual, name))

    def on_getattr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) > 2 and self.truth(self.on_hasattr(args[:2], {}, node)) is False:
            return args[2]
        return self.attribute(args[0], str(self.constant_value(args[1])), node)  # type: ignore[attr-defined]

    def on_str(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args or isinstance(args[0], Static):
            return Static(str(args[0].value) if args and isinstance(args[0], Static) else "")
        return Dyn(nodes.Call(str, "str", (self.residual(args[0], node),), type=STR))

    # --- effects -----------------------------------------------------------------------------
    def on_print(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        exprs = tuple(self._formatted(a, node) for a in args)  # type: ignore[attr-defined]
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        call = nodes.Call(print, "print", exprs, named, type=Opaque("None"), span=self.span(node))
        self.builder.emit(nodes.Do(call, span=self.span(node)))
        return Static(None)

    def on_breakpoint(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        call = nodes.Call(breakpoint, "breakpoint", (), type=Opaque("None"), span=self.span(node))
        self.builder.emit(nodes.Do(call, span=self.span(node)))
        return Static(None)

    def on_stop_gradient(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """The value as it is, behind a call that no derivative passes; containers entry by entry."""
        value = args[0] if args else kwargs["x"]
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            items = tuple(self.on_stop_gradient([v], {}, node) for v in contents.items)
            return self.new(dataclasses.replace(contents, items=items))
        if isinstance(contents, Mapping):
            return self.new(
                Mapping(tuple((k, self.on_stop_gradient([v], {}, node)) for k, v in contents.items))
            )
        if isinstance(contents, Instance):
            raise self.refuse(
                "stop_gradient() of an object", node, "", "apply it to the arrays it holds"
            )
        if not isinstance(value, Dyn):
            return value
        kind = forget(value.type)
        call = nodes.Call(
            stop_gradient, "stop_gradient", (value.expr,), type=kind, span=self.span(node)
        )
        return Dyn(call)

    def on_partial(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Partial(args[0], tuple(args[1:]), tuple(kwargs.items()))

    def on_reduce(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        items = self.iterate(args[1], node)
        if items is None and len(args) > 2:
            return self.reduce_loop(
                args[1], args[2], lambda a, b: self.call(args[0], [a, b], {}, node), node
            )
        if items is None:
            raise self.refuse("functools.reduce over this needs an initial value", node)
        if len(args) > 2:
            items = [args[2], *items]
        result = items[0]
        for item in items[1:]:
            result = self.call(args[0], [result, item], {}, node)
        return result

    def on_copy(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        contents = self.contents(args[0])
        if contents is not None and isinstance(args[0], Heap):
            import dataclasses

            if isinstance(contents, Instance):
                return self.new(dataclasses.replace(contents, outside=False))
            return self.new(contents)
        expr = self.residual(args[0], node)
        if isinstance(expr.type, List):
            return Dyn(
                self.builder.bind("copied", nodes.Call(list, "list", (expr,), type=expr.type))
            )
        return (
            self.apply(np.copy, "np.copy", [args[0]], node=node)
            if is_number(expr.type)
            else args[0]
        )

    # --- NumPy functions that write, or take functions ----------------------------------------
    def on_add_at(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._store_at(args, "+at", node)

    def on_subtract_at(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._store_at(args, "-at", node)

    def _store_at(self, args: list[Value], op: str, node: ast.AST) -> Value:
        base = self.residual(args[0], node)
        index = self.index_parts(args[1], node)  # type: ignore[attr-defined]
        self.builder.emit(
            nodes.Store(base, index, self.residual(args[2], node), op, span=self.span(node))
        )
        return Static(None)

    def on_copyto(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        base = self.residual(args[0], node)
        index = (self.residual(kwargs["where"], node),) if "where" in kwargs else ()
        value = self.residual(args[1], node)
        if index and not isinstance(value.type, Scalar):
            value = self.residual(self.index(args[1], kwargs["where"], node), node)
        self.builder.emit(nodes.Store(base, index, value, span=self.span(node)))
        return Static(None)

    def on_fill_diagonal(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        base = self.residual(args[0], node)
        length = self.residual(self.attribute(args[0], "shape", node), node)
        first = nodes.Index(length, (nodes.Const(0, type=INT),), type=INT)
        rows = self.builder.bind(
            "rows", nodes.Call(np.arange, "np.arange", (first,), type=Array("int64", (None,)))
        )
        self.builder.emit(
            nodes.Store(base, (rows, rows), self.residual(args[1], node), span=self.span(node))
        )
        return Static(None)

    def on_array(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """np.array / np.asarray: a copy of an array, or a stack of (nested) numbers."""
        value = args[0]
        dtype = kwargs.get("dtype", args[1] if len(args) > 1 else None)
        items = self.static_items(value)
        rest = {"dtype": dtype} if dtype is not None else {}
        if items is None and not (isinstance(value, Dyn) and isinstance(value.type, List | Tuple)):
            values = self._as_list(value, node)
            return self.apply(np.array, "np.array", [values], rest, node=node)
        return self.apply(np.array, "np.array", [value], rest, node=node)

    def on_product(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        columns = [self.iterate(a, node) for a in args]
        if any(c is None for c in columns):
            raise self.refuse(
                "itertools.product of sequences of unknown length", node, "", "nest the loops"
            )
        rows = itertools.product(*columns)  # type: ignore[arg-type]
        return self.sequence([self.sequence(row) for row in rows], "list")

    def on_combinations(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        items, count = self.iterate(args[0], node), self.constant_value(args[1])  # type: ignore[attr-defined]
        if items is None or type(count) is not int:
            raise self.refuse(
                "itertools.combinations of a sequence of unknown length", node, "", "nest the loops"
            )
        return self.sequence(
            [self.sequence(row) for row in itertools.combinations(items, count)], "list"
        )

    def on_where(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self.apply(np.where, "np.where", args, kwargs, node=node)

    def on_reduce_ufunc(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self.apply(np.sum, "np.sum", args, {"axis": Static(0), **kwargs}, node=node)

    def on_log(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if len(args) == 2:
            top = self.apply(np.log, "math.log", [args[0]], node=node)
            return self.binary("/", top, self.apply(np.log, "math.log", [args[1]], node=node), node)  # type: ignore[attr-defined]
        return self.apply(np.log, "math.log", args, node=node)


def _is_float(kind: Type) -> bool:
    return (
        isinstance(kind, Scalar)
        and kind.dtype not in ("int", "bool")
        and not kind.dtype.startswith("int")
    )


_HANDLERS: dict[Any, str] = {
    **{
        getattr(builtins, name): f"on_{name}"
        for name in [
            "len",
            "range",
            "zip",
            "enumerate",
            "reversed",
            "map",
            "list",
            "tuple",
            "dict",
            "sum",
            "min",
            "max",
            "sorted",
            "any",
            "all",
            "float",
            "int",
            "bool",
            "complex",
            "abs",
            "round",
            "pow",
            "divmod",
            "isinstance",
            "type",
            "callable",
            "hasattr",
            "getattr",
            "str",
            "print",
        ]
    },
    breakpoint: "on_breakpoint",
    stop_gradient: "on_stop_gradient",
    functools.partial: "on_partial",
    functools.reduce: "on_reduce",
    copy.copy: "on_copy",
    copy.deepcopy: "on_copy",
    math.log: "on_log",
    np.copyto: "on_copyto",
    np.fill_diagonal: "on_fill_diagonal",
    np.array: "on_array",
    itertools.product: "on_product",
    itertools.combinations: "on_combinations",
    np.add.at: "on_add_at",
    np.subtract.at: "on_subtract_at",
    np.add.reduce: "on_reduce_ufunc",
}
__all__ = ["Builtins", "Number", "sizes"]
