"""Floor 4: what all parts of the lowering share: state, spans, and the seams between them."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator as Iterating
from contextlib import contextmanager
from functools import reduce
from itertools import count
from typing import Any

from s2sgrad.analysis.whole import may_be_whole, mixes
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.frontend.exits import Unroll
from s2sgrad.frontend.holding import grown, holding, type_now
from s2sgrad.frontend.source import Source
from s2sgrad.frontend.state import BOUND, Builder, Clash, Frame, State, Together, constant, residual
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Generator,
    Heap,
    Instance,
    Iterator,
    Keys,
    Mapping,
    Method,
    Partial,
    Sequence,
    Static,
    Value,
    parts_of,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import Dict, List, Maybe, Number, Scalar, Tuple, Type, join

MISSING = object()  # stands for a value that is not known while compiling


class Base:
    """State of one lowering. The mixins beside this file add the methods named below."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.state = State()
        self.frames: list[Frame] = []
        self.frame_ids = count(1)
        self.captured: dict[str, tuple[Any, Value]] = {}
        self.loops: list[Any] = []
        self.settled: dict[tuple[Any, int], dict[Any, Any]] = {}  # loop -> what it changes
        self.running: list[tuple[Frame, ast.stmt]] = []  # the user's statements, outermost first
        self.open_blocks: list[int] = []  # how many blocks are open where `Unreachable` is taken
        self.local_classes: dict[Any, type] = {}
        self.outside_names: dict[str, Any] = {}
        self.anew: dict[type, str] = {}  # class -> a cached property that was computed anew
        self.computed_anew: dict[str, Any] = {}  # what such properties gave -> which, and where
        self.absent: set[str] = set()  # attributes that objects did not have when asked in a loop
        self.from_class: set[tuple[str, str, str]] = set()  # those that objects have from the start
        self.transformed: dict[tuple[str, int], Any] = {}
        self.ordered = False  # whether a dict may be an OrderedDict
        self.by_value = False  # whether what was called gives complex numbers for some values only

    # --- seams: each is defined by one mixin -------------------------------------------------
    def expr(self, node: ast.expr) -> Value:
        """The value of an expression."""
        raise NotImplementedError

    def run_block(self, stmts: list[ast.stmt]) -> str:
        """Run statements; how they ended."""
        raise NotImplementedError

    def call(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """The value of a call."""
        raise NotImplementedError

    def index(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`base[index]`."""
        raise NotImplementedError

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`owner.name`."""
        raise NotImplementedError

    def apply(
        self,
        function: Any,
        text: str,
        args: list[Value],
        kwargs: dict[str, Value] | None = None,
        form: str = "call",
        node: ast.AST | None = None,
    ) -> Value:
        """A call of a function with a rule, as generated code."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Value, node: ast.stmt) -> None:
        """Bind a target to a value."""
        raise NotImplementedError

    def iterate(self, value: Value, node: ast.AST, in_turn: bool = False) -> list[Value] | None:
        """The items of a value of known length; None otherwise."""
        raise NotImplementedError

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true; None where only a run can tell."""
        raise NotImplementedError

    def may_be_real(self, value: Value) -> bool:
        """Whether a value of a complex type may be real when the code runs."""
        kind = value.type if isinstance(value, Dyn) else None
        return self.by_value and is_complex_dtype(getattr(kind, "dtype", None))

    def may_be_whole(self, value: Value) -> bool:
        """Whether a value of floats, by its type, may be or hold integers when the code runs."""
        return isinstance(value, Dyn) and may_be_whole(value.expr, self.builder.whole)

    def may_be_int(self, value: Value) -> bool:
        """Whether a number, a float by its type, may be Python's int when the code runs."""
        kind = value.type if isinstance(value, Dyn) else None
        kind = kind.item if isinstance(kind, Maybe) else kind
        return isinstance(kind, Scalar | Number) and self.may_be_whole(value)

    def __getattr__(self, name: str) -> Any:
        """Methods of the other mixins, for the type checker."""
        raise AttributeError(name)

    @contextmanager
    def within(self, stmt: ast.stmt) -> Iterating[None]:
        """A statement of the user's is being run."""
        self.running.append((self.frame, stmt))
        try:
            with self.may_end():
                yield
        except UnsupportedError as error:
            error.placed(self.span(stmt))
            raise
        except Together as found:
            found.refusal.placed(self.span(stmt))
            raise
        finally:
            self.running.pop()

    @contextmanager
    def may_end(self) -> Iterating[None]:
        """What stands in the innermost block may be `Unreachable`; whoever asks takes that."""
        self.open_blocks.append(len(self.builder.blocks))
        try:
            yield
        finally:
            self.open_blocks.pop()

    # --- shared helpers ----------------------------------------------------------------------
    @property
    def frame(self) -> Frame:
        """The innermost activation."""
        return self.frames[-1]

    @property
    def source(self) -> Source:
        """The source of the function being run."""
        return self.frame.source

    def known_function(self, node: ast.expr) -> Any:
        """The function that a name, or a path from one through modules and classes, stands for;
        None for all else: finding it must run nothing."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return None
        try:
            known = isinstance(self.expr(root), Static)
            value = self.expr(node) if known else None
        except UnsupportedError:
            return None
        return value.value if isinstance(value, Static) else None

    def span(self, node: ast.AST | None) -> Span | None:
        """Where a node stands in the user's code."""
        if node is None or not self.frames or not hasattr(node, "lineno"):
            return None
        return self.frame.stands_at or self.source.span(node)

    def refuse(self, what: str, node: ast.AST, why: str = "", fix: str = "") -> UnsupportedError:
        """The error for a construct that can't be transformed (to be raised by the caller)."""
        return UnsupportedError(what, self.span(node), why, fix)

    def residual(self, value: Value, node: ast.AST | None = None) -> nodes.Expr:
        """The expression that computes a value in generated code."""
        if isinstance(value, Clash) and value.loop is not None and value.loop not in self.unroll:
            raise Unroll(value.loop)
        return residual(value, self.state, self.span(node))

    def contents(self, value: Value) -> Sequence | Mapping | Instance | None:
        """What a container holds; None for other values."""
        return self.state.heap[value.id] if isinstance(value, Heap) else None

    def new(self, contents: Sequence | Mapping | Instance) -> Heap:
        """A new container."""
        identity = next(self.builder.ids)
        self.state.heap[identity] = contents
        return Heap(identity)

    def sequence(self, items: list[Value] | tuple[Value, ...], kind: str = "tuple") -> Heap:
        """A new tuple or list."""
        return self.new(Sequence(kind, tuple(items)))

    def static_items(self, value: Value) -> list[Value] | None:
        """The items of a tuple or list of known length."""
        contents = self.contents(value)
        return list(contents.items) if isinstance(contents, Sequence) else None

    def get(self, frame: Frame, name: str) -> Value | None:
        """What a name holds."""
        return self.state.vars.get((frame.id, name))

    def set(self, frame: Frame, name: str, value: Value) -> None:
        """Bind a name of a frame."""
        self.state.vars[frame.id, name] = value
        self.state.vars.pop((frame.id, f"<{name}{BOUND}"), None)

    def named(self, value: Value, base: str, node: ast.AST | None = None) -> nodes.Expr:
        """The value as a variable or constant, so that it may be used several times."""
        expr = self.residual(value, node)
        if isinstance(expr, nodes.Var | nodes.Const | nodes.Ref):
            return expr
        return self.builder.bind(base, expr, self.span(node))

    def materialize(self, identity: int) -> nodes.Var:
        """Let generated code build a container from here on; every name of it follows."""
        raise NotImplementedError

    def held(self, value: Value, node: ast.AST) -> nodes.Expr:
        """A value as an entry of a container in generated code; objects as records."""
        raise NotImplementedError

    def operand(self, value: Value, node: ast.AST) -> nodes.Expr:
        """A value whose items become those of another container."""
        raise NotImplementedError

    def label(self, otherwise: str) -> str:
        """The name that the value being computed is about to get."""
        return getattr(self, "target_hint", otherwise)

    def _substitute_all(self, old: Value, new: Value) -> None:
        for key, value in self.state.vars.items():
            self.state.vars[key] = _substitute(value, old, new)
        for other, contents in list(self.state.heap.items()):
            if isinstance(contents, Sequence):
                items = tuple(_substitute(v, old, new) for v in contents.items)
                self.state.heap[other] = Sequence(contents.kind, items, contents.made_by)
            elif isinstance(contents, Mapping):
                pairs = tuple((k, _substitute(v, old, new)) for k, v in contents.items)
                self.state.heap[other] = dataclasses.replace(contents, items=pairs)
            else:
                fields = tuple((k, _substitute(v, old, new)) for k, v in contents.fields)
                self.state.heap[other] = Instance(
                    contents.cls, fields, contents.given, contents.outside
                )

    def grow(self, place: nodes.Expr, kind: Type, seen: frozenset[str] = frozenset()) -> None:
        """Widen the types of a container in generated code, and of those that hold it."""
        builder = self.builder
        if isinstance(place, nodes.Var):
            now = builder.types.get(place.name, place.type)
            wide = join(now, kind)
            self._note_mixed(place.name, (now, kind))
            if place.name in seen or (wide == now == place.type and place.name in builder.mates):
                return
            seen |= {place.name}
            self.check_nested(wide)
            self.objects_met([now], wide)
            if wide != now or wide != place.type:
                self.retype(place, wide)
            for name in builder.mates.get(place.name, ()):
                self.grow(nodes.Var(name, type=builder.types[name]), wide, seen)
            for holder in builder.paths.get(place.name, ()):
                self.grow(holder, kind, seen)
            for expr, other in builder.links.get(place.name, ()):
                both = grown(type_now(other, builder.types), type_now(expr, builder.types))
                if both is not None and both != type_now(other, builder.types):
                    self.grow(other, both, seen)
        elif isinstance(place, nodes.Index) and len(place.index) == 1:
            held = holding(type_now(place.base, builder.types), place.index[0], kind)
            if held is not None:
                self.grow(place.base, held, seen)

    def joined_kind(self, *exprs: nodes.Expr) -> Type:
        """The type of what a run chooses; lists that meet are of one type from here on."""
        kind = reduce(join, (e.type for e in exprs))
        for expr in exprs:
            if isinstance(kind, List | Dict) and expr.type != kind:
                self.grow(expr, kind)
        return kind

    def grow_alike(self, held: nodes.Expr, result: Type) -> None:
        """The same for the lists in a tuple or dict of which a run takes one."""
        kind, builder = held.type, self.builder
        for key, item in (kind.fields or ()) if isinstance(kind, Dict) else ():
            if isinstance(item, List | Dict) and item != result:
                self.grow(nodes.Index(held, (constant(key),), type=item), result)
        if isinstance(kind, Tuple | List) and isinstance(held, nodes.Var):
            for _, place in builder.links.get(held.name, ()):
                now = type_now(place, builder.types)
                if isinstance(now, List | Dict) and join(now, result) == result != now:
                    self.grow(place, result)

    def _note_mixed(self, name: str, kinds: tuple[Type, ...]) -> None:
        """Remember a list or dict in which integers and floats meet."""
        if mixes(kinds):
            self.builder.whole.add(name)

    def catch_up(self) -> None:
        """Give lists and dicts of an earlier state the types that are known of them by now."""
        held = [v for c in self.state.heap.values() for v in parts_of(c)]
        for value in (*self.state.vars.values(), *held):
            if not isinstance(value, Dyn) or not isinstance(value.expr, nodes.Var):
                continue
            kind = self.builder.types.get(value.expr.name, value.type)
            if isinstance(kind, List | Dict) and kind == join(value.type, kind) != value.type:
                self.retype(value.expr, kind)

    def retype(self, var: nodes.Var, kind: Type) -> None:
        """Give a list or dict variable a wider element type from here on."""
        self._note_mixed(var.name, (self.builder.types.get(var.name, kind), kind))
        self.builder.types[var.name] = kind
        self._substitute_all(Dyn(var), Dyn(nodes.Var(var.name, type=kind)))


def _substitute(value: Value, old: Value, new: Value) -> Value:
    if value == old:
        return new
    if isinstance(value, Keys) and isinstance(new, Dyn):
        return Keys(new.expr) if Dyn(value.expr) == old else value
    if isinstance(value, Bound):
        return Bound(value.function, _substitute(value.owner, old, new))
    if isinstance(value, Method):
        return Method(_substitute(value.owner, old, new), value.name)
    if isinstance(value, Iterator):
        return Iterator(value.kind, tuple(_substitute(v, old, new) for v in value.parts))
    if isinstance(value, Generator):
        first = _substitute(value.first, old, new)
        return value if first is value.first else Generator(value.node, value.scope, first)
    if isinstance(value, Chosen):
        options = tuple(_substitute(v, old, new) for v in value.options)
        return dataclasses.replace(value, options=options)
    if isinstance(value, Partial):
        args = tuple(_substitute(v, old, new) for v in value.args)
        kwargs = tuple((k, _substitute(v, old, new)) for k, v in value.kwargs)
        return Partial(value.function, args, kwargs, value.made_of)
    return value


def in_class(cls: type, name: str) -> bool:
    """Whether the objects of a class have an attribute by it; `hasattr` of the class finds what
    only the class itself has, its `__name__` say."""
    return any(name in vars(base) for base in cls.__mro__)


def callable_class(cls: type) -> bool:
    """Whether the objects of a class can be called."""
    return in_class(cls, "__call__")
