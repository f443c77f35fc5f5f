"""Floor 4: what the lowering knows of a value.

Numbers and arrays are residual expressions (`Dyn`). Functions, modules, strings and None are
known (`Static`). Tuples, dicts, short lists and objects are taken apart at compile time: their
contents live in the state's heap under an identity (`Heap`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from s2sgrad.frontend.source import Source
from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import NONE, Array, Scalar, Type, is_number

if TYPE_CHECKING:
    from s2sgrad.frontend.state import Frame


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression is while compiling: known, or computed by generated code."""

    pass


@dataclass(frozen=True, slots=True)
class Static(Value):
    """A Python object known at compile time. text: how generated code can name it."""

    value: Any
    text: str = ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Static) or type(self.value) is not type(other.value):
            return False
        if self.value is other.value:
            return True
        return isinstance(self.value, str | int | float | bool) and self.value == other.value

    def __hash__(self) -> int:
        return hash(type(self.value))


@dataclass(frozen=True, slots=True)
class Dyn(Value):
    """A value computed by generated code."""

    expr: Expr

    @property
    def type(self) -> Type:
        """The type of the expression."""
        return self.expr.type


@dataclass(frozen=True, slots=True)
class Keys(Dyn):
    """`table.keys()` of a dict of generated code: the dict itself, but beside operators of sets."""


@dataclass(frozen=True, slots=True)
class Heap(Value):
    """A container or object taken apart; its contents are in the state's heap."""

    id: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Heap contents: a tuple or list of known length. kind: 'tuple' or 'list'."""

    kind: str
    items: tuple[Value, ...]
    made_by: Any = None  # the named tuple class, if it is one


@dataclass(frozen=True, slots=True)
class Mapping:
    """Heap contents: a dict with known keys. made_by: the user's class that it is an object of,
    if any. open: its entries are its attributes too (`self.__dict__ = self`)."""

    items: tuple[tuple[Any, Value], ...]
    made_by: Any = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Instance:
    """Heap contents: an object. outside: it belongs to the caller, so it must not change.
    given: but it was passed, or is held by what was; its fields are variables here, and may."""

    cls: type
    fields: tuple[tuple[str, Value], ...]
    given: bool = False
    outside: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Func(Value):
    """A user function with its source and the frame it was defined in (None: at top level)."""

    source: Source
    name: str
    scope: Frame | None
    function: Any = None  # the real function, where there is one
    defaults: tuple[Value, ...] = ()
    kw_defaults: tuple[tuple[str, Value], ...] = ()

    @property
    def args(self) -> ast.arguments:
        """The function's parameters."""
        return self.source.node.args

    def __eq__(self, other: object) -> bool:
        """The same def in the same activation, with the same defaults, is the same function."""
        if not isinstance(other, Func):
            return False
        same = self.source.node is other.source.node and self.scope is other.scope
        mine = (self.function, self.defaults, self.kw_defaults)
        return same and mine == (other.function, other.defaults, other.kw_defaults)

    def __hash__(self) -> int:
        return hash((id(self.source.node), id(self.scope)))


@dataclass(frozen=True, slots=True)
class Bound(Value):
    """A method and the object it was taken from."""

    function: Value
    owner: Value


@dataclass(frozen=True, slots=True)
class Method(Value):
    """A method of a built-in kind of value: an array, list, dict or string."""

    owner: Value
    name: str


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """A function with some of its arguments given.

    made_of: the transform, what it was made of, and its options, for the derivative of a function
    that was made here: where it is called, it is made again of what names hold then.
    """

    function: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]
    made_of: tuple[Any, Value, dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Chosen(Value):
    """One of several things: functions, or values of different make.

    which: the number of the one that a run has chosen. numbers: those of the options, where they
    are not 0, 1, 2...
    """

    which: Expr
    options: tuple[Value, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Iterator(Value):
    """What range, zip, enumerate, reversed, map and dict views give; consumed by loops.

    kind: 'range', 'zip', 'enumerate', 'reversed', 'map'.
    """

    kind: str
    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Generator(Value):
    """A generator expression, run by whoever consumes it.

    first: what its first `for` goes through, which Python looks up where the generator is made.
    """

    node: ast.GeneratorExp
    scope: Frame
    first: Value

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True, slots=True, eq=False)
class Yielding(Value):
    """What a call of a function with `yield` gives: its body has not begun.

    scope: its activation, in which the arguments are bound. made: the call.
    """

    function: Func
    scope: Frame
    made: ast.AST

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def is_function(value: Value) -> bool:
    """Whether a value can be called by inlining or through a known object."""
    if isinstance(value, Chosen):
        return all(map(is_function, value.options))
    return isinstance(value, Func | Bound | Partial) or (
        isinstance(value, Static) and callable(value.value)
    )


def is_mixed(value: Value) -> bool:
    """Whether a value is one of several of different make."""
    return isinstance(value, Chosen) and not is_function(value)


def is_none(value: Value) -> bool:
    """Whether a value is known to be None."""
    return value == Static(None) or (isinstance(value, Dyn) and value.type == NONE)


def parts_of(contents: Sequence | Mapping | Instance) -> list[Value]:
    """The values that a container holds."""
    if isinstance(contents, Sequence):
        return list(contents.items)
    if isinstance(contents, Instance):
        return [value for _, value in contents.fields]
    keys: list[Value] = [key for key, _ in contents.items if isinstance(key, Heap)]
    return [*keys, *(value for _, value in contents.items)]


def bound_to(value: Value) -> tuple[Value, ...]:
    """The values that a function, a choice or an iterator was made with."""
    match value:
        case Func():
            return (*value.defaults, *(v for _, v in value.kw_defaults))
        case Bound():
            return (value.function, value.owner)
        case Method():
            return (value.owner,)
        case Partial(made_of=made):
            origin = () if made is None else (made[1],)
            return (value.function, *value.args, *(v for _, v in value.kwargs), *origin)
        case Chosen():
            return value.options
        case Iterator():
            return value.parts
        case Generator():
            return (value.first,)
    return ()


def with_bound(value: Value, change: Callable[[Value], Value]) -> Value:
    """The same function, choice or iterator, made with other values: `bound_to`, each changed."""

    def table(pairs: tuple[tuple[str, Value], ...]) -> tuple[tuple[str, Value], ...]:
        return tuple((key, change(v)) for key, v in pairs)

    match value:
        case Func(defaults=defaults, kw_defaults=named):
            return replace(value, defaults=tuple(map(change, defaults)), kw_defaults=table(named))
        case Bound(function=function, owner=owner):
            return Bound(change(function), change(owner))
        case Method(owner=owner):
            return replace(value, owner=change(owner))
        case Partial(function=function, args=args, kwargs=kwargs, made_of=made):
            held = change(function), tuple(map(change, args)), table(kwargs)
            return Partial(*held, None if made is None else (made[0], change(made[1]), made[2]))
        case Chosen(options=options):
            return replace(value, options=tuple(map(change, options)))
        case Iterator(parts=parts):
            return replace(value, parts=tuple(map(change, parts)))
        case Generator(first=first):
            return replace(value, first=change(first))
    return value


def held_by(value: Value) -> list[Value]:
    """A value, and what it was made with, if it is a function, a choice or an iterator."""
    return [value, *(held for part in bound_to(value) for held in held_by(part))]


def held_ids(value: Value) -> list[int]:
    """The containers that a value is, or was made with."""
    return [v.id for v in held_by(value) if isinstance(v, Heap)]


def shared_of(
    found: set[int],
    named: list[Value],
    heap: dict[int, Sequence | Mapping | Instance],
    origins: Callable[[int], set[int]],
) -> set[int]:
    """Those of some containers that two things hold, or one which is held by two.

    named: what names hold. origins: of a container those that it is one of, and itself."""
    if not found:
        return found
    inner = {h: [i for p in parts_of(c) for i in held_ids(p)] for h, c in heap.items()}
    holders = [i for v in named for i in held_ids(v)]
    holders += [i for ids in inner.values() for i in ids]

    def is_shared(identity: int, below: frozenset[int]) -> bool:
        others = origins(identity) - {identity}
        if holders.count(identity) > 1 or others.intersection(holders):
            return True
        around = (h for h, ids in inner.items() if identity in ids and h not in below)
        return any(is_shared(h, below | {identity}) for h in around)

    return {i for i in found if is_shared(i, frozenset())}


def is_made_by_a_run(value: Value) -> bool:
    """Whether a function, choice or iterator was made with what a run computes."""
    parts = bound_to(value)
    return isinstance(value, Chosen) or any(
        isinstance(p, Dyn | Heap) or is_made_by_a_run(p) for p in parts
    )


def without_parts(value: Value) -> Value:
    """A function, choice or iterator without what it was made with: what is left is known."""
    bare = with_bound(value, lambda part: Static(None))
    return replace(bare, which=Const(0)) if isinstance(bare, Chosen) else bare


def inside(value: Value, heap: dict[int, Sequence | Mapping | Instance]) -> set[int]:
    """The containers that a value is or holds."""
    found: set[int] = set()
    todo = [value]
    while todo:
        value = todo.pop()
        if isinstance(value, Heap) and value.id not in found:
            found.add(value.id)
            todo += parts_of(heap[value.id]) if value.id in heap else []
        todo += bound_to(value)
    return found


def is_numeric(value: Value) -> bool:
    """Whether a value is a number or an array computed by generated code."""
    return isinstance(value, Dyn) and is_number(value.type)


def is_array(value: Value) -> bool:
    """Whether a value is an array computed by generated code."""
    return isinstance(value, Dyn) and isinstance(value.type, Array)


def is_endless(value: Value) -> bool:
    """Whether nothing says how far an iterator may go."""
    if not isinstance(value, Iterator):
        return False
    parts = value.parts[1:] if value.kind == "map" else value.parts
    return value.kind == "count" or (
        value.kind in ("map", "zip", "enumerate") and all(map(is_endless, parts))
    )


def own_copy(owner: Dyn, method: str) -> bool:
    """Whether a method copies one of NumPy's numbers, which are copies of themselves."""
    kind = owner.type
    numpy = isinstance(kind, Scalar) and kind.dtype not in ("bool", "int", "float", "complex")
    return method == "copy" and numpy
