"""Floor 4: a callee that can't be transformed is called as it is, on dynamic-graph tensors.

Which functions are islands is found by trying: an error on the way through a user's function
notes the innermost one, and the lowering starts again with that one as an island. Where the call
of an island can't be written down either, its caller becomes one.
"""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

import numpy as np

from s2sgrad.analysis.islands import IslandTools, tools_of
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base, callable_class
from s2sgrad.frontend.functions.island_source import asks_identity, result_type, type_returned
from s2sgrad.frontend.functions.plain_parameters import (
    needs_plain,
    parts_of,
    with_plain_parameters,
    written_around,
)
from s2sgrad.frontend.scopes import is_local
from s2sgrad.frontend.values import Dyn, Func, Instance, Mapping, Partial, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import NONE, Known, Number, Opaque, Tuple, Type

Place = tuple[str, int, int]  # file, line and column
MADE_AT = "__s2sgrad_made_at__"  # attribute of functions that stand for those made inside others
OPTIONS = ("wrt", "fresh", "parts")  # keywords of the function that runs islands
LITERALS: tuple[type, ...] = (bool, int, float, complex, str, bytes, slice)
LITERALS = (*LITERALS, np.generic, np.dtype, type(None), type(...))
_OURS = ("s2sgrad.", "s2sgrad_runtime")


def is_ours(function: Any) -> bool:
    """Whether a function is generated code or one of its helpers."""
    return (getattr(function, "__module__", None) or "").startswith(_OURS)


def blame(error: UnsupportedError, function: Any) -> None:
    """Note the innermost user function in which an error arose."""
    if error.culprit is not None:
        return
    if isinstance(function, Func):
        if function.function is None:
            error.culprit = place_of(function)
            return
        function = function.function
    if isinstance(function, FunctionType) and not is_local(function) and not is_ours(function):
        error.culprit = function


def place_of(function: Func) -> Place | None:
    """Where the user wrote a function that is made inside another; None for code of ours."""
    scope, node = function.scope, function.source.node
    name = "" if scope is None else scope.globals.get("__name__", "")
    if scope is None or scope.cls is not None or name.startswith(_OURS):
        return None
    return function.source.filename, node.lineno, node.col_offset


class Islands(Base):
    """tools: what generated code with islands calls, None where they are refused.
    islands: functions that can't be transformed, and why; those that are made inside others by
    the place where they stand. called: those that generated code calls, and where."""

    tools: IslandTools | None
    islands: dict[Any, UnsupportedError]
    called: dict[Any, Span | None]
    passed: set[str]  # names of objects that are only passed to islands

    def culprit_at(self, span: Span | None) -> Any:
        """The innermost user function around a place, if it may be an island."""
        found, length = None, float("inf")
        for (filename, line), (_, node, real) in list(self.transformed.items())[1:]:
            last = node.end_lineno or line
            around = span and filename == span.filename and line <= span.line <= last
            if around and last - line < length and not is_ours(real):
                place = (filename, line, node.col_offset)
                found, length = place if real is None else real, last - line
        return found

    def call_function(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of a real function: run in place of the call, or an island."""
        if target in self.islands:
            return self.call_island(target, self.islands[target], args, kwargs, node)
        try:
            function = self.function_value(target)
        except UnsupportedError as error:
            blame(error, target)
            raise
        return self.inline(function, args, kwargs, node)

    def island_of(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Any, list[Value], dict[str, Value]] | None:
        """The real function for a value that is an island, and its arguments; None for others.

        What a function made inside another reads from outside is handed to it.
        """
        if function.function is not None:
            known = function.function in self.islands
            return (function.function, args, kwargs) if known else None
        reason = self.islands.get(place_of(function))
        if reason is None:
            return None
        try:
            return self._lifted_island(function, args, kwargs, node)
        except UnsupportedError:  # then the function around it becomes the island
            raise UnsupportedError(reason.reason, reason.span, reason.why, reason.fix) from None

    def _lifted_island(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[Any, list[Value], dict[str, Value]]:
        place = place_of(function)
        if needs_plain(function):
            written = {n: self._held_around(function, n, node) for n in written_around(function)}
            kind = type_returned(function.source.node)
            plain = with_plain_parameters(function, args, kwargs, written, kind)
            function, args, kwargs = plain.function, list(plain.values.values()), {}
        spec = function.source.node.args
        names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        given = dict(zip(names, args, strict=False)) | kwargs
        defaults = function.defaults
        given = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | given
        alone = [a.arg for a in spec.kwonlyargs]
        given = dict(function.kw_defaults) | given
        if len(args) > len(names) or set(given) != {*names, *alone}:
            raise self.refuse("the arguments do not fit this function", node, *say.NOT_CALLED_SO)
        made = self.lifted(function, len(names), function.name, node, tuple(alone))
        further = {n: v for n, v in made.further.items() if n not in alone}
        setattr(made.function, MADE_AT, place)
        named = {n: given[n] for n in alone} | further
        return self._same(made.function), [given[n] for n in names], named

    def _held_around(self, function: Func, name: str, node: ast.AST) -> Value:
        """What a name around a function holds now, which the function writes to."""
        value = self.get(owner_of(function, name), name)
        number = isinstance(value, Static) and isinstance(value.value, int | float | complex)
        if not (number or isinstance(value, Dyn)) or value is None:
            raise self.refuse(f"'{name}' is set by a function on tensors first", node, *say.NOT_SET)
        return value

    def handed_back(self, function: Func, made: Value, node: ast.AST) -> Value:
        """The function's own result in what its island gave; names that it writes to get theirs."""
        written = written_around(function)
        if not written:
            return made
        kind = type_returned(function.source.node)
        own = parts_of(kind)
        count = own + len(written)
        parts = [self.index(made, Static(i), node) for i in range(count)] if count > 1 else [made]
        for name, value in zip(written, parts[own:], strict=True):
            self.set(owner_of(function, name), name, value)
        if isinstance(kind, Tuple):
            return self.sequence(parts[:own])
        return parts[0] if own else Static(None)

    def _same(self, function: Any) -> Any:
        """A function that was made before from the same place, with the same closure."""
        for known in self.called:
            alike = getattr(known, MADE_AT, None) == getattr(function, MADE_AT)
            if alike and known.__code__ == function.__code__ and _held(known) == _held(function):
                return known
        return function

    def call_island(
        self,
        target: Any,
        reason: UnsupportedError,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> Value:
        """`y, y_pullback = eager_vjp(target, ...)`; the value is y."""
        assert self.tools is not None
        args, kwargs = self._in_order(target, args, kwargs, node)
        if self._holds_local(target, set()):  # names of a function that does not run
            raise UnsupportedError(reason.reason, reason.span, reason.why, reason.fix)
        if asks_identity(target) and self._given_twice([*args, *kwargs.values()], node):
            raise UnsupportedError(reason.reason, reason.span, reason.why, reason.fix)
        self.called[target] = self.span(node)
        reference = nodes.Ref(self.outside_name(target), target, type=Known(target))
        result, _ = self._emit_island(
            self.tools, reference, args, kwargs, result_type(target, reason), node
        )
        return result

    def _holds_local(self, value: Any, seen: set[int]) -> bool:
        """Whether a function has an object in its closure whose class is defined in this code."""
        if id(value) in seen:
            return False
        seen.add(id(value))
        if any(value is cls or type(value) is cls for cls in self.local_classes.values()):
            return True
        held = inspect.getclosurevars(value).nonlocals if isinstance(value, FunctionType) else {}
        return any(self._holds_local(v, seen) for v in held.values())

    def _given_twice(self, values: list[Value], node: ast.AST) -> bool:
        """Whether one array is given as two arguments: on tensors these are two objects."""
        exprs = [self.named(v, "argument", node) for v in values if isinstance(v, Dyn)]
        names = [self._first_name(e.name) for e in exprs if isinstance(e, nodes.Var)]
        return len(set(names)) < len(names)

    def _emit_island(
        self,
        tools: IslandTools,
        reference: nodes.Expr,
        args: list[Value],
        kwargs: dict[str, Value],
        kind: Type,
        node: ast.AST,
    ) -> tuple[Value, str]:
        exprs = tuple(self._whole(a, node) for a in args)
        named = tuple((k, self._whole(v, node)) for k, v in kwargs.items())
        if isinstance(kind, Tuple):
            named += (("parts", nodes.Const(len(kind.items))),)
        pair = Tuple((kind, Opaque("pullback")))
        call = nodes.Call(
            tools.vjp, "eager_vjp", (reference, *exprs), named, type=pair, span=self.span(node)
        )
        hint = getattr(self, "target_hint", "items")
        result = self.builder.fresh("result" if hint == "items" else hint, kind)
        name = self.builder.bases[result.name]
        back = self.builder.fresh(f"{name}_pullback", Opaque("pullback"))
        self.builder.emit(nodes.Unpack((result.name, back.name), call, span=self.span(node)))
        return Static(None) if kind == NONE else Dyn(result), back.name

    def _in_order(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> tuple[list[Value], dict[str, Value]]:
        """Keyword arguments by position where the function allows it."""
        try:
            bound = inspect.signature(target).bind(*args, **kwargs)
        except TypeError as error:
            fix = say.NOT_CALLED_SO[1]
            raise self.refuse(f"{target.__name__}(): wrong call", node, str(error), fix) from None
        if any(name in OPTIONS for name in bound.kwargs):
            raise self.refuse(
                "this keyword can't be passed to a function on tensors", node, *say.ON_TENSORS
            )
        return list(bound.args), dict(bound.kwargs)

    def _whole(self, value: Value, node: ast.AST) -> nodes.Expr:
        """An argument as an expression of names: containers as displays."""
        contents = self.contents(value)
        if isinstance(contents, Sequence) and contents.made_by is None:
            items = tuple(self._whole(v, node) for v in contents.items)
            kind = Tuple(tuple(i.type for i in items))
            return nodes.Sequence(contents.kind, items, type=kind, span=self.span(node))
        if isinstance(contents, Mapping):
            keys = tuple(nodes.Const(k, type=Known(k)) for k, _ in contents.items)
            values = tuple(self._whole(v, node) for _, v in contents.items)
            return nodes.Mapping(keys, values, type=Tuple(tuple(v.type for v in values)))
        if isinstance(contents, Sequence):
            items = tuple(self._whole(v, node) for v in contents.items)
            return nodes.Call(
                contents.made_by, self.outside_name(contents.made_by), items,
                type=Tuple(tuple(i.type for i in items)), span=self.span(node),
            )  # fmt: skip
        if isinstance(contents, Instance):
            return self._object(contents, node)
        if isinstance(value, Func):
            if value.function is None:
                raise self.refuse("a function made here can't be passed on", node, *say.MADE_HERE)
            return self._given(value.function)
        if isinstance(value, Static) and not isinstance(value.value, LITERALS):
            return self._given(value.value)
        expr = self.residual(value, node)
        return as_call(expr) if isinstance(expr, nodes.Slice) else self.named(value, "argument")

    def _object(self, contents: Instance, node: ast.AST) -> nodes.Expr:
        """An object, put together again: `with_fields(Model, {"w": w})`."""
        if callable_class(contents.cls) or self.tools is None:
            raise self.refuse(
                "an object that can be called can't be passed to a function that runs on tensors",
                node, "what it holds can't be followed there", "pass the arrays in it",
            )  # fmt: skip
        keys = tuple(nodes.Const(k, type=Known(k)) for k, _ in contents.fields)
        values = tuple(self._whole(v, node) for _, v in contents.fields)
        kind = Tuple(tuple(v.type for v in values))
        fields = nodes.Mapping(keys, values, type=kind)
        cls = self._given(contents.cls)
        return nodes.Call(self.tools.with_fields, "with_fields", (cls, fields), type=kind)

    def _given(self, value: Any) -> nodes.Expr:
        """A known object that is only passed on."""
        name = self.outside_name(value)
        self.passed.add(name)
        return nodes.Ref(name, value, type=Known(value))

    # --- generated code with islands, lowered itself -----------------------------------------
    def call_again(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of `eager_vjp` or `eager_jvp` in generated code: an island of its own.

        The pullback that `eager_vjp` gives is known while compiling; calling it is one more
        island, that of the transposed function.
        """
        callee = args[0]
        if not isinstance(callee, Static):
            raise self.refuse("can't tell what runs on tensors here", node, *say.CHOSEN_LATE)
        tools: IslandTools = tools_of(target)
        if target is tools.pull:
            return self._pull_again(tools, args, node)
        if target is tools.jvp:
            kind = result_type(callee.value)
            reference = self._made(tools.pushed, callee, ())
            return self._emit_island(tools, reference, args[1:], {}, Tuple((kind, kind)), node)[0]
        wrt = kwargs.pop("wrt", self.sequence([Static(i) for i in range(len(args) - 1)]))
        parts = kwargs.pop("parts", None)
        written = kwargs.pop("fresh", None) is not None
        if kwargs:
            raise self.refuse(
                "keywords of a function on tensors, differentiated again", node, *say.ON_TENSORS
            )
        kind = Number() if parts is None else Tuple((Number(),) * parts.value)  # type: ignore[attr-defined]
        reference = self._made(None, callee, ())
        kept, still = args[1:], dict[str, Value]()
        if written:  # the pullback is of these values, whatever is written into the arrays then
            kept = [self._deep(value, {}, node) for value in kept]
            still = {"fresh": Static(True)}  # what shares their memory shares that of copies now
        result, _ = self._emit_island(tools, reference, kept, still, kind, node)
        given = self.sequence(kept)
        pullback = Partial(Static(tools.pull), (callee, wrt, given), ())
        return self.sequence([result, pullback])

    def _pull_again(self, tools: IslandTools, args: list[Value], node: ast.AST) -> Value:
        """`y_pullback(y_bar)`: an island that gives a cotangent for each argument."""
        callee, places, given, bar = args
        assert isinstance(callee, Static)
        wrt = tuple(v.value for v in self.static_items(places) or [] if isinstance(v, Static))
        values = self.static_items(given) or []
        kinds: list[Type] = []
        for i in wrt:
            value = values[i]
            if not isinstance(value, Dyn):
                raise self.refuse(
                    "second derivatives by containers given to tensors", node, *say.PARTS_ALONE
                )
            kinds.append(value.type)
        reference = self._made(tools.transposed, callee, wrt)
        kind = Tuple(tuple(kinds))
        result, _ = self._emit_island(tools, reference, [bar, *values], {}, kind, node)
        entries = {i: self.index(result, Static(k), node) for k, i in enumerate(wrt)}
        return self.sequence([entries.get(i, Static(None)) for i in range(len(values))])

    def _made(self, maker: Any, callee: Static, numbers: tuple[int, ...]) -> nodes.Expr:
        """The callee, or what a maker makes of it, in generated code."""
        value = callee.value
        made_of = getattr(value, "made_of", None)
        if made_of is not None:
            inner = self._made(made_of[0], Static(made_of[1]), made_of[2])
        else:
            inner = nodes.Ref(self.outside_name(value), value, type=Known(value))
        if maker is None:
            return inner
        constants = tuple(nodes.Const(i) for i in numbers)
        return nodes.Call(maker, maker.__name__, (inner, *constants), type=Opaque("function"))


def _held(function: Any) -> list[int]:
    return [id(cell.cell_contents) for cell in function.__closure__ or ()]


def as_call(expr: nodes.Slice) -> nodes.Expr:
    """`slice(1, n)`, for a slice that does not stand in a subscript."""
    parts = (expr.lower, expr.upper, expr.step)
    args = tuple(nodes.Const(None, type=NONE) if p is None else p for p in parts)
    return nodes.Call(slice, "slice", args, type=Opaque("slice"))


def owner_of(function: Func, name: str) -> Any:
    """The frame around a function that has a name."""
    scope = function.scope
    while scope is not None and name not in scope.local_names and scope.parent is not None:
        scope = scope.parent
    return scope


__all__ = ["Islands", "blame"]
