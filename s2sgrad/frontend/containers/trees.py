"""Floor 4: the runtime's helpers for lists, tuples and dicts of arrays, on values.

Generated code calls them; where the compiler takes its own output, containers that are taken
apart at compile time stay so, and the rest becomes a call with the right type.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.indexing import constant_of
from s2sgrad.analysis.tree_types import zeros_type
from s2sgrad.frontend.base import Base
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
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import (
    STR,
    UNKNOWN,
    Array,
    Number,
    Scalar,
    Type,
    forget,
    is_number,
    shape_of,
)
from s2sgrad_runtime.shapes import normalize_axes

COPIES = (
    s2sgrad_runtime.copy_tree,
    s2sgrad_runtime.copy_apart,
    s2sgrad_runtime.copy_as_it_lies,
    s2sgrad_runtime.deep_copy,
)
ZEROS = (s2sgrad_runtime.zeros_like, s2sgrad_runtime.zero_arrays_like)
HELPERS = frozenset(
    {
        *ZEROS,
        *COPIES,
        s2sgrad_runtime.accumulate,
        s2sgrad_runtime.in_structure,
        s2sgrad_runtime.stack_bar,
        s2sgrad_runtime.unstack_like,
    }
)


OF_DTYPES = frozenset({np.issubdtype, np.isdtype, np.promote_types})
FACTS = frozenset({normalize_axes, np.ndim, np.iscomplexobj, np.isrealobj}) | OF_DTYPES


def is_tree_helper(function: Any, table: frozenset[Any] = HELPERS) -> bool:
    """Whether a function is one of these helpers."""
    try:
        return function in table
    except TypeError:
        return False


class Trees(Base):
    """Calls of the helpers."""

    def tree_helper(self, function: Any, args: list[Value], node: ast.AST) -> Value:
        """A call of one of the runtime's tree helpers, on known structure."""
        contents = self.contents(args[0])
        if contents is not None and function is s2sgrad_runtime.deep_copy:
            return self.on_deepcopy(args, {}, node)
        if isinstance(contents, Sequence) and function is s2sgrad_runtime.zero_arrays_like:
            return self._zero_arrays(contents, args[1:], node)
        if contents is not None and not isinstance(contents, Instance):
            return self._each(function, contents, args, node)
        if isinstance(args[0], Static) or (isinstance(args[0], Dyn) and args[0].type == STR):
            return Dyn(nodes.Const(0.0, type=Scalar("float"))) if function in ZEROS else args[0]
        exprs = tuple(self.residual(a, node) for a in args)
        kind = exprs[0].type
        if function is s2sgrad_runtime.in_structure and is_number(kind):
            return args[0]
        if is_number(kind) and function in (
            *ZEROS,
            *COPIES,
            s2sgrad_runtime.accumulate,
        ):
            return self._number(function, args, exprs, node)
        if function is s2sgrad_runtime.stack_bar or function is s2sgrad_runtime.unstack_like:
            kind = exprs[1].type
        kind = zeros_type(kind) if function in ZEROS else kind
        call = nodes.Call(
            function, function.__name__, exprs, type=forget(kind), span=self.span(node)
        )
        return Dyn(call)

    def known_fact(self, function: Any, args: list[Value]) -> Value | None:
        """What the types alone tell: a rank, axes, whether numbers are complex."""
        if function in OF_DTYPES:
            known = all(isinstance(a, Static) for a in args)
            return Static(function(*(a.value for a in args))) if known else None  # type: ignore
        if function is normalize_axes:
            axis, rank = (self._constant(a) for a in args)
            return (
                None
                if UNKNOWN in (axis, rank)
                else self.sequence([Static(i) for i in normalize_axes(axis, rank)])
            )
        if function is np.ndim and self._is_one_thing(args[0]):
            return Static(0)
        if len(args) != 1 or not isinstance(args[0], Dyn) or not is_number(args[0].type):
            return None
        if function is np.ndim:
            shape = shape_of(args[0].type)
            return None if shape is None else Static(len(shape))
        dtype = getattr(args[0].type, "dtype", None)
        if dtype is None or self.may_be_real(args[0]) or self.several_dtypes(args[0]):
            return None
        if function in (np.iscomplexobj, np.isrealobj):
            return Static(is_complex_dtype(dtype) == (function is np.iscomplexobj))
        return None

    def _is_one_thing(self, value: Value) -> bool:
        """Whether NumPy takes a value for a single number or object, as it does iterators."""
        if isinstance(value, Static):
            return type(value.value) in (int, float, complex, bool)
        steps = isinstance(value, Iterator) and value.kind != "range"
        table = isinstance(self.contents(value), Mapping)
        return steps or table or isinstance(value, Generator) or self.is_stepping(value)

    def _constant(self, value: Value) -> Any:
        """The known integer, tuple of integers, or None."""
        if isinstance(value, Static):
            return value.value
        items = self.static_items(value)
        if items is not None:
            found = [self._constant(i) for i in items]
            return UNKNOWN if UNKNOWN in found else tuple(found)
        return constant_of(value.expr) if isinstance(value, Dyn) else UNKNOWN

    def _each(
        self, function: Any, contents: Sequence | Mapping, args: list[Value], node: ast.AST
    ) -> Value:
        """The helper on every part of a container of known make."""
        if isinstance(contents, Mapping):
            others = [self.contents(a) for a in args[1:]]
            rest = [dict(c.items) for c in others if isinstance(c, Mapping)]
            if len(rest) < len(others):
                raise self.refuse(
                    "these containers are not alike",
                    node,
                    "containers are added part by part, and one has parts that the other lacks",
                    "give them the same keys and lengths",
                )
            pairs = (
                (k, self.tree_helper(function, [v, *(r[k] for r in rest)], node))
                for k, v in contents.items
            )
            return self.new(Mapping(tuple(pairs)))
        columns = [self._items(a, len(contents.items), node) for a in args[1:]]
        if function is s2sgrad_runtime.stack_bar:
            exprs = tuple(self.residual(a, node) for a in args)
            return Dyn(
                nodes.Call(function, "stack_bar", exprs, type=exprs[1].type, span=self.span(node))
            )
        items = [
            self.tree_helper(function, [v, *(c[i] for c in columns)], node)
            for i, v in enumerate(contents.items)
        ]
        keep = function in COPIES
        kind = contents.kind if keep else "list"
        if function is s2sgrad_runtime.in_structure:
            like = self.contents(args[1])
            kind = like.kind if isinstance(like, Sequence) else "list"
        return self.new(Sequence(kind, tuple(items)))

    def _zero_arrays(self, contents: Sequence, rest: list[Value], node: ast.AST) -> Value:
        """Zeros of a list or tuple; `rest` may say which entries hold arrays."""
        places = self._constant(rest[0]) if rest else tuple(range(len(contents.items)))
        items = [
            self.tree_helper(ZEROS[i in places], [item], node)
            for i, item in enumerate(contents.items)
        ]
        return self.sequence(items, "list")

    def _items(self, value: Value, count: int, node: ast.AST) -> list[Value]:
        known = self.static_items(value)
        if known is not None:
            return known
        if not isinstance(value, Dyn | Heap):
            return [value] * count
        return [self.index(value, Static(i), node) for i in range(count)]

    def _number(
        self, function: Any, args: list[Value], exprs: tuple[nodes.Expr, ...], node: ast.AST
    ) -> Value:
        """On an array or a number: NumPy's own operation."""
        kind: Type = exprs[0].type
        if function is s2sgrad_runtime.accumulate:
            return self.apply(np.add, "+", args, form="operator", node=node)
        if function in COPIES:
            if isinstance(kind, Scalar):
                return args[0]
            if isinstance(kind, Array) and function is s2sgrad_runtime.copy_as_it_lies:
                return self.apply(function, function.__name__, args, node=node)
            if isinstance(kind, Array):
                return self.apply(np.copy, "copy", args, form="method", node=node)
        if function in ZEROS:
            if isinstance(kind, Scalar) and function is s2sgrad_runtime.zeros_like:
                return Dyn(nodes.Const(0.0, type=Scalar("float", None, 0.0)))
            if isinstance(kind, Array | Scalar):
                return self.apply(np.zeros_like, "np.zeros_like", args[:1], node=node)
        call = nodes.Call(
            function, function.__name__, exprs, type=Number(getattr(kind, "dtype", None))
        )
        return Dyn(replace(call, span=self.span(node)))
