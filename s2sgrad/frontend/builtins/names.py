"""Floor 4: Python's builtins and the NumPy functions that need more than a rule."""

from __future__ import annotations

import ast
import builtins
import collections
import copy
import dataclasses
import functools
import itertools
import math
from typing import Any

import numpy as np

from s2sgrad.errors import Span
from s2sgrad.frontend.base import MISSING
from s2sgrad.frontend.builtins.classes import ClassQuestions
from s2sgrad.frontend.builtins.outputs import stored_whole
from s2sgrad.frontend.builtins.random_methods import drawn_places
from s2sgrad.frontend.builtins.sequences import Handler
from s2sgrad.frontend.expressions.plain_texts import has_fixed_text
from s2sgrad.frontend.expressions.special import OPERATOR_SIGNS
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.models.makers import named_as
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Instance,
    Iterator,
    Mapping,
    Partial,
    Sequence,
    Static,
    Value,
    is_mixed,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    STR,
    Dict,
    List,
    Opaque,
    Tuple,
    carries,
    forget,
)
from s2sgrad_runtime import stop_gradient


@functools.cache
def _record_class(args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
    """One class for one description: lowering a loop twice must meet the same."""
    return collections.namedtuple(*args, **dict(kwargs))


class Builtins(ClassQuestions):
    """Lowering of builtins that ask about values, have effects, or write arrays."""

    def builtin(self, function: Any) -> Handler | None:
        """The special treatment of a function, if it has one."""
        try:
            name, sign = _HANDLERS.get(function), OPERATOR_SIGNS.get(function)
        except TypeError:
            return None
        if sign is not None:
            return functools.partial(self.by_sign, sign)
        return getattr(self, name) if name else None

    def _as_list(self, value: Value, node: ast.AST) -> Value:
        value = self.items_of(value, node)
        if isinstance(value, Iterator | Generator):
            return self.comprehend_value(value, node)
        if isinstance(value, Dyn) and isinstance(value.type, Dict):
            return Dyn(self.keys_of(value.expr, node))
        return value

    def keys_of(self, table: nodes.Expr, node: ast.AST) -> nodes.Expr:
        """The keys of a dict that generated code holds, as a list."""
        assert isinstance(table.type, Dict)
        if table.type.made_by is not None:
            raise self.refuse(
                "going through the items of an object here", node,
                "which ones they are is up to its class",
                "make a list of them first: items = list(...)",
            )  # fmt: skip
        if carries(table.type.key) and Span(self.source.filename, 0).ours:
            raise self.refuse(
                "going through a dict whose keys are computed numbers, or handing it on", node,
                "the keys of a dict carry no derivative; a function that calls itself gives the "
                "dict that it changes (as that of functools.lru_cache) back by its keys",
                "keep keys and values as pairs in a list: pairs.append((key, value)), "
                "sorted(pairs); or take whole numbers for its keys; a memory of results may be "
                "left out, the values are the same",
            )  # fmt: skip
        call = nodes.Call(list, "list", (table,), type=List(table.type.key))
        return self.builder.bind("keys", call, self.span(node))

    # --- questions ---------------------------------------------------------------------------
    def on_str(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args or isinstance(args[0], Static):
            return Static(str(args[0].value) if args and isinstance(args[0], Static) else "")
        self.text_as_value(args[0], node)
        return Dyn(nodes.Call(str, "str", (self.text_part(args[0], node),), type=STR))

    def on_repr(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        value = self.constant_value(args[0])
        if has_fixed_text(value) or value is ...:
            return Static(repr(value))
        self.text_as_value(args[0], node)
        shown = self._formatted(args[0], node)
        if isinstance(shown, nodes.Const) and isinstance(shown.value, str):
            return Static(shown.value)  # what stands for an object
        return Dyn(nodes.Call(repr, "repr", (shown,), type=STR))

    # --- effects -----------------------------------------------------------------------------
    def on_print(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if any(map(is_mixed, args)):
            return self.call_mixed(Static(print), args, kwargs, node)
        with self.only_shown(True):
            exprs = tuple(self._formatted(a, node) for a in self.as_shown(args, node))
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        call = nodes.Call(print, "print", exprs, named, type=Opaque("None"), span=self.span(node))
        self.builder.emit(nodes.Do(call, span=self.span(node)))
        return Static(None)

    def on_breakpoint(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        call = nodes.Call(breakpoint, "breakpoint", (), type=Opaque("None"), span=self.span(node))
        self.builder.emit(nodes.Do(call, span=self.span(node)))
        return Static(None)

    def on_stop_gradient(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """The value as it is, behind a call that no derivative passes; containers part by part."""
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
                "stop_gradient() of an object",
                node,
                "an object is taken apart while compiling, and has no value of its own",
                "apply it to the arrays it holds",
            )
        if not isinstance(value, Dyn):
            return value
        kind = forget(value.type)
        call = nodes.Call(
            stop_gradient, "stop_gradient", (value.expr,), type=kind, span=self.span(node)
        )
        return Dyn(call)

    def on_namedtuple(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """A class made by the function itself, from constants."""
        constants = [self._constant_tree(a) for a in (*args, *kwargs.values())]
        if MISSING in constants:
            if constants[len(args) :] and MISSING not in constants[: len(args)]:
                raise self.refuse(
                    "a namedtuple with defaults that are computed",
                    node,
                    "they would belong to a class that is made anew by each call",
                    "give the values where the tuples are made: P(x, y)",
                )
            raise self.refuse(
                "a namedtuple whose fields are known only at run time",
                node,
                "generated code has one variable for each field",
                "define the named tuple at the top of the module, with its fields written out",
            )
        named = tuple(zip(kwargs, constants[len(args) :], strict=True))
        return Static(_record_class(tuple(constants[: len(args)]), named))

    def _constant_tree(self, value: Value) -> Any:
        items = self.static_items(value)
        if items is None:
            return self.constant_value(value)
        parts = tuple(self.constant_value(i) for i in items)
        return MISSING if MISSING in parts else parts

    def on_partial(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        given = tuple(self._settled("given", a, node) for a in args[1:])
        return Partial(
            args[0], given, tuple((k, self._settled(k, v, node)) for k, v in kwargs.items())
        )

    def on_reduce(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        items = self.iterate(args[1], node)
        if items is None and len(args) > 2:
            return self.reduce_loop(
                args[1], args[2], lambda a, b: self.call(args[0], [a, b], {}, node), node
            )
        if items is None:
            return self.model(models.reduce, args, node)
        if len(args) > 2:
            items = [args[2], *items]
        held = self.sequence(items)  # a call may change what was not computed yet of the others
        result = items[0]
        for i in range(1, len(items)):
            result = self.call(args[0], [result, self.held_items(held)[i]], {}, node)
        return result

    # --- NumPy functions that write, or take functions ----------------------------------------
    def on_add_at(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._store_at(args, "+at", node)

    def on_subtract_at(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self._store_at(args, "-at", node)

    def _store_at(self, args: list[Value], op: str, node: ast.AST) -> Value:
        base = self.residual(args[0], node)
        index = self.index_parts(args[1], node)
        value = self.residual(args[2], node)
        self.emit_change(
            self.named_place(nodes.Store(base, index, value, op, span=self.span(node)))
        )
        return Static(None)

    def on_copyto(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        base = self.residual(args[0], node)
        value = args[1]
        if "where" in kwargs:
            parts = [kwargs["where"], value, Dyn(base)]
            value = self.apply(np.where, "np.where", parts, node=node)
        self.emit_store(stored_whole(base, self.residual(value, node), self.span(node)))
        return Static(None)

    def on_diff(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`np.diff(a, prepend=p)`: the differences of the joined array."""
        if len(args) > 3 or not kwargs.keys().isdisjoint(("prepend", "append")):
            return self.model(models.diff_between, args, node, **kwargs)
        return self.call_numpy(np.diff, args, kwargs, node)

    def on_array(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """np.array / np.asarray: a copy of an array, or a stack of (nested) numbers."""
        rest = dict(kwargs)
        value = args[0] if args else rest.pop("object")
        rest |= {"dtype": args[1]} if len(args) > 1 else {}
        items = self.static_items(value)
        if items is None and not (isinstance(value, Dyn) and isinstance(value.type, List | Tuple)):
            values = self._as_list(value, node)
            return self.apply(np.array, "np.array", [values], rest, node=node)
        return self.apply(np.array, "np.array", [value], rest, node=node)

    def on_where(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return self.apply(np.where, "np.where", args, kwargs, node=node)


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
            "issubclass",
            "type",
            "callable",
            "id",
            "hash",
            "hasattr",
            "getattr",
            "setattr",
            "delattr",
            "str",
            "print",
            "repr",
        ]
    },
    object.__getattribute__: "on_getattr",
    object.__setattr__: "on_set_plainly",
    object.__delattr__: "on_delattr",
    next: "on_next",
    iter: "on_iter",
    models.sequence: "on_sequence",
    models.places: "on_places",
    drawn_places: "on_drawn_places",
    named_as: "on_named_as",
    breakpoint: "on_breakpoint",
    collections.namedtuple: "on_namedtuple",
    stop_gradient: "on_stop_gradient",
    itertools.count: "on_count",
    collections.OrderedDict: "on_ordered_dict",
    functools.partial: "on_partial",
    functools.cmp_to_key: "on_cmp_to_key",
    functools.reduce: "on_reduce",
    dataclasses.replace: "on_replace",
    **({copy.replace: "on_copy_replace"} if hasattr(copy, "replace") else {}),  # Python 3.13
    dataclasses.asdict: "on_asdict",
    dataclasses.fields: "on_fields",
    dataclasses.astuple: "on_astuple",
    copy.copy: "on_copy",
    copy.deepcopy: "on_deepcopy",
    math.log: "on_log",
    math.prod: "on_prod",
    math.fsum: "on_fsum",
    np.einsum: "on_einsum",
    np.nan_to_num: "on_nan_to_num",
    np.copyto: "on_copyto",
    np.diff: "on_diff",
    np.finfo: "on_number_limits",
    np.iinfo: "on_number_limits",
    np.dtype: "on_dtype",
    np.array: "on_array",
    itertools.product: "on_product",
    itertools.combinations: "on_combinations",
    np.add.at: "on_add_at",
    np.subtract.at: "on_subtract_at",
}
