"""Floor 4: the state of an abstract run: what names and heap objects hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from functools import reduce
from itertools import count
from typing import Any

from s2sgrad.analysis.indexing import new_size
from s2sgrad.analysis.several_classes import Held
from s2sgrad.analysis.whole import made_whole, narrows
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.frontend.holding import Link, base_name, holders_of, links_of, mates_of
from s2sgrad.frontend.object_texts import object_text
from s2sgrad.frontend.records import NotHeld, classes_of, is_record, not_held, several_classes
from s2sgrad.frontend.source import Source
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Sequence,
    Static,
    Value,
    inside,
    shared_of,
)  # fmt: skip
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import forget_counter
from s2sgrad.ir.names import Names
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import (
    BOTTOM,
    INT,
    Array,
    Dict,
    Known,
    List,
    Maybe,
    Member,
    Scalar,
    Tuple,
    Type,
    forget,
    join,
)

Key = tuple[int, str]  # frame, name
WAITING = -2  # the frame of containers that an expression holds while its later parts are computed
Contents = Sequence | Mapping | Instance


@dataclass(eq=False)
class Frame:
    """One activation of a user function.

    parent: the lexically enclosing frame; cells and globals: where other names are found.
    """

    id: int
    source: Source
    parent: Frame | None
    globals: dict[str, Any]
    cells: dict[str, Any]
    local_names: frozenset[str]
    code: Any = None
    owner: Value | None = None  # self, for super()
    cls: type | None = None
    given: tuple[Value, ...] = ()  # its arguments
    stands_at: Span | None = None  # the user's call, for code that stands in for a library's


@dataclass(frozen=True, eq=False)
class Local:
    """Stands for a local name of a function in a class that is defined there, while compiling.

    value: what it holds where the class is defined (None: nothing yet)."""

    frame: Frame
    name: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Clash(Value):
    """Different things on different paths; using it is an error."""

    name: str
    why: str
    loop: Any = field(default=None, compare=False)  # the loop that binds it to other functions


@dataclass
class State:
    """What every name and container holds. either: container -> those it is one of, by path.
    hold: what stands for a function in containers that generated code builds, if anything can."""

    vars: dict[Key, Value] = field(default_factory=dict)
    heap: dict[int, Contents] = field(default_factory=dict)
    hold: Callable[[Value], nodes.Expr | None] = field(default=lambda value: None, compare=False)
    either: dict[int, frozenset[int]] = field(default_factory=dict)

    def copy(self) -> State:
        """The same state, to be changed apart."""
        return State(dict(self.vars), dict(self.heap), self.hold, dict(self.either))

    def origins(self, identity: int) -> set[int]:
        """A container, and those that it is one of."""
        found: set[int] = set()
        todo = [identity]
        while todo:
            identity = todo.pop()
            if identity not in found:
                found.add(identity)
                todo += self.either.get(identity, ())
        return found

    def shared_parts(self, value: Value) -> set[int]:
        """What can change in a value (or is it) and is held by something else too, or by an object
        that is."""
        found = {i for i in inside(value, self.heap) if is_changeable(self.heap.get(i))}
        named = [v for k, v in self.vars.items() if k[0] != WAITING]
        return shared_of(found, named, self.heap, self.origins)

    def held_as(self, identity: int) -> str | None:
        """A name that holds a container which, on some path, is this one under another name."""
        origins = self.origins(identity)
        others = {new for new in self.either if origins & self.origins(new)} | origins
        others.discard(identity)
        names = (k[1] for k in self.vars if others & inside(self.vars[k], self.heap))
        return next(names, None) if others else None


class Builder:
    """Collects residual statements and gives out names."""

    def __init__(self) -> None:
        self.names = Names()
        self.types: dict[str, Type] = {}
        self.bases: dict[str, str] = {}
        self.paths: dict[str, list[nodes.Expr]] = {}  # lists, dicts: where the name's may be held
        self.mates: dict[str, dict[str, None]] = {}  # ... and names that may hold the same one
        self.links: dict[str, list[Link]] = {}  # name -> what is in it, and where that is too
        self.blocks: list[list[nodes.Stmt]] = [[]]
        self.places: dict[str, dict[str, Size]] = {}  # a loop's counter -> see item_sizes.py
        self.partly: set[str] = set()  # attributes that objects have on some paths only
        self.doubted: set[str] = set()  # names that are read where they may have no value
        self.whole: set[str] = set()  # variables of floats that hold integers on some paths
        self.classes = Held()
        self.ids = count(1)
        self.relate: Callable[[Iterable[Type]], None] = lambda kinds: None  # see relations.py

    @property
    def block(self) -> list[nodes.Stmt]:
        """The block that statements go into."""
        return self.blocks[-1]

    def emit(self, stmt: nodes.Stmt) -> None:
        """Add a statement."""
        self.block.append(stmt)
        self.note(stmt)

    def note(self, stmt: nodes.Stmt) -> None:
        """Remember what a statement says of the lists and numbers that names hold."""
        if isinstance(stmt, nodes.Assign):
            self.classes.note(stmt)
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                self.mate(nodes.Var(target, type=value.type), value)
        for both in made_whole(stmt, self.whole):
            self.whole |= holders_of(both, self.mates, self.paths)
        for one, other in links_of(stmt):
            for expr, place in ((one, other), (other, one)):
                if (name := base_name(expr)) is not None:
                    self.links.setdefault(name, []).append((expr, place))

    def fresh(self, base: str, kind: Type) -> nodes.Var:
        """A new variable."""
        base = base if base.isidentifier() else "item"
        name = self.names.fresh(base)
        self.types[name], self.bases[name] = kind, base
        forget_counter(name)  # a loop that was tried before may have had it
        self.places.pop(name, None)
        return nodes.Var(name, type=kind)

    def meeting(self, base: str, kind: Type, kinds: Iterable[Type], whole: bool) -> nodes.Var:
        """A new variable for values of several types, which one type covers. whole: one of them
        may be an integer, though of floats by its type."""
        var = self.fresh(base, kind)
        if whole or any(narrows(k, kind) for k in kinds):
            self.whole.add(var.name)
        return var

    def mate(self, var: nodes.Var, expr: nodes.Expr) -> None:
        """What a name may hold from here on: where it is a list or dict, both are of one type."""
        if not isinstance(expr.type, List | Dict | Maybe | Tuple):
            return
        match expr:
            case nodes.Var() if expr.name != var.name:
                self.mates.setdefault(var.name, {})[expr.name] = None
                self.mates.setdefault(expr.name, {})[var.name] = None
            case nodes.Index():
                self.paths.setdefault(var.name, []).append(expr)
            case nodes.Choice(then=then, orelse=orelse):
                self.mate(var, then)
                self.mate(var, orelse)
            case nodes.Call(function="and" | "or", args=args):
                for arg in args:
                    self.mate(var, arg)

    def all_mates(self, name: str) -> dict[str, None]:
        """All names that may hold the same list or dict, by way of others too."""
        return mates_of(name, self.mates)

    def bind(self, base: str, expr: nodes.Expr, span: Span | None = None) -> nodes.Var:
        """Emit `base = expr` under a fresh name."""
        expr = self._with_letters(expr)
        var = self.fresh(base, expr.type)
        self.emit(nodes.Assign((var.name,), (expr,), span=span or expr.span))
        return var

    def _with_letters(self, expr: nodes.Expr) -> nodes.Expr:
        """What gets a name has some size each time: a letter stands for one that is not known."""
        kind = expr.type
        if not isinstance(kind, Array) or kind.shape is None or None not in kind.shape:
            return expr
        shape = tuple(size or new_size(expr, next(self.ids)) for size in kind.shape)
        return replace(expr, type=replace(kind, shape=shape))


def constant(value: Any, text: str = "") -> nodes.Expr:
    """The expression for a known Python object."""
    if isinstance(value, IntEnum):
        number = int(value)
        return nodes.Const(number, type=Member(value=number, cls=type(value)))
    if type(value) in (bool, int, float, complex):
        return nodes.Const(value, type=Scalar(type(value).__name__, None, value))
    if isinstance(value, str | bytes) and isinstance(value, Enum):
        raise NotHeld(
            f"a member of {type(value).__name__}, both a text and a member, as a run chooses", None,
            "generated code can't tell which of the two is asked for",
            f"make it an enumeration alone, class {type(value).__name__}(Enum), and use .value",
        )  # fmt: skip
    if value is None or value is ... or isinstance(value, str | bytes):
        return nodes.Const(value, type=Known(value))
    if isinstance(value, slice):
        parts = [None if p is None else constant(p) for p in (value.start, value.stop, value.step)]
        return nodes.Slice(*parts, type=Known(value))
    if type(value) is tuple and not text and any(map(_has_no_literal, value)):
        items = tuple(map(constant, value))
        return nodes.Sequence("tuple", items, type=Tuple(tuple(i.type for i in items)))
    return nodes.Ref(text or object_text(value), value, type=Known(value))


def _has_no_literal(value: Any) -> bool:
    """Whether what Python shows of a value is no code for it: of an enumeration's member."""
    if type(value) is tuple:
        return any(map(_has_no_literal, value))
    return isinstance(value, Enum) or repr(value).startswith("<")


def residual(
    value: Value,
    state: State,
    span: Span | None = None,
    records: bool = False,
    outside: bool = False,
) -> nodes.Expr:
    """The expression that computes a value in generated code. records: objects as dicts of their
    fields. outside: those from outside too, in the function's result."""
    if records and not outside and (held := state.hold(value)) is not None:
        return held
    match value:
        case Dyn(expr=expr):
            return expr
        case Static(value=known, text=text):
            return constant(known, text)
        case Heap(id=identity):
            return _residual_contents(state.heap[identity], state, span, (records, outside))
        case Iterator(kind="range", parts=parts):
            args = tuple(residual(p, state, span) for p in parts)
            return nodes.Call(range, "range", args, type=List(INT), span=span)
        case Clash(name=name, why=why):
            what = "this value" if name.startswith("<") else f"'{name}'"
            raise UnsupportedError(
                f"{what} is not the same on every path", span, why, "give each its own name"
            )
    raise not_held(value, span)


def _residual_contents(
    contents: Contents, state: State, span: Span | None, objects: tuple[bool, bool]
) -> nodes.Expr:
    if isinstance(contents, Sequence):
        items = tuple(residual(v, state, span, *objects) for v in contents.items)
        kinds = tuple(i.type for i in items)
        named = contents.made_by
        classes = {c for k in kinds for c in classes_of(k)}
        if contents.kind == "list" and len(classes) > 1 and not objects[1]:
            raise several_classes(span)
        kind: Type = Tuple(kinds, named) if contents.kind == "tuple" else List(joined(kinds))
        return nodes.Sequence(contents.kind, items, type=kind, span=span)
    array = getattr(contents.cls, "HELD_AS", None) if isinstance(contents, Instance) else None
    if array is not None:
        return residual(dict(contents.fields)[array], state, span)  # type: ignore[union-attr]
    if isinstance(contents, Instance) and not is_record(contents, *objects):
        raise not_held(contents, span)
    if isinstance(contents, Mapping) and contents.made_by is not None and not objects[1]:
        what = f"a {contents.made_by.__name__} can't be passed on here"
        raise NotHeld(what, span, "generated code has plain dicts only", "pass dict(...) of it")
    rows = contents.items if isinstance(contents, Mapping) else contents.fields
    if any(isinstance(key, Heap) for key, _ in rows):
        raise NotHeld(
            "a dict or set whose keys are objects can't be passed on here",
            span,
            "generated code holds objects by their fields",
            "use texts or numbers as keys",
        )
    keys = tuple(constant(k) for k, _ in rows)
    values = tuple(residual(v, state, span, *objects) for _, v in rows)
    key = joined(tuple(forget(k.type) for k in keys))
    names = [k for k, _ in rows]
    fields = tuple((k, forget(v.type)) for k, v in zip(names, values, strict=True))
    cls = contents.cls if isinstance(contents, Instance) else None
    record = Dict(key, joined(tuple(v.type for v in values)), fields, cls)
    return nodes.Mapping(keys, values, type=record, span=span)


def joined(kinds: tuple[Type, ...]) -> Type:
    """The type that covers all of these."""
    return reduce(join, kinds, BOTTOM)  # type: ignore[arg-type]


def is_changeable(contents: Any) -> bool:
    """Whether a container is a list, a dict or an object made here or passed."""
    if isinstance(contents, Instance):
        return contents.given or not contents.outside
    return isinstance(contents, Mapping) or (
        isinstance(contents, Sequence) and contents.kind == "list"
    )


@dataclass
class Path:
    """One way into a meeting point: its end state and the block that takes the moves."""

    state: State
    block: list[nodes.Stmt]
    at: int | None = None  # where in the block the moves go; None: at its end

    def add(self, stmt: nodes.Stmt) -> None:
        """Add a statement at the path's end."""
        self.block.insert(len(self.block) if self.at is None else self.at, stmt)
        if self.at is not None:
            self.at += 1


NO_KEY = "arguments have the keys they came with", "use d.get(key, 0.0), or set the key first"
BOUND = "_bound>"  # ends the names of flags that say whether a name has a value
FLAGS = ("<skip", "<stop", "<returned", "<broke")  # names of exit flags: not set means false


class NeedsResidual(Exception):
    """A container changes its make on some path: it must be built by generated code."""

    def __init__(self, identity: int) -> None:
        super().__init__(identity)
        self.identity = identity


class Together(Exception):
    """Containers that are one under several names on some paths, and change: generated code must
    build them where they are made. refusal: what to say where that can't be."""

    def __init__(self, identities: set[int], refusal: UnsupportedError) -> None:
        super().__init__(identities)
        self.identities, self.refusal = identities, refusal


class Fails(UnsupportedError):
    """An operation that fails in Python too, with an exception of class `raises`."""

    raises: type[Exception] = TypeError


class Unbound(UnsupportedError):
    """A name that has no value on the way to here: an error, unless a later iteration has one."""
